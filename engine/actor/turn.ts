// One turn: decides a command against memory, applies its postings and events, and returns the record. It is
// synchronous; after the decision only a bug can make it fail.

import { ERRORS, type ErrorCode, errorValue, keptError } from '../contract/errors.ts'
import { isSuccess, type OutcomeKind, SUCCESS_KINDS } from '../contract/outcome-kind.ts'
import { because } from '../contract/reasons.ts'
import { decide, definitionOf } from '../domain/command.ts'
import { type Accepted, type Context, isRefused, type Past, type PlannedTransaction, type Refused } from '../domain/decision.ts'
import { documentText } from '../domain/documents.ts'
import { evolve } from '../domain/evolve.ts'
import { countLivePayment, countRecord, OVER_BUDGET } from '../domain/log-budget/log-budget-count.ts'
import { LOG_BYTES_PER_DAY, type LogBudgets } from '../domain/log-budget/log-budget-limits.ts'
import { untilNextDayMs } from '../domain/log-budget/log-budget-state.ts'
import { countMerchantEvents } from '../domain/merchant-events.ts'
import type { NounRegistry } from '../domain/noun-registry.ts'
import type { ActingOperator } from '../domain/operator/operator-state.ts'
import type { PaidAmount } from '../domain/payout/paid-amount.ts'
import { type IdempotencyEntry, type LogRecord, type StoredEvent, splitSealed, withSealed } from '../domain/record.ts'
import { REGISTRY } from '../domain/registry.ts'
import { withFees } from '../domain/rules/fee-transactions.ts'
import { withNearLimits } from '../domain/rules/near-limits.ts'
import type { State } from '../domain/state.ts'
import type { Frame, PlannedFrame } from '../domain/stream/stream-state.ts'
import type { Amount } from '../kernel/amount.ts'
import { assert } from '../kernel/assert.ts'
import { DEFAULT_CURRENCIES, type KeptCurrencies } from '../kernel/currency.ts'
import type { Environment } from '../kernel/environment.ts'
import type { IdSource } from '../kernel/ids.ts'
import { EVENTS_MAX } from '../kernel/limits.ts'
import { EVENTS_PER_RECORD_MAX } from '../kernel/position.ts'
import type { TimeMs } from '../kernel/time.ts'
import type { AccountNumber, Posting, Transaction } from '../ledger/transaction.ts'
import type { Envelope, IdempotencyKey, Outcome } from './envelope.ts'
import { outcomeOfEvent } from './event-outcome.ts'
import type { History } from './history.ts'

export interface TurnResult {
  /** Null when no record was made: a rejection that no key stores, or a replay. */
  readonly record: LogRecord | null
  readonly outcome: Outcome
}

const NO_OUTCOME: Outcome = { kind: 'ok', body: '', replayed: false }

export interface TurnOptions {
  /** Daily maximum of log bytes by account; LOG_BYTES_PER_DAY when absent. */
  readonly budgets?: LogBudgets
  readonly registry?: NounRegistry
  /** DEFAULT_CURRENCIES when absent. */
  readonly currencies?: KeptCurrencies
}

/**
 * Kinds of outcomes that the ledger decides and a key stores. A command with another kind may be retried under the
 * same key; its events stay.
 */
const KEPT: ReadonlySet<OutcomeKind> = new Set([...SUCCESS_KINDS, 'insufficient_funds', 'conflict'])

const OVER_BUDGET_BODY = errorValue('rate_limited', undefined, because('daily_log_volume'))

/** It is also the result of its last turn: an object for each was garbage. */
export class Turns implements Context, TurnResult {
  readonly #state: State
  readonly #history: History
  readonly #ids: IdSource
  readonly #budgets: LogBudgets
  readonly #registry: NounRegistry
  readonly currencies: KeptCurrencies
  record: LogRecord | null = null
  outcome: Outcome = NO_OUTCOME
  sequence = 0
  timeMs: TimeMs = 0
  idempotencyKey: string | null = null
  operator: ActingOperator | null = null
  /** Whose command it is: the ids of each account ascend. */
  #mailbox: AccountNumber = 0

  constructor(state: State, history: History, ids: IdSource, options: TurnOptions = {}) {
    this.#state = state
    this.#history = history
    this.#ids = ids
    this.#budgets = options.budgets ?? LOG_BYTES_PER_DAY
    this.#registry = options.registry ?? REGISTRY
    this.currencies = options.currencies ?? DEFAULT_CURRENCIES
  }

  get past(): Past {
    return this.#history
  }

  newId(): string {
    return this.#ids.next(this.timeMs, this.#mailbox)
  }

  wasPaidRecently(paid: PaidAmount): boolean {
    return this.#history.recentPayouts.has(paid, this.timeMs)
  }

  /** Runs the command. The record, if there is one, gets `sequence`. The result is valid until the next turn. */
  run(envelope: Envelope, sequence: number, timeMs: TimeMs): TurnResult {
    const { command, idempotency } = envelope
    if (idempotency !== null) {
      const known = this.known(idempotency)
      if (known !== null) return { record: null, outcome: known }
    }
    this.sequence = sequence
    this.timeMs = timeMs
    this.#mailbox = envelope.mailbox
    this.idempotencyKey = idempotency?.key ?? null
    this.operator = envelope.operator ?? null
    const decided = decide(this.#registry, this.#state, command, this)
    if (isRefused(decided)) return this.#refuse(decided, envelope)
    const decision = withNearLimits(this.#state, withFees(this.#state, decided, this), timeMs)
    const isKept = idempotency !== null && KEPT.has(decision.kind)
    const ofEvent = outcomeOfEvent(decision, idempotency)
    // The record names the event of such an outcome, so its text is not needed here.
    const body = ofEvent === null ? this.#body(decision, isKept ? envelope : null) : ''
    const plain: Outcome = ofEvent ?? { kind: decision.kind, body, replayed: false }
    const outcome = decision.retryAfterS === undefined ? plain : { ...plain, retryAfterS: decision.retryAfterS }
    const entry = isKept ? entryOf(idempotency, decision, body) : null
    if (entry === null && decision.events.length + decision.transactions.length === 0) return { record: null, outcome }
    const { environment, transactions } = decision
    const events = this.#counted(envelope, decision, entry)
    if (events === null) return this.#overBudget()
    const record: LogRecord = {
      sequence,
      timeMs,
      command: command.type,
      environment,
      transactions: applyTransactions(this.#state, environment, transactions, timeMs),
      events,
      frames: numberFrames(this.#state, decision.frames),
      idempotency: entry,
      spend: decision.spend ?? null,
    }
    if (record.spend) this.#state.merchants.keyDays.countRecord(record.spend, record)
    applyEvents(this.#registry, this.#state, record)
    this.record = record
    this.outcome = outcome
    return this
  }

  /**
   * Returns the stored result of the key, or a rejection where the key belongs to another request; null for a new
   * key. Changes nothing.
   */
  known(idempotency: IdempotencyKey): Outcome | null {
    const known = this.#history.result(idempotency.scope, idempotency.key)
    if (known === null) return null
    if (known.entry.fingerprint !== idempotency.fingerprint) return refusal('idempotency_key_reused')
    const { sealed, body } = splitSealed(known.body)
    const outcome: Outcome = { kind: known.entry.kind, body, replayed: true }
    return sealed === null ? outcome : { ...outcome, sealed }
  }

  #refuse(refused: Refused, envelope: Envelope): TurnResult {
    const { idempotency, command, mailbox } = envelope
    const definition = definitionOf(this.#registry, command)
    const kind = definition.kinds?.[refused.refusal]
    const listed = refusal(refused.refusal, refused)
    const plain = kind === undefined ? listed : { ...listed, kind }
    if (idempotency === null || !KEPT.has(plain.kind)) return { record: null, outcome: plain }
    const outcome = { ...plain, body: keptErrorOf(plain.body, envelope) }
    const { scope, key, fingerprint } = idempotency
    const entry: IdempotencyEntry = { scope, key, fingerprint, kind: outcome.kind, body: outcome.body }
    const environment = this.#state.accounts.environment(mailbox)
    const events = this.#counted(envelope, { environment, events: [], transactions: [] }, entry)
    if (events === null) return this.#overBudget()
    const record: LogRecord = {
      sequence: this.sequence,
      timeMs: this.timeMs,
      command: command.type,
      environment,
      transactions: [],
      events,
      frames: [],
      idempotency: entry,
    }
    applyEvents(this.#registry, this.#state, record)
    return { record, outcome }
  }

  /** Returns the body. `kept` is the envelope of a result that its key stores; null for others. */
  #body({ body, events, kind }: Accepted<ErrorCode>, kept: Envelope | null): string {
    if (typeof body !== 'string') return documentText(events[body] as StoredEvent, this.#history, this.#registry)
    return isSuccess(kind) || kept === null ? body : keptErrorOf(body, kept)
  }

  /** Returns the record's events with those that count its bytes; null when its account has exceeded its daily budget. */
  #counted(
    { command, mailbox }: Envelope,
    decided: Pick<Accepted<ErrorCode>, 'environment' | 'events' | 'transactions'>,
    idempotency: IdempotencyEntry | null,
  ): readonly StoredEvent[] | null {
    const { environment, events, transactions } = decided
    const counts =
      countLivePayment(this.#state, decided, this.timeMs) ??
      countRecord(
        this.#state,
        { command, definition: definitionOf(this.#registry, command), mailbox, environment, events, transactions, idempotency },
        this,
        this.#budgets,
      )
    if (counts === OVER_BUDGET) return null
    return this.#registry.allReadable(counts.length === 0 ? events : [...events, ...counts])
  }

  #overBudget(): TurnResult {
    const retryAfterS = Math.ceil(untilNextDayMs(this.timeMs) / 1000)
    return { record: null, outcome: { kind: ERRORS.rate_limited.kind, body: OVER_BUDGET_BODY, replayed: false, retryAfterS } }
  }
}

export const OTHER_CURRENCY = 'a transaction has the currency of its accounts'

/** Applies a record of the log again, and checks that the balances are the same. */
export function replayRecord(state: State, record: LogRecord, registry: NounRegistry = REGISTRY): void {
  replayCount(state, record.environment, record.transactions.length)
  for (const { type, postings, currency } of record.transactions) {
    assert(postings[0] !== undefined && state.accounts.currency(postings[0].debit) === currency, OTHER_CURRENCY)
    for (const posting of postings) {
      replayPosting(state, posting, posting.debitBalance, posting.creditBalance)
      state.rules.counters.count(type, posting, record.timeMs)
    }
  }
  for (const { account, id } of record.frames) replayFrame(state, account, id)
  if (record.spend) state.merchants.keyDays.countRecord(record.spend, record)
  applyEvents(registry, state, record)
}

export function replayCount(state: State, environment: Environment, transactions: number): void {
  state.transactionCounts[environment] += transactions
}

export function replayPosting(state: State, posting: Posting, debitBalance: Amount, creditBalance: Amount): void {
  const applied = state.accounts.post(posting)
  assert(
    applied.debitBalance === debitBalance && applied.creditBalance === creditBalance,
    'the balances after a posting are those of the log',
  )
}

export function replayFrame({ frames }: State, account: AccountNumber, id: number): void {
  assert(id === frames.last(account) + 1, 'the frames of an account are numbered without gaps')
  frames.set(account, id)
}

function applyTransactions(
  state: State,
  environment: Environment,
  planned: readonly PlannedTransaction[],
  timeMs: TimeMs,
): readonly Transaction[] {
  const { accounts, transactionCounts, rules } = state
  transactionCounts[environment] += planned.length
  for (let at = 0; at < planned.length; at++) {
    const transaction = planned[at] as PlannedTransaction
    const { type, posting, currency } = transaction
    assert(accounts.currency(posting.debit) === currency, OTHER_CURRENCY)
    transaction.postings = [accounts.apply(posting)]
    rules.counters.count(type, posting, timeMs)
  }
  return planned
}

/** Gives the frames their ids, consecutive for each account. */
function numberFrames({ frames }: State, planned: readonly PlannedFrame[]): readonly Frame[] {
  for (let at = 0; at < planned.length; at++) {
    const frame = planned[at] as PlannedFrame
    frame.id = frames.last(frame.account) + 1
    frames.set(frame.account, frame.id)
  }
  return planned
}

function applyEvents(registry: NounRegistry, state: State, record: LogRecord): void {
  assert(record.events.length <= EVENTS_MAX, 'a record has a bounded number of events')
  assert(record.frames.length <= EVENTS_PER_RECORD_MAX, 'every frame of a record has a position')
  for (const event of record.events) evolve(registry, state, event, record)
  countMerchantEvents(state, record)
  for (const { postings } of record.transactions) for (const { debit } of postings) state.accounts.assertCovered(debit)
}

/** `text` is the body. The index of an event takes its place where the event has the same text. */
function entryOf({ scope, key, fingerprint, sealed }: IdempotencyKey, { kind, body }: Accepted<ErrorCode>, text: string): IdempotencyEntry {
  if (sealed !== undefined && isSuccess(kind)) return { scope, key, fingerprint, kind, body: withSealed(sealed, text) }
  return { scope, key, fingerprint, kind, body: typeof body === 'string' ? text : body }
}

/** Returns an error as its key stores it: with the language and the id of the first request. */
function keptErrorOf(error: string, { language = 'fr', requestId }: Envelope): string {
  return keptError(error, language, requestId)
}

function refusal(code: ErrorCode, { param, reason, retryAfterS }: Partial<Refused> = {}): Outcome {
  const body = errorValue(code, param, reason === undefined ? undefined : because(reason))
  const outcome: Outcome = { kind: ERRORS[code].kind, body, replayed: false }
  return retryAfterS === undefined ? outcome : { ...outcome, retryAfterS }
}
