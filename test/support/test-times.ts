// What test files cost: processor time with that of ended children, wall time, servers started, assertions made. `test/run.ts` names the
// file that each test file appends its line of JSON to. The first file of a process has the loading of all.
import assert from 'node:assert/strict'
import { appendFileSync, readFileSync } from 'node:fs'

/** Names the file of notes. */
export const TEST_TIMES = 'CAURI_TEST_TIMES'
/** What is used after the last file of a process: what its files shared ends there. */
export const PROCESS_END = '(ends of processes)'

export interface TestTime {
  readonly file: string
  readonly cpuMs: number
  readonly wallMs: number
  readonly servers: number
  readonly assertions: number
}

const notes = process.env[TEST_TIMES]
let last = { cpuMs: 0, wallMs: 0 }
const counts = { servers: 0, assertions: 0 }

export function countServer(): void {
  counts.servers += 1
}

/** Counts the calls of `assert.equal` and of its kind, not of `assert` itself. */
export function countAssertions(): void {
  const methods = assert as unknown as Record<string, (...values: unknown[]) => unknown>
  for (const [name, method] of Object.entries(methods)) {
    if (typeof method !== 'function' || /^[A-Z]|^strict$/.test(name)) continue
    methods[name] = (...values) => {
      counts.assertions += 1
      return method(...values)
    }
  }
}

/** Notes what the process has used since the file before. */
export function noteTime(file: string): void {
  if (notes === undefined) return
  const now = { cpuMs: processorMs(), wallMs: Math.round(performance.now()) }
  const used = { cpuMs: now.cpuMs - last.cpuMs, wallMs: now.wallMs - last.wallMs }
  appendFileSync(notes, `${JSON.stringify({ file, ...used, ...counts } satisfies TestTime)}\n`)
  last = now
  counts.servers = 0
  counts.assertions = 0
}

/** Processor time of this process and of its ended children. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return Math.round((user + system) / 1000) + endedChildrenMs()
}

/** `cutime` and `cstime` of proc(5), in hundredths of a second. */
function endedChildrenMs(): number {
  if (process.platform !== 'linux') return 0
  const fields = readFileSync('/proc/self/stat', 'latin1').split(') ').at(-1)?.split(' ') ?? []
  return 10 * (Number(fields[13]) + Number(fields[14]))
}

/** Returns the dearest files as a table, and the sums. */
export function timesTable(text: string, rowsMax: number): string {
  const times = text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as TestTime)
  const files = sumsByFile(times)
  const total = { ...sumOf(times), file: `${files.length} files` }
  const row = ({ file, cpuMs, wallMs, servers, assertions }: TestTime): string =>
    [seconds(cpuMs), seconds(wallMs), String(servers).padStart(8), String(assertions).padStart(11), ` ${file}`].join('')
  const header = `${'cpu'.padStart(8)}${'wall'.padStart(8)}${'servers'.padStart(8)}${'assertions'.padStart(11)}`
  return [header, ...[total, ...files.slice(0, rowsMax)].map(row)].join('\n')
}

function sumsByFile(times: readonly TestTime[]): TestTime[] {
  const files = new Set(times.map(({ file }) => file))
  const sums = [...files].map((file) => ({ ...sumOf(times.filter((time) => time.file === file)), file }))
  return sums.sort((a, b) => b.cpuMs - a.cpuMs)
}

function sumOf(times: readonly TestTime[]): Omit<TestTime, 'file'> {
  const sum = (of: (time: TestTime) => number): number => times.reduce((all, time) => all + of(time), 0)
  return {
    cpuMs: sum(({ cpuMs }) => cpuMs),
    wallMs: sum(({ wallMs }) => wallMs),
    servers: sum(({ servers }) => servers),
    assertions: sum(({ assertions }) => assertions),
  }
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1).padStart(8)
}
