// Top-ups and withdrawals through the API: merchants by key and by session, operators, races, and kill -9.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Balance } from '../../../../engine/contract/balance.ts'
import type { TrialBalance } from '../../../../engine/contract/operator.ts'
import type { OperatorTopUp, TopUp } from '../../../../engine/contract/top-up.ts'
import type { OperatorWithdrawal, Withdrawal } from '../../../../engine/contract/withdrawal.ts'
import type { Answer, Client } from '../../../support/client.ts'
import { signUp } from '../../../support/dashboard-callers.ts'
import { type Merchant, newKey, TestServer } from '../../../support/server-fixture.ts'
import { ownServer } from '../../../support/shared-server.ts'
import { ok } from '../../../support/wallet-callers.ts'

const DESTINATION = { kind: 'bank', name: 'Boutique Awa', account: 'SN08SN0100152000048500003035' } as const
const INSTRUCTIONS = 'Virement à Cauri SA\nIBAN SN08'

let server: TestServer

before(async () => {
  server = await ownServer({
    TOP_UP_INSTRUCTIONS: 'Virement à Cauri SA\\nIBAN SN08',
    TOP_UP_INSTRUCTIONS_MOBILE_MONEY: 'Wave +221770000001',
  })
})

after(async () => {
  await server.close()
})

async function funded(environment: 'live' | 'test', amount: number): Promise<Merchant> {
  const merchant = await server.merchant()
  await ok(server.operator.post('/v1/operator/deposits', { merchant_id: merchant.id, environment, amount }, newKey()))
  return merchant
}

async function balance(client: Client): Promise<readonly number[]> {
  const { available, pending } = (await ok(client.get<Balance>('/v1/biz/balance'))).body
  return [available, pending]
}

const take = (client: Client, amount: number, reference?: string): Promise<Answer<Withdrawal>> =>
  client.post<Withdrawal>('/v1/biz/withdrawals', { amount, destination: DESTINATION, reference }, newKey())

const codeOf = ({ status, body }: Answer<object>): unknown[] => [status, (body as { code?: string }).code]

describe('top-ups', () => {
  it('a merchant that says how it sends the money gets the instructions of that kind', async () => {
    const { live } = await server.merchant()
    for (const [kind, instructions] of [
      ['mobile_money', 'Wave +221770000001'],
      ['bank', INSTRUCTIONS],
    ] as const)
      assert.equal((await ok(live.post<TopUp>('/v1/biz/top-ups', { amount: 5000, kind }))).body.instructions, instructions)
    assert.deepEqual(codeOf(await live.post('/v1/biz/top-ups', { amount: 5000, kind: 'cash' })), [400, 'invalid_request'])
  })

  it('a live top-up is requested, found by its payment reference, confirmed and on the balance', async () => {
    const merchant = await server.merchant('Chez Awa')
    const created = await merchant.live.post<TopUp>('/v1/biz/top-ups', { amount: 5000, reference: 'Appro' })
    assert.equal(created.status, 201)
    const { id, payment_reference, created_at, ...rest } = created.body
    assert.deepEqual(rest, {
      state: 'requested',
      amount: 5000,
      confirmed_amount: null,
      currency: 'XOF',
      reference: 'Appro',
      instructions: INSTRUCTIONS,
      settlement_reference: null,
      reason: null,
      transaction_id: null,
      environment: 'live',
      finished_at: null,
    })
    assert.ok(Math.abs(Date.parse(created_at) - Date.now()) < 60_000)
    const typed = payment_reference.toLowerCase().replace('-', '')
    const found = await server.operator.get<{ data: OperatorTopUp[] }>(`/v1/operator/top-ups?payment_reference=${typed}`)
    assert.deepEqual(found.body.data, [{ ...created.body, merchant_id: merchant.id, merchant_name: 'Chez Awa', approval_id: null }])
    const confirm = { amount: 4800, reference: 'VIR-1' }
    const confirmed = await server.operator.post<TopUp>(`/v1/operator/top-ups/${id}/confirm`, confirm, newKey())
    assert.equal(confirmed.status, 200)
    assert.deepEqual([confirmed.body.state, confirmed.body.confirmed_amount, confirmed.body.amount], ['confirmed', 4800, 5000])
    assert.deepEqual(await balance(merchant.live), [4800, 0])
    assert.deepEqual((await merchant.live.get(`/v1/biz/top-ups/${id.toUpperCase()}`)).body, confirmed.body)
    assert.deepEqual(codeOf(await server.operator.post(`/v1/operator/top-ups/${id}/refuse`, { reason: 'x' })), [409, 'request_not_open'])
    assert.deepEqual((await server.operator.get<{ data: unknown[] }>(`/v1/operator/top-ups?merchant_id=${merchant.id}`)).body.data, [])
    assert.equal((await server.operator.get<OperatorTopUp>(`/v1/operator/top-ups/${id}`)).body.state, 'confirmed')
  })

  it('a payment reference that was mistyped is refused, and one of the other environment finds nothing', async () => {
    const merchant = await server.merchant()
    const { payment_reference } = (await ok(merchant.test.post<TopUp>('/v1/biz/top-ups', { amount: 1 }))).body
    const wrong = `${payment_reference[0] === '2' ? '3' : '2'}${payment_reference.slice(1)}`
    const refused = await server.operator.get(`/v1/operator/top-ups?payment_reference=${wrong}`)
    assert.deepEqual([...codeOf(refused), refused.body.param], [400, 'invalid_parameter', 'payment_reference'])
    const live = await server.operator.get<{ data: unknown[] }>(
      `/v1/operator/top-ups?payment_reference=${payment_reference}&environment=live`,
    )
    assert.deepEqual(live.body.data, [])
  })

  it('the test helper confirms and a live key may not use it', async () => {
    const merchant = await server.merchant()
    const { id } = (await ok(merchant.test.post<TopUp>('/v1/biz/top-ups', { amount: 700 }))).body
    const other = await server.merchant()
    assert.deepEqual(codeOf(await other.test.post(`/v1/biz/test/top-ups/${id}/confirm`, {})), [404, 'not_found'])
    assert.deepEqual(codeOf(await merchant.live.post(`/v1/biz/test/top-ups/${id}/confirm`, {})), [403, 'test_only'])
    const key = newKey()
    const one = await merchant.test.request<TopUp>('POST', `/v1/biz/test/top-ups/${id}/confirm`, { headers: key })
    const two = await merchant.test.request<TopUp>('POST', `/v1/biz/test/top-ups/${id}/confirm`, { headers: key })
    assert.deepEqual([one.status, two.text, two.headers['idempotent-replayed']], [200, one.text, 'true'])
    assert.deepEqual(await balance(merchant.test), [700, 0])
  })
})

describe('withdrawals', () => {
  it('a withdrawal is held, paid, and a line of the statement', async () => {
    const { live, id: merchant_id } = await funded('live', 1000)
    const created = await take(live, 400, 'Loyer')
    assert.equal(created.status, 201)
    assert.deepEqual([created.body.state, created.body.destination], ['requested', DESTINATION])
    assert.deepEqual(await balance(live), [600, 400])
    assert.deepEqual(codeOf(await take(live, 601)), [402, 'insufficient_balance'])
    const waiting = await server.operator.get<{ data: OperatorWithdrawal[] }>(`/v1/operator/withdrawals?merchant_id=${merchant_id}`)
    assert.deepEqual(
      waiting.body.data.map(({ id }) => id),
      [created.body.id],
    )
    const { id } = created.body
    const paid = await ok(server.operator.post<Withdrawal>(`/v1/operator/withdrawals/${id}/pay`, { reference: 'VIR-2' }, newKey()))
    assert.deepEqual([paid.body.state, paid.body.settlement_reference], ['paid', 'VIR-2'])
    assert.deepEqual(await balance(live), [600, 0])
    const statement = await live.get<{ data: Record<string, unknown>[] }>('/v1/biz/transactions?type=withdrawal')
    assert.deepEqual(
      statement.body.data.map(({ id: line, amount, balance_after, reference }) => [line, amount, balance_after, reference]),
      [[paid.body.transaction_id, -400, 600, 'Loyer']],
    )
    assert.deepEqual(codeOf(await live.post(`/v1/biz/withdrawals/${id}/cancel`, {})), [409, 'request_not_open'])
  })

  it('a withdrawal needs a key, the scope and a whole destination', async () => {
    const merchant = await server.merchant()
    const body = { amount: 10, destination: DESTINATION }
    assert.deepEqual(codeOf(await merchant.test.post('/v1/biz/withdrawals', body)), [400, 'idempotency_key_required'])
    const plain = await server.keyed(merchant.id, 'test', [])
    assert.deepEqual(codeOf(await plain.post('/v1/biz/withdrawals', body, newKey())), [403, 'insufficient_scope'])
    for (const destination of [
      undefined,
      {},
      { ...DESTINATION, kind: 'cash' },
      { ...DESTINATION, name: '' },
      { ...DESTINATION, account: 1 },
    ]) {
      const { status, body: error } = await merchant.test.post('/v1/biz/withdrawals', { amount: 1, destination }, newKey())
      assert.deepEqual([status, error.code, String(error.param).split('.')[0]], [400, 'invalid_request', 'destination'])
    }
  })

  it('a session asks, sees and cancels in the environment that it names', async () => {
    const { browser, merchantId } = await signUp(server)
    await ok(server.operator.post('/v1/operator/deposits', { merchant_id: merchantId, environment: 'test', amount: 50 }, newKey()))
    const test = browser.with({ 'x-environment': 'test' })
    const { body } = await ok(take(test, 50))
    assert.equal(body.environment, 'test')
    assert.deepEqual(codeOf(await browser.get(`/v1/biz/withdrawals/${body.id}`)), [404, 'not_found'])
    const { body: list } = await test.get<{ data: Withdrawal[] }>('/v1/biz/withdrawals?state=requested')
    assert.deepEqual(list.data, [body])
    const cancelled = await ok(test.post<Withdrawal>(`/v1/biz/withdrawals/${body.id}/cancel`, {}))
    assert.equal(cancelled.body.state, 'cancelled')
    assert.deepEqual(codeOf(await take(server.anybody.with({ cookie: '' }), 1)), [401, 'unauthorized'])
  })

  it('of many who decide about one withdrawal at the same moment one wins, and the money is where it says', async () => {
    const { test } = await funded('test', 1000)
    for (let round = 0; round < 8; round++) {
      const before = (await balance(test))[0] as number
      const { id } = (await ok(take(test, 10))).body
      const decisions = await Promise.all([
        server.operator.post<Withdrawal>(`/v1/operator/withdrawals/${id}/pay`, { reference: 'V' }),
        server.operator.post<Withdrawal>(`/v1/operator/withdrawals/${id}/refuse`, { reason: 'Non.' }),
        test.post<Withdrawal>(`/v1/biz/withdrawals/${id}/cancel`, {}),
        test.post<Withdrawal>(`/v1/biz/test/withdrawals/${id}/pay`, {}),
      ])
      const [winner, ...others] = decisions.filter(({ status }) => status === 200)
      assert.ok(winner !== undefined && others.length === 0)
      assert.ok(decisions.every(({ status }) => status === 200 || status === 409))
      assert.deepEqual(await balance(test), [before - (winner.body.state === 'paid' ? 10 : 0), 0])
    }
  })
})

it('kill -9 under withdrawals and payments of them loses nothing that was answered and holds exactly what is open', async () => {
  let last = await TestServer.open()
  const first = last
  try {
    const merchant = await last.fundedMerchant(100_000)
    let { test } = merchant
    const answered = new Map<string, string>()
    for (let kill = 0; kill < 3; kill++) {
      const work = [1, 2, 3, 4].map(async () => {
        for (;;) {
          const { body } = await take(test, 100)
          answered.set(body.id, 'requested')
          if (answered.size % 2 === 0) continue
          answered.set(body.id, (await test.post<Withdrawal>(`/v1/biz/test/withdrawals/${body.id}/pay`, {})).body.state)
        }
      })
      const ended = Promise.allSettled(work)
      const target = (kill + 1) * 12
      while (answered.size < target) await new Promise(setImmediate)
      await last.process.kill()
      await ended
      last.anybody.close()
      last = await TestServer.open({ dataDir: first.process.dataDir })
      test = await last.keyed(merchant.id, 'test', ['disbursements.write'])
    }
    const { body } = await test.get<{ data: Withdrawal[]; has_more: boolean }>('/v1/biz/withdrawals?limit=100')
    assert.equal(body.has_more, false)
    const states = new Map(body.data.map(({ id, state }) => [id, state]))
    for (const [id, state] of answered) {
      if (state === 'paid') assert.equal(states.get(id), 'paid')
      else assert.ok(states.has(id), 'every answered request is there')
    }
    const sum = (state: string): number => 100 * body.data.filter((row) => row.state === state).length
    assert.deepEqual(await balance(test), [100_000 - sum('paid') - sum('requested'), sum('requested')])
    const trial = (await last.operator.get<TrialBalance>('/v1/operator/ledger/trial-balance?environment=test')).body
    assert.ok(trial.balanced)
    assert.equal(trial.accounts.find(({ type }) => type === 'merchant')?.held, sum('requested'))
  } finally {
    await last.process.kill()
    last.anybody.close()
    await first.close()
  }
})
