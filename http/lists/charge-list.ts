// Lists of charges, newest first by creation, each as it stands now. A state that few charges ever came into is not
// searched for among all of them: those few are sorted.
import type { Engine } from '../../engine/actor/engine.ts'
import type { History, Hit } from '../../engine/actor/history.ts'
import type { ListChargesQuery } from '../../engine/contract/charge.ts'
import { encodeCursor } from '../../engine/contract/cursor.ts'
import type { Charge, ChargeChange, ChargeMove, ChargeState } from '../../engine/domain/charge/charge-state.ts'
import { findCharge, isChargeVersion, shownText } from '../../engine/domain/charge/charge-versions.ts'
import { documentText } from '../../engine/domain/documents.ts'
import { payloadOf } from '../../engine/domain/record.ts'
import { chargeByIdTerm, chargesInStateTerm, chargesTerm } from '../../engine/domain/terms.ts'
import { assert } from '../../engine/kernel/assert.ts'
import { isUuid } from '../../engine/kernel/ids.ts'
import { POSITION_MAX, type Position } from '../../engine/kernel/position.ts'
import { normalizeTag } from '../../engine/kernel/tag.ts'
import type { AccountNumber } from '../../engine/ledger/transaction.ts'
import type { Call, MerchantPrincipal } from '../server/route.ts'
import { answerDocuments } from './document-list.ts'
import { envelope, type PageWindow, pageWindow } from './lists.ts'

/** A state with no more charges than this is sorted: each takes two looks into the index. */
const FEW_MAX = 128

type ListEngine = Pick<Engine, 'state' | 'history' | 'nowMs' | 'hasDueTimers'>
type ListCall = Call<unknown, ListChargesQuery, MerchantPrincipal>

export function answerCharges(call: ListCall, engine: ListEngine): void {
  const { account } = call.principal
  const query = normalized(call.query)
  const { state } = query
  const window = pageWindow(query)
  if (window === null) return call.refuse('invalid_parameter', 'cursor')
  const few = state === undefined || !isRecorded(engine, account, state) ? null : fewInState(engine, account, query, state, window)
  if (few !== null) return call.answer(200, few)
  answerDocuments(call, engine.history, {
    terms: createdTerms(account, query),
    keep: ({ event }) => event.account === account && event.type === 'charge.created' && hasFields(payloadOf<Charge>(event), query),
    current: ({ event }) => textInState(engine, payloadOf<Charge>(event).token, state),
  })
}

/** Whether every charge of the account that is in this state by the clock has a record that says so. */
function isRecorded(engine: ListEngine, account: AccountNumber, state: ChargeState): state is ChargeMove {
  if (state === 'pending') return false
  return state !== 'expired' || engine.state.charges.pendingOf(account) === 0 || !engine.hasDueTimers
}

function normalized({ customer_tag, ...rest }: ListChargesQuery): ListChargesQuery {
  return customer_tag === undefined ? rest : { ...rest, customer_tag: normalizeTag(customer_tag) ?? customer_tag }
}

interface Row {
  readonly text: string
  /** Where it was created. */
  readonly position: Position
}

/** The page when so few charges ever came into the state that all of them can be looked at; null when there are more. */
function fewInState(
  engine: ListEngine,
  account: AccountNumber,
  query: ListChargesQuery,
  state: ChargeMove,
  window: PageWindow,
): string | null {
  const { history } = engine
  const keep = ({ event }: Hit): boolean =>
    event.account === account && isChargeVersion(event) && payloadOf<Charge | ChargeChange>(event).state === state
  const page = history.page({ terms: [chargesInStateTerm(account, state)], keep, limit: FEW_MAX })
  if (page.next !== null) return null
  const { limit, below = POSITION_MAX, createdFromMs = Number.NEGATIVE_INFINITY, createdToMs = Number.POSITIVE_INFINITY } = window
  const rows: Row[] = []
  for (const { event } of page.hits) {
    const { id, token } = payloadOf<Charge | ChargeChange>(event)
    const created = firstVersion(history, account, id)
    assert(created !== null, 'a charge was created before anything else')
    const { position, record } = created
    if (!hasFields(payloadOf<Charge>(created.event), query)) continue
    if (position >= below || record.timeMs < createdFromMs || record.timeMs >= createdToMs) continue
    // A paid charge may have been refunded since; the other states are final.
    const text = state === 'paid' ? textInState(engine, token, state) : documentText(event, history)
    if (text !== null) rows.push({ text, position })
  }
  rows.sort((one, other) => other.position - one.position)
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return envelope(
    shown.map(({ text }) => text),
    rows.length > limit && last !== undefined ? encodeCursor({ position: last.position }) : null,
  )
}

/** The charge as it stands now, null when that is in another state. */
function textInState(engine: ListEngine, token: string, wanted: ListChargesQuery['state']): string | null {
  const found = findCharge(engine.state, token, { past: engine.history, timeMs: engine.nowMs() })
  return found !== null && (wanted === undefined || found.state === wanted) ? shownText(found) : null
}

/** Where the charge with this id stands among its merchant's, null when it has none. */
export function firstVersion(history: Pick<History, 'first'>, account: AccountNumber, id: string): Hit | null {
  if (!isUuid(id)) return null
  return history.first(
    chargeByIdTerm(id),
    ({ event }) => event.account === account && event.type === 'charge.created' && payloadOf<Charge>(event).id === id,
  )
}

function createdTerms(account: AccountNumber, { reference, customer_tag }: ListChargesQuery): ReturnType<typeof chargesTerm>[] {
  const terms = [
    ...(reference === undefined ? [] : [chargesTerm(account, 'reference', reference)]),
    ...(customer_tag === undefined ? [] : [chargesTerm(account, 'customer_tag', customer_tag)]),
  ]
  return terms.length === 0 ? [chargesTerm(account)] : terms
}

function hasFields(charge: Charge, { reference, customer_tag }: ListChargesQuery): boolean {
  return (reference === undefined || charge.reference === reference) && (customer_tag === undefined || charge.customer_tag === customer_tag)
}
