// Copies a log into a new folder, in a child process. argv: from, to. Prints one line of JSON: the error, or null. Copies up to
// the end of the log at its start.
import { writeSync } from 'node:fs'
import { LmdbLogReader } from '../log/lmdb-log-reader.ts'
import { LmdbLogTarget } from '../log/lmdb-log-target.ts'
import { copyLog } from './log-copy.ts'

const [from, to] = process.argv.slice(2) as [string, string]

let fault: string | null = null
try {
  await copy()
} catch (error) {
  fault = (error as Error).message
}
writeSync(1, `${JSON.stringify({ fault })}\n`)

async function copy(): Promise<void> {
  const source = LmdbLogReader.open(from)
  const target = await LmdbLogTarget.create(to, source.meta)
  await copyLog(source, target)
  await target.close()
  await source.close()
}
