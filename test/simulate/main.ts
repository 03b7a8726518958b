// `npm run simulate`: worlds of every noun on a simulated clock, log and network. `--seed N` runs one, `--seeds K [--from N]` many,
// `--minutes M` as many as fit. `--only 1,2,3` leaves all other operations out, `--trace` prints each, `--coverage` fails where a
// cell is empty. Exits with 1 when a seed fails.
import { parseArgs } from 'node:util'
import { failureText, runSeeds, runWorld } from './run.ts'
import { OPERATIONS } from './world.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string' },
    minutes: { type: 'string' },
    from: { type: 'string', default: '1' },
    only: { type: 'string' },
    twice: { type: 'string', default: '100' },
    trace: { type: 'boolean', default: false },
    coverage: { type: 'boolean', default: false },
  },
})

function wholeNumber(text: string, name: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`--${name} is a whole number`)
  return value
}

const startedMs = performance.now()
if (values.seed !== undefined && (values.only !== undefined || values.trace)) await runOne(wholeNumber(values.seed, 'seed'))
else await runMany()

async function runOne(seed: number): Promise<void> {
  const only = values.only === undefined ? null : new Set(values.only.split(',').map((number) => wholeNumber(number, 'only')))
  const skipped = new Set(Array.from({ length: OPERATIONS }, (_, number) => number).filter((number) => only?.has(number) === false))
  const { hash, figures } = await runWorld({
    seed,
    skipped,
    ...(values.trace || only !== null ? { trace: (line) => console.log(line) } : {}),
  })
  console.log(`seed ${seed} holds: ${hash} ${JSON.stringify(figures)}`)
}

async function runMany(): Promise<void> {
  const from = wholeNumber(values.seed ?? values.from, 'from')
  const minutes = values.minutes === undefined ? null : wholeNumber(values.minutes, 'minutes')
  const count = values.seed === undefined ? wholeNumber(values.seeds ?? (minutes === null ? '200' : '1000000000'), 'seeds') : 1
  const ends = minutes === null ? {} : { endsMs: Date.now() + minutes * 60_000 }
  const { seeds, figures, coverage, failures } = await runSeeds({ from, count, twice: wholeNumber(values.twice, 'twice'), ...ends })
  const seconds = (performance.now() - startedMs) / 1000
  for (const failure of failures) console.error(await failureText(failure))
  if (values.seed === undefined) console.log(`${coverage.text}\n`)
  console.log(
    `${seeds} seeds in ${Math.round(seconds)} s, ${Math.round((seeds * OPERATIONS) / seconds)} operations/s: ${JSON.stringify(figures)}`,
  )
  if (values.coverage) for (const cell of coverage.empty) console.error(`nothing has filled the cell ${cell}`)
  process.exitCode = failures.length > 0 || (values.coverage && coverage.empty.length > 0) ? 1 : 0
}
