// Writes of the kill rounds that bring money in and out: top-ups, withdrawals with their holds, and deposits. Operators finish the requests
// of the merchant, or its own test helpers do.

import type { Prng } from '../../support/prng.ts'
import { OPERATOR } from '../cluster/accounts.ts'
import { type Effect, MERCHANT } from '../cluster/money-writes.ts'
import type { KillAccounts } from './kill-accounts.ts'
import { type AnswerEffects, effect, HOLD_PREFIX, type KillWrite, keyed, WRITE_AMOUNT_MAX } from './kill-write.ts'

export const CASH_KINDS = [
  'top-up',
  'top-up confirmation',
  'test top-up confirmation',
  'withdrawal',
  'withdrawal payment',
  'test withdrawal payment',
  'withdrawal refusal',
  'withdrawal cancellation',
  'test deposit',
  'operator deposit',
  'operator withdrawal',
] as const
export type CashKind = (typeof CASH_KINDS)[number]
type WithdrawalEnd = 'withdrawal payment' | 'test withdrawal payment' | 'withdrawal refusal' | 'withdrawal cancellation'

const DESTINATION = { kind: 'bank', name: 'Boutique Awa', account: 'SN08SN0100152000048500003035' }

interface Requested {
  readonly id: string
  readonly amount: number
}

export class CashWrites {
  readonly #accounts: KillAccounts
  readonly #prng: Prng
  readonly #topUps: Requested[] = []
  readonly #withdrawals: Requested[] = []

  constructor(accounts: KillAccounts, prng: Prng) {
    this.#accounts = accounts
    this.#prng = prng
  }

  /** Of the kind, or of the one that must come before it. */
  next(kind: CashKind, key: string): KillWrite<CashKind> {
    const amount = 1 + this.#prng.below(WRITE_AMOUNT_MAX)
    switch (kind) {
      case 'top-up':
        return this.#topUp(key, amount)
      case 'top-up confirmation':
      case 'test top-up confirmation':
        return this.#topUpConfirmation(kind, key, amount)
      case 'withdrawal':
        return this.#withdrawal(key, amount)
      case 'withdrawal payment':
      case 'test withdrawal payment':
      case 'withdrawal refusal':
      case 'withdrawal cancellation':
        return this.#withdrawalEnd(kind, key, amount)
      case 'test deposit':
        return this.#testDeposit(key, amount)
      case 'operator deposit':
        return this.#funding(kind, '/v1/operator/deposits', key, amount, amount)
      case 'operator withdrawal':
        return this.#funding(kind, '/v1/operator/withdrawals', key, amount, -amount)
    }
  }

  #topUp(key: string, amount: number): KillWrite<CashKind> {
    return this.#byMerchant('top-up', key, '/v1/biz/top-ups', { amount, reference: key }, ({ id }) => {
      this.#topUps.push({ id: String(id), amount })
      return []
    })
  }

  #topUpConfirmation(kind: 'top-up confirmation' | 'test top-up confirmation', key: string, newAmount: number): KillWrite<CashKind> {
    const known = this.#topUps.pop()
    if (known === undefined) return this.#topUp(key, newAmount)
    const { id, amount } = known
    const effectsOf: AnswerEffects = ({ transaction_id }) => [effect(MERCHANT, amount, transaction_id)]
    if (kind === 'test top-up confirmation') return this.#byMerchant(kind, key, `/v1/biz/test/top-ups/${id}/confirm`, {}, effectsOf)
    return keyed(kind, key, `/v1/operator/top-ups/${id}/confirm`, OPERATOR, { amount, reference: key }, effectsOf)
  }

  #withdrawal(key: string, amount: number): KillWrite<CashKind> {
    return this.#byMerchant('withdrawal', key, '/v1/biz/withdrawals', { amount, destination: DESTINATION, reference: key }, ({ id }) => {
      this.#withdrawals.push({ id: String(id), amount })
      return [effect(MERCHANT, -amount, `${HOLD_PREFIX}${String(id)}`)]
    })
  }

  #withdrawalEnd(kind: WithdrawalEnd, key: string, newAmount: number): KillWrite<CashKind> {
    const known = this.#withdrawals.pop()
    if (known === undefined) return this.#withdrawal(key, newAmount)
    const { id, amount } = known
    const released = (): readonly Effect[] => [effect(MERCHANT, amount, `${HOLD_PREFIX}${id} released`)]
    // The hold has taken the amount from what is available before.
    const captured: AnswerEffects = ({ transaction_id }) => [effect(MERCHANT, 0, transaction_id)]
    const path = `/v1/operator/withdrawals/${id}`
    switch (kind) {
      case 'withdrawal cancellation':
        return this.#byMerchant(kind, key, `/v1/biz/withdrawals/${id}/cancel`, {}, released)
      case 'test withdrawal payment':
        return this.#byMerchant(kind, key, `/v1/biz/test/withdrawals/${id}/pay`, {}, captured)
      case 'withdrawal refusal':
        return keyed(kind, key, `${path}/refuse`, OPERATOR, { reason: 'Compte inconnu.' }, released)
      case 'withdrawal payment':
        return keyed(kind, key, `${path}/pay`, OPERATOR, { reference: key }, captured)
    }
  }

  #testDeposit(key: string, amount: number): KillWrite<CashKind> {
    const { tag } = this.#prng.pick(this.#accounts.wallets)
    return this.#byMerchant('test deposit', key, '/v1/biz/test/deposits', { recipient: tag, amount }, (answer) => {
      return [effect(tag, amount, answer.transaction_id, answer.balance_after)]
    })
  }

  /** An operator's movement of a wallet or of the merchant, whose answer has the balance without what is held. */
  #funding(
    kind: 'operator deposit' | 'operator withdrawal',
    path: string,
    key: string,
    amount: number,
    change: number,
  ): KillWrite<CashKind> {
    const isWallet = this.#prng.chance(0.5)
    const { tag } = this.#prng.pick(this.#accounts.wallets)
    const target = isWallet ? { tag } : { merchant_id: this.#accounts.merchantId }
    return keyed(kind, key, path, OPERATOR, { ...target, environment: 'test', amount, reference: key }, (answer) => {
      if (!isWallet) return [effect(MERCHANT, change, answer.transaction_id)]
      return [effect(tag, change, answer.transaction_id, answer.balance_after)]
    })
  }

  #byMerchant(kind: CashKind, key: string, path: string, body: object, effectsOf: AnswerEffects): KillWrite<CashKind> {
    return keyed(kind, key, path, this.#accounts.merchantHeaders, body, effectsOf)
  }
}
