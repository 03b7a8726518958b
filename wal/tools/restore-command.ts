// `npm run restore`: creates a data folder, or a log in an empty PostgreSQL database, from a backup.

import { endProgress, printProgress, runCommand } from './command.ts'
import { copyBetween } from './copy-between.ts'
import { placeText, readPlace } from './log-place.ts'
import { verdictText } from './report.ts'
import { verifyPlace } from './verify.ts'

const USAGE = `npm run restore -- <backup> <new data folder or postgres://… of an empty database>

Verifies the backup, copies it, and verifies the copy. The backup may be in PostgreSQL too. The first start rebuilds the archive
from the log, at some hundred thousand records a second. After an interruption the same command continues; servers refuse a log
that is not complete. Data folders of nodes whose log ends later than the backup must be removed: the nodes fetch the log again.

A URL may name several hosts: postgres://user@a:5432,b:5432/cauri. PGPASSWORD keeps the password out of the command line.

Exit code 0 when the new log is complete and sound, else 1.`

await runCommand({
  usage: USAGE,
  takes: 2,
  run: async (args) => {
    const [from, to] = args.map(readPlace) as [ReturnType<typeof readPlace>, ReturnType<typeof readPlace>]
    const verdict = await verifyPlace(from, (sequence) => printProgress(`verified sequence ${sequence} of the backup`))
    if (verdict.faults.length > 0) {
      endProgress()
      console.error(verdictText(verdict))
      return false
    }
    const copied = await copyBetween({ from, to, program: 'restore', moves: false, onProgress: printProgress })
    endProgress()
    console.log(verdictText({ ...copied.verdict, logNote: null }))
    console.log(`restored ${placeText(to)}`)
    return true
  },
})
