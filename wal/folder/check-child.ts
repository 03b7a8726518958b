// Checks a data folder before it is opened, in a child process: reads the parts that the start will read. argv: folder. Prints
// the part before it reads it, so that a crash shows which part is damaged. Never changes a part.
import { existsSync, writeSync } from 'node:fs'
import { findingOf, LogFormatError } from '../../engine/actor/log-format-error.ts'
import { dataFileOf } from '../lmdb-file.ts'
import { archivePathOf, logPathOf } from './folder.ts'
import type { CheckLine } from './folder-check.ts'
import { systemCodeOf } from './folder-error.ts'
import { checkArchive, checkLog, tryAppend } from './folder-parts.ts'

const dataDir = process.argv[2] as string

say({ reads: 'log' })
if (await attempt(() => checkLog(logPathOf(dataDir)))) {
  say({ reads: 'free pages' })
  await attempt(() => tryAppend(logPathOf(dataDir)))
}
if (existsSync(dataFileOf(archivePathOf(dataDir)))) {
  say({ reads: 'archive' })
  await attempt(() => checkArchive(archivePathOf(dataDir)))
}
say({ reads: 'nothing' })

async function attempt(check: () => Promise<void>): Promise<boolean> {
  try {
    await check()
    return true
  } catch (error) {
    const systemCode = systemCodeOf(error)
    if (systemCode !== null) say({ refused: findingOf(error), systemCode })
    else say({ fault: findingOf(error), code: error instanceof LogFormatError ? error.code : 'batch_damaged' })
    return false
  }
}

function say(line: CheckLine): void {
  writeSync(1, `${JSON.stringify(line)}\n`)
}
