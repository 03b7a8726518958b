// `npm run restore`: creates a data folder from a backup.

import { runCommand } from './command.ts'
import { copyFolder } from './folder-copy.ts'
import { verdictText } from './report.ts'
import { verifyFolder } from './verify.ts'

const USAGE = `npm run restore -- <backup> <new data folder>

Verifies the backup, copies it, and verifies the copy. The new folder must be empty or not exist. The first start rebuilds the
archive from the log, at some hundred thousand records a second.

Exit code 0 when the new folder is complete and sound, else 1.`

await runCommand({
  usage: USAGE,
  argumentCount: 2,
  run: async ([backup, dataDir]) => {
    const verdict = await verifyFolder(backup as string)
    if (verdict.faults.length > 0) {
      console.error(verdictText(verdict))
      return false
    }
    console.log(verdictText(await copyFolder(backup as string, dataDir as string)))
    console.log(`restored ${dataDir}`)
    return true
  },
})
