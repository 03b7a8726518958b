// The bench suite: measures the machine's limits, runs the rows, and prints their figures and a table of all claims. The rows define
// the measurements.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { startBuilt } from '../engine/kernel/script-entry.ts'
import { buildDist, builtProgram } from '../http/app/dist.ts'
import { TRACER } from './cauri/cauri-server.ts'
import { measureLimits } from './limits/limits.ts'
import { type BenchOptions, parseOptions, USAGE } from './options.ts'
import { type BenchResult, readResult, resultOf } from './report/bench-result.ts'
import { formatComparison } from './report/compare.ts'
import { drawPlot } from './report/plot-svg.ts'
import { reportHtml } from './report/report-html.ts'
import { type FinishedRow, formatLimits, formatRow, formatTable } from './report/report-text.ts'
import type { Row } from './row.ts'
import { ROWS } from './rows/rows.ts'
import { Stand } from './stand.ts'
import { formatNumber } from './statistics.ts'

const OWN_SCRIPTS = ['bench/load/generator.ts', 'bench/streams/listener.ts', 'bench/cauri/held-memory-child.ts']

// Exits normally, so that the stand's `exit` hooks end the servers and remove the folder.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

if (process.argv.includes('--help')) {
  console.log(USAGE)
  process.exit()
}

try {
  const options = parseOptions(
    process.argv.slice(2),
    ROWS.map(({ number }) => number),
  )
  await runBench(options)
} catch (error) {
  console.error(error instanceof TypeError ? `${error.message}\n\n${USAGE}` : error)
  process.exitCode = 1
}

async function runBench(options: BenchOptions): Promise<void> {
  const before = options.compare === null ? null : readResult(options.compare)
  if (options.render !== null) return writeReport(readResult(options.render), before, options.render)
  const stand = new Stand(options)
  try {
    await buildScripts(options)
    const limits = await measureLimits(stand.folder, stand.projectFolder, options.quick)
    console.log(`${formatLimits(limits)}\n`)
    const finished: FinishedRow[] = []
    for (const row of ROWS.filter(({ number }) => options.rows.includes(number))) {
      finished.push(await runRow(row, stand))
    }
    console.log(formatTable(finished))
    const result = resultOf(options, limits, finished)
    const path = options.json ?? join(stand.projectFolder, 'bench', 'results', `${result.date.replaceAll(':', '')}.json`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, JSON.stringify(result, null, 1))
    writeReport(result, before, path)
  } finally {
    await stand.close()
  }
}

/** Builds the server, and the scripts that the bench starts often: a start from source takes three times the processor time. */
async function buildScripts(options: BenchOptions): Promise<void> {
  await buildDist({ further: [...(options.trace ? [TRACER] : []), ...OWN_SCRIPTS] })
  for (const script of ['http/main.ts', ...OWN_SCRIPTS]) startBuilt(new URL(`../${script}`, import.meta.url), builtProgram(script))
}

/** Writes the report beside the JSON file, and the headline plot as a file of its own. */
function writeReport(result: BenchResult, before: BenchResult | null, jsonPath: string): void {
  if (before !== null) console.log(`\n${formatComparison(before, result)}`)
  const base = jsonPath.replace(/\.json$/, '')
  writeFileSync(`${base}.html`, reportHtml(result, before))
  const [headline] = result.rows.flatMap(({ plots }) => plots ?? [])
  if (headline !== undefined) writeFileSync(`${base}.svg`, `${drawPlot(headline)}\n`)
  console.log(`\nReport: ${base}.html`)
}

async function runRow(row: Row, stand: Stand): Promise<FinishedRow> {
  console.error(`Row ${row.number}: ${row.title}`)
  const fromMs = performance.now()
  const finished = { row, result: await row.run(stand) }
  console.error(`  row ${row.number} took ${formatNumber((performance.now() - fromMs) / 1000)} s`)
  console.log(`${formatRow(finished)}\n`)
  return finished
}
