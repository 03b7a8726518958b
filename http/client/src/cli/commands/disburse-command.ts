// `disburse`: pays the lines of a CSV file as one disbursement. Its keys are made of the run id, so a second start of the same command
// finds the disbursement of the first and goes on with it.
import { writeFileSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Cauri } from '../../cauri.ts'
import { IdempotencyKeyReusedError, withMessage } from '../../errors.ts'
import type { DisbursementRecord } from '../../resources/disbursements.ts'
import type { Command, CommandContext } from '../command.ts'
import { CommandError, UsageError } from '../command-errors.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { defined } from '../given.ts'
import { type GivenFile, readGivenFile } from '../given-file.ts'
import { bar, columns, counted, figure, money, type Output, shown } from '../output.ts'

/** Lines of each kind that text output lists; the result file has them all. */
const LINES_SHOWN_MAX = 50

export const DISBURSE: Command = {
  name: ['disburse'],
  takes: '<file.csv>',
  summary: 'Pay up to 100 000 lines of a CSV file as one disbursement',
  about: `The file is read as by \`batch upload\`: the first row names the columns. While a line cannot be read, nothing is sent.

Every line is checked first: the lines that will not be paid are listed, and the sum is compared with the balance. Then the command asks,
unless --yes is given, starts the disbursement and shows its progress. --check ends behind the check: nothing is paid, and the same command
without it goes on from there.

The disbursement belongs to the run id, which is made of the content of the file unless --run-id is given. So the same command never pays
twice: started again after a crash or a lost connection it goes on with the same disbursement, or shows its end. To pay the same file again
next month, give a run id of that month.

Above the payout policy the disbursement waits for a second person (\`cauri disbursements approve <id>\`); run the command again to follow it.
Where the balance is short it pauses before the first line that is not covered; run the command again after a top-up, and it asks to go on.

--result writes every line with its state into a CSV file. \`cauri disbursements retry <id>\` makes a new disbursement of the failed lines.

Exit codes: 0 all lines are paid, or would be; 5 some are not, or it waits; 1 some lines cannot be read, or it was not started.`,
  options: {
    check: { type: 'boolean', about: 'check every line and the balance, and start nothing' },
    yes: { type: 'boolean', about: 'start without asking' },
    'run-id': { type: 'string', value: 'ID', about: 'name of this run' },
    country: { type: 'string', value: 'CODE', about: 'calling code of phones without +, such as 221' },
    reference: { type: 'string', value: 'TEXT', about: 'reference of the disbursement' },
    result: { type: 'string', value: 'FILE', about: 'write every line with its state into this CSV file; it is overwritten' },
  },
  examples: [
    ['cauri disburse payroll.csv --check', 'what would be paid, and what would not'],
    [
      'cauri disburse payroll.csv --run-id payroll-2026-11 --result paid.csv',
      'asks, pays, and writes the result; run it again after a crash',
    ],
  ],
  run: disburse,
}

async function disburse(context: CommandContext): Promise<ExitCode> {
  const { given, output, client, signal, stdin } = context
  const path = given.argument('CSV file')
  const resultPath = given.text('result')
  if (resultPath !== undefined && resolve(resultPath) === resolve(path)) throw new UsageError('--result must name another file')
  if (path === '-' && !given.flag('yes') && !given.flag('check')) throw new UsageError('a file from standard input needs --yes or --check')
  const file = await readGivenFile(path, { country: given.text('country'), balance: () => client().balance({ signal }), stdin })
  refuseUnreadable(output, path, file)
  const runId = given.text('run-id') ?? file.runId
  const api = client()
  const { id } = await created(api, file, { runId, reference: given.text('reference'), signal })
  const found = await api.disbursements.get(id, { signal })
  const { available } = await api.balance({ signal })
  const left = leftOf(found)
  const isShort = left.count > 0 && left.cost > available
  await printCheck(context, api, { file, found, left, available, isShort })
  if (given.flag('check')) return found.invalid_count > 0 || isShort ? EXIT.partlyFailed : EXIT.done
  if (!(await isGoing(context, api, { found, left, runId }))) return EXIT.rejected
  const done = await api.disbursements.waitUntilDone(id, { signal, onProgress: (record) => printProgress(output, record) })
  if (resultPath !== undefined) await writeResult(api, id, resultPath, signal)
  printEnd(output, done, runId)
  return done.state === 'completed' && done.failed_count + done.invalid_count === 0 ? EXIT.done : EXIT.partlyFailed
}

/** What is still to pay. */
interface Left {
  readonly count: number
  readonly amount: number
  readonly fees: number
  /** Amount and fees. */
  readonly cost: number
}

const ENDED: ReadonlySet<string> = new Set(['completed', 'cancelled', 'rejected'])

function leftOf(found: DisbursementRecord): Left {
  const { state, valid_count, valid_amount, valid_fee_amount, paid_count, paid_amount, fee_amount, failed_count, failed_amount } = found
  if (ENDED.has(state)) return { count: 0, amount: 0, fees: 0, cost: 0 }
  const amount = valid_amount - paid_amount - failed_amount
  const fees = Math.max(0, valid_fee_amount - fee_amount)
  return { count: valid_count - paid_count - failed_count, amount, fees, cost: amount + fees }
}

function refuseUnreadable(output: Output, path: string, { lines, unreadable }: GivenFile): void {
  const rows = output.isJson ? unreadable : unreadable.slice(0, LINES_SHOWN_MAX)
  for (const { at, problem } of rows) output.result({ line: at, problem }, [`line ${at}: ${problem}`])
  if (unreadable.length > 0) throw new CommandError(`${counted(unreadable.length, 'line')} cannot be read: nothing was sent`)
  if (lines.length === 0) throw new UsageError(`${path} has no lines`)
}

interface Run {
  readonly runId: string
  readonly reference: string | undefined
  readonly signal: AbortSignal
}

/** The disbursement of the run, made now or by an earlier start. */
async function created(api: Cauri, { lines }: GivenFile, { runId, reference, signal }: Run): Promise<DisbursementRecord> {
  const options = { idempotencyKey: `${runId}/disbursement`, signal }
  // Each line in its row: the service counts empty ones, and names the rows of the file.
  const rows: string[] = []
  for (const { row, line } of lines) rows[row - 1] = JSON.stringify(line)
  const sent = { type: 'application/x-ndjson', content: Array.from(rows, (text = '') => text).join('\n') } as const
  return api.disbursements.createFromFile(sent, defined({ reference }), options).catch((error: unknown) => {
    if (!(error instanceof IdempotencyKeyReusedError)) throw error
    const advice = 'Take the file of its first start; for other payouts take a new --run-id, and a file without the lines that are paid.'
    throw withMessage(error, `the run id ${runId} belongs to another file or --reference. ${advice} The service: ${error.body.message}`)
  })
}

interface Checked {
  readonly file: GivenFile
  readonly found: DisbursementRecord
  readonly left: Left
  readonly available: number
  readonly isShort: boolean
}

async function printCheck(
  { output, signal }: CommandContext,
  api: Cauri,
  { file, found, left, available, isShort }: Checked,
): Promise<void> {
  const { id, state, currency, valid_count, valid_amount, valid_fee_amount, invalid_count, warnings_count } = found
  const isBegun = left.count < valid_count
  const invalid: string[][] = []
  if (invalid_count > 0) {
    for await (const { index, failure_code = '', recipient, amount } of api.disbursements.lines(id, { state: 'invalid' }, { signal })) {
      invalid.push([`  line ${file.lines[index]?.at}`, failure_code, shown(recipient), amount === null ? '' : figure(amount, currency)])
      if (invalid.length === LINES_SHOWN_MAX) break
    }
  }
  const counts = { valid_count, valid_amount, valid_fee_amount, invalid_count, warnings_count }
  const json = {
    checked: true,
    id,
    state,
    ...counts,
    left_count: left.count,
    left_amount: left.amount,
    available,
    is_balance_short: isShort,
  }
  output.result(json, [
    isBegun && left.count === 0
      ? `nothing is left to pay (disbursement ${id}, ${state})`
      : `${counted(left.count, 'line')}${isBegun ? ` of ${valid_count} left` : ''} to pay, ${money(left.amount, currency)} (disbursement ${id})`,
    ...(left.fees === 0 ? [] : [`fees ${money(left.fees, currency)}, ${money(left.cost, currency)} in all`]),
    ...(invalid_count === 0 ? [] : [`${counted(invalid_count, 'line')} will not be paid:`, ...columns(invalid)]),
    ...(invalid_count > invalid.length ? [`  and ${invalid_count - invalid.length} more`] : []),
    ...(warnings_count === 0 || left.count === 0
      ? []
      : [`${counted(warnings_count, 'line')} may be mistakes (twice in the file, or paid lately) and will be paid`]),
    ...(isShort ? [`the balance of ${money(available, currency)} does not cover them all`] : []),
  ])
}

interface Start {
  readonly found: DisbursementRecord
  readonly left: Left
  readonly runId: string
}

/** Starts it, or goes on after a lack of balance, once the person agrees. False: it does not. */
async function isGoing({ given, ask, output, signal }: CommandContext, api: Cauri, { found, left, runId }: Start): Promise<boolean> {
  const { id, state, pause_reason, currency } = found
  const isPaused = state === 'paused' && pause_reason !== 'recipient_checks'
  if (state !== 'ready' && !isPaused) return true
  if (left.count === 0) {
    output.note('no line can be paid: nothing was started')
    return false
  }
  const question = `${isPaused ? 'Go on and pay' : 'Pay'} ${money(left.cost, currency)}? [y/N] `
  if (!given.flag('yes') && !/^(y|yes|o|oui)$/i.test((await ask(question)).trim())) {
    output.note('nothing was started')
    return false
  }
  if (isPaused) await api.disbursements.resume(id, { signal })
  else await api.disbursements.start(id, { idempotencyKey: `${runId}/start`, signal })
  return true
}

function printProgress(output: Output, { paid_count, failed_count, valid_count, paid_amount, currency }: DisbursementRecord): void {
  const decided = paid_count + failed_count
  output.progress(`${bar(decided, valid_count)} ${decided} of ${counted(valid_count, 'line')}, ${money(paid_amount, currency)}`)
}

async function writeResult(api: Cauri, id: string, path: string, signal: AbortSignal): Promise<void> {
  try {
    writeFileSync(path, '')
  } catch (error) {
    throw new CommandError(`${path} cannot be written (${(error as NodeJS.ErrnoException).code}); the disbursement is ${id}`)
  }
  for await (const text of api.csv(`/v1/biz/disbursements/${id}/lines`, { signal })) await appendFile(path, text)
}

function printEnd(output: Output, record: DisbursementRecord, runId: string): void {
  const { id, state, pause_reason, currency, paid_count, paid_amount, fee_amount, failed_count, failed_amount, invalid_count } = record
  output.result({ run_id: runId, ...record }, [
    `${state}: paid ${counted(paid_count, 'line')}, ${money(paid_amount, currency)} (run id ${runId})`,
    ...(fee_amount === 0 ? [] : [`fees ${money(fee_amount, currency)}`]),
    ...(failed_count === 0
      ? []
      : [`${counted(failed_count, 'line')} failed, ${money(failed_amount, currency)}: cauri disbursements retry ${id}`]),
    ...(invalid_count === 0 ? [] : [`${counted(invalid_count, 'line')} could not be paid`]),
  ])
  if (state === 'awaiting_approval') output.note(`a second person approves it: cauri disbursements approve ${id}`)
  if (state === 'paused') output.note(`paused (${pause_reason}): run the same command again to go on`)
}
