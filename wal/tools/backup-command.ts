// `npm run backup`: a verified copy of a data folder, also while the server runs.

import { runCommand } from './command.ts'
import { copyFolder } from './folder-copy.ts'
import { verdictText } from './report.ts'

const USAGE = `npm run backup -- <data folder> <target>

Copies the log up to its current end, batch by batch, and the small files beside it (in development also the master key: keep
the copy as safe as the folder). Then verifies the copy. The server may run meanwhile. The target must be empty or not exist.
The archive is not copied: it is derived and rebuilt from the log after a restore.

Exit code 0 when the copy is complete and sound, else 1. Restore it with npm run restore.`

await runCommand({
  usage: USAGE,
  argumentCount: 2,
  run: async ([dataDir, target]) => {
    console.log(verdictText(await copyFolder(dataDir as string, target as string)))
    console.log(`backup   ${target}`)
    return true
  },
})
