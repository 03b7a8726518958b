// Rules of a merchant about its payouts in the model: limits of API keys, what keys have paid, and payout policies.
import assert from 'node:assert/strict'
import type { Caller } from '../../../../engine/contract/created-by.ts'
import type { State } from '../../../../engine/domain/state.ts'
import { type Entry, eventsOf, type NounModel } from '../entry.ts'

interface Limits {
  readonly payout_max: number | null
  readonly day_max: number | null
}

interface ModelKey {
  limits: Limits | null
  /** UTC, in days since 1970-01-01. */
  day: number
  spent: number
}

/** What the key of one record may pay, along its payouts. */
export interface ModelAllowance {
  /** `paidHere`: what a dry run has paid so far, which its key does not count. */
  covers(amount: number, paidHere?: number): boolean
  pay(amount: number): void
}

interface LimitsChanged {
  readonly kind: string
  readonly environment: string
  readonly rules: { readonly merchant: { readonly payout_max: number | null } }
}

const dayOf = (timeMs: number): number => Math.floor(timeMs / 86_400_000)

export class PayoutRulesModel implements NounModel {
  /** By key id. */
  readonly #keys = new Map<string, ModelKey>()
  /** By account. */
  readonly #policies = new Map<number, number | null>()
  readonly #keyOfSchedule = new Map<string, string>()
  readonly #keyOfDisbursement = new Map<string, string>()
  /** Maximum of one payout that operators set, by environment. */
  readonly #payoutMax = new Map<string, number | null>()

  /** Accounts of merchants with a policy. */
  get withPolicy(): number[] {
    return [...this.#policies].flatMap(([account, above]) => (above === null ? [] : [account]))
  }

  needsApproval(account: number, amounts: readonly (number | null)[]): boolean {
    const above = this.#policies.get(account) ?? null
    return above !== null && amounts.reduce<number>((sum, amount) => sum + (amount ?? 0), 0) > above
  }

  /** Whether the key may pay the amount at the time. */
  covers(keyId: string | null, amount: number, timeMs: number, paidHere = 0): boolean {
    return this.#allowance(keyId, timeMs)?.covers(amount, paidHere) ?? true
  }

  /** Null: no key pays in the record. */
  allowance(entry: Entry): ModelAllowance | null {
    return this.#allowance(this.#keyOf(entry), entry.record.timeMs)
  }

  #allowance(keyId: string | null, timeMs: number): ModelAllowance | null {
    if (keyId === null) return null
    const key = this.#key(keyId)
    if (key.day !== dayOf(timeMs)) Object.assign(key, { day: dayOf(timeMs), spent: 0 })
    const { payout_max = null, day_max = null } = key.limits ?? {}
    return {
      covers: (amount, paidHere = 0) =>
        amount <= (payout_max ?? Number.POSITIVE_INFINITY) && key.spent + paidHere + amount <= (day_max ?? Number.POSITIVE_INFINITY),
      pay: (amount) => {
        key.spent += amount
      },
    }
  }

  /** What a key pays before it has limits counts too. */
  #key(keyId: string): ModelKey {
    const key = this.#keys.get(keyId) ?? { limits: null, day: 0, spent: 0 }
    this.#keys.set(keyId, key)
    return key
  }

  /** Whether the operator's rules forbid a payout of the amount. */
  isAboveOperator(environment: string, amount: number): boolean {
    return amount > (this.#payoutMax.get(environment) ?? Number.POSITIVE_INFINITY)
  }

  audit(entry: Entry): void {
    for (const { payload } of eventsOf<LimitsChanged>(entry, 'rules.changed'))
      if (payload.kind === 'limit_rules') this.#payoutMax.set(payload.environment, payload.rules.merchant.payout_max)
    for (const { payload } of eventsOf<{ readonly id: string; readonly by: Caller }>(entry, 'schedule.created'))
      if (payload.by.kind === 'key') this.#keyOfSchedule.set(payload.id, payload.by.id)
    for (const { payload } of eventsOf<{ readonly plan: { readonly id: string; readonly created_by: Caller } }>(
      entry,
      'disbursement.created',
    ))
      if (payload.plan.created_by.kind === 'key') this.#keyOfDisbursement.set(payload.plan.id, payload.plan.created_by.id)
    for (const { payload } of eventsOf<{ readonly key_id: string; readonly limits: Limits }>(entry, 'api_key.limits_set'))
      this.#key(payload.key_id).limits = payload.limits
    for (const { event, payload } of eventsOf<{ readonly approval_above: number | null }>(entry, 'merchant.payout_policy_set'))
      this.#policies.set(event.account, payload.approval_above)
    assert.ok((entry.record.spend?.keyId ?? null) === null || entry.record.spend?.keyId === this.#keyOf(entry), 'the key that pays')
  }

  compare({ merchants }: State): void {
    for (const { key_id, limits } of merchants.keyLimits.values())
      assert.deepEqual(limits, this.#keys.get(key_id)?.limits, 'limits of a key')
    for (const [keyId, key] of this.#keys) {
      const spent = merchants.keyDays.spentOn(keyId, key.day * 86_400_000)
      assert.equal(spent, key.spent, 'what a key has paid on its day')
    }
    for (const [account, above] of this.#policies) assert.equal(merchants.approvalAbove(account), above, 'a payout policy')
  }

  #keyOf(entry: Entry): string | null {
    const [ran] = eventsOf<{ readonly schedule_id: string }>(entry, 'schedule.ran')
    if (ran !== undefined) return this.#keyOfSchedule.get(ran.payload.schedule_id) ?? null
    const [turn] = eventsOf<{ readonly disbursement_id: string }>(entry, 'disbursement.changed')
    if (turn !== undefined) return this.#keyOfDisbursement.get(turn.payload.disbursement_id) ?? null
    const { command } = entry.decided ?? {}
    return command?.type === 'CreatePayout' || command?.type === 'CreateBatch' ? (command.keyId ?? null) : null
  }
}
