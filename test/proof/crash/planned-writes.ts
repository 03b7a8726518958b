// Writes of the kill rounds that a plan or a second person decides: live movements under dual control, and runs of a schedule and
// collections of mandates that the test helpers take before their time.

import type { Prng } from '../../support/prng.ts'
import { OPERATOR } from '../cluster/accounts.ts'
import { between, MERCHANT } from '../cluster/money-writes.ts'
import { DUAL_CONTROL, type KillAccounts, LIVE_MERCHANT } from './kill-accounts.ts'
import { effect, type KillWrite, keyed, WRITE_AMOUNT_MAX } from './kill-write.ts'

export const PLANNED_KINDS = ['movement request', 'movement approval', 'test schedule run', 'test mandate collection'] as const
export type PlannedKind = (typeof PLANNED_KINDS)[number]

interface WaitingMovement {
  readonly id: string
  /** Signed. */
  readonly change: number
}

export class PlannedWrites {
  readonly #accounts: KillAccounts
  readonly #prng: Prng
  readonly #waiting: WaitingMovement[] = []

  constructor(accounts: KillAccounts, prng: Prng) {
    this.#accounts = accounts
    this.#prng = prng
  }

  /** Of the kind, or of the one that must come before it. */
  next(kind: PlannedKind, key: string): KillWrite<PlannedKind> {
    switch (kind) {
      case 'movement request':
        return this.#request(key)
      case 'movement approval':
        return this.#approval(key)
      case 'test schedule run':
        return this.#scheduleRun(key)
      case 'test mandate collection':
        return this.#collection(key)
    }
  }

  /** Above the limit of one operator: it waits, and nothing moves. */
  #request(key: string): KillWrite<PlannedKind> {
    const amount = DUAL_CONTROL + 1 + this.#prng.below(WRITE_AMOUNT_MAX)
    const [path, change] = this.#prng.chance(0.5) ? ['/v1/operator/deposits', amount] : ['/v1/operator/withdrawals', -amount]
    const body = { merchant_id: this.#accounts.live.merchantId, environment: 'live', amount, reference: key }
    return keyed('movement request', key, path, OPERATOR, body, ({ id, state }) => {
      if (state !== 'waiting') throw new Error(`the movement is ${String(state)}`)
      this.#waiting.push({ id: String(id), change })
      return []
    })
  }

  #approval(key: string): KillWrite<PlannedKind> {
    const known = this.#waiting.pop()
    if (known === undefined) return this.#request(key)
    const path = `/v1/operator/approvals/${known.id}/approve`
    return keyed('movement approval', key, path, this.#accounts.live.secondOperator, {}, (answer) => {
      if (answer.state !== 'approved') throw new Error(`the movement is ${String(answer.state)}`)
      return [effect(LIVE_MERCHANT, known.change, answer.transaction_id, answer.balance_after)]
    })
  }

  #scheduleRun(key: string): KillWrite<PlannedKind> {
    const { id, items } = this.#accounts.schedule
    const path = `/v1/biz/test/payout-schedules/${id}/run`
    return keyed('test schedule run', key, path, this.#accounts.merchantHeaders, {}, ({ paid_count, batch_id }) => {
      if (paid_count !== items.length) throw new Error(`the run paid ${String(paid_count)} lines`)
      // The answer names the batch and no transaction: each line is one.
      return items.flatMap(({ recipient, amount }, index) => between(MERCHANT, recipient, amount, `${String(batch_id)}/${index}`))
    })
  }

  #collection(key: string): KillWrite<PlannedKind> {
    const { id, tag, amount } = this.#prng.pick(this.#accounts.mandates)
    const path = `/v1/biz/test/mandates/${id}/collect`
    return keyed('test mandate collection', key, path, this.#accounts.merchantHeaders, {}, ({ state, transaction_id }) => {
      if (state !== 'paid') throw new Error(`the payment is ${String(state)}`)
      return between(tag, MERCHANT, amount, String(transaction_id))
    })
  }
}
