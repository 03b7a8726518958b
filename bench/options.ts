// Command line of the bench, validated.
import { parseArgs } from 'node:util'

export interface BenchOptions {
  /** Row numbers, ascending. */
  readonly rows: readonly number[]
  /** Length of each measured window. */
  readonly seconds: number
  readonly repeat: number
  /** File for the whole result as JSON. The report is beside it; null: bench/results/ with the time of the run. */
  readonly json: string | null
  /** All rows with one short window each, and small populations. */
  readonly quick: boolean
  /** JSON of an earlier run to compare with. */
  readonly compare: string | null
  /** JSON of a run whose report is written again, without a measurement. */
  readonly render: string | null
  /** A further rival of row 1; null: none. */
  readonly rival: RivalOptions | null
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
  /** Flags of V8 for Cauri's process, after those of `npm start`. */
  readonly nodeFlags: readonly string[]
  /** Row 4 also compares the log in LMDB with an append-only file. */
  readonly plainFileLog: boolean
  /** Duration of row 12; null: the row does not run. */
  readonly soakMinutes: number | null
}

export interface RivalOptions {
  readonly url: string
  /** JSON file with the request. */
  readonly template: string
}

/** Rows that wait for deadlines and takeovers, row 13, which claims nothing, row 14, which waits until V8 has compiled, and rows 15 and 16, which are long. */
const NOT_QUICK_ROWS = [9, 11, 13, 14, 15, 16]
/** Row that runs only when it is asked for. */
const SOAK_ROW = 12

export const USAGE = `npm run bench -- [options]
  --rows 1,2        rows to run (default: all)
  --seconds 5       length of each measured window
  --repeat 3        how often each measurement is taken, interleaved
  --json FILE       write machine, settings and every repeat to FILE, and the report beside it as .html and .svg
                    (default: bench/results/ with the time of the run)
  --quick           one window of a second each and small populations, rows 9, 11 and 13 to 16 only on request: below three minutes
  --compare FILE    compare with an earlier run's JSON, claim by claim
  --render FILE     write the report of a JSON file again, without a measurement; with --compare: compare the two files
  --rival-url URL   row 1 also at that server, with the request of --rival-template FILE: {"method", "path", "headers",
                    "body", "expect": {"status", "bodyText"}}; {{sequence:W}} and {{random:W:N}} become digits
  --profile         measure once more under the CPU profiler, print the top functions of Cauri's threads; row 14: what they allocate
  --pool 32         connections of rival P to PostgreSQL (default: several are tried, the best is taken)
  --wrk             measure the closed-loop rivals with wrk too, when it is installed
  --dir FOLDER      folder on a real disk for temporary data
  --full            rows 5 and 6 with a million accounts and ten million payouts: a quarter of an hour, 10 GB of disk
  --trace           row 4 once more under the stall tracer: stalls above 3 ms by cause, with counts
  --node-flags TEXT flags for Cauri's process after those of npm start: --node-flags=--max-semi-space-size=16
  --plain-file-log  row 4 also measures the log alone: LMDB beside an append-only file with fdatasync, with O_DSYNC, preallocated
  --soak MINUTES    row 12: half of the maximum for so long; alone, only that row
  --quiet SECONDS   wait at most so long for an idle machine (default 20)`

export function parseOptions(args: readonly string[], knownRows: readonly number[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rows: { type: 'string' },
      seconds: { type: 'string' },
      repeat: { type: 'string' },
      json: { type: 'string' },
      quick: { type: 'boolean', default: false },
      compare: { type: 'string' },
      render: { type: 'string' },
      'rival-url': { type: 'string' },
      'rival-template': { type: 'string' },
      profile: { type: 'boolean', default: false },
      wrk: { type: 'boolean', default: false },
      pool: { type: 'string' },
      dir: { type: 'string' },
      full: { type: 'boolean', default: false },
      quiet: { type: 'string' },
      trace: { type: 'boolean', default: false },
      'node-flags': { type: 'string', default: '' },
      'plain-file-log': { type: 'boolean', default: false },
      soak: { type: 'string' },
    },
  })
  const defaults = values.quick ? QUICK : USUAL
  const always = knownRows.filter((row) => row !== SOAK_ROW && !(values.quick && NOT_QUICK_ROWS.includes(row)))
  const chosen = values.soak === undefined ? always : [SOAK_ROW]
  const rows = values.rows === undefined ? chosen : values.rows.split(',').map(Number)
  const unknown = rows.find((row) => !knownRows.includes(row))
  if (unknown !== undefined) throw new Error(`--rows: there is no row ${unknown}; known: ${knownRows.join(', ')}`)
  return {
    rows: rows.sort((a, b) => a - b),
    seconds: positive('--seconds', values.seconds ?? defaults.seconds),
    repeat: Math.ceil(positive('--repeat', values.repeat ?? defaults.repeat)),
    json: values.json ?? null,
    quick: values.quick,
    compare: values.compare ?? null,
    render: values.render ?? null,
    rival: rivalOf(values['rival-url'], values['rival-template']),
    profile: values.profile,
    wrk: values.wrk,
    poolSize: poolSizeOf(values.pool ?? defaults.pool),
    folder: values.dir ?? null,
    full: values.full,
    quietSeconds: Number(values.quiet ?? defaults.quiet),
    trace: values.trace,
    nodeFlags: values['node-flags'].split(' ').filter((flag) => flag !== ''),
    plainFileLog: values['plain-file-log'],
    soakMinutes: values.soak === undefined ? null : positive('--soak', values.soak),
  }
}

interface Defaults {
  readonly seconds: string
  readonly repeat: string
  readonly quiet: string
  readonly pool?: string
}

const USUAL: Defaults = { seconds: '5', repeat: '3', quiet: '20' }
/** One pool size instead of trials, and no wait for an idle machine. */
const QUICK: Defaults = { seconds: '1', repeat: '1', quiet: '0', pool: '32' }

function poolSizeOf(text: string | undefined): number | null {
  return text === undefined ? null : Math.ceil(positive('--pool', text))
}

function rivalOf(url: string | undefined, template: string | undefined): RivalOptions | null {
  if (url === undefined && template === undefined) return null
  if (url === undefined || template === undefined) throw new Error('--rival-url and --rival-template belong together')
  return { url, template }
}

function positive(name: string, text: string): number {
  const value = Number(text)
  if (!(value > 0)) throw new Error(`${name}: not a positive number: ${text}`)
  return value
}
