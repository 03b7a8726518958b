// `npm run backup`: a verified copy of a data folder or of a log in PostgreSQL, also while servers run.

import { endProgress, printProgress, runCommand } from './command.ts'
import { copyBetween } from './copy-between.ts'
import { placeText, readPlace } from './log-place.ts'
import { verdictText } from './report.ts'

const USAGE = `npm run backup -- <data folder or postgres://…> <new folder or postgres://… of an empty database>

Copies the log up to its current end, batch by batch, and the small files beside it (in development also the master key: keep
the copy as safe as the folder). Then verifies the copy. Servers may run meanwhile. After an interruption the same command
continues. The archive is not copied: it is derived and rebuilt from the log after a restore.

A URL may name several hosts: postgres://user@a:5432,b:5432/cauri. PGPASSWORD keeps the password out of the command line.

Exit code 0 when the copy is complete and sound, else 1. Restore it with npm run restore.`

await runCommand({
  usage: USAGE,
  takes: 2,
  run: async (args) => {
    const [from, to] = args.map(readPlace) as [ReturnType<typeof readPlace>, ReturnType<typeof readPlace>]
    const { verdict } = await copyBetween({ from, to, program: 'backup', moves: false, onProgress: printProgress })
    endProgress()
    console.log(verdictText(verdict))
    console.log(`backup   ${placeText(to)}`)
    return true
  },
})
