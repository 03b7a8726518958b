// `npm run log-copy`: moves a log between a data folder and PostgreSQL, or to another one of either.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { endProgress, printProgress, runCommand } from './command.ts'
import { copyBetween } from './copy-between.ts'
import { type LogPlace, placeText, readPlace } from './log-place.ts'
import { verdictText } from './report.ts'

const USAGE = `npm run log-copy -- --from <data folder or postgres://…> --to <new folder or postgres://… of an empty database>

Moves a log. Stop all servers of the source first; the command refuses a log that is in use. Copies batch by batch, verifies the
whole copy, compares its end with the source, then closes the source and opens the target, in this order: servers never accept
both. After an interruption the same command continues.

A closed source stays readable for verify, backup and restore. A data folder whose log was moved to PostgreSQL can be the
DATA_DIR of a node of that cluster. To copy a log and go on with the source, use npm run backup.

A URL may name several hosts: postgres://user@a:5432,b:5432/cauri. PGPASSWORD keeps the password out of the command line.
WAL_POSTGRES_UNSAFE=true accepts a target without a synchronous standby, as it does for a server.

Exit code 0 when the log was moved, else 1; then the source is still the log, or the same command finishes the move.`

await runCommand({
  usage: USAGE,
  takes: ['from', 'to'],
  run: async (args) => {
    const [from, to] = args.map(readPlace) as [LogPlace, LogPlace]
    const { verdict, figures } = await copyBetween({ from, to, program: 'log-copy', moves: true, onProgress: printProgress })
    endProgress()
    console.log(verdictText(verdict))
    const { batches, fromSequence, isDoneBefore } = figures
    const after = fromSequence === 0 ? '' : ` after sequence ${fromSequence}`
    console.log(isDoneBefore ? 'copied   before: nothing was left to copy' : `copied   ${batches} batches${after}`)
    console.log(`moved    to ${placeText(to)}`)
    for (const line of remarks(from, to)) console.log(line)
    return true
  },
})

function remarks(from: LogPlace, to: LogPlace): string[] {
  const lines = [`source   ${placeText(from)} is closed: servers refuse it`]
  if (to.kind === 'postgres') {
    lines.push('next     start each node with WAL=postgres, WAL_POSTGRES_URL and the MASTER_KEY that this log was written with')
    const keyFile = from.kind === 'folder' ? join(from.path, 'master.key') : ''
    if (existsSync(keyFile)) lines.push(`         this key is in ${keyFile}`)
  } else if (from.kind === 'postgres') {
    lines.push(`next     start the server with DATA_DIR=${to.path} and the MASTER_KEY of the cluster, without WAL=postgres`)
  }
  return lines
}
