// Payouts: one row for each route. What a payout is decided by is in engine/domain/payout.
import type { History, Hit } from '../../engine/actor/history.ts'
import { uuid } from '../../engine/contract/common.ts'
import { CheckRecipientBody, CreatePayoutBody, ListPayoutsQuery, Payout, PayoutList, RecipientCheck } from '../../engine/contract/payout.ts'
import { batchIdOf } from '../../engine/domain/payout/batch-events.ts'
import type { Payout as StoredPayout } from '../../engine/domain/payout/state.ts'
import { payloadOf } from '../../engine/domain/record.ts'
import { batchTerm, type PayoutFilter, payoutsTerm, payoutTerm } from '../../engine/domain/terms.ts'
import { normalizeTag } from '../../engine/kernel/tag.ts'
import type { AccountNumber } from '../../engine/ledger/transaction.ts'
import type { House } from '../house.ts'
import { historyPage } from '../lists/lists.ts'
import { payoutsOfRecord } from '../lists/payouts-of-record.ts'
import { maskedName } from '../masked-name.ts'
import { PAID_PAYOUT, PAYOUT_REQUEST } from '../openapi/examples.ts'
import { type Call, type MerchantPrincipal, type Route, route } from '../route.ts'

export function payoutRoutes(house: House): readonly Route[] {
  return [...writingRoutes(house), ...readingRoutes(house)]
}

function writingRoutes(house: House): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/biz/payouts',
      operationId: 'createPayout',
      tag: 'Payouts',
      summary: 'Send money to one wallet',
      description: CREATE_DESCRIPTION,
      auth: 'key',
      scope: 'disbursements.write',
      idempotency: 'required',
      body: CreatePayoutBody,
      bodyExample: PAYOUT_REQUEST,
      responses: [{ status: 201, description: 'The payout, paid or failed.', schema: Payout, example: PAID_PAYOUT }],
      errors: ['invalid_recipient'],
      handle: createPayout,
    }),
    route({
      method: 'POST',
      path: '/v1/biz/payouts/check-recipient',
      operationId: 'checkRecipient',
      tag: 'Payouts',
      summary: 'Look a recipient up before paying',
      description: 'Moves nothing and stores nothing: an Idempotency-Key is ignored.',
      auth: 'key',
      idempotency: 'none',
      body: CheckRecipientBody,
      bodyExample: { recipient: '@awa_diallo' },
      responses: [
        {
          status: 200,
          description: 'Whether the wallet exists.',
          schema: RecipientCheck,
          example: { exists: true, display_name: 'Awa D.' },
        },
      ],
      errors: ['invalid_recipient'],
      handle: (call) => checkRecipient(house, call),
    }),
  ]
}

function readingRoutes(house: House): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/biz/payouts',
      operationId: 'listPayouts',
      tag: 'Payouts',
      summary: 'List payouts',
      auth: 'key',
      idempotency: 'none',
      query: ListPayoutsQuery,
      responses: [
        {
          status: 200,
          description: 'One page, newest first.',
          schema: PayoutList,
          example: { data: [PAID_PAYOUT], has_more: false, next_cursor: null },
        },
      ],
      errors: [],
      handle: (call) => listPayouts(house, call),
    }),
    route({
      method: 'GET',
      path: '/v1/biz/payouts/{id}',
      operationId: 'getPayout',
      tag: 'Payouts',
      summary: 'Get a payout',
      auth: 'key',
      idempotency: 'none',
      params: { id: uuid() },
      responses: [{ status: 200, description: 'The payout.', schema: Payout, example: PAID_PAYOUT }],
      errors: [],
      handle: (call) => getPayout(house, call),
    }),
  ]
}

const CREATE_DESCRIPTION = `The payout is decided at once: the answer is 201 with the state \`paid\` or \`failed\`, and \`failure_code\` says why.
It is on disk before the answer leaves. The same Idempotency-Key gives the same answer for ever, a failed one included:
to try again, send a new key. Amounts are JSON numbers with an integer value; JSON cannot tell \`5000.0\` from \`5000\`, so both are taken.`

type MerchantCall<Body = unknown, Query = Record<string, unknown>> = Call<Body, Query, MerchantPrincipal>

function createPayout(call: MerchantCall<CreatePayoutBody>): void {
  const { recipient: given, amount, reference = '', note = '' } = call.body
  const recipient = normalizeTag(given)
  if (recipient === null) return call.refuse('invalid_recipient', 'recipient')
  const merchant = call.principal.account
  call.submit({ type: 'CreatePayout', merchant, recipient, amount, reference, note }, merchant)
}

function checkRecipient(house: House, call: MerchantCall<CheckRecipientBody>): void {
  const tag = normalizeTag(call.body.recipient)
  if (tag === null) return call.refuse('invalid_recipient', 'recipient')
  const wallet = house.engine.state.wallets.byTag(call.principal.environment, tag)
  const check: RecipientCheck = { exists: wallet !== undefined, display_name: wallet === undefined ? null : maskedName(wallet) }
  call.answer(200, JSON.stringify(check))
}

/** Each has a term of its own but `batch_id`: the payouts of a batch stand in one record. */
const FILTERS = ['state', 'recipient', 'reference', 'batch_id', 'schedule_id'] as const

const TERMS = ['state', 'recipient', 'reference', 'schedule_id'] as const satisfies readonly PayoutFilter[]

type Filters = { readonly [Filter in (typeof FILTERS)[number]]?: string }

function listPayouts(house: House, call: MerchantCall<unknown, ListPayoutsQuery>): void {
  const { account } = call.principal
  const { history } = house.engine
  const filters = filtersOf(call.query)
  const keep = (hit: Hit): boolean => belongs(hit, account, filters)
  const sequence = recordOf(history, account, filters, call.query.idempotency_key)
  const page =
    sequence === undefined
      ? historyPage(history, call.query, { terms: termsOf(account, filters), keep, render: (hit) => hit.event.text })
      : payoutsOfRecord(history, sequence, call.query, keep)
  if (page === null) return call.refuse('invalid_parameter', 'cursor')
  call.answer(200, page)
}

/** Sequence of the one record that a filter names, null where it does not exist; undefined when no filter names one. */
function recordOf(history: History, account: AccountNumber, filters: Filters, key: string | undefined): number | null | undefined {
  if (key !== undefined) return history.result(String(account), key)?.sequence ?? null
  const { batch_id } = filters
  return batch_id === undefined ? undefined : (findBatch(history, account, batch_id)?.record.sequence ?? null)
}

/** The report of the merchant's batch with this id, which is in lower case. */
export function findBatch(history: History, account: AccountNumber, id: string): Hit | null {
  return history.first(
    batchTerm(id),
    ({ event }) => event.type === 'batch.completed' && event.account === account && batchIdOf(event) === id,
  )
}

function getPayout(house: House, call: MerchantCall): void {
  const id = String(call.params[0]).toLowerCase()
  const { account } = call.principal
  const hit = house.engine.history.first(
    payoutTerm(id),
    (found) => belongs(found, account, {}) && payloadOf<StoredPayout>(found.event).id === id,
  )
  if (hit === null) return call.refuse('not_found')
  call.answer(200, hit.event.text)
}

/** As the index has them: tags normalized, ids in lower case. */
function filtersOf(query: ListPayoutsQuery): Filters {
  const { recipient, batch_id, schedule_id } = query
  return {
    ...query,
    ...(recipient === undefined ? {} : { recipient: normalizeTag(recipient) ?? recipient }),
    ...(batch_id === undefined ? {} : { batch_id: batch_id.toLowerCase() }),
    ...(schedule_id === undefined ? {} : { schedule_id: schedule_id.toLowerCase() }),
  }
}

function termsOf(account: AccountNumber, filters: Filters): ReturnType<typeof payoutsTerm>[] {
  const terms = TERMS.filter((filter) => filters[filter] !== undefined).map((filter) => payoutsTerm(account, filter, filters[filter]))
  return terms.length === 0 ? [payoutsTerm(account)] : terms
}

function belongs(hit: Hit, account: AccountNumber, filters: Filters): boolean {
  const { event } = hit
  if (event.account !== account || (event.type !== 'payout.paid' && event.type !== 'payout.failed')) return false
  return FILTERS.every((filter) => filters[filter] === undefined || payloadOf<StoredPayout>(event)[filter] === filters[filter])
}
