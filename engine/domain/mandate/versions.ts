// The versions of a mandate in the log: how a decision finds the one that counts, and how it writes the next.
import { assert } from '../../kernel/assert.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Accepted, type Context, event, type Past } from '../decision.ts'
import { payloadOf, type StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { mandateTerm } from '../terms.ts'
import { tellMerchant } from '../webhook/merchant-event.ts'
import {
  MANDATE_MOVES,
  MANDATE_MOVES_FROM,
  type Mandate,
  type MandateMove,
  type MandatePayment,
  type MandateState,
  type MandateVersion,
} from './state.ts'
import { dueAt } from './times.ts'

/** A mandate as a turn, or whoever reads, finds it. */
export interface FoundMandate extends MandateVersion {
  /** The merchant's. */
  readonly account: AccountNumber
}

const TYPES: ReadonlySet<string> = new Set(['mandate.created', ...MANDATE_MOVES.map((move) => `mandate.${move}`)])

export function isMandateVersion(found: StoredEvent): boolean {
  return TYPES.has(found.type)
}

/** Null when there is none with this id. */
export function findMandate(state: State, past: Past, id: string): FoundMandate | null {
  const live = state.mandates.live.get(id)
  const found =
    live === undefined
      ? past.latest(mandateTerm(id), (candidate) => isMandateVersion(candidate) && payloadOf<MandateVersion>(candidate).mandate.id === id)
      : past.eventAt(live.position)
  if (found === null) return null
  const version = payloadOf<MandateVersion>(found)
  assert(version.mandate.id === id, 'a live mandate knows its newest version')
  return { ...version, account: found.account }
}

export function mayMove(state: MandateState, move: MandateMove): boolean {
  return (MANDATE_MOVES_FROM[move] as readonly MandateState[]).includes(state)
}

/** What endpoints may ask for. */
const TOLD = {
  approved: 'mandate.approved',
  rejected: 'mandate.rejected',
  paused: 'mandate.paused',
  cancelled: 'mandate.cancelled',
  charged: 'mandate.charged',
} as const

export interface NextVersion extends Partial<Pick<MandateVersion, 'anchor_at' | 'occurrence_at'>> {
  readonly mandate: Mandate
  readonly payment?: MandatePayment
}

/** The next version, and what the merchant is told of it. The version comes first. */
export function mandateMoved(state: State, context: Context, found: FoundMandate, move: MandateMove, next: NextVersion): StoredEvent[] {
  const { account, customer } = found
  const { mandate, payment = null, anchor_at = found.anchor_at, occurrence_at = found.occurrence_at } = next
  const version: MandateVersion = { mandate, customer, anchor_at, occurrence_at, due_at: dueAt(mandate), payment }
  const written = event(`mandate.${move}`, 1, account, version)
  const type = TOLD[move as keyof typeof TOLD] as (typeof TOLD)[keyof typeof TOLD] | undefined
  if (type === undefined) return [written]
  const data = payment === null ? mandate : { ...mandate, payment }
  return [written, ...tellMerchant(state, context, { account, type, data })]
}

/** A decision that moves no money. */
export function answered(found: FoundMandate, events: readonly StoredEvent[], body: object, status = 200): Accepted {
  return { environment: found.mandate.environment, events, transactions: [], frames: [], status, body: JSON.stringify(body) }
}
