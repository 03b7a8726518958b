// Texts of link-poster.ts, in both languages.
import { type Fragment, html } from '../../shared/html.ts'
import { texts } from '../../shared/texts.ts'

export const TEXTS = texts({
  fr: {
    backLink: 'Retour au lien',
    payHereWithCauri: (amount: Fragment) => html`Payez ici avec Cauri${amount}`,
    scanCodeWithPhone: 'Scannez le code avec votre téléphone.',
    confirmPayment: 'Confirmez le paiement.',
    withoutCamera: (shortAddress: Fragment) => html`Sans appareil photo : <b>${shortAddress}</b>`,
    typeAmount: 'Saisissez le montant.',
    checkAmount: 'Vérifiez le montant.',
    testPosterNoRealMoney: 'Affiche de test : aucun argent réel.',
    colour: 'Couleur',
    black: 'Noir',
    indigo: 'Indigo',
    green: 'Vert',
    red: 'Rouge',
    brown: 'Brun',
    poster: (merchantName: string) => `Affiche de ${merchantName}`,
  },
  en: {
    backLink: 'Back to the link',
    payHereWithCauri: (amount) => html`Pay here with Cauri${amount}`,
    scanCodeWithPhone: 'Scan the code with your phone.',
    confirmPayment: 'Confirm the payment.',
    withoutCamera: (shortAddress) => html`Without a camera: <b>${shortAddress}</b>`,
    typeAmount: 'Type the amount.',
    checkAmount: 'Check the amount.',
    testPosterNoRealMoney: 'Test poster: no real money.',
    colour: 'Colour',
    black: 'Black',
    indigo: 'Indigo',
    green: 'Green',
    red: 'Red',
    brown: 'Brown',
    poster: (merchantName) => `Poster of ${merchantName}`,
  },
})
