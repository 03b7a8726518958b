// What a person reads of a disbursement: full pages of lines in one state, refusals that name their cause, and what was sent.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Disbursement, DisbursementLine } from '../../../../engine/contract/disbursement.ts'
import type { Client } from '../../../support/client.ts'
import { DISBURSEMENTS, disbursementIn, newDisbursement, openPayroll } from '../../../support/disbursement-callers.ts'
import { newKey, type TestServer } from '../../../support/server-fixture.ts'
import { sharedServer } from '../../../support/shared-server.ts'
import { ok } from '../../../support/wallet-callers.ts'

let server: TestServer

before(async () => {
  server = await sharedServer()
})

interface Refusal {
  readonly code?: string
  readonly param?: string
  readonly message?: string
}

const english = (client: Client): Client => client.with({ 'accept-language': 'en' })

async function refusal(client: Client, path: string, body?: object): Promise<readonly unknown[]> {
  const { status, body: said } = await english(client).post<Refusal>(`${DISBURSEMENTS}${path}`, body, newKey())
  return [status, said.code, said.param, said.message]
}

describe('pages of lines', () => {
  test('of a rare state are full, and end where no more follows', async () => {
    const { key, tag } = await openPayroll(server, null)
    const rare = new Set([0, 4483, 4490, 4491])
    const items = Array.from({ length: 4500 }, (_, at) => ({ recipient: rare.has(at) ? 'no' : tag, amount: 1, reference: `L${at}` }))
    const { id, invalid_count } = await newDisbursement(key, { items })
    assert.equal(invalid_count, 4)
    const page = async (query: string) => {
      const { body } = await key.get<{ data: DisbursementLine[]; has_more: boolean; next_cursor: string | null }>(
        `${DISBURSEMENTS}/${id}/lines?${query}`,
      )
      return { indexes: body.data.map(({ index }) => index), more: body.has_more, cursor: body.next_cursor }
    }
    const first = await page('state=invalid&limit=3')
    assert.deepEqual([first.indexes, first.more], [[0, 4483, 4490], true])
    assert.deepEqual(await page(`state=invalid&limit=3&cursor=${first.cursor}`), { indexes: [4491], more: false, cursor: null })
    assert.deepEqual(await page('state=invalid&limit=4'), { indexes: [0, 4483, 4490, 4491], more: false, cursor: null })
    assert.deepEqual(await page('state=cancelled'), { indexes: [], more: false, cursor: null })
    assert.deepEqual(await page('q=L4499'), { indexes: [4499], more: false, cursor: null })
    const csv = await key.with({ accept: 'text/csv' }).get(`${DISBURSEMENTS}/${id}/lines?state=invalid`)
    assert.equal(csv.text.trim().split('\r\n').length, 5)
  })
})

describe('a refusal', () => {
  test('of a start names that no line can be paid; one that starts by its creation ends at once', async () => {
    const { key } = await openPayroll(server, null)
    const items = [{ recipient: 'no', amount: 1 }]
    const { id, state } = await newDisbursement(key, { items })
    assert.equal(state, 'ready')
    assert.deepEqual(await refusal(key, `/${id}/start`), [409, 'no_valid_lines', undefined, 'No line of this disbursement can be paid.'])
    const auto = await newDisbursement(key, { items, start: 'auto' })
    assert.equal((await disbursementIn(key, auto.id, 'completed')).paid_count, 0)
  })

  test('of a retry names that no line has failed', async () => {
    const { key, tag } = await openPayroll(server, null)
    const { id } = await newDisbursement(key, { items: [{ recipient: tag, amount: 1 }], start: 'auto' })
    await disbursementIn(key, id, 'completed')
    const [status, code, , message] = await refusal(key, `/${id}/retry`)
    assert.deepEqual([status, code], [409, 'no_failed_lines'])
    assert.match(String(message), /No line of this disbursement has failed/)
  })

  test('of a group without contacts says how a group is named', async () => {
    const { key, tag } = await openPayroll(server, null)
    await ok(key.post('/v1/biz/contacts', { recipient: tag, groups: ['Employés'] }, newKey()))
    for (const group of ['Vide', 'employés']) {
      const [status, code, param, message] = await refusal(key, '', { group, amount: 5 })
      assert.deepEqual([status, code, param], [400, 'items_required', 'group'])
      assert.match(String(message), /No contact is in this group.*capitals included/)
    }
    assert.equal((await newDisbursement(key, { group: 'Employés', amount: 5 })).valid_count, 1)
  })

  test('of a schedule whose disbursement has no line to pay says so', async () => {
    const { key } = await openPayroll(server, null)
    const { id } = await newDisbursement(key, { items: [{ recipient: 'no', amount: 1 }] })
    const plan = { recurrence: 'monthly', start_at: new Date(Date.now() + 86_400_000).toISOString(), disbursement_id: id }
    const { status, body } = await english(key).post<Refusal>('/v1/biz/payout-schedules', plan, newKey())
    assert.deepEqual(
      [status, body.code, body.param, body.message],
      [400, 'items_required', 'disbursement_id', 'No line of this disbursement can be paid.'],
    )
  })

  test('of a rejection without a body names its reason, and who made the disbursement is refused before', async () => {
    const { owner, other, tag } = await openPayroll(server, 0)
    const { id } = await newDisbursement(owner, { items: [{ recipient: tag, amount: 1 }], start: 'auto' })
    const [status, code] = await refusal(owner, `/${id}/reject`)
    assert.deepEqual([status, code], [403, 'second_person_required'])
    const [, , param, message] = await refusal(other, `/${id}/reject`)
    assert.equal(param, 'reason')
    assert.match(String(message), /A rejection needs a reason/)
    assert.deepEqual((await refusal(other, `/${id}/reject`, {})).slice(0, 3), [400, 'invalid_request', 'reason'])
  })
})

test('a disbursement that is cancelled before a decision waits for no approval any more', async () => {
  const { owner, key, tag } = await openPayroll(server, 0)
  const { id, approval } = await newDisbursement(owner, { items: [{ recipient: tag, amount: 1 }], start: 'auto' })
  assert.equal(approval?.state, 'pending')
  const { body } = await ok(key.post<Disbursement>(`${DISBURSEMENTS}/${id}/cancel`, undefined))
  assert.deepEqual([body.state, body.approval], ['cancelled', null])
})

test('an amount that is no number is shown as it was sent, and a line of NDJSON that is no JSON names its row', async () => {
  const { key, tag } = await openPayroll(server, null)
  const linesOf = async (id: string) => {
    const { body } = await key.get<{ data: DisbursementLine[] }>(`${DISBURSEMENTS}/${id}/lines`)
    return body.data.map(({ amount, amount_sent, failure_code, row }) => [amount, amount_sent, failure_code, row])
  }
  const json = await newDisbursement(key, {
    items: [
      { recipient: tag, amount: '12x' },
      { recipient: tag, amount: 1.5 },
      { recipient: tag },
      { recipient: tag, amount: 'y'.repeat(900) },
    ],
  })
  assert.deepEqual(await linesOf(json.id), [
    [null, '12x', 'invalid_amount', undefined],
    [null, undefined, 'invalid_amount', undefined],
    [null, undefined, 'invalid_amount', undefined],
    [null, 'y'.repeat(64), 'invalid_amount', undefined],
  ])
  const file = async (contentType: string, text: string): Promise<string> => {
    const { body } = await key.request('POST', DISBURSEMENTS, { body: text, contentType, headers: newKey() })
    return String((body as { id?: string }).id)
  }
  const csv = await file('text/csv', `recipient,amount\n${tag},12x\n${tag},5\n`)
  assert.deepEqual(await linesOf(csv), [
    [null, '12x', 'invalid_amount', 2],
    [5, undefined, undefined, 3],
  ])
  const ndjson = await file('application/x-ndjson', `{"recipient":"${tag}","amount":5}\n{"recipient":\n7\n`)
  assert.deepEqual(await linesOf(ndjson), [
    [5, undefined, undefined, undefined],
    [null, undefined, 'invalid_json', 2],
    [null, undefined, 'invalid_json', 3],
  ])
})
