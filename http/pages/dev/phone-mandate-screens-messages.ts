// Texts of phone-mandate-screens.ts, in both languages.
import { type Fragment, html } from '../shared/html.ts'
import { texts } from '../shared/texts.ts'

export const TEXTS = texts({
  fr: {
    approve: 'À approuver',
    merchantsWalletAllowsDebitIt: 'Les marchands que ce portefeuille autorise à prélever, et ceux qui le demandent.',
    noDirectDebitsYet: 'Aucun prélèvement pour le moment.',
    authorisation: 'Autorisation',
    allDirectDebits: 'Tous les prélèvements',
    directDebits: (merchantName: Fragment) => html`Prélèvements de <b><bdi>${merchantName}</bdi></b>`,
    first: 'Premier',
    next: 'Prochain',
    errorDirectDebit: 'Erreur : prélèvement',
    end: 'Mettre fin',
    directDebitDoesNotExist: 'Ce prélèvement n’existe pas.',
  },
  en: {
    approve: 'To approve',
    merchantsWalletAllowsDebitIt: 'The merchants that this wallet allows to debit it, and those who ask for it.',
    noDirectDebitsYet: 'No direct debits yet.',
    authorisation: 'Authorisation',
    allDirectDebits: 'All direct debits',
    directDebits: (merchantName) => html`Direct debits of <b><bdi>${merchantName}</bdi></b>`,
    first: 'First',
    next: 'Next',
    errorDirectDebit: 'Error: direct debit',
    end: 'End',
    directDebitDoesNotExist: 'This direct debit does not exist.',
  },
})
