// `npm run verify`: checks a data folder or a backup from the first record to the last.

import { runCommand } from './command.ts'
import { verdictText } from './report.ts'
import { verifyFolder } from './verify.ts'

const USAGE = `npm run verify -- <data folder or backup>

Verifies the whole log: checksums, the chain of hashes, consecutive sequences, times that never go back, and every balance
that the postings record. If no server uses the archive, replays the log, compares the result with the stored snapshot,
and checks the index. Changes nothing. The log of a running server can be verified.

Exit code 0 when everything is in order, else 1.`

await runCommand({
  usage: USAGE,
  argumentCount: 1,
  run: async ([dataDir]) => {
    const verdict = await verifyFolder(dataDir as string, (sequence) => console.error(`… sequence ${sequence}`))
    console.log(verdictText(verdict))
    return verdict.faults.length === 0
  },
})
