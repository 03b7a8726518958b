// Lists of charges, newest first by creation, each row as it stands now. The state of a charge changes after it was
// filed, so candidates are looked at one by one: in slices, so that nobody waits behind a list, and no more than a
// maximum, after which the page ends early and its cursor goes on.
import type { Engine } from '../engine/actor/engine.ts'
import type { History, Hit } from '../engine/actor/history.ts'
import type { ListChargesQuery } from '../engine/contract/charge.ts'
import { decodeCursor, encodeCursor } from '../engine/contract/cursor.ts'
import type { Charge, ChargeMove } from '../engine/domain/charge/state.ts'
import { findCharge, isChargeVersion } from '../engine/domain/charge/versions.ts'
import { payloadOf } from '../engine/domain/record.ts'
import { chargeByIdTerm, chargesInStateTerm, chargesTerm } from '../engine/domain/terms.ts'
import { isUuid } from '../engine/kernel/ids.ts'
import type { AccountNumber } from '../engine/ledger/transaction.ts'
import { envelope, type PageWindow, pageWindow } from './lists.ts'

/** Candidates between two looks at other requests: about 5 ms. */
const CANDIDATES_PER_SLICE = 64
/** Candidates of one page. */
const CANDIDATES_MAX = 4096
/** A state with no more charges than this is sorted instead of searched for. */
const FEW_MAX = 256

type ListEngine = Pick<Engine, 'state' | 'history'>

export interface ChargeListRequest {
  /** The merchant's. */
  readonly account: AccountNumber
  /** `customer_tag` normalized. */
  readonly query: ListChargesQuery
  /** JSON text of the page. */
  readonly done: (page: string) => void
}

/** False when the cursor belongs to another list: then `done` is not called. */
export function listCharges(engine: ListEngine, request: ChargeListRequest): boolean {
  const window = chargeWindow(request.query)
  if (window === null) return false
  const { state } = request.query
  const few = state === undefined || state === 'pending' ? null : fewInState(engine, request, state, window)
  if (few !== null) request.done(few)
  else return scan(engine, request, window)
  return true
}

interface ChargeWindow {
  readonly limit: number
  readonly created: Pick<PageWindow, 'createdFromMs' | 'createdToMs'>
  /** Only charges older than this one; null for the newest page. */
  readonly belowId: string | null
}

/** Null when the cursor belongs to another kind of list. */
function chargeWindow({ cursor, ...query }: ListChargesQuery): ChargeWindow | null {
  const place = cursor === undefined ? null : decodeCursor(cursor)
  const window = pageWindow(query)
  if (window === null || (place !== null && !('rowId' in place))) return null
  const { limit, ...created } = window
  return { limit, created, belowId: place?.rowId ?? null }
}

interface Row {
  readonly id: string
  readonly text: string
}

/** Walks the charges from the newest on until the page is full and it is known whether another one follows. */
function scan(engine: ListEngine, { account, query, done }: ChargeListRequest, window: ChargeWindow): boolean {
  const { history } = engine
  const start = window.belowId === null ? null : firstVersion(history, account, window.belowId)
  if (window.belowId !== null && start === null) return false
  const terms = createdTerms(account, query)
  const keep = (hit: Hit): boolean => isListed(hit, account, query)
  const rows: Row[] = []
  let candidates = 0
  const slice = (below: number | undefined): void => {
    const page = history.page({ ...window.created, terms, keep, limit: CANDIDATES_PER_SLICE, ...(below === undefined ? {} : { below }) })
    let last = ''
    for (const { event } of page.hits) {
      const { token, id } = payloadOf<Charge>(event)
      last = id
      const text = textInState(engine, token, query.state)
      if (text === null) continue
      if (rows.length === window.limit) return done(pageOf(rows, rows[rows.length - 1]))
      rows.push({ id, text })
    }
    candidates += page.hits.length
    if (page.next === null) done(pageOf(rows, undefined))
    else if (candidates >= CANDIDATES_MAX) done(pageOf(rows, { id: last }))
    else setImmediate(slice, page.next)
  }
  slice(start?.position)
  return true
}

/** The page when so few charges ever came into the state that all of them can be looked at; null when there are more. */
function fewInState(engine: ListEngine, request: ChargeListRequest, state: ChargeMove, window: ChargeWindow): string | null {
  const { account, query } = request
  const keep = ({ event }: Hit): boolean =>
    event.account === account &&
    isChargeVersion(event) &&
    payloadOf<Charge>(event).state === state &&
    hasFields(event.payload as Charge, query)
  const page = engine.history.page({ terms: [chargesInStateTerm(account, state)], keep, limit: FEW_MAX })
  if (page.next !== null) return null
  const { createdFromMs = Number.NEGATIVE_INFINITY, createdToMs = Number.POSITIVE_INFINITY } = window.created
  const rows: Row[] = []
  for (const { event } of page.hits) {
    const { id, token, created_at } = payloadOf<Charge>(event)
    const createdMs = Date.parse(created_at)
    if (createdMs < createdFromMs || createdMs >= createdToMs || (window.belowId !== null && id >= window.belowId)) continue
    // A paid charge may have been refunded since; the other states are final.
    const text = state === 'paid' ? textInState(engine, token, state) : event.text
    if (text !== null) rows.push({ id, text })
  }
  rows.sort((one, other) => (one.id < other.id ? 1 : -1))
  const shown = rows.slice(0, window.limit)
  return pageOf(shown, rows.length > shown.length ? shown[shown.length - 1] : undefined)
}

/** The charge as it stands now, null when that is in another state. */
function textInState({ state, history }: ListEngine, token: string, wanted: ListChargesQuery['state']): string | null {
  // Without a time: a charge is pending until its record says otherwise, as its text does.
  const found = findCharge(state, token, { past: history, timeMs: 0 })
  return found !== null && (wanted === undefined || found.state === wanted) ? found.text : null
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

function isListed({ event }: Hit, account: AccountNumber, query: ListChargesQuery): boolean {
  return event.account === account && event.type === 'charge.created' && hasFields(payloadOf<Charge>(event), query)
}

function hasFields(charge: Charge, { reference, customer_tag }: ListChargesQuery): boolean {
  return (reference === undefined || charge.reference === reference) && (customer_tag === undefined || charge.customer_tag === customer_tag)
}

function pageOf(rows: readonly Row[], last: Pick<Row, 'id'> | undefined): string {
  return envelope(
    rows.map(({ text }) => text),
    last === undefined ? null : encodeCursor({ rowId: last.id }),
  )
}
