// Texts of chart.ts, in both languages.
import { type Fragment, html } from '../../shared/html.ts'
import { texts } from '../../shared/texts.ts'

export const TEXTS = texts({
  fr: {
    last30Days: '30 derniers jours',
    received: (sum: Fragment) => html`Encaissé : <b>${sum}</b>`,
    paidOut: (sum: Fragment) => html`Versé : <b>${sum}</b>`,
    inCurrencyDay: (symbol: string) => `en ${symbol} par jour`,
    chartShowsLastDays: (narrowdays: number) => `Le graphique montre les ${narrowdays} derniers jours.`,
    sameFiguresAsTable: 'Les mêmes chiffres en tableau',
    refunded: (sum: Fragment) => html`Remboursé : <b>${sum}</b>`,
    thereTooManyOperationsAdd: (dayText: string) =>
      `Il y a trop d’opérations pour les additionner d’un coup : le ${dayText} et les jours d’avant ne sont pas comptés en entier. Rechargez la page, le calcul continue.`,
    noMovementsYetChargesAnd: 'Aucun mouvement pour le moment. Vos encaissements et vos versements apparaîtront ici, jour par jour.',
    chargesAndPayoutsByDay: (length: number) => `Encaissements et versements par jour, les ${length} derniers jours`,
    receivedPaidOut: (dayText: string, takings: string, payouts: string) => `${dayText} : encaissé ${takings}, versé ${payouts}`,
    receivedPaidOut2: (takings: string, payouts: string) => `Encaissé ${takings} · Versé ${payouts}`,
    chargesAndPayoutsByDay2: 'Encaissements et versements par jour',
  },
  en: {
    last30Days: 'Last 30 days',
    received: (sum) => html`Received: <b>${sum}</b>`,
    paidOut: (sum) => html`Paid out: <b>${sum}</b>`,
    inCurrencyDay: (symbol) => `in ${symbol} a day`,
    chartShowsLastDays: (narrowdays) => `The chart shows the last ${narrowdays} days.`,
    sameFiguresAsTable: 'The same figures as a table',
    refunded: (sum) => html`Refunded: <b>${sum}</b>`,
    thereTooManyOperationsAdd: (dayText) =>
      `There are too many operations to add at once: ${dayText} and the days before are not counted in full. Reload the page, the sum goes on.`,
    noMovementsYetChargesAnd: 'No movements yet. Your charges and payouts will appear here, day by day.',
    chargesAndPayoutsByDay: (length) => `Charges and payouts by day, the last ${length} days`,
    receivedPaidOut: (dayText, takings, payouts) => `${dayText}: received ${takings}, paid out ${payouts}`,
    receivedPaidOut2: (takings, payouts) => `Received ${takings} · Paid out ${payouts}`,
    chargesAndPayoutsByDay2: 'Charges and payouts by day',
  },
})
