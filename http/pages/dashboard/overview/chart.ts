// Chart of takings and payouts by day: an axis with its unit, one link for each day that has movements, and a table with the same
// figures. The wide drawing has 30 days, the one for phones the last 14; the stylesheet shows one of them.

import { Text } from '../../../text/text.ts'
import { amountText, currencySymbol, majorUnits } from '../../shared/amount-text.ts'
import { dayText, shortDay } from '../../shared/date-text.ts'
import { type Fragment, type Html, html } from '../../shared/html.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { table } from '../shared/dashboard-parts.ts'
import type { Visit } from '../shared/dashboard-visit.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { TEXTS } from './chart-messages.ts'
import type { DayTotal } from './day-totals.ts'

/** Sizes of a drawing, in its own units. Its text keeps its size where the drawing is shown at about this width. */
interface Drawing {
  readonly look: 'is-wide' | 'is-narrow'
  readonly width: number
  readonly height: number
  /** Days between two labels of the axis. */
  readonly labelEvery: number
  /** Links would be too narrow for a finger on a phone. */
  readonly hasLinks: boolean
}

const WIDE: Drawing = { look: 'is-wide', width: 760, height: 270, labelEvery: 5, hasLinks: true }
const NARROW: Drawing = { look: 'is-narrow', width: 300, height: 230, labelEvery: 3, hasLinks: false }
const NARROW_DAYS = 14

/** Room for the labels of the axes, and above them for the figures of the day that has the pointer or the focus. */
const [LEFT, TOP, BOTTOM] = [46, 48, 24]

const COMPACT = {
  fr: new Intl.NumberFormat('fr-FR', { notation: 'compact', maximumFractionDigits: 1 }),
  en: new Intl.NumberFormat('en-GB', { notation: 'compact', maximumFractionDigits: 1 }),
} as const

/** Heights of the bars that an empty chart is drawn with. */
const GHOST = [14, 26, 20, 36, 30, 46, 38, 56, 42, 50] as const

export function dayChart(visit: Pick<Visit, 'to' | 'currency'>, days: readonly DayTotal[]): Html {
  const { currency } = visit
  const cut = days.filter(({ sinceMs }) => sinceMs !== null).at(-1)
  const isEmpty = days.every(({ takings, refunds, payouts }) => takings === 0 && refunds === 0 && payouts === 0)
  if (isEmpty && cut === undefined) return emptyChart(visit)
  const total = (of: (day: DayTotal) => number): number => days.reduce((sum, day) => sum + of(day), 0)
  const sum = (of: (day: DayTotal) => number): Text | string => amountText(total(of), currency)
  const hasRefunds = total(({ refunds }) => refunds) > 0
  return html`<figure class="chart">
<figcaption><h2>${TEXTS.last30Days}</h2>
<ul class="legend"><li class="is-in">${TEXTS.received(sum(({ takings }) => takings))}</li>${hasRefunds && html`<li>${TEXTS.refunded(sum(({ refunds }) => refunds))}</li>`}<li class="is-out">${TEXTS.paidOut(sum(({ payouts }) => payouts))}</li><li class="unit">${TEXTS.inCurrencyDay(currencySymbol(currency))}</li></ul></figcaption>
${drawing(visit, WIDE, days)}${drawing(visit, NARROW, days.slice(-NARROW_DAYS))}
<p class="hint is-narrow">${TEXTS.chartShowsLastDays(NARROW_DAYS)}</p>
${cut !== undefined && html`<p class="hint">${TEXTS.thereTooManyOperationsAdd(dayText(cut.dayMs))}</p>`}
<details><summary>${TEXTS.sameFiguresAsTable}</summary>${numbers(days, hasRefunds, currency)}</details>
</figure>`
}

function emptyChart(visit: Pick<Visit, 'to'>): Html {
  return html`<figure class="chart is-empty"><figcaption><h2>${TEXTS.last30Days}</h2></figcaption>
<svg class="ghost" viewBox="0 0 300 60" aria-hidden="true" focusable="false">${GHOST.map((height, index) => html`<rect x="${index * 30 + 5}" y="${60 - height}" width="20" height="${height}" rx="3"/>`)}</svg>
<p>${TEXTS.noMovementsYetChargesAnd}</p>
<p><a class="button quiet" href="${visit.to('charges/new')}">${DASHBOARD_WORDS.requestPayment}</a></p></figure>`
}

function drawing(visit: Pick<Visit, 'to' | 'currency'>, shape: Drawing, days: readonly DayTotal[]): Html {
  const { look, width, height, labelEvery, hasLinks } = shape
  const units = (amount: number): number => majorUnits(amount, visit.currency)
  const scale = scaleFor(units(Math.max(...days.flatMap(({ takings, payouts }) => [takings, payouts]))))
  const base = height - BOTTOM
  const heightAt = (tick: number): number => Math.round(base - (Math.max(0, tick) / scale.most) * (base - TOP))
  const yOf = (amount: number): number => heightAt(units(amount))
  const step = (width - LEFT) / days.length
  const grid = scale.ticks.map((tick) => {
    const y = heightAt(tick)
    return html`<path class="${tick === 0 ? 'axis' : 'grid'}" d="M${LEFT} ${y}H${width}"/><text class="tick" x="${LEFT - 6}" y="${y + 4}" text-anchor="end">${new Text((language) => COMPACT[language].format(tick))}</text>`
  })
  const labels = days.map(
    ({ dayMs }, index) =>
      (days.length - 1 - index) % labelEvery === 0 &&
      html`<text class="tick" x="${middle(index, step)}" y="${height - 6}" text-anchor="middle">${shortDay(dayMs)}</text>`,
  )
  const columns = days.map((day, index) => dayColumn(visit, day, { shape, yOf, base, left: LEFT + index * step, step }))
  return html`<svg class="${look}" viewBox="0 0 ${width} ${height}" role="${hasLinks ? 'group' : 'img'}" aria-label="${TEXTS.chargesAndPayoutsByDay(days.length)}">
${grid}${labels}${columns}</svg>`
}

interface Column {
  readonly shape: Drawing
  readonly yOf: (amount: number) => number
  readonly base: number
  readonly left: number
  readonly step: number
}

/** Renders the bars of a day with their figures, which are shown on hover and focus. The title serves assistive technology. */
function dayColumn(visit: Pick<Visit, 'to' | 'currency'>, day: DayTotal, { shape, yOf, base, left, step }: Column): Html | false {
  const { dayMs, takings, payouts } = day
  const [taken, paid] = [amountText(takings, visit.currency), amountText(payouts, visit.currency)]
  if (takings === 0 && payouts === 0) return false
  const bar = Math.max(2, Math.min(14, step * 0.36))
  const start = left + step / 2 - bar
  const rect = (look: string, x: number, amount: number): Fragment =>
    amount > 0 &&
    html`<rect class="${look}" x="${x.toFixed(1)}" y="${Math.min(yOf(amount), base - 2)}" width="${(bar - 0.5).toFixed(1)}" height="${Math.max(2, base - yOf(amount))}" rx="1.5"/>`
  const content = html`<title>${TEXTS.receivedPaidOut(dayText(dayMs), taken, paid)}</title>
<rect class="hit" x="${left.toFixed(1)}" y="${TOP}" width="${step.toFixed(1)}" height="${base - TOP}"/>
${rect('is-in', start, takings)}${rect('is-out', start + bar, payouts)}
${tip(dayMs, TEXTS.receivedPaidOut2(taken, paid), shape.width)}`
  if (!shape.hasLinks) return html`<g class="day">${content}</g>`
  const iso = new Date(dayMs).toISOString().slice(0, 10)
  return html`<a class="day" href="${visit.to('transactions')}?from=${iso}&amp;to=${iso}" aria-label="${TEXTS.receivedPaidOut(dayText(dayMs), taken, paid)}">${content}</a>`
}

/** Renders the figures above the bars, where no other day is drawn over them. */
function tip(dayMs: number, words: Text, width: number): Html {
  return html`<g class="tip" aria-hidden="true"><text x="${width}" y="16" text-anchor="end" class="tip-day">${dayText(dayMs)}</text>
<text x="${width}" y="34" text-anchor="end">${words}</text></g>`
}

function middle(index: number, step: number): string {
  return (LEFT + (index + 0.5) * step).toFixed(1)
}

interface Scale {
  readonly most: number
  readonly ticks: readonly number[]
}

const TICKS = 4
const STEPS = [1, 2, 2.5, 5, 10] as const

/** Returns an axis from 0 to a round number that is not below the amount: steps of 1, 2, 2.5 or 5 times a power of ten. */
export function scaleFor(amount: number): Scale {
  const rough = Math.max(1, amount / TICKS)
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = Math.ceil((STEPS.find((one) => one * power >= rough) ?? 10) * power)
  const count = Math.max(1, Math.ceil(amount / step))
  return { most: step * count, ticks: Array.from({ length: count + 1 }, (_, index) => index * step) }
}

function numbers(days: readonly DayTotal[], hasRefunds: boolean, currency: string): Html {
  return table(
    TEXTS.chargesAndPayoutsByDay2,
    [
      { name: WORDS.day, cell: ({ dayMs }) => dayText(dayMs) },
      { name: DASHBOARD_WORDS.received, isFigure: true, cell: ({ takings }) => amountText(takings, currency) },
      ...(hasRefunds
        ? [{ name: DASHBOARD_WORDS.refunded2, isFigure: true, cell: ({ refunds }: DayTotal) => amountText(refunds, currency) }]
        : []),
      { name: DASHBOARD_WORDS.paid, isFigure: true, cell: ({ payouts }) => amountText(payouts, currency) },
    ],
    [...days].reverse(),
    '',
  )
}
