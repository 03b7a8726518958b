// The bench suite: measures the machine's limits, runs the rows, and prints their figures and a table of all claims. The rows define
// the measurements.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { buildDist } from '../http/app/dist.ts'
import { TRACER } from './cauri/cauri-server.ts'
import { measureLimits } from './limits/limits.ts'
import { type BenchOptions, parseOptions, USAGE } from './options.ts'
import { type FinishedRow, formatLimits, formatRow, formatTable } from './report.ts'
import { type Row, verdictOf } from './row.ts'
import { ROWS } from './rows/rows.ts'
import { Stand } from './stand.ts'

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
  const stand = new Stand(options)
  try {
    await buildDist(options.trace ? [TRACER] : [])
    const limits = await measureLimits(stand.folder, stand.projectFolder)
    console.log(`${formatLimits(limits)}\n`)
    const finished: FinishedRow[] = []
    for (const row of ROWS.filter(({ number }) => options.rows.includes(number))) {
      finished.push(await runRow(row, stand))
    }
    console.log(formatTable(finished))
    if (options.json !== null) {
      mkdirSync(dirname(options.json), { recursive: true })
      writeFileSync(
        options.json,
        JSON.stringify({ date: new Date().toISOString(), options, limits, rows: finished.map(rowAsJson) }, null, 1),
      )
    }
  } finally {
    await stand.close()
  }
}

async function runRow(row: Row, stand: Stand): Promise<FinishedRow> {
  console.error(`Row ${row.number}: ${row.title}`)
  const finished = { row, result: await row.run(stand) }
  console.log(`${formatRow(finished)}\n`)
  return finished
}

function rowAsJson({ row, result }: FinishedRow): object {
  const claims = result.claims.map((claim) => ({ ...claim, verdict: verdictOf(claim) }))
  return { number: row.number, title: row.title, ...result, claims }
}
