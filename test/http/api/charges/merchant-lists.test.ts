// Lists of charges over HTTP: newest first by creation, each as it stands now, by every filter.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Charge } from '../../../../engine/contract/charge.ts'
import { openCharge } from '../../../support/charge-callers.ts'
import type { Answer } from '../../../support/client.ts'
import { type Merchant, newKey, type TestServer } from '../../../support/server-fixture.ts'
import { sharedServer } from '../../../support/shared-server.ts'

let server: TestServer

before(async () => {
  server = await sharedServer()
})

const payFrom = (merchant: Merchant, token: string, tag: string) =>
  merchant.test.post<Charge>(`/v1/biz/test/charges/${token}/pay`, { payer_tag: tag })
const move = (merchant: Merchant, token: string, name: 'cancel' | 'refund') =>
  merchant.test.post<Charge>(`/v1/biz/charges/${token}/${name}`, undefined, newKey())

async function fundedWallet(merchant: Merchant, amount: number): Promise<string> {
  const tag = await server.wallet(merchant)
  assert.equal((await merchant.test.post('/v1/biz/test/deposits', { recipient: tag, amount })).status, 201)
  return tag
}

interface ChargePage {
  readonly data: readonly Charge[]
  readonly has_more: boolean
  readonly next_cursor: string | null
}

const tokens = (answer: Answer<ChargePage>): string[] => answer.body.data.map(({ token }) => token)

test('newest first by creation, as each stands now, by every filter', async () => {
  const merchant = await server.merchant()
  const tag = await fundedWallet(merchant, 50_000)
  const made: Charge[] = []
  for (const more of [{ reference: 'A' }, { reference: 'B' }, { customer_tag: tag }, { reference: 'A', customer_tag: tag }, {}, {}]) {
    made.push(await openCharge(merchant, more))
  }
  const [a, b, c, d, e, f] = made.map(({ token }) => token) as [string, string, string, string, string, string]
  // Later ones first, so that the order of creation is not the order of what happened.
  for (const token of [d, b, a]) assert.equal((await payFrom(merchant, token, tag)).status, 200)
  await move(merchant, b, 'refund')
  await move(merchant, e, 'cancel')
  await merchant.test.post(`/v1/biz/test/charges/${c}/expire`, undefined)
  const list = async (query: string): Promise<string[]> => tokens(await merchant.test.get(`/v1/biz/charges?${query}`))
  assert.deepEqual(await list(''), [f, e, d, c, b, a])
  assert.deepEqual(await list('state=pending'), [f])
  assert.deepEqual(await list('state=paid'), [d, a])
  assert.deepEqual(await list('state=refunded'), [b])
  assert.deepEqual(await list('state=cancelled'), [e])
  assert.deepEqual(await list('state=expired'), [c])
  assert.deepEqual(await list('reference=A'), [d, a])
  assert.deepEqual(await list(`customer_tag=@${tag.toUpperCase()}`), [d, c])
  assert.deepEqual(await list(`customer_tag=${tag}&reference=A&state=paid`), [d])
  assert.deepEqual(await list(`customer_tag=${tag}&state=pending`), [])
  const [from, to] = [made[1]?.created_at, made[4]?.created_at]
  assert.deepEqual(await list(`created_from=${from}&created_to=${to}`), [d, c, b])
  assert.deepEqual(await list(`created_from=${from}&created_to=${to}&state=paid`), [d])
  const whole = await merchant.test.get<ChargePage>('/v1/biz/charges')
  assert.deepEqual(
    whole.body.data.map(({ state }) => state),
    ['pending', 'cancelled', 'paid', 'expired', 'refunded', 'paid'],
  )
  assert.deepEqual(whole.body.data[4], (await merchant.test.get(`/v1/biz/charges/${b}`)).body)
})

test('charges are listed page by page, in every state, and none of other merchants', async () => {
  const merchant = await server.merchant()
  const tag = await fundedWallet(merchant, 50_000)
  const charges: Charge[] = []
  for (let count = 0; count < 9; count++) charges.push(await openCharge(merchant))
  for (const { token } of charges.slice(0, 5)) await payFrom(merchant, token, tag)
  const walk = async (query: string): Promise<string[]> => {
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Answer<ChargePage> = await merchant.test.get(
        `/v1/biz/charges?limit=2&${query}${cursor === '' ? '' : `&cursor=${cursor}`}`,
      )
      assert.equal(page.body.has_more, page.body.next_cursor !== null)
      seen.push(...tokens(page))
      cursor = page.body.next_cursor
    }
    return seen
  }
  const all = charges.map(({ token }) => token).reverse()
  assert.deepEqual(await walk(''), all)
  assert.deepEqual(await walk('state=paid'), all.slice(4))
  assert.deepEqual(await walk('state=pending'), all.slice(0, 4))
  assert.deepEqual(tokens(await merchant.live.get('/v1/biz/charges')), [])
  assert.deepEqual(tokens(await (await server.merchant()).test.get('/v1/biz/charges')), [])
})

test('bad parameters are rejected', async () => {
  const merchant = await server.merchant()
  const other = await openCharge(await server.merchant())
  const foreign = Buffer.from(`r${other.id}`).toString('base64').replace(/=+$/, '')
  for (const [query, param] of [
    ['state=open', 'state'],
    [`cursor=${foreign}`, 'cursor'],
    ['cursor=%21', 'cursor'],
    ['customer_tag=a', 'customer_tag'],
    ['limit=101', 'limit'],
    ['amount=1', 'amount'],
  ] as const) {
    const { status, body } = await merchant.test.get(`/v1/biz/charges?${query}`)
    assert.deepEqual([status, body.code, body.param], [400, 'invalid_parameter', param], query)
  }
})
