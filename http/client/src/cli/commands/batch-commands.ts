// `batch upload`: pays the lines of a CSV file. Lines are named by the line of the file, as an editor counts.
import type { UploadedFile, UploadSummary } from '../../batch-upload.ts'
import { IdempotencyKeyReusedError, withMessage } from '../../errors.ts'
import type { BatchLine, BatchReportLine } from '../../types.ts'
import type { Command, CommandContext } from '../command.ts'
import { CommandError, UsageError } from '../command-errors.ts'
import { csvLines, fileRunId } from '../csv-lines.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { defined } from '../given.ts'
import { bar, columns, counted, money, type Output, shown } from '../output.ts'

/** Lines of each kind that text output lists; `--json` has them all. */
const LINES_SHOWN_MAX = 50

export const UPLOAD_BATCH: Command = {
  name: ['batch', 'upload'],
  takes: '<file.csv>',
  summary: 'Pay the lines of a CSV file',
  about: `The first row names the columns: recipient, amount, reference, note (the last two may be absent). The separator is a comma or a
semicolon. Amounts are whole XOF in digits; blanks between thousands are left out. Lines are paid in files of 500 under keys made of
the run id and the number of the file. After a crash or a lost connection run the same command again: what was paid is not paid again.

Every line is read before the first is paid. Lines that cannot be read are all listed, and as long as there is one nothing is paid. A
line that can be read and fails, such as one to an unknown wallet, does not stop the others. A dry run lists both, and warns of
duplicates among the lines of each file of 500. Lines have the numbers that an editor shows: the first row is line 1.

Exit codes: 0 all lines are paid, or would be; 5 some fail, or the balance does not cover all files of a dry run; 1 some lines cannot be
read.

Without --run-id the run id is made of the content of the file. So the same file pays once, ever: to pay it again next month, give
a run id of that month. A changed file is another run, which pays all of its lines: put corrected lines into a file of their own.`,
  options: {
    'dry-run': { type: 'boolean', about: 'check every line and the balance, and pay nothing' },
    'run-id': { type: 'string', value: 'ID', about: 'name of this run' },
    reference: { type: 'string', value: 'TEXT', about: 'reference of the batches' },
  },
  examples: [
    ['cauri batch upload payroll.csv --dry-run', 'what would be paid, and what would fail'],
    ['cauri batch upload payroll.csv --run-id payroll-2026-11', 'pays; run it again after a crash'],
  ],
  run: upload,
}

async function upload({ given, output, client, signal }: CommandContext): Promise<ExitCode> {
  const path = given.argument('CSV file')
  const isDryRun = given.flag('dry-run')
  const { good, unreadable } = await readable(path, () => readThrough(path, output))
  if (good + unreadable === 0) throw new UsageError(`${path} has no lines`)
  if (unreadable > 0 && !isDryRun) throw new CommandError(`${counted(unreadable, 'line')} cannot be read: nothing was paid`)
  const runId = given.text('run-id') ?? (await fileRunId(path))
  const api = client()
  const { available, currency } = await api.balance({ signal })
  const lines = new PlacedLines()
  const found = new FoundLines()
  const onFile = (file: UploadedFile): void => {
    const { soFar, report, isReplay, number } = file
    const { failed, warnings } = found.add(file, lines.take(report.total_count))
    output.progress(`${bar(soFar.lines, good)} ${soFar.lines} of ${good} lines, ${money(soFar.paidAmount, currency)}`)
    if (output.isJson) output.result({ file: number, is_replay: isReplay, failed_lines: failed, warnings, report }, [])
  }
  const options = { runId, dryRun: isDryRun, signal, onFile, ...defined({ reference: given.text('reference') }) }
  const summary = await api.batches.upload(lines.of(path, isDryRun), options).catch((error: unknown) => {
    if (error instanceof IdempotencyKeyReusedError) throw withMessage(error, otherLines(error, runId, lines.waiting))
    if (!isDryRun) output.note(notFinished(runId))
    throw error
  })
  const isShort = isDryRun && summary.paidAmount > available
  printSummary(output, { summary, found, unreadable, runId, isDryRun, currency, available, isShort })
  if (unreadable > 0) return EXIT.rejected
  return summary.failedCount > 0 || isShort ? EXIT.partlyFailed : EXIT.done
}

/** Reads the whole file, and prints each line that cannot be read. */
async function readThrough(path: string, output: Output): Promise<{ readonly good: number; readonly unreadable: number }> {
  let good = 0
  let unreadable = 0
  for await (const row of csvLines(path)) {
    if ('line' in row) {
      good++
      continue
    }
    const { at, problem } = row
    if (++unreadable <= LINES_SHOWN_MAX || output.isJson) output.result({ line: at, problem }, [`line ${at}: ${problem}`])
  }
  return { good, unreadable }
}

/** The lines that can be read, and the line of the CSV file of each line that is not reported yet. */
class PlacedLines {
  readonly #at: number[] = []

  async *of(path: string, isDryRun: boolean): AsyncGenerator<BatchLine, void, undefined> {
    for await (const row of csvLines(path)) {
      if (!('line' in row)) {
        if (isDryRun) continue
        throw new CommandError(`line ${row.at}: the file was changed after it was checked`)
      }
      this.#at.push(row.at)
      yield row.line
    }
  }

  get waiting(): readonly number[] {
    return this.#at
  }

  take(count: number): readonly number[] {
    return this.#at.splice(0, count)
  }
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
  readonly failedRows: string[][] = []
  readonly warningRows: string[][] = []
  warningCount = 0

  add({ report }: UploadedFile, at: readonly number[]): { readonly failed: readonly Failed[]; readonly warnings: readonly Warned[] } {
    const failed: Failed[] = []
    for (const item of report.items) {
      if (item.state !== 'failed') continue
      failed.push({ line: at[item.index] ?? 0, failure_code: item.failure_code ?? '' })
      if (this.failedRows.length < LINES_SHOWN_MAX) this.failedRows.push(rowOf(at, item, item.failure_code ?? ''))
    }
    const warnings = report.warnings.map(({ index, code }) => {
      const item = report.items[index]
      if (item !== undefined && this.warningRows.length < LINES_SHOWN_MAX) this.warningRows.push(rowOf(at, item, code))
      return { line: at[index] ?? 0, code }
    })
    this.warningCount += warnings.length
    return { failed, warnings }
  }
}

function rowOf(at: readonly number[], { index, recipient, amount, reference }: BatchReportLine, code: string): string[] {
  return [`  line ${at[index]}`, code, shown(recipient), String(amount ?? ''), shown(reference)]
}

function notFinished(runId: string): string {
  return `not finished. Run the same command again with --run-id ${runId}: it goes on, and what was paid is not paid again`
}

function otherLines({ body }: IdempotencyKeyReusedError, runId: string, at: readonly number[]): string {
  const { message } = body
  return (
    `lines ${at[0]} to ${at.at(-1)}: the run id ${runId} belongs to other lines, or to another --reference. Take the file of its first ` +
    `start; for other payouts take a new --run-id, and a file without the lines that are paid. The service: ${message}`
  )
}

async function readable<Value>(path: string, read: () => Promise<Value>): Promise<Value> {
  try {
    return await read()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'EACCES' || code === 'EISDIR') throw new UsageError(`${path} cannot be read (${code})`)
    throw error
  }
}

interface Ending {
  readonly summary: UploadSummary
  readonly found: FoundLines
  readonly unreadable: number
  readonly runId: string
  readonly isDryRun: boolean
  readonly currency: string
  readonly available: number
  /** True when the balance does not cover all files of a dry run together. */
  readonly isShort: boolean
}

function printSummary(output: Output, { summary, found, unreadable, runId, isDryRun, currency, available, isShort }: Ending): void {
  const { files, replayedFiles, lines, paidCount, failedCount, paidAmount, failedAmount } = summary
  const { failedRows, warningRows, warningCount } = found
  const json = {
    ...{ run_id: runId, dry_run: isDryRun, files, replayed_files: replayedFiles, lines, paid_count: paidCount, failed_count: failedCount },
    ...{ paid_amount: paidAmount, failed_amount: failedAmount, warning_count: warningCount, unreadable_count: unreadable },
    ...{ available, is_balance_short: isShort },
  }
  output.result(json, [
    `${isDryRun ? 'would pay' : 'paid'} ${paidCount} of ${counted(lines + unreadable, 'line')}, ${money(paidAmount, currency)} (run id ${runId})`,
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
    ...(isShort ? [`the balance of ${money(available, currency)} does not cover all files together`] : []),
    ...(unreadable === 0 ? [] : [`${counted(unreadable, 'line')} cannot be read: correct them, or nothing will be paid`]),
  ])
}

function shortened(rows: readonly (readonly string[])[], count: number): string[] {
  const more = count - rows.length
  return [...columns(rows), ...(more > 0 ? [`  and ${more} more; --json has all of them`] : [])]
}
