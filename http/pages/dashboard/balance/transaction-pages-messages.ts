// Texts of transaction-pages.ts, in both languages.
import { texts } from '../../shared/texts.ts'

export const TEXTS = texts({
  fr: {
    transaction: 'transaction',
    transactions: 'transactions',
    outgoing: 'Sorties',
    incoming: 'Entrées',
    noTransactionsYet: 'Aucune transaction pour le moment.',
    entries: 'Écritures',
    outgoing2: 'Sortie',
    incoming2: 'Entrée',
    wallet: 'Portefeuille',
    settlementAccount: 'Compte de règlement',
    clearingAccount: 'Compte de compensation',
    feeAccount: 'Compte de frais',
  },
  en: {
    transaction: 'transaction',
    transactions: 'transactions',
    outgoing: 'Outgoing',
    incoming: 'Incoming',
    noTransactionsYet: 'No transactions yet.',
    entries: 'Entries',
    outgoing2: 'Outgoing',
    incoming2: 'Incoming',
    wallet: 'Wallet',
    settlementAccount: 'Settlement account',
    clearingAccount: 'Clearing account',
    feeAccount: 'Fee account',
  },
})
