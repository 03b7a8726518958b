// Queries for charges: one by token or handle, and lists, newest first by creation, each in its current version. A
// list of a rare state reads and sorts all charges of that state.
import type { Hit } from '../actor/index-hit.ts'
import type { ListChargesQuery } from '../contract/charge.ts'
import { encodeCursor } from '../contract/cursor.ts'
import { chargesIndexKey, chargesInStateIndexKey } from '../domain/charge/charge-index-keys.ts'
import type { Charge, ChargeChange, ChargeMove, ChargeState } from '../domain/charge/charge-state.ts'
import { type FoundCharge, findCharge, isChargeVersion, isMadeBy, shownText } from '../domain/charge/charge-versions.ts'
import { documentText } from '../domain/documents.ts'
import { payloadOf } from '../domain/record.ts'
import type { Amount } from '../kernel/amount.ts'
import { assert } from '../kernel/assert.ts'
import { isUuid } from '../kernel/ids.ts'
import type { IndexKey } from '../kernel/index-key.ts'
import { POSITION_MAX, type Position } from '../kernel/position.ts'
import { foldReference, isReference } from '../kernel/reference.ts'
import { normalizeTag } from '../kernel/tag.ts'
import type { AccountNumber } from '../ledger/transaction.ts'
import { firstVersion, waysToCharges } from './charge-search.ts'
import { payerFeeOf, type ShownMerchant, shownMerchant } from './checkout-record.ts'
import { type DocumentSlice, documentSlice, type ListedDocuments, type SliceInput } from './document-slice.ts'
import { type PageWindow, pageWindow } from './list-page.ts'
import type { Reads } from './reads.ts'
import { searchOf, searchPage } from './search.ts'

/** Maximum of charges of a state that are sorted. Each takes two index look-ups. */
const FEW_MAX = 128

export interface ByToken {
  readonly token: string
}

/** Handle of a charge for its merchant. */
export interface ByHandle {
  readonly account: AccountNumber
  /** Id or token of the charge. */
  readonly handle: string
}

/** A charge with what customers see of its merchant. */
export interface NamedCharge extends FoundCharge, ShownMerchant {
  /** What the payer bears of its fee. */
  readonly payerFee: Amount
}

/** Returns null when no charge has the token. A charge past its time is expired, even before its timer fires. */
export function chargeByToken(reads: Reads, { token }: ByToken): NamedCharge | null {
  const found = findCharge(reads.state, token, { past: reads.history, timeMs: reads.nowMs() })
  if (found === null) return null
  const merchant = reads.state.merchants.byAccount(found.account)
  assert(merchant !== undefined, 'a charge belongs to a merchant')
  const payerFee = payerFeeOf(reads.state, found.charge, found.account, found.feeTerms)
  return { ...found, ...shownMerchant(merchant), payerFee }
}

/** Returns the token of the charge with the id. Returns a handle that is not an id unchanged; null for an unknown id. */
export function chargeToken({ history }: Reads, { account, handle }: ByHandle): string | null {
  const id = handle.toLowerCase()
  if (!isUuid(id)) return handle
  const hit = firstVersion(history, account, id)
  return hit === null ? null : payloadOf<Charge>(hit.event).token
}

/** Returns JSON text of the merchant's charge in its current version; null when it has none with this handle. */
export function getCharge(reads: Reads, input: ByHandle): string | null {
  const token = chargeToken(reads, input)
  const found = token === null ? null : findCharge(reads.state, token, { past: reads.history, timeMs: reads.nowMs() })
  return found === null || found.account !== input.account ? null : shownText(found)
}

/** Returns null when the cursor belongs to another kind of list. */
export function listCharges(reads: Reads, { account, query: given, slice }: SliceInput<ListChargesQuery>): DocumentSlice | null {
  const query = normalized(given)
  const { state } = query
  const window = pageWindow(query)
  if (window === null) return null
  const search = searchOf(query.q)
  const mayBeFew = search === null && slice === 'first' && state !== undefined && isRecorded(reads, account, state)
  const few = mayBeFew ? fewInState(reads, { account, query, state, window }) : null
  if (few !== null) return few
  const keep = ({ event }: Hit): boolean =>
    event.account === account && event.type === 'charge.created' && hasFields(payloadOf<Charge>(event), query)
  const list: ListedDocuments =
    search === null
      ? { indexKeys: createdIndexKeys(account, query), keep }
      : { page: (slice) => searchPage(reads.history, slice, keep, waysToCharges(reads, account, search)) }
  return documentSlice(reads.history, query, {
    ...list,
    current: ({ event }) => textInState(reads, payloadOf<Charge>(event).token, state),
  })
}

/** Returns whether every charge of the account that has this state by the clock has it in a record. */
function isRecorded(reads: Reads, account: AccountNumber, state: ChargeState): state is ChargeMove {
  if (state === 'pending') return false
  return state !== 'expired' || reads.state.charges.pendingOf(account) === 0 || !reads.hasDueTimers
}

function normalized({ customer_tag, reference, created_by, ...rest }: ListChargesQuery): ListChargesQuery {
  return {
    ...rest,
    ...(reference === undefined ? {} : { reference: foldReference(reference) }),
    ...(customer_tag === undefined ? {} : { customer_tag: normalizeTag(customer_tag) ?? customer_tag }),
    ...(created_by === undefined ? {} : { created_by: created_by.toLowerCase() }),
  }
}

interface InState {
  readonly account: AccountNumber
  readonly query: ListChargesQuery
  readonly state: ChargeMove
  readonly window: PageWindow
}

interface Row {
  readonly text: string
  /** Position of its creation. */
  readonly position: Position
}

/** Returns the page when the state has few enough charges to read them all; null when there are more. */
function fewInState(reads: Reads, { account, query, state, window }: InState): DocumentSlice | null {
  const { history } = reads
  const keep = ({ event }: Hit): boolean =>
    event.account === account && isChargeVersion(event) && payloadOf<Charge | ChargeChange>(event).state === state
  const page = history.page({ indexKeys: [chargesInStateIndexKey(account, state)], keep, limit: FEW_MAX })
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
    // A paid charge may have been refunded since. The other states are final.
    const text = state === 'paid' ? textInState(reads, token, state) : documentText(event, history)
    if (text !== null) rows.push({ text, position })
  }
  rows.sort((one, other) => other.position - one.position)
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    rows: shown.map(({ text }) => text),
    positions: shown.map(({ position }) => position),
    candidates: page.hits.length,
    nextCursor: rows.length > limit && last !== undefined ? encodeCursor({ position: last.position }) : null,
  }
}

/** Returns the charge in its current version, null when its state is another. */
function textInState(reads: Reads, token: string, wanted: ListChargesQuery['state']): string | null {
  const found = findCharge(reads.state, token, { past: reads.history, timeMs: reads.nowMs() })
  return found !== null && (wanted === undefined || found.state === wanted) ? shownText(found) : null
}

function createdIndexKeys(account: AccountNumber, { reference, customer_tag, created_by }: ListChargesQuery): IndexKey[] {
  const indexKeys = [
    ...(reference === undefined ? [] : [chargesIndexKey(account, 'reference', reference)]),
    ...(customer_tag === undefined ? [] : [chargesIndexKey(account, 'customer_tag', customer_tag)]),
    ...(created_by === undefined ? [] : [chargesIndexKey(account, 'created_by', created_by)]),
  ]
  return indexKeys.length === 0 ? [chargesIndexKey(account)] : indexKeys
}

function hasFields(charge: Charge, { reference, customer_tag, created_by }: ListChargesQuery): boolean {
  return (
    (reference === undefined || isReference(charge.reference, reference)) &&
    (customer_tag === undefined || charge.customer_tag === customer_tag) &&
    (created_by === undefined || isMadeBy(charge, created_by))
  )
}
