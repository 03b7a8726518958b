// The report of a run as one HTML file: machine, plots, claims, and every measurement. It needs nothing else to be read.
import type { Measurement } from '../measure.ts'
import { formatNumber, formatSpread, formatUs } from '../statistics.ts'
import type { BenchResult, ResultRow } from './bench-result.ts'
import { compareRuns, machineDoubts, percentOf } from './compare.ts'
import { drawPlot, escapeText } from './plot-svg.ts'
import { formatBound, formatLimits } from './report-text.ts'

const STYLE = `body{font:15px/1.45 sans-serif;margin:2em auto;max-width:1360px;padding:0 1em;color:#222;background:#fff}
table{border-collapse:collapse;margin:.6em 0}td,th{border-bottom:1px solid #ddd;padding:.25em .7em;text-align:left;vertical-align:top}
td.n{text-align:right;font-variant-numeric:tabular-nums}pre{background:#f6f6f6;padding:.8em;overflow-x:auto;font-size:12.5px}
.plots{display:flex;flex-wrap:wrap;gap:1em}.plots svg{border:1px solid #ddd;max-width:100%;height:auto}
.aim,.pass,.better{color:#00674a}.FAIL,.worse{color:#b3261e;font-weight:bold}summary{cursor:pointer}`

export function reportHtml(result: BenchResult, before: BenchResult | null): string {
  const { date, limits, rows, options } = result
  const plots = rows.flatMap(({ plots: ofRow }) => ofRow ?? [])
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>Cauri: figures of ${date}</title><style>${STYLE}</style></head><body>
<h1>Cauri: figures of ${escapeText(date)}</h1>
<p>${options.repeat} repeats of ${formatNumber(options.seconds)} s each. Ratios compare servers of the same run on the same machine.</p>
<pre>${escapeText(formatLimits(limits))}</pre>
<div class="plots">${plots.map(drawPlot).join('\n')}</div>
<h2>Claims</h2>
${claimsTable(rows)}
${before === null ? '' : comparisonSection(before, result)}
<h2>Rows</h2>
${rows.map(rowSection).join('\n')}
</body></html>
`
}

function claimsTable(rows: readonly ResultRow[]): string {
  const lines = rows.flatMap(({ number, claims }) =>
    claims.map(({ what, figure, value, must, aim, verdict }) => [
      cell(String(number)),
      cell(what),
      cell(figure),
      cell(value === null ? '–' : formatSpread(value), 'n'),
      cell(formatBound(must)),
      cell(aim === null ? '–' : formatBound(aim)),
      cell(verdict, verdict === 'not measured' ? '' : verdict),
    ]),
  )
  return table(['row', 'claim', 'figure', 'value', 'must', 'aim', 'verdict'], lines)
}

function comparisonSection(before: BenchResult, after: BenchResult): string {
  const lines = compareRuns(before, after).map(({ row, what, before: old, after: value, difference, change }) => [
    cell(String(row)),
    cell(what),
    cell(old === null ? '–' : formatSpread(old), 'n'),
    cell(value === null ? '–' : formatSpread(value), 'n'),
    cell(percentOf(difference), 'n'),
    cell(change, change === 'better' || change === 'worse' ? change : ''),
  ])
  const doubts = machineDoubts(before, after).map((doubt) => `<p>Caution: ${escapeText(doubt)}</p>`)
  return `<h2>Compared with ${escapeText(before.date)}</h2>
<p>Noise: the ranges of the repeats touch.</p>${doubts.join('')}
${table(['row', 'claim', 'before', 'now', 'difference', ''], lines)}`
}

function rowSection({ number, title, notes, measurements }: ResultRow): string {
  return `<details><summary>Row ${number}: ${escapeText(title)}</summary>
<pre>${escapeText(notes.join('\n'))}</pre>
${measurements.length === 0 ? '' : measurementsTable(measurements)}</details>`
}

function measurementsTable(measurements: readonly Measurement[]): string {
  const lines = measurements.map(({ subject, perSecond, latency, serverCores, serverMainThreadCores, generatorCores, otherCores }) => [
    cell(subject),
    cell(formatNumber(perSecond), 'n'),
    ...[latency.p50Us, latency.p99Us, latency.p999Us, latency.maxUs].map((us) => cell(formatUs(us), 'n')),
    ...[serverCores, serverMainThreadCores, generatorCores, otherCores].map((cores) => cell(cores === null ? '?' : cores.toFixed(2), 'n')),
  ])
  const header = ['server', 'per s', 'p50', 'p99', 'p99.9', 'max', 'cores: server', 'main thread', 'generator', 'others']
  return table(header, lines)
}

function table(header: readonly string[], lines: readonly (readonly string[])[]): string {
  const head = header.map((name) => `<th>${escapeText(name)}</th>`).join('')
  return `<table><tr>${head}</tr>${lines.map((cells) => `<tr>${cells.join('')}</tr>`).join('\n')}</table>`
}

function cell(content: string, name = ''): string {
  return `<td${name === '' ? '' : ` class="${name}"`}>${escapeText(content)}</td>`
}
