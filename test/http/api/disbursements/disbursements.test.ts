// Disbursements over HTTP: from the file to the report, and the second person.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Disbursement, DisbursementLine } from '../../../../engine/contract/disbursement.ts'
import { DISBURSEMENTS, disbursementIn, newDisbursement, openPayroll, type Payroll } from '../../../support/disbursement-callers.ts'
import { newKey, TestServer } from '../../../support/server-fixture.ts'

let server: TestServer

before(async () => {
  server = await TestServer.open()
})

after(() => server.close())

const lines = async ({ key }: Payroll, id: string, query = ''): Promise<DisbursementLine[]> =>
  (await key.get<{ data: DisbursementLine[] }>(`${DISBURSEMENTS}/${id}/lines?limit=100${query}`)).body.data

async function codeOf(
  asked: Promise<{ readonly status: number; readonly body: { readonly code?: string; readonly state?: string } }>,
): Promise<string> {
  const { status, body } = await asked
  return `${status} ${body.code ?? body.state ?? ''}`
}

describe('a disbursement', () => {
  test('a started one pays each valid line once, and each line says what became of it', async () => {
    const payroll = await openPayroll(server, null)
    const { key, tag } = payroll
    const items = [
      { recipient: `@${tag}`, amount: 100, reference: 'A' },
      { recipient: 'no_wallet_here', amount: 5 },
      { recipient: tag, amount: 100, reference: 'A' },
      { recipient: tag, amount: 1.5 },
      { recipient: tag, amount: 7, currency: 'EUR' },
      { recipient: tag, amount: 7, colour: 'red' },
      { recipient: tag, amount: 1_000_000_000_000 },
    ]
    const idempotency = newKey()
    const created = await key.post<Disbursement>(DISBURSEMENTS, { reference: 'PAIE', items, on_insufficient_balance: 'fail' }, idempotency)
    assert.equal(created.status, 201, created.text)
    const { id } = created.body
    assert.deepEqual(
      [created.body.state, created.body.total_count, created.body.valid_count, created.body.invalid_count, created.body.warnings_count],
      ['ready', 7, 3, 4, 1],
    )
    assert.equal(created.body.created_by.kind, 'key')
    assert.equal(
      (await key.post(DISBURSEMENTS, { reference: 'PAIE', items, on_insufficient_balance: 'fail' }, idempotency)).text,
      created.text,
    )
    assert.deepEqual(
      (await lines(payroll, id)).map(({ state, holder, warnings }) => [state, holder, warnings]),
      [
        ['valid', null, []],
        ['invalid', null, []],
        ['valid', null, ['duplicate_line']],
        ['invalid', null, []],
        ['invalid', null, []],
        ['invalid', null, []],
        ['valid', null, []],
      ],
    )
    assert.equal((await key.post(`${DISBURSEMENTS}/${id}/start`, undefined)).status, 200)
    const done = await disbursementIn(key, id, 'completed')
    assert.deepEqual([done.paid_count, done.paid_amount, done.failed_count, done.waiting_count], [2, 200, 1, 0])
    const all = await lines(payroll, id)
    assert.deepEqual(
      all.map(({ state, failure_code }) => failure_code ?? state),
      ['paid', 'recipient_not_found', 'paid', 'invalid_amount', 'unsupported_currency', 'unknown_field', 'insufficient_balance'],
    )
    assert.ok(all[0]?.holder !== null && all[0]?.payout_id !== undefined)
    assert.equal((await lines(payroll, id, '&state=failed')).length, 1)
    const { body } = await key.get<{ data: { reference: string; disbursement_id: string }[] }>(
      `/v1/biz/payouts?disbursement_id=${id}&state=paid`,
    )
    assert.deepEqual(
      body.data.map(({ disbursement_id }) => disbursement_id),
      [id, id],
    )
    const csv = await key.with({ accept: 'text/csv' }).get(`${DISBURSEMENTS}/${id}/lines`)
    assert.equal(csv.text.trim().split('\r\n').length, 8)
    const retry = await key.post<Disbursement>(`${DISBURSEMENTS}/${id}/retry`, undefined)
    assert.deepEqual([retry.status, retry.body.retry_of, retry.body.total_count], [201, id, 1])
    assert.equal(await codeOf(key.post(`${DISBURSEMENTS}/${id}/retry`, undefined, newKey())), '409 invalid_disbursement_state')
    const stranger = await openPayroll(server, null)
    assert.equal((await stranger.key.get(`${DISBURSEMENTS}/${id}`)).status, 404)
  })

  test('too many lines, none, and an unknown field are refused as a whole', async () => {
    const { key, tag } = await openPayroll(server, null)
    const send = (body: object) => codeOf(key.post(DISBURSEMENTS, body, newKey()))
    const item = { recipient: tag, amount: 1 }
    assert.equal(await send({ items: [] }), '400 items_required')
    assert.equal(await send({}), '400 items_required')
    assert.equal(await send({ items: Array.from({ length: 100_001 }, () => item) }), '400 too_many_items')
    assert.equal(await send({ items: [item], colour: 1 }), '400 unknown_field')
    assert.equal(await codeOf(key.post(DISBURSEMENTS, { items: [item] })), '400 idempotency_key_required')
  })
})

describe('the second person', () => {
  test('above the policy another person approves, and a key is the member who made it', async () => {
    const { owner, key, other, tag } = await openPayroll(server, 50)
    const items = [{ recipient: tag, amount: 51 }]
    const { id, approval } = await newDisbursement(owner, { items, start: 'auto' })
    assert.equal(approval?.state, 'pending')
    const send = (client: typeof key, verb: string, body: unknown = undefined, of = id) =>
      codeOf(client.post(`${DISBURSEMENTS}/${of}/${verb}`, body))
    assert.equal(await send(owner, 'approve'), '403 second_person_required')
    assert.equal(await send(key, 'approve'), '403 second_person_required')
    assert.equal(await send(owner, 'reject', { reason: 'non' }), '403 second_person_required')
    assert.equal(await send(other, 'approve'), '200 running')
    const done = await disbursementIn(key, id, 'completed')
    assert.deepEqual([done.approval?.state, done.approval?.by?.kind, done.paid_amount], ['approved', 'key', 51])
    assert.equal(await send(other, 'approve'), '409 invalid_disbursement_state')
    const byKey = await newDisbursement(key, { items, start: 'auto' })
    assert.equal(byKey.state, 'awaiting_approval')
    assert.equal(await send(owner, 'approve', undefined, byKey.id), '403 second_person_required')
    assert.equal(await send(other, 'reject', {}, byKey.id), '400 invalid_request')
    assert.equal(await send(other, 'reject', { reason: 'Total faux.' }, byKey.id), '200 rejected')
    const rejected = await disbursementIn(key, byKey.id, 'rejected')
    assert.equal(rejected.approval?.reason, 'Total faux.')
    assert.equal(await send(key, 'cancel', undefined, byKey.id), '409 invalid_disbursement_state')
    const below = await newDisbursement(owner, { items: [{ recipient: tag, amount: 50 }], start: 'auto' })
    assert.equal(below.state, 'running')
    const { body } = await key.get<{ data: { type: string }[] }>('/v1/biz/events?type=disbursement.awaiting_approval')
    assert.equal(body.data.length, 2)
  })
})
