// Query for the till: payments and refunds of charges in a range of time, with who made the charges.
import type { Hit } from '../actor/index-hit.ts'
import type { Caller } from '../contract/created-by.ts'
import { chargesInStateIndexKey } from '../domain/charge/charge-index-keys.ts'
import type { ChargeChange } from '../domain/charge/charge-state.ts'
import { chargeOf, isChargeVersion } from '../domain/charge/charge-versions.ts'
import { payloadOf } from '../domain/record.ts'
import type { Position } from '../kernel/position.ts'
import type { Reads } from './reads.ts'
import type { MovementsInput } from './transaction-queries.ts'

/** A payment or a refund of a charge. */
export interface TillMove {
  readonly state: 'paid' | 'refunded'
  readonly amount: number
  /** The member or key that made the charge, or the payment link that made it. */
  readonly maker: Caller
}

export interface TillPage {
  readonly moves: readonly TillMove[]
  /** Position where the next page starts; null at the end. */
  readonly next: Position | null
}

/** Returns payments and refunds of the account's charges, newest first. */
export function listTillMoves({ history }: Reads, { account, fromMs, toMs, below, limit }: MovementsInput): TillPage {
  const { hits, next } = history.page({
    indexKeys: [[chargesInStateIndexKey(account, 'paid'), chargesInStateIndexKey(account, 'refunded')]],
    keep: ({ event }) => event.account === account && isChargeVersion(event) && moveOf(payloadOf<ChargeChange>(event).state) !== null,
    createdFromMs: fromMs,
    createdToMs: toMs,
    limit,
    ...(below === null ? {} : { below }),
  })
  return { moves: hits.flatMap((hit) => tillMove(hit, history) ?? []), next }
}

function tillMove({ event }: Hit, history: Reads['history']): TillMove | null {
  const { state: given, amount, created_by, payment_link_created_by } = chargeOf(event, history)
  const state = moveOf(given)
  const maker = created_by.kind === 'link' ? payment_link_created_by : { ...created_by, kind: created_by.kind }
  return state === null || maker === undefined ? null : { state, amount, maker }
}

function moveOf(state: string): TillMove['state'] | null {
  return state === 'paid' || state === 'refunded' ? state : null
}
