// Command line of the bench, validated.
import { parseArgs } from 'node:util'

export interface BenchOptions {
  /** Row numbers, ascending. */
  readonly rows: readonly number[]
  /** Length of each measured window. */
  readonly seconds: number
  readonly repeat: number
  /** File for the whole result as JSON; null: none. */
  readonly json: string | null
  /** Measures payouts once more with Cauri under the CPU profiler and prints the self times. */
  readonly profile: boolean
  /** Also runs the closed-loop rows with wrk, as a check of the generator. */
  readonly wrk: boolean
  /** Connections of rival P to PostgreSQL; null: the best of several sizes, measured for each row. */
  readonly poolSize: number | null
  /** Folder on a real disk for all data of the run; null: the system's, or the project's if that is in memory. */
  readonly folder: string | null
  /** Rows 5 and 6 at full size; else a tenth of it. */
  readonly full: boolean
  /** Maximum wait of each measurement for an idle machine. */
  readonly quietSeconds: number
  /** Row 4 once more with a trace of all stalls and slow commits, by their causes. */
  readonly trace: boolean
}

export const USAGE = `npm run bench -- [options]
  --rows 1,2        rows to run (default: all)
  --seconds 5       length of each measured window
  --repeat 3        how often each measurement is taken, interleaved
  --json FILE       write machine, settings and every repeat to FILE
  --profile         measure once more under the CPU profiler, print Cauri's top functions
  --pool 32         connections of rival P to PostgreSQL (default: several are tried, the best is taken)
  --wrk             measure the closed-loop rivals with wrk too, when it is installed
  --dir FOLDER      folder on a real disk for temporary data
  --full            rows 5 and 6 with a million accounts and ten million payouts: a quarter of an hour, 10 GB of disk
  --trace           row 4 once more under the stall tracer: each stall above 5 ms with its cause
  --quiet SECONDS   wait at most so long for an idle machine (default 20)`

export function parseOptions(args: readonly string[], knownRows: readonly number[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rows: { type: 'string' },
      seconds: { type: 'string', default: '5' },
      repeat: { type: 'string', default: '3' },
      json: { type: 'string' },
      profile: { type: 'boolean', default: false },
      wrk: { type: 'boolean', default: false },
      pool: { type: 'string' },
      dir: { type: 'string' },
      full: { type: 'boolean', default: false },
      quiet: { type: 'string', default: '20' },
      trace: { type: 'boolean', default: false },
    },
  })
  const rows = values.rows === undefined ? [...knownRows] : values.rows.split(',').map(Number)
  const unknown = rows.find((row) => !knownRows.includes(row))
  if (unknown !== undefined) throw new Error(`--rows: there is no row ${unknown}; known: ${knownRows.join(', ')}`)
  return {
    rows: rows.sort((a, b) => a - b),
    seconds: positive('--seconds', values.seconds),
    repeat: Math.ceil(positive('--repeat', values.repeat)),
    json: values.json ?? null,
    profile: values.profile,
    wrk: values.wrk,
    poolSize: values.pool === undefined ? null : Math.ceil(positive('--pool', values.pool)),
    folder: values.dir ?? null,
    full: values.full,
    quietSeconds: Number(values.quiet),
    trace: values.trace,
  }
}

function positive(name: string, text: string): number {
  const value = Number(text)
  if (!(value > 0)) throw new Error(`${name}: not a positive number: ${text}`)
  return value
}
