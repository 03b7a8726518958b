// Bar chart of thirty days: takings up, payouts down. A table has the same data for screen readers.
import { prettyAmount } from '../../workers/gateways/message.ts'
import { dayText } from '../date-text.ts'
import { type Html, html } from '../html.ts'
import { table } from './dashboard-parts.ts'
import type { DayTotal } from './day-totals.ts'

const WIDTH = 600
const HEIGHT = 160
const MIDDLE = 95

export function dayChart(days: readonly DayTotal[]): Html {
  const cut = days.filter(({ sinceMs }) => sinceMs !== null).at(-1)
  const most = Math.max(1, ...days.map(({ takings }) => takings), ...days.map(({ payouts }) => payouts))
  const step = WIDTH / days.length
  const bars = days.map((day, index) => bar(day, index * step, step, most))
  const [first, last] = [days[0], days.at(-1)]
  const sum = (of: (day: DayTotal) => number): string => prettyAmount(days.reduce((total, day) => total + of(day), 0))
  const caption = `Encaissé : ${sum(({ takings }) => takings)}. Versé : ${sum(({ payouts }) => payouts)}.`
  return html`<figure class="chart">
<figcaption><b>30 derniers jours.</b> ${caption}</figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Encaissements et versements par jour. ${caption}">
${bars}
<path class="axis" d="M0 ${MIDDLE}h${WIDTH}"/>
</svg>
<p class="axis-text"><span>${first !== undefined && dayText(first.dayMs)}</span><span>${last !== undefined && dayText(last.dayMs)}</span></p>
<p class="legend"><span class="is-in">Encaissements</span><span class="is-out">Versements</span></p>
${cut !== undefined && html`<p class="hint">Il y a trop d’opérations pour les additionner d’un coup : le ${dayText(cut.dayMs)} et les jours d’avant ne sont pas comptés en entier. Rechargez la page, le calcul continue.</p>`}
<details><summary>Les mêmes chiffres en tableau</summary>${numbers(days)}</details>
</figure>`
}

function bar({ takings, payouts }: DayTotal, x: number, step: number, most: number): Html {
  const width = Math.max(1, step * 0.7)
  const left = x + (step - width) / 2
  const up = Math.round((Math.max(0, takings) / most) * (MIDDLE - 4))
  const down = Math.round((Math.max(0, payouts) / most) * (HEIGHT - MIDDLE - 4))
  const place = left.toFixed(1)
  return html`${up > 0 && html`<rect class="is-in" x="${place}" y="${MIDDLE - up}" width="${width.toFixed(1)}" height="${up}"/>`}${
    down > 0 && html`<rect class="is-out" x="${place}" y="${MIDDLE + 1}" width="${width.toFixed(1)}" height="${down}"/>`
  }`
}

function numbers(days: readonly DayTotal[]): Html {
  return table(
    'Encaissements et versements par jour',
    [
      { name: 'Jour', cell: ({ dayMs }) => dayText(dayMs) },
      { name: 'Encaissé', isFigure: true, cell: ({ takings }) => prettyAmount(takings) },
      { name: 'Versé', isFigure: true, cell: ({ payouts }) => prettyAmount(payouts) },
    ],
    [...days].reverse(),
    '',
  )
}
