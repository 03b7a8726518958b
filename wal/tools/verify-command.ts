// `npm run verify`: checks a data folder, a backup or a log in PostgreSQL from the first record to the last.

import { endProgress, printProgress, runCommand } from './command.ts'
import { readPlace } from './log-place.ts'
import { verdictText } from './report.ts'
import { verifyPlace } from './verify.ts'

const USAGE = `npm run verify -- <data folder, backup or postgres://…>

Verifies the whole log: checksums, the chain of hashes, consecutive sequences, times that never go back, and every balance
that the postings record. In PostgreSQL also the columns of each row and the owner row. If no server uses the archive of a
folder, replays the log, compares the result with the stored snapshot, and checks the index. Changes nothing. The log of a
running server or cluster can be verified.

A URL may name several hosts: postgres://user@a:5432,b:5432/cauri. PGPASSWORD keeps the password out of the command line.

Exit code 0 when everything is in order, else 1.`

await runCommand({
  usage: USAGE,
  takes: 1,
  run: async ([place]) => {
    const verdict = await verifyPlace(readPlace(place as string), (sequence) => printProgress(`sequence ${sequence}`))
    endProgress()
    console.log(verdictText(verdict))
    return verdict.faults.length === 0
  },
})
