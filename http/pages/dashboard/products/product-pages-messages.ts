// Texts of product-pages.ts, in both languages.
import { texts } from '../../shared/texts.ts'

export const TEXTS = texts({
  fr: {
    freeAmount: 'Montant libre',
    changed: 'Modifié',
    inactive: 'Inactif',
    templateInPlace: (title: string) => `Modèle mis en place : ${title}.`,
    previewUpdated: 'Aperçu actualisé.',
    allProducts: 'Tous les produits',
    try: 'Essayer',
    removeFromApp: 'Retirer de l’application',
    putBackIntoApp: 'Remettre dans l’application',
  },
  en: {
    freeAmount: 'Free amount',
    changed: 'Changed',
    inactive: 'Inactive',
    templateInPlace: (title) => `Template in place: ${title}.`,
    previewUpdated: 'Preview updated.',
    allProducts: 'All products',
    try: 'Try',
    removeFromApp: 'Remove from the app',
    putBackIntoApp: 'Put back into the app',
  },
})
