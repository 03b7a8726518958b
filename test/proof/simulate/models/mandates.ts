// Mandates in the model: when each collects next, what it may collect, and its retries.
import assert from 'node:assert/strict'
import type { State } from '../../../../engine/domain/state.ts'
import { firstAfter } from '../calendar.ts'
import { type Entry, eventsOf, Machine, type NounModel, sameRows, sent } from '../entry.ts'
import type { Moves } from '../moves.ts'
import { ACCOUNT_MAX, type AccountsModel } from './accounts.ts'

type MandateState = 'pending' | 'active' | 'paused' | 'cancelled' | 'rejected' | 'expired'

interface Terms {
  readonly id: string
  readonly token: string
  readonly amount: number | null
  readonly max_amount: number | null
  readonly interval: 'weekly' | 'monthly' | 'yearly' | 'on_demand'
  readonly start_at: string | null
  readonly end_at: string | null
  readonly max_payments: number | null
  readonly created_at: string
}

/** What may be collected at once: of a maximum on demand, what its month leaves. */
export function mostOf({ terms, months }: ModelMandate, nowMs: number): number {
  const isSummed = terms.interval === 'on_demand' && terms.max_amount !== null
  return (terms.max_amount ?? terms.amount ?? 0) - (isSummed ? (months.get(monthOf(nowMs)) ?? 0) : 0)
}

function monthOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 7)
}

export interface ModelMandate {
  readonly terms: Terms
  readonly account: number
  readonly customer: number
  state: MandateState
  anchorMs: number | null
  occurrenceMs: number | null
  nextMs: number | null
  payments: number
  failed: number
  /** What was collected in each month (`2026-11`). */
  readonly months: Map<string, number>
}

interface Change {
  readonly mandate: {
    readonly id: string
    readonly state: MandateState
    readonly next_charge_at: string | null
    readonly payments_count: number
    readonly failed_attempts: number
  }
  readonly payment: { readonly amount: number; readonly state: 'paid' | 'failed'; readonly failure_code?: string } | null
}

/** What the engine's limits are meant to be, written down a second time. */
const [APPROVAL_MS, RETRY_MS, RETRIES] = [7 * 86_400_000, 86_400_000, 3]
const WITH_WEBHOOK: ReadonlySet<string> = new Set(['approved', 'rejected', 'paused', 'cancelled', 'charged'])

export class MandatesModel implements NounModel {
  readonly mandates = new Map<string, ModelMandate>()
  readonly #accounts: AccountsModel
  readonly #machine: Machine<MandateState>

  constructor(accounts: AccountsModel, seen: Moves) {
    this.#accounts = accounts
    const moves = {
      approved: ['pending', 'paused'],
      rejected: ['pending'],
      cancelled: ['pending', 'active', 'paused'],
      charged: ['active'],
      charge_failed: ['active'],
      paused: ['active'],
      expired: ['pending', 'active', 'paused'],
    } as const
    this.#machine = new Machine('mandate', moves, seen)
  }

  audit(entry: Entry): void {
    for (const { event, payload } of eventsOf<{ readonly mandate: Terms; readonly customer: number }>(entry, 'mandate.created')) {
      const start = {
        state: 'pending',
        anchorMs: null,
        occurrenceMs: null,
        nextMs: null,
        payments: 0,
        failed: 0,
        months: new Map(),
      } as const
      this.mandates.set(payload.mandate.id, { terms: payload.mandate, account: event.account, customer: payload.customer, ...start })
      entry.frames.push(`${payload.customer}:mandate.requested`)
    }
    for (const move of ['approved', 'rejected', 'cancelled', 'charged', 'charge_failed', 'paused', 'expired'] as const) {
      for (const { payload } of eventsOf<Change>(entry, `mandate.${move}`)) this.#move(entry, move, payload)
    }
    const refused = sent(entry, 'ChargeMandate')
    if (entry.code !== 'insufficient_balance' || refused === null) return
    const mandate = this.mandates.get(refused.id)
    const amount = refused.amount ?? mandate?.terms.amount ?? 0
    assert.ok(
      mandate !== undefined && this.#failure(mandate, amount) === 'insufficient_balance',
      'a collection is refused for lack of money',
    )
  }

  compare({ mandates }: State): void {
    const live = [...this.mandates.values()].filter(({ state }) => isLive(state))
    sameRows(
      [...mandates.live.values()].map(({ id, dueMs }) => `${id} ${dueMs}`),
      live.map((mandate) => `${mandate.terms.id} ${dueOf(mandate)}`),
      'mandates that are not over',
    )
  }

  /** How many of the merchant's wait for the approval of the customer. */
  pendingOf(account: number, customer: number): number {
    let count = 0
    for (const one of this.mandates.values()) if (one.account === account && one.customer === customer && one.state === 'pending') count++
    return count
  }

  get timers(): number {
    return [...this.mandates.values()].filter((mandate) => dueOf(mandate) !== null).length
  }

  overdue(nowMs: number): string[] {
    return [...this.mandates.values()].filter((mandate) => (dueOf(mandate) ?? nowMs) < nowMs).map(({ terms }) => terms.id)
  }

  #move(entry: Entry, move: string, change: Change): void {
    const mandate = this.mandates.get(change.mandate.id)
    this.#machine.move(mandate?.state, move)
    if (mandate === undefined) return
    const { timeMs } = entry.record
    const isTimer = entry.record.command === 'AdvanceMandate' && entry.record.idempotency === null && entry.command === null
    if (isTimer) assert.ok(timeMs >= (dueOf(mandate) ?? Number.POSITIVE_INFINITY), 'a timer is never early')
    if (WITH_WEBHOOK.has(move)) entry.outbox.push(`${mandate.account}:mandate.${move}`)
    if (move === 'approved') this.#approve(mandate, timeMs)
    else if (move === 'charged') this.#charge(entry, mandate)
    else if (move === 'charge_failed' || move === 'paused') this.#fail(mandate, change, timeMs)
    else {
      if (move === 'expired') assert.ok(timeMs >= (endOf(mandate) ?? Number.POSITIVE_INFINITY), 'a mandate does not end early')
      mandate.state = move as MandateState
      mandate.nextMs = null
    }
    const { state, next_charge_at, payments_count, failed_attempts } = change.mandate
    const found = [state, next_charge_at === null ? null : Date.parse(next_charge_at), payments_count, failed_attempts]
    assert.deepEqual(found, [mandate.state, mandate.nextMs, mandate.payments, mandate.failed], `${move} ${mandate.terms.id}`)
  }

  #approve(mandate: ModelMandate, timeMs: number): void {
    const { terms, customer, account } = mandate
    assert.ok(timeMs < (endOf(mandate) ?? Number.POSITIVE_INFINITY), 'a mandate that has ended is not approved')
    assert.equal(this.#accounts.walletAt(customer)?.block, 'free', 'a blocked wallet approves nothing')
    assert.equal(this.#accounts.stopOf(account), null, 'a merchant who is stopped gets no approval')
    const wasPending = mandate.state === 'pending'
    const anchorMs = mandate.anchorMs ?? Math.max(timeMs, terms.start_at === null ? timeMs : Date.parse(terms.start_at))
    mandate.nextMs = nextOf(terms, anchorMs, wasPending ? anchorMs - 1 : timeMs)
    Object.assign(mandate, { anchorMs, occurrenceMs: mandate.nextMs, state: 'active', failed: 0 })
  }

  #charge(entry: Entry, mandate: ModelMandate): void {
    const { terms, account, customer } = mandate
    const { timeMs, transactions } = entry.record
    const [posting] = transactions[0]?.postings ?? []
    assert.ok(posting !== undefined && transactions.length === 1, 'a collection moves money once')
    assert.deepEqual([posting.debit, posting.credit], [customer, account], `mandate ${terms.id}`)
    assert.ok(timeMs < (endOf(mandate) ?? Number.POSITIVE_INFINITY), 'a mandate that has ended collects nothing')
    assert.equal(this.#failure(mandate, posting.amount), null, `mandate ${terms.id} may collect`)
    if (entry.record.command === 'AdvanceMandate') assert.equal(posting.amount, terms.amount, 'by itself it collects its amount')
    assert.ok(posting.amount <= mostOf(mandate, timeMs), 'not more than the customer allowed')
    const month = monthOf(timeMs)
    mandate.months.set(month, (mandate.months.get(month) ?? 0) + posting.amount)
    assert.ok(terms.max_payments === null || mandate.payments < terms.max_payments, 'not more often than the customer allowed')
    mandate.payments++
    mandate.failed = 0
    const isEnough = mandate.payments === terms.max_payments
    const { anchorMs, occurrenceMs } = mandate
    const repeats = terms.interval !== 'on_demand' && anchorMs !== null
    const nextMs = repeats ? nextOf(terms, anchorMs, Math.max(timeMs, occurrenceMs ?? timeMs)) : null
    const isOver = isEnough || (repeats && nextMs === null)
    Object.assign(mandate, { occurrenceMs: nextMs, nextMs: isOver ? null : nextMs, state: isOver ? 'expired' : 'active' })
    entry.frames.push(`${customer}:payment.sent`, `${customer}:balance.updated`)
  }

  #fail(mandate: ModelMandate, { payment }: Change, timeMs: number): void {
    assert.ok(payment !== null && payment.state === 'failed', 'a failed collection says so')
    assert.equal(payment.failure_code, this.#failure(mandate, payment.amount), 'a collection fails for a reason')
    mandate.failed++
    const pauses = mandate.failed > RETRIES
    mandate.state = pauses ? 'paused' : 'active'
    mandate.nextMs = pauses ? null : timeMs + RETRY_MS
  }

  #failure({ account, customer }: ModelMandate, amount: number): string | null {
    const stop = this.#accounts.stopOf(account)
    if (stop !== null) return stop
    if (this.#accounts.walletAt(customer)?.block !== 'free') return 'wallet_blocked'
    const isPossible = this.#accounts.available(customer) >= amount && this.#accounts.account(account).balance + amount <= ACCOUNT_MAX
    return isPossible ? null : 'insufficient_balance'
  }
}

export function isLive(state: MandateState): boolean {
  return state === 'pending' || state === 'active' || state === 'paused'
}

function nextOf({ interval, end_at }: Terms, anchorMs: number, afterMs: number): number | null {
  if (interval === 'on_demand') return null
  const nextMs = firstAfter(anchorMs, interval, afterMs)
  return nextMs === null || (end_at !== null && nextMs >= Date.parse(end_at)) ? null : nextMs
}

/** It collects by itself, at each interval. */
export function isAutomatic({ terms }: ModelMandate): boolean {
  return terms.amount !== null && terms.interval !== 'on_demand'
}

export function endOf({ terms: { end_at, created_at }, state }: ModelMandate): number | null {
  const endMs = end_at === null ? Number.POSITIVE_INFINITY : Date.parse(end_at)
  const lastMs = state === 'pending' ? Math.min(endMs, Date.parse(created_at) + APPROVAL_MS) : endMs
  return lastMs === Number.POSITIVE_INFINITY ? null : lastMs
}

export function dueOf(mandate: ModelMandate): number | null {
  const { state, nextMs } = mandate
  if (!isLive(state)) return null
  const collects = state === 'active' && isAutomatic(mandate) && nextMs !== null
  const endMs = endOf(mandate) ?? Number.POSITIVE_INFINITY
  const dueMs = collects ? Math.min(endMs, nextMs) : endMs
  return dueMs === Number.POSITIVE_INFINITY ? null : dueMs
}
