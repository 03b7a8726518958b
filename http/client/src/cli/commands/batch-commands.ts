// `batch upload`: pays the lines of a CSV file, which is read once. Lines are named by the line of the file, as an editor counts.

import type { UploadedFile, UploadSummary } from '../../batch-upload.ts'
import { BATCH_LINES_MAX } from '../../client-limits.ts'
import { IdempotencyKeyReusedError, withMessage } from '../../errors.ts'
import type { BatchReportLine } from '../../types.ts'
import type { Command, CommandContext } from '../command.ts'
import { CommandError, UsageError } from '../command-errors.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { defined } from '../given.ts'
import { type GivenFile, type PlacedLine, readGivenFile } from '../given-file.ts'
import { bar, columns, counted, figure, money, type Output, shown } from '../output.ts'
import { UnpaidFile } from '../unpaid-file.ts'

/** Lines of each kind that text output lists; `--json` has them all. */
const LINES_SHOWN_MAX = 50

export const UPLOAD_BATCH: Command = {
  name: ['batch', 'upload'],
  takes: '<file.csv>',
  summary: 'Pay the lines of a CSV file',
  about: `The first row names the columns: recipient, amount, reference, note, or destinataire, montant, référence, note (the last two may be
absent). The separator is a semicolon, a comma or a tab; the text UTF-8, UTF-16 or Windows-1252. Amounts of XOF are whole: 25000, 25 000,
25000.00. Those of a currency with decimals have them, 12.50, or the column is named "amount (GHS)". An amount that can be read in two
ways, such as 25.000 or 1,500, cannot be read. A phone has its + and calling code; --country 221 completes those without. "-" reads
standard input.

Lines are paid in files of 500 under keys made of the run id and the number of the file. After a crash or a lost connection run the
same command again: what was paid is not paid again.

Every line is read before the first is paid. Lines that cannot be read are all listed, and as long as there is one nothing is paid. A
line that can be read and fails, such as one to an unknown wallet, does not stop the others. A dry run lists both, and warns of
duplicates. Lines have the numbers that an editor shows: the first row is line 1.

--unpaid writes the lines that failed into a file of their own. Correct them there, and upload that file. After a run without --unpaid
run the same command again with it: nothing is paid again.

Exit codes: 0 all lines are paid, or would be; 5 some fail, or the balance does not cover all files of a dry run; 1 some lines cannot be
read.

\`cauri disburse\` pays up to 100 000 lines as one object, which can be paused, approved and retried.

Without --run-id the run id is made of the content of the file. So the same file pays once, ever: to pay it again next month, give
a run id of that month. A changed file is another run, which pays all of its lines: put corrected lines into a file of their own.`,
  options: {
    'dry-run': { type: 'boolean', about: 'check every line and the balance, and pay nothing' },
    'run-id': { type: 'string', value: 'ID', about: 'name of this run' },
    country: { type: 'string', value: 'CODE', about: 'calling code of phones without +, such as 221' },
    reference: { type: 'string', value: 'TEXT', about: 'reference of the batches' },
    unpaid: { type: 'string', value: 'FILE', about: 'write the lines that failed into this CSV file; it is overwritten' },
  },
  examples: [
    ['cauri batch upload payroll.csv --dry-run', 'what would be paid, and what would fail'],
    ['cauri batch upload payroll.csv --run-id payroll-2026-11', 'pays; run it again after a crash'],
    ['cauri batch upload payroll.csv --run-id payroll-2026-11 --unpaid rest.csv', 'the lines that failed, to be corrected'],
    ['cauri batch upload rest.csv --run-id payroll-2026-11-rest', 'pays these alone'],
  ],
  run: upload,
}

async function upload({ given, output, client, signal, stdin }: CommandContext): Promise<ExitCode> {
  const path = given.argument('CSV file')
  const isDryRun = given.flag('dry-run')
  const unpaidPath = given.text('unpaid')
  if (isDryRun && unpaidPath !== undefined) throw new UsageError('--unpaid needs a run that pays: a dry run lists what would fail')
  const file = await readGivenFile(path, { country: given.text('country'), balance: () => client().balance({ signal }), stdin })
  printUnreadable(output, file)
  const { lines: good, unreadable } = file
  if (good.length + unreadable.length === 0) throw new UsageError(`${path} has no lines`)
  if (unreadable.length > 0 && !isDryRun) throw new CommandError(`${counted(unreadable.length, 'line')} cannot be read: nothing was paid`)
  const runId = given.text('run-id') ?? file.runId
  const api = client()
  const { available, currency } = file.balance
  printUnderstood(output, file, currency)
  const unpaid = unpaidPath === undefined ? null : UnpaidFile.open(unpaidPath, path, currency)
  const found = new FoundLines(currency)
  let reported = 0
  const onFile = (uploaded: UploadedFile): void => {
    const { soFar, report, isReplay, number } = uploaded
    const sent = good.slice(reported, reported + report.total_count)
    reported += report.total_count
    const { failed, warnings } = found.add(uploaded, sent)
    unpaid?.add(sent.filter((_, index) => report.items[index]?.state === 'failed').map(({ line }) => line))
    output.progress(`${bar(soFar.lines, good.length)} ${soFar.lines} of ${good.length} lines, ${money(soFar.paidAmount, currency)}`)
    if (output.isJson) output.result({ file: number, is_replay: isReplay, failed_lines: failed, warnings, report }, [])
  }
  const options = { runId, dryRun: isDryRun, signal, onFile, ...defined({ reference: given.text('reference') }) }
  const lines = good.map(({ line }) => line)
  const summary = await api.batches.upload(lines, options).catch((error: unknown) => {
    const sent = good.slice(reported, reported + BATCH_LINES_MAX)
    if (error instanceof IdempotencyKeyReusedError) throw withMessage(error, otherLines(error, runId, sent))
    if (!isDryRun) output.note(notFinished(runId))
    throw error
  })
  const needed = summary.paidAmount + summary.feeAmount + found.uncoveredAmount
  const isShort = isDryRun && needed > available
  printSummary(output, { summary, found, unreadable: unreadable.length, runId, isDryRun, currency, available, needed, isShort })
  if (!isDryRun && summary.failedCount > 0)
    output.note(unpaid === null ? howToWriteUnpaid(runId) : `${unpaid.path} has the lines that failed`)
  if (unreadable.length > 0) return EXIT.rejected
  return summary.failedCount > 0 || isShort ? EXIT.partlyFailed : EXIT.done
}

function printUnreadable(output: Output, { unreadable }: GivenFile): void {
  const rows = output.isJson ? unreadable : unreadable.slice(0, LINES_SHOWN_MAX)
  for (const { at, problem } of rows) output.result({ line: at, problem }, [`line ${at}: ${problem}`])
}

/** What the file says, before anything is paid. */
function printUnderstood(output: Output, { lines, columns, completed }: GivenFile, currency: string): void {
  const amounts = lines.map(({ line }) => line.amount)
  const sum = amounts.reduce((total, amount) => total + amount, 0)
  const largest = amounts.reduce((most, amount) => Math.max(most, amount), 0)
  output.note(`read ${columns}: ${counted(lines.length, 'line')}, ${money(sum, currency)}, at most ${money(largest, currency)} a line`)
  const [first] = completed
  if (first !== undefined)
    output.note(`${counted(completed.length, 'phone')} got a calling code or a +, the first ${shown(first.typed)}: ${first.line.recipient}`)
}

interface Failed {
  readonly line: number
  readonly failure_code: string
}

interface Warned {
  readonly line: number
  readonly code: string
}

/** Failed lines and warnings by the line of the CSV file: the first of each as rows of text. */
class FoundLines {
  readonly #currency: string
  readonly #otherRows: string[][] = []
  readonly #uncoveredRows: string[][] = []
  readonly warningRows: string[][] = []
  warningCount = 0
  /** Sum of the lines that fail only because the balance is short. */
  uncoveredAmount = 0

  constructor(currency: string) {
    this.#currency = currency
  }

  /** Lines that the balance does not cover come last: hundreds of them would hide a wrong recipient. */
  get failedRows(): readonly (readonly string[])[] {
    return [...this.#otherRows, ...this.#uncoveredRows].slice(0, LINES_SHOWN_MAX)
  }

  add(file: UploadedFile, sent: readonly PlacedLine[]): { readonly failed: readonly Failed[]; readonly warnings: readonly Warned[] } {
    const { items } = file.report
    const failed: Failed[] = []
    for (const item of items) {
      if (item.state !== 'failed') continue
      const { failure_code: code = '' } = item
      failed.push({ line: sent[item.index]?.at ?? 0, failure_code: code })
      const rows = code === 'insufficient_balance' ? this.#uncoveredRows : this.#otherRows
      if (rows.length < LINES_SHOWN_MAX) rows.push(rowOf(sent, item, [code, this.#currency]))
      if (code === 'insufficient_balance') this.uncoveredAmount += item.amount ?? 0
    }
    const warnings = file.warnings.map(({ line, code }) => {
      const index = line - file.firstLine
      const item = items[index]
      if (item !== undefined && this.warningRows.length < LINES_SHOWN_MAX) this.warningRows.push(rowOf(sent, item, [code, this.#currency]))
      return { line: sent[index]?.at ?? 0, code }
    })
    this.warningCount += warnings.length
    return { failed, warnings }
  }
}

function rowOf(
  sent: readonly PlacedLine[],
  { index, recipient, amount, reference }: BatchReportLine,
  [code, currency]: readonly [code: string, currency: string],
): string[] {
  return [`  line ${sent[index]?.at}`, code, shown(recipient), amount === null ? '' : figure(amount, currency), shown(reference)]
}

function howToWriteUnpaid(runId: string): string {
  return `run the same command again with --run-id ${runId} --unpaid rest.csv: it writes the lines that failed into rest.csv, and pays nothing again`
}

function notFinished(runId: string): string {
  return `not finished. Run the same command again with --run-id ${runId}: it goes on, and what was paid is not paid again`
}

function otherLines({ body }: IdempotencyKeyReusedError, runId: string, sent: readonly PlacedLine[]): string {
  const { message } = body
  return (
    `lines ${sent[0]?.at} to ${sent.at(-1)?.at}: the run id ${runId} belongs to other lines, or to another --reference. Take the file of its first ` +
    `start; for other payouts take a new --run-id, and a file without the lines that are paid. The service: ${message}`
  )
}

interface Ending {
  readonly summary: UploadSummary
  readonly found: FoundLines
  readonly unreadable: number
  readonly runId: string
  readonly isDryRun: boolean
  readonly currency: string
  readonly available: number
  /** What all lines need that can be paid, or could with a larger balance. */
  readonly needed: number
  /** True when the balance does not cover all files of a dry run together. */
  readonly isShort: boolean
}

function printSummary(output: Output, { summary, found, unreadable, runId, isDryRun, currency, available, needed, isShort }: Ending): void {
  const { files, replayedFiles, lines, paidCount, failedCount, paidAmount, failedAmount, feeAmount } = summary
  const { failedRows, warningRows, warningCount } = found
  const json = {
    ...{ run_id: runId, dry_run: isDryRun, files, replayed_files: replayedFiles, lines, paid_count: paidCount, failed_count: failedCount },
    ...{ paid_amount: paidAmount, failed_amount: failedAmount, fee_amount: feeAmount },
    ...{ warning_count: warningCount, unreadable_count: unreadable },
    ...{ available, needed_amount: needed, is_balance_short: isShort },
  }
  output.result(json, [
    `${isDryRun ? 'would pay' : 'paid'} ${paidCount} of ${counted(lines + unreadable, 'line')}, ${money(paidAmount, currency)} (run id ${runId})`,
    ...(feeAmount === 0 ? [] : [`fees ${money(feeAmount, currency)}`]),
    ...(replayedFiles === 0 ? [] : [`${replayedFiles} of ${files} files were paid by an earlier start of this run id, and not again`]),
    ...(failedCount === 0
      ? []
      : [`${counted(failedCount, 'line')} ${isDryRun ? 'would fail' : 'failed'}, ${money(failedAmount, currency)}:`]),
    ...shortened(failedRows, failedCount),
    ...(failedCount === 0 || isDryRun
      ? []
      : ['correct them in a file of their own: this file with changes is another run, and pays all of its lines']),
    ...(warningCount === 0 ? [] : [`${counted(warningCount, 'warning')}; such lines are paid all the same:`]),
    ...shortened(warningRows, warningCount),
    ...(isShort
      ? [
          `the balance of ${money(available, currency)} does not cover all lines together: they need ${money(needed, currency)}, ` +
            `${money(needed - available, currency)} more`,
        ]
      : []),
    ...(unreadable === 0 ? [] : [`${counted(unreadable, 'line')} cannot be read: correct them, or nothing will be paid`]),
  ])
}

function shortened(rows: readonly (readonly string[])[], count: number): string[] {
  const more = count - rows.length
  return [...columns(rows), ...(more > 0 ? [`  and ${more} more; --json has all of them`] : [])]
}
