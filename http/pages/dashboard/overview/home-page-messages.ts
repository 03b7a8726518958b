// Texts of home-page.ts, in both languages.
import { type Fragment, html } from '../../shared/html.ts'
import { texts } from '../../shared/texts.ts'

export const TEXTS = texts({
  fr: {
    latestCharges: 'Derniers encaissements',
    allCharges: 'Tous les encaissements',
    latestPayouts: 'Derniers versements',
    allPayouts: 'Tous les versements',
    whichReserved: (pending: Fragment) => html`dont réservé : ${pending}`,
    sinceReloadSumGoesOn: (timeText: string) => `depuis ${timeText} ; rechargez, le calcul continue`,
    yesterday: (amount: Fragment) => html`· hier : ${amount}`,
    receivedToday: 'Encaissé aujourd’hui',
    refundedToday: 'Remboursé aujourd’hui',
    payment: 'paiement',
    payments: 'paiements',
    refunded: (refunds: Fragment) => html`· remboursé : ${refunds}`,
    paidOutToday: 'Versé aujourd’hui',
    testMoneyAndWallets: 'Argent et portefeuilles de test',
    topUpTestBalance: (symbol: string) => `Approvisionner le solde de test (${symbol})`,
    createTestWallet: 'Créer un portefeuille de test',
    itsTagPin2580Sms: 'Son @tag. Code PIN : 2580, code SMS : 000000.',
  },
  en: {
    latestCharges: 'Latest charges',
    allCharges: 'All charges',
    latestPayouts: 'Latest payouts',
    allPayouts: 'All payouts',
    whichReserved: (pending) => html`of which reserved: ${pending}`,
    sinceReloadSumGoesOn: (timeText) => `since ${timeText}; reload, the sum goes on`,
    yesterday: (amount) => html`· yesterday: ${amount}`,
    receivedToday: 'Received today',
    refundedToday: 'Refunded today',
    payment: 'payment',
    payments: 'payments',
    refunded: (refunds) => html`· refunded: ${refunds}`,
    paidOutToday: 'Paid out today',
    testMoneyAndWallets: 'Test money and wallets',
    topUpTestBalance: (symbol) => `Top up the test balance (${symbol})`,
    createTestWallet: 'Create a test wallet',
    itsTagPin2580Sms: 'Its @tag. PIN: 2580, SMS code: 000000.',
  },
})
