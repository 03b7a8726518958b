// Counts the bytes of a command's record against the daily budget of its sender, and checks the budget. Records that
// move live money are not counted: the money bounds them.
import type { Environment } from '../../kernel/environment.ts'
import type { TimeMs } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import type { Command } from '../command.ts'
import { type Context, event, type PlannedTransaction } from '../decision.ts'
import type { CommandDefinition } from '../noun-module.ts'
import type { IdempotencyEntry, StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import {
  EVENT_OVERHEAD_BYTES,
  EVENTS_PER_TRANSACTION_FREE,
  LOG_BYTES_EARNED,
  type LogBudgets,
  RECORD_OVERHEAD_BYTES,
  TEST_PAYMENTS_COUNTED_ONE_IN,
  UNPROVEN_BYTES_LEFT,
  WALLET_LOG_BYTES_PER_DAY,
} from './log-budget-limits.ts'
import type { LogCounted } from './log-budget-state.ts'

/** A record as it is about to be written. */
export interface PlannedRecord {
  readonly command: Command
  readonly definition: CommandDefinition
  /** Account of the mailbox: the merchant or wallet that sent the command, or the settlement account. */
  readonly mailbox: AccountNumber
  readonly environment: Environment
  readonly events: readonly StoredEvent[]
  readonly transactions: readonly PlannedTransaction[]
  readonly idempotency: IdempotencyEntry | null
}

/** The budget has no room for the record. */
export const OVER_BUDGET = 'over budget'

const NOTHING: readonly StoredEvent[] = []

/** The events that count a record that moves live money; null for a record that is weighed by `countRecord`. Costs a live payout 0.05 µs. */
export function countLivePayment(
  state: State,
  record: Pick<PlannedRecord, 'environment' | 'events' | 'transactions'>,
  timeMs: TimeMs,
): readonly StoredEvent[] | null {
  const { environment, transactions, events } = record
  if (transactions.length === 0 || environment !== 'live') return null
  return events.length <= EVENTS_PER_TRANSACTION_FREE * (transactions.length + 1) ? givenBack(state, record, timeMs) : null
}

/** The events that count any other record, or OVER_BUDGET. */
export function countRecord(
  state: State,
  record: PlannedRecord,
  { timeMs }: Pick<Context, 'timeMs'>,
  budgets: LogBudgets,
): readonly StoredEvent[] | typeof OVER_BUDGET {
  const { environment, transactions, events, mailbox } = record
  const isPaid = transactions.length > 0
  const kind = state.accounts.kind(mailbox)
  if (kind !== 'merchant' && kind !== 'wallet') {
    return record.command.type === 'RecordDeliveries' ? deliveryCounts(state, events) : NOTHING
  }
  const isProven = holdsLiveMoney(state, mailbox)
  const isMeasured = !isPaid || environment === 'live' || isSample(transactions)
  const earned = environment === 'live' ? transactions.length * LOG_BYTES_EARNED : 0
  const budget = kind === 'wallet' ? WALLET_LOG_BYTES_PER_DAY : budgets[environment]
  const written = state.logBudget.writtenOn(mailbox, timeMs)
  const isOverByLength = isMeasured && budget > 0 && written + textLength(record) - earned > budget
  if (isOverByLength && isRejectable(record)) return OVER_BUDGET
  const bytes = isMeasured ? Math.max(0, recordBytes(record) - earned) : 0
  const areUnprovenFull = !isProven && budgets.unproven > 0 && state.logBudget.unprovenOn(timeMs) + bytes > budgets.unproven
  const most = areUnprovenFull ? Math.min(budget, UNPROVEN_BYTES_LEFT[kind]) : budget
  if (budget > 0 && written + bytes > most && isRejectable(record)) return OVER_BUDGET
  return bytes === 0 ? NOTHING : [counted(mailbox, bytes, isProven)]
}

/** An account with live money was funded by the operator or paid by a customer. */
function holdsLiveMoney({ accounts, merchants }: State, mailbox: AccountNumber): boolean {
  const live = accounts.environment(mailbox) === 'live' ? mailbox : merchants.byAccount(mailbox)?.accounts.live
  return live !== undefined && accounts.balance(live) > 0
}

function isRejectable({ command, definition, events }: PlannedRecord): boolean {
  const { overBudget } = definition
  const what = typeof overBudget === 'function' ? overBudget(command as never) : overBudget
  return what === 'rejected' || (what === 'rejected_unchanged' && events.length === 0)
}

/** A live payment makes room for what its merchant wrote today. */
function givenBack(
  state: State,
  { events, transactions }: Pick<PlannedRecord, 'events' | 'transactions'>,
  timeMs: TimeMs,
): readonly StoredEvent[] {
  if (state.logBudget.written.size === 0) return NOTHING
  const account = events[0]?.account
  if (account === undefined) return NOTHING
  const written = state.logBudget.writtenOn(account, timeMs)
  return written === 0 ? NOTHING : [counted(account, -Math.min(written, transactions.length * LOG_BYTES_EARNED), true)]
}

/** Attempts to deliver are counted against the merchants that they are for. */
function deliveryCounts(state: State, events: readonly StoredEvent[]): readonly StoredEvent[] {
  const bytes = new Map<AccountNumber, number>()
  for (const one of events) bytes.set(one.account, (bytes.get(one.account) ?? 0) + eventBytes(one))
  return Array.from(bytes, ([account, size]) => counted(account, size, holdsLiveMoney(state, account)))
}

function counted(account: AccountNumber, bytes: number, isProven: boolean): StoredEvent {
  const payload: LogCounted = isProven ? { bytes } : { bytes, unproven: true }
  return event('log.counted', 1, account, payload)
}

/** At most the bytes of its events: to count those of half a MiB takes 1 ms, and a rejection needs no exact count. */
function textLength({ events }: PlannedRecord): number {
  let length = 0
  // Read one by one: the text of a batch's payout is made when it is read, and its packed form is empty.
  for (const one of events) length += (one.packed ?? one.text).length
  return length
}

/** What the record takes in the log, a little too high rather than too low. */
function recordBytes({ events, idempotency }: PlannedRecord): number {
  let bytes = RECORD_OVERHEAD_BYTES
  for (const one of events) bytes += eventBytes(one)
  if (idempotency === null) return bytes
  const { scope, key, fingerprint, body } = idempotency
  const ownLine = typeof body === 'string' ? Buffer.byteLength(body) : 0
  return bytes + scope.length + Buffer.byteLength(key) + fingerprint.length + ownLine
}

function eventBytes(one: StoredEvent): number {
  return one.packed === '' ? 0 : Buffer.byteLength(one.packed ?? one.text) + EVENT_OVERHEAD_BYTES
}

/**
 * Chooses by the last two hexadecimal digits of a transaction's id, which are random: callers cannot predict the
 * choice.
 */
function isSample([first]: readonly PlannedTransaction[]): boolean {
  return Number.parseInt((first as PlannedTransaction).id.slice(-2), 16) % TEST_PAYMENTS_COUNTED_ONE_IN === 0
}
