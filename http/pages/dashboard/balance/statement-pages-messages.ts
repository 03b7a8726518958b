// Texts of statement-pages.ts, in both languages.
import { type Fragment, html } from '../../shared/html.ts'
import { texts } from '../../shared/texts.ts'

export const TEXTS = texts({
  fr: {
    statements: 'Relevés',
    intro:
      'Un relevé par mois, à imprimer ou à garder en PDF : solde au début et à la fin, frais, et chaque jour. Les jours sont ceux de l’heure UTC.',
    month: 'Mois',
    files: 'Fichiers',
    statement: 'Relevé de compte',
    back: 'Retour aux relevés',
    opening: 'Solde au début',
    incoming: 'Entrées',
    outgoing: 'Sorties',
    fees: 'Frais',
    closing: 'Solde à la fin',
    count: 'Mouvements',
    byDay: 'Par jour',
    noMovements: 'Aucun mouvement ce mois.',
    utc: 'Les jours sont ceux de l’heure UTC, celle d’Abidjan, de Bamako et de Dakar.',
    madeOn: (date: Fragment) => html`Établi le ${date} (UTC).`,
    notOver: 'Ce mois n’est pas terminé.',
    tooMany: (most: Fragment) =>
      html`Ce mois a plus de ${most} mouvements : le relevé par jour n’est pas calculé. Exportez les transactions du mois.`,
    seeTransactions: 'Voir les transactions du mois',
    spreadsheet: 'Tableur',
    plainCsv: 'CSV simple',
    currency: 'Devise',
    testStatement: 'Relevé de test : aucun argent réel.',
    account: (id: Fragment) => html`Compte ${id}`,
  },
  en: {
    statements: 'Statements',
    intro:
      'A statement of each month, to print or to keep as a PDF: opening and closing balance, fees, and each day. Days are those of UTC.',
    month: 'Month',
    files: 'Files',
    statement: 'Account statement',
    back: 'Back to the statements',
    opening: 'Opening balance',
    incoming: 'In',
    outgoing: 'Out',
    fees: 'Fees',
    closing: 'Closing balance',
    count: 'Movements',
    byDay: 'By day',
    noMovements: 'No movement in this month.',
    utc: 'Days are those of UTC, the time of Abidjan, Bamako and Dakar.',
    madeOn: (date) => html`Made on ${date} (UTC).`,
    notOver: 'This month is not over.',
    tooMany: (most) =>
      html`This month has more than ${most} movements: the statement by day is not calculated. Export the transactions of the month.`,
    seeTransactions: 'See the transactions of the month',
    spreadsheet: 'Spreadsheet',
    plainCsv: 'Plain CSV',
    currency: 'Currency',
    testStatement: 'Test statement: no real money.',
    account: (id) => html`Account ${id}`,
  },
})
