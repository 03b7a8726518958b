// Transfers over real HTTP: money, PIN and key, one at a time and all at once.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Answer, Client } from '../../../support/client.ts'
import { type Merchant, newKey, newTag, type TestServer } from '../../../support/server-fixture.ts'
import { sharedServer } from '../../../support/shared-server.ts'
import { codeOfAnswer, ok, type Person, PIN, signUp } from '../../../support/wallet-callers.ts'

let server: TestServer
let merchant: Merchant

before(async () => {
  server = await sharedServer()
  merchant = await server.fundedMerchant(1_000_000)
})

async function funded(amount: number): Promise<Person> {
  const person = await signUp(server.anybody)
  await ok(merchant.test.post('/v1/biz/test/deposits', { recipient: person.tag, amount }))
  return person
}

function transfer(client: Client, json: object, headers: Readonly<Record<string, string>> = newKey()): Promise<Answer> {
  return client.post('/v1/me/transfers', { amount: 100, pin: PIN, ...json }, headers)
}

async function balanceOf({ client }: Person): Promise<unknown> {
  return (await ok(client.get('/v1/me/balance'))).body.available
}

describe('a transfer', () => {
  it('a transfer moves money and shows on both statements', async () => {
    const [awa, kofi] = [await funded(5000), await signUp(server.anybody)]
    const { status, body } = await transfer(awa.client, { recipient: `@${kofi.tag.toUpperCase()}`, amount: 1500, note: 'Pour le taxi' })
    assert.equal(status, 201)
    const { transaction_id, created_at, ...rest } = body
    assert.deepEqual(rest, { recipient: kofi.tag, amount: 1500, currency: 'XOF', fee: 0, note: 'Pour le taxi', balance_after: 3500 })
    assert.deepEqual([await balanceOf(awa), await balanceOf(kofi)], [3500, 1500])
    const lines = await Promise.all(
      [awa, kofi].map(async ({ client }) => (await client.get<{ data: object[] }>('/v1/me/transactions?type=transfer')).body.data),
    )
    const line = {
      id: transaction_id,
      type: 'transfer',
      currency: 'XOF',
      reference: '',
      charge_id: null,
      payout_id: null,
      batch_id: null,
      created_at,
    }
    assert.deepEqual(lines, [
      [{ ...line, amount: -1500, balance_after: 3500, counterparty: kofi.tag }],
      [{ ...line, amount: 1500, balance_after: 1500, counterparty: awa.tag }],
    ])
  })

  it('a transfer needs a key, an amount, a recipient and a PIN in the right form', async () => {
    const { client } = await funded(1000)
    const rows: readonly { json: object; headers?: Record<string, string>; then: readonly [number, string, string?] }[] = [
      { json: { recipient: 'awa' }, headers: {}, then: [400, 'idempotency_key_required'] },
      { json: {}, then: [400, 'invalid_request', 'recipient'] },
      { json: { recipient: 'a b' }, then: [400, 'invalid_recipient', 'recipient'] },
      { json: { recipient: 'awa', amount: 0 }, then: [400, 'invalid_request', 'amount'] },
      { json: { recipient: 'awa', amount: 1.5 }, then: [400, 'invalid_request', 'amount'] },
      { json: { recipient: 'awa', amount: '100' }, then: [400, 'invalid_request', 'amount'] },
      { json: { recipient: 'awa', pin: '73' }, then: [400, 'invalid_request', 'pin'] },
      { json: { recipient: 'awa', pin: 7391 }, then: [400, 'invalid_request', 'pin'] },
      { json: { recipient: 'awa', note: 'n'.repeat(501) }, then: [400, 'invalid_request', 'note'] },
      { json: { recipient: newTag() }, then: [404, 'recipient_not_found', 'recipient'] },
      { json: { recipient: (await signUp(server.anybody)).tag, amount: 1001 }, then: [402, 'insufficient_balance'] },
    ]
    for (const { json, headers, then } of rows) {
      const { status, body } = await transfer(client, json, headers)
      assert.deepEqual([status, body.code, ...(body.param === undefined ? [] : [body.param])], then)
    }
  })

  it('a transfer to oneself and to a blocked wallet is refused', async () => {
    const person = await funded(1000)
    assert.equal(codeOfAnswer(await transfer(person.client, { recipient: person.tag })), 'self_transfer')
    const blocked = `test_blocked_${newTag().slice(2, 8)}`
    await ok(merchant.test.post('/v1/biz/test/wallets', { tag: blocked }))
    assert.equal(codeOfAnswer(await transfer(person.client, { recipient: blocked })), 'recipient_blocked')
  })

  it('a transfer asks for the PIN before it shows anything of the recipient', async () => {
    const { client } = await funded(1000)
    for (const recipient of [newTag(), (await signUp(server.anybody)).tag]) {
      assert.equal(codeOfAnswer(await transfer(client, { recipient, pin: '1357' })), 'pin_incorrect')
    }
  })

  it('transfers at the same moment with one key give one debit and one answer', async () => {
    const [awa, kofi] = [await funded(1000), await signUp(server.anybody)]
    const key = newKey()
    const answers = await Promise.all(Array.from({ length: 30 }, () => transfer(awa.client, { recipient: kofi.tag }, key)))
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
    assert.equal(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true').length, 29)
    assert.deepEqual([await balanceOf(awa), await balanceOf(kofi)], [900, 100])
  })

  it('transfers at the same moment with many keys spend the balance once', async () => {
    const [awa, kofi] = [await funded(1000), await signUp(server.anybody)]
    const answers = await Promise.all(Array.from({ length: 40 }, () => transfer(awa.client, { recipient: kofi.tag })))
    assert.deepEqual(
      [201, 402].map((status) => answers.filter((answer) => answer.status === status).length),
      [10, 30],
    )
    assert.deepEqual([await balanceOf(awa), await balanceOf(kofi)], [0, 1000])
  })
})

describe('a key and the PIN', () => {
  it('a finished key gives its answer without a look at the PIN, and counts nothing', async () => {
    const [awa, kofi] = [await funded(1000), await signUp(server.anybody)]
    const key = newKey()
    const first = await transfer(awa.client, { recipient: kofi.tag }, key)
    for (let time = 0; time < 7; time++) {
      const again = await transfer(awa.client, { recipient: kofi.tag, pin: '1357' }, key)
      assert.deepEqual([again.status, again.text, again.headers['idempotent-replayed']], [201, first.text, 'true'])
    }
    const fresh = await transfer(awa.client, { recipient: kofi.tag, pin: '1357' })
    assert.equal(fresh.body.attempts_left, 4)
    assert.equal(await balanceOf(awa), 900)
  })

  it('a finished key with another request is refused, also while the PIN is locked', async () => {
    const [awa, kofi] = [await funded(1000), await signUp(server.anybody)]
    const key = newKey()
    await transfer(awa.client, { recipient: kofi.tag }, key)
    for (let time = 0; time < 5; time++) await transfer(awa.client, { recipient: kofi.tag, pin: '1357' })
    assert.equal((await transfer(awa.client, { recipient: kofi.tag })).status, 423)
    assert.equal(codeOfAnswer(await transfer(awa.client, { recipient: kofi.tag, amount: 101 }, key)), 'idempotency_key_reused')
    assert.equal((await transfer(awa.client, { recipient: kofi.tag }, key)).status, 201)
  })

  it('a wrong PIN is kept under no key: the right one goes through with the same', async () => {
    const [awa, kofi] = [await funded(1000), await signUp(server.anybody)]
    const key = newKey()
    assert.equal((await transfer(awa.client, { recipient: kofi.tag, pin: '1357' }, key)).status, 401)
    assert.equal((await transfer(awa.client, { recipient: kofi.tag }, key)).status, 201)
  })

  it('a refusal of the ledger is kept, money or not', async () => {
    const [awa, kofi] = [await signUp(server.anybody), await signUp(server.anybody)]
    const key = newKey()
    assert.equal((await transfer(awa.client, { recipient: kofi.tag }, key)).status, 402)
    await ok(merchant.test.post('/v1/biz/test/deposits', { recipient: awa.tag, amount: 1000 }))
    const again = await transfer(awa.client, { recipient: kofi.tag }, key)
    assert.deepEqual([again.status, again.headers['idempotent-replayed']], [402, 'true'])
  })

  it('keys of two wallets, and of a merchant, never meet', async () => {
    const callers = [await funded(1000), await funded(1000)]
    const kofi = await signUp(server.anybody)
    const key = newKey()
    for (const { client } of callers) assert.equal((await transfer(client, { recipient: kofi.tag }, key)).status, 201)
    assert.equal((await merchant.test.post('/v1/biz/payouts', { recipient: kofi.tag, amount: 1 }, key)).status, 201)
    assert.equal(await balanceOf(kofi), 201)
  })

  it('ten wrong PINs at the same moment: the fifth locks, no money moves', async () => {
    const [awa, kofi] = [await funded(1000), await signUp(server.anybody)]
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => transfer(awa.client, { recipient: kofi.tag, pin: String(2000 + index) })),
    )
    const codes = answers.map(codeOfAnswer)
    // Those that came while others were being counted may have been sent away untried; the tries that are left go on.
    while (!codes.includes('pin_locked')) codes.push(codeOfAnswer(await transfer(awa.client, { recipient: kofi.tag, pin: '1357' })))
    assert.equal(codes.filter((code) => code === 'pin_incorrect').length, 4)
    assert.ok(codes.every((code) => ['pin_incorrect', 'pin_locked', 'rate_limited'].includes(code)))
    assert.equal((await transfer(awa.client, { recipient: kofi.tag })).status, 423)
    assert.equal(await balanceOf(awa), 1000)
  })
})
