// What the pages of a merchant's payouts, charges and events must show, and its stream: plain lists in the order of the log.
import assert from 'node:assert/strict'
import { type LogRecord, payloadOf } from '../../../../engine/domain/record.ts'
import { positionOf } from '../../../../engine/kernel/position.ts'
import { listCharges } from '../../../../engine/query/charge-queries.ts'
import {
  type MerchantFramesSlice,
  merchantFramesAfter,
  merchantPlaceBefore,
  newestMerchantPlace,
} from '../../../../engine/query/merchant-stream-queries.ts'
import { listPayouts } from '../../../../engine/query/payout-queries.ts'
import type { Reads } from '../../../../engine/query/reads.ts'
import { listWebhookEvents } from '../../../../engine/query/webhook-event-queries.ts'
import type { Prng } from '../../../support/prng.ts'
import type { AccountsModel } from './accounts.ts'
import { type ChargesModel, chargeState } from './charges.ts'

interface ListedPayout {
  readonly id: string
  readonly state: string
  readonly recipient: string
  readonly amount: number
  readonly reference: string
}

interface ListedEvent {
  readonly position: number
  readonly id: string
  readonly type: string
}

/** Pages of one list that are read, at most. */
const PAGES = 3
const PAYOUT_FIELDS = ['state', 'recipient', 'reference'] as const
/** References that a filter finds as they were written. */
const FILTERED: ReadonlySet<string> = new Set(['salaire', 'prime "août"'])
const DERIVED: ReadonlySet<string> = new Set(['payout.paid', 'payout.failed', 'batch.completed'])

/** One call of a list. */
interface Call {
  readonly limit: number
  readonly cursor?: string
}

interface Called {
  readonly rows: readonly string[]
  readonly nextCursor: string | null
}

export class ListsModel {
  readonly #payouts = new Map<number, ListedPayout[]>()
  readonly #charges = new Map<number, { readonly id: string; readonly token: string }[]>()
  readonly #events = new Map<number, ListedEvent[]>()
  readonly #accounts: AccountsModel
  readonly #model: ChargesModel

  constructor(accounts: AccountsModel, charges: ChargesModel) {
    this.#accounts = accounts
    this.#model = charges
  }

  audit(record: LogRecord): void {
    const beside = recordedBeside(record)
    for (const [index, event] of record.events.entries()) {
      const { type, account } = event
      if (type === 'payout.paid' || type === 'payout.failed') push(this.#payouts, account, payloadOf<ListedPayout>(event))
      if (type === 'charge.created') push(this.#charges, account, payloadOf<{ readonly id: string; readonly token: string }>(event))
      if (type !== 'merchant_event.recorded' && !DERIVED.has(type)) continue
      const position = positionOf(record.sequence, index)
      const payload = payloadOf<{ readonly id: string; readonly type?: string }>(event)
      if (DERIVED.has(type) && (beside.has(position) || beside.has(payload.id))) continue
      push(this.#events, account, { position, id: payload.id, type: DERIVED.has(type) ? type : (payload.type ?? '') })
    }
  }

  /** The lists of one account, at rest. */
  compare(reads: Reads, prng: Prng): void {
    const { merchants } = this.#accounts
    if (merchants.length === 0) return
    const merchant = prng.pick(merchants)
    const account = merchant[prng.chance(0.5) ? 'live' : 'test']
    this.#comparePayouts(reads, account, prng)
    this.#compareCharges(reads, account, prng)
    this.#compareEvents(reads, account, prng)
    this.#compareStream(reads, account, prng)
  }

  #comparePayouts(reads: Reads, account: number, prng: Prng): void {
    const all = this.#payouts.get(account) ?? []
    const sample = all.length === 0 ? null : prng.pick(all)
    const filters: Partial<Record<(typeof PAYOUT_FIELDS)[number], string>> = {}
    for (const field of PAYOUT_FIELDS) {
      if (sample === null || !prng.chance(0.3) || (field === 'reference' && !FILTERED.has(sample.reference))) continue
      filters[field] = sample[field]
    }
    const expected = all.filter((payout) =>
      PAYOUT_FIELDS.every((field) => filters[field] === undefined || filters[field] === payout[field]),
    )
    const what = `payouts of ${account} by ${JSON.stringify(filters)}`
    const shown = ({ id, state, amount }: ListedPayout): string => `${id} ${state} ${amount}`
    const list = (call: Call): Called | null => listPayouts(reads, { account, query: { ...call, ...filters } as never })
    comparePages(list, expected.map(shown), { what, limit: 1 + prng.below(30), shown: (row) => shown(row as ListedPayout) })
    if (sample === null) return
    const found = listPayouts(reads, { account, query: { q: sample.id } as never })
    assert.deepEqual(
      found?.rows.map((row) => (JSON.parse(row) as ListedPayout).id),
      [sample.id],
      'a search by id finds the payout',
    )
  }

  #compareCharges(reads: Reads, account: number, prng: Prng): void {
    const nowMs = reads.nowMs()
    const all = (this.#charges.get(account) ?? []).map(({ id, token }) => {
      const charge = this.#model.charges.get(token)
      return { id, amount: charge?.amount, state: charge === undefined ? 'none' : chargeState(charge, nowMs) }
    })
    const state = all.length > 0 && prng.chance(0.5) ? prng.pick(all).state : undefined
    const expected = all.filter((charge) => state === undefined || charge.state === state)
    const list = (call: Call): Called | null =>
      listCharges(reads, { account, slice: 'first', query: { ...call, ...(state === undefined ? {} : { state }) } as never })
    const shown = (row: object): string => {
      const { id, state: is, amount } = row as (typeof all)[number]
      return `${id} ${is} ${amount}`
    }
    comparePages(list, expected.map(shown), { what: `charges of ${account} that are ${state}`, limit: 1 + prng.below(30), shown })
  }

  #compareEvents(reads: Reads, account: number, prng: Prng): void {
    const all = this.#events.get(account) ?? []
    const type = all.length > 0 && prng.chance(0.4) ? prng.pick(all).type : undefined
    const expected = all.filter((event) => type === undefined || event.type === type)
    const list = (call: Call): Called | null =>
      listWebhookEvents(reads, { account, slice: 'first', query: { ...call, ...(type === undefined ? {} : { type }) } as never })
    const shown = (row: object): string => {
      const event = row as ListedEvent
      return `${event.id} ${event.type}`
    }
    comparePages(list, expected.map(shown), { what: `events of ${account} of type ${type}`, limit: 1 + prng.below(30), shown })
  }

  /** What a reader gets who comes back with the id of the last event that it has: its number. */
  #compareStream(reads: Reads, account: number, prng: Prng): void {
    const all = this.#events.get(account) ?? []
    const id = Math.max(0, all.length - prng.below(200))
    let place = newestMerchantPlace(reads, { account })
    assert.equal(place.id, all.length, `the number of events of ${account}`)
    while (place.id > id) place = merchantPlaceBefore(reads, { account, from: place, id })
    const after = place.position
    let slice: MerchantFramesSlice = { frames: [], through: after, span: prng.pick([1, 7, 1024]), isEnd: false }
    const frames: MerchantFramesSlice['frames'][number][] = []
    while (!slice.isEnd) {
      slice = merchantFramesAfter(reads, { account, after: slice.through, span: slice.span })
      frames.push(...slice.frames)
    }
    const found = frames.map(({ position, text }) => `${position} ${/event: (.+)/.exec(text)?.[1]}`)
    const expected = all.slice(id).map(({ position, type }) => `${position} ${type}`)
    assert.deepEqual(found, expected, `the stream of ${account} behind the frame ${id}`)
  }
}

interface Comparison {
  readonly what: string
  readonly limit: number
  /** What is compared of a row. */
  readonly shown: (row: object) => string
}

/** The first pages of the list, newest first. `expected` is oldest first. */
function comparePages(list: (call: Call) => Called | null, expected: readonly string[], { what, limit, shown }: Comparison): void {
  const found: string[] = []
  let cursor: string | null = null
  for (let pages = 0; pages < PAGES; pages++) {
    const page = list({ limit, ...(cursor === null ? {} : { cursor }) })
    assert.ok(page !== null && page.rows.length <= limit, what)
    found.push(...page.rows.map((row) => shown(JSON.parse(row) as object)))
    cursor = page.nextCursor
    if (cursor === null) break
  }
  const newest = expected.toReversed()
  assert.deepEqual(found, cursor === null ? newest : newest.slice(0, found.length), what)
}

/** Payouts and batches whose event is recorded beside them, because an endpoint asked for it: by id, or by position. */
function recordedBeside({ events }: LogRecord): ReadonlySet<string | number> {
  const beside = new Set<string | number>()
  if (events.length === 1) return beside
  for (const event of events) {
    if (event.type !== 'merchant_event.recorded') continue
    const { type, document_position, data } = payloadOf<{
      readonly type: string
      readonly document_position?: number
      readonly data?: { readonly id: string }
    }>(event)
    if (DERIVED.has(type)) beside.add(document_position ?? data?.id ?? '')
  }
  return beside
}

function push<Row>(rows: Map<number, Row[]>, account: number, row: Row): void {
  const own = rows.get(account)
  if (own === undefined) rows.set(account, [row])
  else own.push(row)
}
