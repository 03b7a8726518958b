// Checks a data folder before it is opened, in a child process: reads the parts that the start will read. argv: folder. Prints
// the part before it reads it, so that a crash shows which part is damaged. Never writes.
import { existsSync, writeSync } from 'node:fs'
import { findingOf, LogFormatError } from '../../engine/actor/log-format-error.ts'
import { dataFileOf } from '../lmdb-file.ts'
import { archivePathOf, logPathOf } from './folder.ts'
import type { CheckLine } from './folder-check.ts'
import { systemCodeOf } from './folder-error.ts'
import { checkArchive, checkLog } from './folder-parts.ts'

const dataDir = process.argv[2] as string

say({ reads: 'log' })
await attempt(() => checkLog(logPathOf(dataDir)))
if (existsSync(dataFileOf(archivePathOf(dataDir)))) {
  say({ reads: 'archive' })
  await attempt(() => checkArchive(archivePathOf(dataDir)))
}
say({ reads: 'nothing' })

async function attempt(check: () => Promise<void>): Promise<void> {
  try {
    await check()
  } catch (error) {
    const systemCode = systemCodeOf(error)
    if (systemCode !== null) say({ refused: findingOf(error), systemCode })
    else say({ fault: findingOf(error), code: error instanceof LogFormatError ? error.code : 'batch_damaged' })
  }
}

function say(line: CheckLine): void {
  writeSync(1, `${JSON.stringify(line)}\n`)
}
