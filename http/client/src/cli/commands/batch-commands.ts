// `batch upload`: pays the lines of a CSV file of any length, with progress; a second start pays nothing twice.
import type { UploadedFile, UploadSummary } from '../../batch-upload.ts'
import type { Command, CommandContext } from '../command.ts'
import { UsageError } from '../command-errors.ts'
import { countLines, csvLines, fileRunId } from '../csv-lines.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { defined } from '../given.ts'
import { bar, columns, money, type Output, shown } from '../output.ts'

/** Failed lines that text output lists; `--json` has them all. */
const FAILED_LINES_SHOWN = 50

export const UPLOAD_BATCH: Command = {
  name: ['batch', 'upload'],
  takes: '<file.csv>',
  summary: 'Pay the lines of a CSV file',
  about: `The first row names the columns: recipient, amount, reference, note (the last two may be absent). The separator is a comma or a
semicolon. Lines are paid in files of 500 under keys made of the run id and the number of the file. After a crash or a lost connection
run the same command again: what was paid is not paid again.

Without --run-id the run id is made of the content of the file. So the same file pays once, ever: to pay it again next month, give
a run id of that month.`,
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
  // Every line is read before the first is paid: a mistake in the last line stops the whole file.
  const total = await readable(path, countLines)
  if (total === 0) throw new UsageError(`${path} has no lines`)
  const runId = given.text('run-id') ?? (await fileRunId(path))
  const api = client()
  const { available, currency } = await api.balance({ signal })
  const onFile = ({ soFar, report, isReplay, number }: UploadedFile): void => {
    output.progress(`${bar(soFar.lines, total)} ${soFar.lines} of ${total} lines, ${money(soFar.paidAmount, currency)}`)
    if (output.isJson) output.result({ file: number, is_replay: isReplay, report }, [])
  }
  const options = { runId, dryRun: isDryRun, signal, onFile, ...defined({ reference: given.text('reference') }) }
  const summary = await api.batches.upload(csvLines(path), options)
  const isShort = isDryRun && summary.paidAmount > available
  printSummary(output, summary, { runId, isDryRun, currency, available, isShort })
  return summary.failedCount > 0 || isShort ? EXIT.partlyFailed : EXIT.done
}

async function readable<Value>(path: string, read: (path: string) => Promise<Value>): Promise<Value> {
  try {
    return await read(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'EACCES' || code === 'EISDIR') throw new UsageError(`${path} cannot be read (${code})`)
    throw error
  }
}

interface Ending {
  readonly runId: string
  readonly isDryRun: boolean
  readonly currency: string
  readonly available: number
  /** True when the balance does not cover all files of a dry run together. */
  readonly isShort: boolean
}

function printSummary(output: Output, summary: UploadSummary, { runId, isDryRun, currency, available, isShort }: Ending): void {
  const { files, replayedFiles, lines, paidCount, failedCount, paidAmount, failedAmount, failedLines } = summary
  const json = {
    ...{ run_id: runId, dry_run: isDryRun, files, replayed_files: replayedFiles, lines, paid_count: paidCount, failed_count: failedCount },
    ...{ paid_amount: paidAmount, failed_amount: failedAmount, available, is_balance_short: isShort },
  }
  const failed = failedLines.slice(0, FAILED_LINES_SHOWN).map(({ line, result }) => {
    return [`  line ${line + 1}`, result.failure_code ?? '', shown(result.recipient), String(result.amount ?? ''), shown(result.reference)]
  })
  const more = failedCount - failed.length
  output.result(json, [
    `${isDryRun ? 'would pay' : 'paid'} ${paidCount} of ${lines} lines, ${money(paidAmount, currency)} (run id ${runId})`,
    ...(replayedFiles === 0 ? [] : [`${replayedFiles} of ${files} files were paid by an earlier start of this run id, and not again`]),
    ...(failedCount === 0 ? [] : [`${failedCount} lines ${isDryRun ? 'would fail' : 'failed'}, ${money(failedAmount, currency)}:`]),
    ...columns(failed),
    ...(more > 0 ? [`  and ${more} more; --json has all of them`] : []),
    ...(isShort ? [`the balance of ${money(available, currency)} does not cover all files together`] : []),
  ])
}
