// Output of verify, backup and restore about a log and an archive.
import type { LogReport } from './log-walk.ts'
import type { Verdict } from './verify.ts'

export function verdictText(verdict: Verdict): string {
  const { log, logNote, archive, archiveNote, faults } = verdict
  const lines: string[] = []
  if (log !== null) lines.push(...logLines(log))
  if (logNote !== null) lines.push(`note     ${logNote}`)
  if (archive !== null) {
    const { indexedThrough, runs, entries, snapshotSequence, snapshotRows } = archive
    lines.push(`archive  index through sequence ${indexedThrough} (${count(entries, 'entry', 'entries')} in ${count(runs, 'run')})`)
    lines.push(`         snapshot of sequence ${snapshotSequence} (${count(snapshotRows, 'row')})`)
  }
  if (archiveNote !== null) lines.push(`archive  ${archiveNote}`)
  lines.push(...(faults.length === 0 ? ['result   everything is in order'] : faults.map((fault) => `FAULT    ${fault}`)))
  return lines.join('\n')
}

function logLines(log: LogReport): string[] {
  const lines = [
    `log      ${count(log.records, 'record')} in ${count(log.batches, 'batch', 'batches')}, ${(log.sizeBytes / 1e6).toFixed(1)} MB, ${count(log.events, 'event')}`,
  ]
  if (log.records > 0) {
    lines.push(`         sequence 1 to ${log.lastSequence}, ${time(log.firstTimeMs)} to ${time(log.lastTimeMs)}`)
    lines.push(`         last batch sha256 ${log.lastHash}`)
  }
  for (const [environment, figures] of Object.entries(log.ledger)) {
    const { transactions, postings, accounts, moved, sum } = figures
    lines.push(
      `${environment.padEnd(8)} ${count(transactions, 'transaction')}, ${count(postings, 'posting')}, ${count(accounts, 'account')}, ${moved} moved, balances sum to ${sum}`,
    )
  }
  return lines
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`
}

function time(timeMs: number): string {
  return new Date(timeMs).toISOString()
}
