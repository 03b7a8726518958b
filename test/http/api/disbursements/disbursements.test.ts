// Disbursements over HTTP: from the file to the report, and the second person.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Disbursement, DisbursementLine } from '../../../../engine/contract/disbursement.ts'
import { DISBURSEMENTS, disbursementIn, newDisbursement, openPayroll, type Payroll } from '../../../support/disbursement-callers.ts'
import { newKey, type TestServer } from '../../../support/server-fixture.ts'
import { ownServer } from '../../../support/shared-server.ts'
import { ok } from '../../../support/wallet-callers.ts'

let server: TestServer

before(async () => {
  server = await ownServer()
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

describe('a disbursement out of a file', () => {
  const send = ({ key }: Payroll, type: string, text: string | Buffer, query = '') =>
    key.request('POST', `${DISBURSEMENTS}${query}`, { body: text, contentType: type, headers: newKey() })

  test('a payment file is read by the names of its columns, and what can be read in two ways is an invalid line', async () => {
    const payroll = await openPayroll(server, null)
    const { tag } = payroll
    const text = `Référence;Montant;Destinataire\nA;25 000,00;${tag}\n\nB;25.000;${tag}\nC;5;77123456789\nD;"1,500 F";${tag}\n`
    const { status, body } = await send(payroll, 'text/csv; charset=utf-8', text, '?reference=PAIE&on_insufficient_balance=fail')
    const made = body as unknown as Disbursement
    assert.deepEqual([status, made.reference, made.on_insufficient_balance, made.valid_amount], [201, 'PAIE', 'fail', 25_000])
    assert.deepEqual(
      (await lines(payroll, made.id)).map(({ reference, state, failure_code, row, amount_readings }) => [
        reference,
        row,
        failure_code ?? state,
        ...(amount_readings ?? []),
      ]),
      [
        ['A', 2, 'valid'],
        ['B', 4, 'invalid_amount', '25 000', '25'],
        ['C', 5, 'invalid_recipient'],
        ['D', 6, 'invalid_amount', '1 500', '1,5'],
      ],
    )
    const csv = await payroll.key.with({ accept: 'text/csv' }).get(`${DISBURSEMENTS}/${made.id}/lines?state=invalid`)
    assert.match(csv.text, /;|"\["+25 000"+,"+25"+\]"/)
  })

  test('a file that cannot be read is refused with what was read of it, in the language of the reader', async () => {
    const payroll = await openPayroll(server, null)
    for (const text of [`${payroll.tag};5\n`, `recipient,amount,colour\n${payroll.tag},5,red\n`, `recipient\n${payroll.tag}\n`]) {
      const { status, body } = await send(payroll, 'text/csv', text)
      assert.deepEqual([status, (body as { code: string }).code], [400, 'invalid_csv'], text)
    }
    const { body } = await send(payroll, 'text/csv', 'recipient,amount,colour\n')
    assert.match(String((body as { message: string }).message), /colour/)
    assert.equal(await codeOf(send(payroll, 'text/csv', 'recipient,amount\n') as never), '400 items_required')
    assert.equal(await codeOf(send(payroll, 'text/plain', 'recipient,amount\n') as never), '415 unsupported_media_type')
  })

  test('NDJSON has one line in each line, and a broken one is an invalid line', async () => {
    const payroll = await openPayroll(server, null)
    const { tag } = payroll
    const text = `\uFEFF{"recipient":"${tag}","amount":5}\r\n\n{"recipient":\n{"recipient":"${tag}","amount":5.0}\n{"recipient":"${tag}","amount":7}`
    const { status, body } = await send(payroll, 'application/x-ndjson', text)
    const made = body as unknown as Disbursement
    assert.deepEqual([status, made.total_count, made.valid_count, made.valid_amount], [201, 4, 2, 12])
    const rowsOf = async (id: string) => (await lines(payroll, id)).map(({ index, row }) => row ?? index + 1)
    assert.deepEqual(await rowsOf(made.id), [1, 3, 4, 5])
    const pair = await send(payroll, 'application/x-ndjson', `{"recipient":"${tag}","amount":5},[3\n4]\n`)
    assert.deepEqual([pair.status, (pair.body as unknown as Disbursement).valid_count], [201, 0], 'two broken lines make no whole one')
    const latin = Buffer.from(`{"recipient":"${tag}","amount":5,"note":"\xe9"}\n{"recipient":"${tag}","amount":5}\n`, 'latin1')
    const mixed = await send(payroll, 'application/x-ndjson', latin)
    assert.deepEqual([mixed.status, (mixed.body as unknown as Disbursement).valid_count], [201, 1], 'a line that is no UTF-8')
    const one = await send(payroll, 'application/x-ndjson', `{"recipient":"${tag}","amount":5}`)
    assert.equal(one.status, 201)
    // The file is read in blocks of 64 KiB, which end between lines of any length.
    const note = 'é'.repeat(140)
    const many = Array.from({ length: 400 }, (_, at) => JSON.stringify({ recipient: tag, amount: at + 1, note: note.slice(at % 50) }))
    const long = await send(payroll, 'application/x-ndjson', [...many, '{'.repeat(200_000), '', ...many].join('\n'))
    const { id, total_count, valid_count, valid_amount } = long.body as unknown as Disbursement
    assert.deepEqual([total_count, valid_count, valid_amount], [801, 800, 400 * 401])
    const csv = await payroll.key.with({ accept: 'text/csv' }).get(`${DISBURSEMENTS}/${id}/lines`)
    assert.match(csv.text.trim().split('\r\n').at(-1) ?? '', /,802$/)
  })

  test('requests of one key at the same time, and those after a suspension, get the result of the first', async () => {
    const { key, merchantId, tag } = await openPayroll(server, null)
    const body = { items: Array.from({ length: 600 }, (_, index) => ({ recipient: tag, amount: 1, reference: `N${index}` })) }
    const idempotency = newKey()
    const answers = await Promise.all(Array.from({ length: 5 }, () => key.post<Disbursement>(DISBURSEMENTS, body, idempotency)))
    assert.deepEqual(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1, answers.map(({ text }) => text).join('\n'))
    assert.deepEqual(answers.map(({ headers }) => headers['idempotent-replayed'] ?? 'first').sort(), [
      'first',
      'true',
      'true',
      'true',
      'true',
    ])
    assert.equal((await key.get<{ data: object[] }>(DISBURSEMENTS)).body.data.length, 1)
    await ok(server.operator.post(`/v1/operator/merchants/${merchantId}/suspend`, { reason: 'Vérification' }))
    assert.equal((await key.post(DISBURSEMENTS, body, idempotency)).text, answers[0]?.text)
    assert.equal(await codeOf(key.post(DISBURSEMENTS, { items: body.items.slice(1) }, idempotency)), '422 idempotency_key_reused')
    assert.equal(await codeOf(key.post(DISBURSEMENTS, body, newKey())), '403 merchant_suspended')
  })

  test('a merchant makes several at the same time, each with its own lines', async () => {
    const { key, tag } = await openPayroll(server, null)
    const made = await Promise.all(
      Array.from({ length: 8 }, (_, index) => newDisbursement(key, { items: [{ recipient: tag, amount: index + 1 }] })),
    )
    assert.deepEqual(
      made.map(({ valid_amount }) => valid_amount),
      [1, 2, 3, 4, 5, 6, 7, 8],
    )
  })

  test('an option that stands in the query and in the body is refused', async () => {
    const { key, tag } = await openPayroll(server, null)
    const sent = key.post(`${DISBURSEMENTS}?reference=A`, { reference: 'B', items: [{ recipient: tag, amount: 1 }] }, newKey())
    assert.equal(await codeOf(sent), '400 invalid_parameter')
  })

  test('lines of many blocks keep their order, and the failed ones of all blocks are retried', async () => {
    const payroll = await openPayroll(server, null)
    const { key, tag } = payroll
    const items = Array.from({ length: 1100 }, (_, at) => ({
      recipient: tag,
      amount: at % 2 === 0 ? 1 : 1_000_000_000,
      reference: `L${at}`,
    }))
    const { id } = await newDisbursement(key, { items, on_insufficient_balance: 'fail', start: 'auto' })
    const done = await disbursementIn(key, id, 'completed')
    assert.deepEqual([done.paid_count, done.failed_count], [550, 550])
    const csv = await key.with({ accept: 'text/csv' }).get(`${DISBURSEMENTS}/${id}/lines`)
    const rows = csv.text.trim().split('\r\n').slice(1)
    assert.deepEqual([rows.length, rows.at(-1)?.includes('L1099')], [1100, true])
    const { body } = await key.post<Disbursement>(`${DISBURSEMENTS}/${id}/retry`, undefined)
    assert.equal(body.total_count, 550)
    const again = await lines({ ...payroll }, body.id)
    assert.deepEqual([again[0]?.reference, again[1]?.reference], ['L1', 'L3'])
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
