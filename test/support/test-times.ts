// Processor time of test files: `CAURI_TEST_TIMES=<file> npm test` appends a line of JSON for each, with its ended children. The first
// file of a process has the loading of all.
import { appendFileSync, readFileSync } from 'node:fs'

const notes = process.env.CAURI_TEST_TIMES
let notedMs = 0

/** Notes what the process has used since the file before. */
export function noteTime(file: string): void {
  if (notes === undefined) return
  const { user, system } = process.cpuUsage()
  const usedMs = Math.round((user + system) / 1000) + childrenMs()
  appendFileSync(notes, `${JSON.stringify({ file, ms: usedMs - notedMs })}\n`)
  notedMs = usedMs
}

/** `cutime` and `cstime` of proc(5), in hundredths of a second. */
function childrenMs(): number {
  if (process.platform !== 'linux') return 0
  const fields = readFileSync('/proc/self/stat', 'latin1').split(') ').at(-1)?.split(' ') ?? []
  return 10 * (Number(fields[13]) + Number(fields[14]))
}
