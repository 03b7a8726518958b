// Texts of list-filters.ts, in both languages.
import { type Fragment, html } from '../../shared/html.ts'
import { texts } from '../../shared/texts.ts'

export const TEXTS = texts({
  fr: {
    referenceNameTagOrIdentifier: 'Référence, nom, @tag ou identifiant',
    included: 'Au (inclus)',
    period: (dayText: Fragment) => html`Période : le <b>${dayText}</b>`,
    period2: (dayText: Fragment, dayText2: Fragment) => html`Période : du <b>${dayText}</b> au <b>${dayText2}</b>`,
    periodSince: (dayText: Fragment) => html`Période : depuis le <b>${dayText}</b>`,
    periodAllDates: 'Période : toutes les dates',
    periodUntil: (dayText: Fragment) => html`Période : jusqu’au <b>${dayText}</b>`,
    period3: 'Période',
    allDates: 'Toutes les dates',
    today: 'Aujourd’hui',
    yesterday: 'Hier',
    of7Days: '7 jours',
    month: 'Ce mois',
    lastMonth: 'Mois dernier',
  },
  en: {
    referenceNameTagOrIdentifier: 'Reference, name, @tag or identifier',
    included: 'To (included)',
    period: (dayText) => html`Period: <b>${dayText}</b>`,
    period2: (dayText, dayText2) => html`Period: <b>${dayText}</b> to <b>${dayText2}</b>`,
    periodSince: (dayText) => html`Period: since <b>${dayText}</b>`,
    periodAllDates: 'Period: all dates',
    periodUntil: (dayText) => html`Period: until <b>${dayText}</b>`,
    period3: 'Period',
    allDates: 'All dates',
    today: 'Today',
    yesterday: 'Yesterday',
    of7Days: '7 days',
    month: 'This month',
    lastMonth: 'Last month',
  },
})
