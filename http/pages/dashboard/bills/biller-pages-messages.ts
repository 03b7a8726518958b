// Texts of biller-pages.ts, in both languages.
import { texts } from '../../shared/texts.ts'

export const TEXTS = texts({
  fr: {
    draft: 'Brouillon',
    customersPayTheirBillsIn:
      'Vos clients paient leurs factures dans l’application : décrivez-vous, ajoutez un logo et un produit, puis demandez la publication. Le profil est le même en test et en production.',
    technicalName: 'Nom technique',
    requested: 'Demandé',
    askForPublication: 'Demander la publication',
    weReviewProfileLogoAnd: 'Nous examinons le profil, le logo et les produits. Une fois publié, le nom et la catégorie ne changent plus.',
    approveForTests: 'Approuver pour les tests',
    saveProfile: 'Enregistrer le profil',
    displayName: 'Nom affiché',
    shortDescription: 'Description courte',
    pngJpegOrWebPImage: 'Image PNG, JPEG ou WebP',
    square1288192Pixels: 'Carrée, de 128 à 8 192 pixels de côté, 512 Ko au plus.',
    sendLogo: 'Envoyer le logo',
  },
  en: {
    draft: 'Draft',
    customersPayTheirBillsIn:
      'Your customers pay their bills in the app: describe yourself, add a logo and a product, then ask for the publication. The profile is the same in test and production.',
    technicalName: 'Technical name',
    requested: 'Requested',
    askForPublication: 'Ask for the publication',
    weReviewProfileLogoAnd: 'We review profile, logo and products. Once published, name and category no longer change.',
    approveForTests: 'Approve for tests',
    saveProfile: 'Save the profile',
    displayName: 'Display name',
    shortDescription: 'Short description',
    pngJpegOrWebPImage: 'PNG, JPEG or WebP image',
    square1288192Pixels: 'Square, 128 to 8,192 pixels a side, 512 KB at most.',
    sendLogo: 'Send the logo',
  },
})
