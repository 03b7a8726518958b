// Who made a charge, what a cashier sees of charges and links, and the till.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { CreatedApiKey } from '../../../../engine/contract/api-key.ts'
import type { Charge } from '../../../../engine/contract/charge.ts'
import type { MemberRole } from '../../../../engine/contract/dashboard.ts'
import type { PaymentLink } from '../../../../engine/contract/payment-link.ts'
import type { Till } from '../../../../engine/contract/till.ts'
import type { Client } from '../../../support/client.ts'
import { signUp } from '../../../support/dashboard-callers.ts'
import { joined } from '../../../support/member-callers.ts'
import { askPage } from '../../../support/raw-page.ts'
import { newKey, newTag, type TestServer } from '../../../support/server-fixture.ts'
import { sharedServer } from '../../../support/shared-server.ts'
import { ok } from '../../../support/wallet-callers.ts'

interface Person {
  readonly id: string
  readonly email: string
  readonly browser: Client
}

let server: TestServer
let owner: Person
let awa: Person
let moussa: Person
let key: CreatedApiKey
let shop: Client
let payer: string

before(async () => {
  server = await sharedServer()
  const signedUp = await signUp(server)
  const inTest = ({ browser, ...person }: Person): Person => ({ ...person, browser: browser.with({ 'x-environment': 'test' }) })
  const { body: me } = await ok(signedUp.browser.get<{ user: { id: string } }>('/v1/dashboard/me'))
  owner = inTest({ ...signedUp, id: me.user.id })
  const member = async (role: MemberRole): Promise<Person> => inTest(await joined(server, signedUp, role))
  awa = await member('cashier')
  moussa = await member('cashier')
  const scopes = ['disbursements.write']
  key = (await ok(owner.browser.post<CreatedApiKey>('/v1/dashboard/api-keys', { environment: 'test', scopes, label: 'Site' }))).body
  shop = server.anybody.with({ 'x-api-key': key.public_key, 'x-api-secret': key.secret_key })
  payer = newTag()
  await ok(shop.post('/v1/biz/test/wallets', { tag: payer }))
  await ok(shop.post('/v1/biz/test/deposits', { recipient: payer, amount: 100_000 }))
})

async function charge(by: Client, amount: number, isPaid = true): Promise<Charge> {
  const { body } = await ok(by.post<Charge>('/v1/biz/charges', { amount }))
  return isPaid ? pay(body.token) : body
}

const pay = async (token: string): Promise<Charge> =>
  (await ok(shop.post<Charge>(`/v1/biz/test/charges/${token}/pay`, { payer_tag: payer }))).body

async function linkCharge({ url }: PaymentLink, amount: number): Promise<string> {
  const { location } = await askPage(server.process.baseUrl, new URL(url).pathname, { form: { amount: String(amount) } })
  return pay((location.split('/pay/')[1] ?? '').split('?')[0] ?? '').then(({ token }) => token)
}

const tokens = async (by: Client, query = ''): Promise<readonly string[]> =>
  (await ok(by.get<{ data: Charge[] }>(`/v1/biz/charges${query}`))).body.data.map(({ token }) => token).sort()

describe('the till', () => {
  it('a charge says which key, member or link made it, and the filter finds what each of them made', async () => {
    const [byKey, byMember] = [await charge(shop, 10, false), await charge(owner.browser, 20, false)]
    const { body: link } = await ok(owner.browser.post<PaymentLink>('/v1/biz/payment-links', { description: 'Caisse 1' }))
    const byLink = (await ok(shop.get<Charge>(`/v1/biz/charges/${await linkCharge(link, 30)}`))).body
    const member = { kind: 'member', id: owner.id, name: owner.email }
    assert.deepEqual(byKey.created_by, { kind: 'key', id: key.id, name: 'Site' })
    assert.deepEqual(byMember.created_by, member)
    assert.deepEqual(link.created_by, member)
    assert.deepEqual(byLink.created_by, { kind: 'link', id: link.id, name: 'Caisse 1' })
    assert.deepEqual(byLink.payment_link_created_by, member)
    assert.deepEqual(await tokens(shop, `?created_by=${key.id}`), [byKey.token])
    assert.deepEqual(await tokens(shop, `?created_by=${owner.id}`), [byMember.token, byLink.token].sort())
    assert.deepEqual(await tokens(shop, `?created_by=${link.id.toUpperCase()}&state=paid`), [byLink.token])
  })

  it('a cashier sees and cancels the charges and links that it made, and no other', async () => {
    const own = await charge(awa.browser, 40, false)
    const others = await charge(moussa.browser, 50, false)
    const { body: link } = await ok(awa.browser.post<PaymentLink>('/v1/biz/payment-links', { description: 'Caisse 2' }))
    const { body: otherLink } = await ok(moussa.browser.post<PaymentLink>('/v1/biz/payment-links', { description: 'Caisse 3' }))
    const paid = await linkCharge(link, 60)
    assert.deepEqual(await tokens(awa.browser), [own.token, paid].sort())
    assert.deepEqual(await tokens(awa.browser, `?created_by=${awa.id}`), [own.token, paid].sort())
    const links = await ok(awa.browser.get<{ data: PaymentLink[] }>('/v1/biz/payment-links'))
    assert.deepEqual(
      links.body.data.map(({ id }) => id),
      [link.id],
    )
    await ok(awa.browser.get(`/v1/biz/charges/${own.id}`))
    await ok(awa.browser.get(`/v1/biz/payment-links/${link.id}`))
    for (const path of [
      `charges/${others.token}`,
      `charges/${others.id}`,
      `payment-links/${otherLink.id}`,
      `charges?created_by=${moussa.id}`,
    ]) {
      const { status, body } = await awa.browser.get<{ code: string }>(`/v1/biz/${path}`)
      assert.deepEqual([status, body.code], [403, 'insufficient_role'], path)
    }
    for (const path of [`charges/${others.token}/cancel`, `payment-links/${otherLink.id}/close`]) {
      const { status, body } = await awa.browser.post<{ code: string }>(`/v1/biz/${path}`, {})
      assert.deepEqual([status, body.code], [403, 'insufficient_role'], path)
    }
    for (const path of ['biz/withdrawals', 'biz/top-ups', 'biz/events', 'biz/mandates', 'dashboard/members']) {
      const { status, body } = await awa.browser.get<{ code: string }>(`/v1/${path}`)
      assert.deepEqual([status, body.code], [403, 'insufficient_role'], path)
    }
    for (const path of ['me', 'sessions']) await ok(awa.browser.get(`/v1/dashboard/${path}`))
    assert.equal((await awa.browser.get(`/v1/biz/charges/${'x'.repeat(32)}`)).status, 404)
    await ok(awa.browser.post(`/v1/biz/charges/${own.token}/cancel`, {}))
  })

  it('counts payments and refunds by the member that made the charge, and a cashier gets its own', async () => {
    const from = new Date().toISOString()
    const [first, second] = [await charge(awa.browser, 1_000), await charge(awa.browser, 2_000)]
    await charge(moussa.browser, 500)
    await charge(shop, 70)
    await charge(awa.browser, 9_999, false)
    await ok(owner.browser.post(`/v1/biz/charges/${first.token}/refund`, {}, newKey()))
    const till = async (by: Client, query: string) => (await ok(by.get<Till>(`/v1/biz/till?from=${from}${query}`))).body
    const awas = { id: awa.id, name: awa.email, paid_count: 2, paid_amount: 3_000, refunded_count: 1, refunded_amount: 1_000 }
    const moussas = { id: moussa.id, name: moussa.email, paid_count: 1, paid_amount: 500, refunded_count: 0, refunded_amount: 0 }
    const { to, ...all } = await till(owner.browser, '')
    assert.ok(Date.parse(to) >= Date.parse(String(second.paid_at)))
    assert.deepEqual(all, {
      ...{ from, currency: 'XOF', paid_count: 4, paid_amount: 3_570, refunded_count: 1, refunded_amount: 1_000, net_amount: 2_570 },
      by_member: [awas, moussas].sort((one, other) => one.name.localeCompare(other.name, 'fr')),
    })
    for (const own of [await till(awa.browser, ''), await till(shop, `&member_id=${awa.id}`)]) {
      const { by_member, paid_amount, refunded_amount, net_amount } = own
      assert.deepEqual(
        { by_member, paid_amount, refunded_amount, net_amount },
        {
          ...{ by_member: [awas], paid_amount: 3_000, refunded_amount: 1_000, net_amount: 2_000 },
        },
      )
    }
    const none = await till(shop, `&to=${from}`)
    assert.deepEqual([none.paid_count, none.by_member], [0, []])
    const others = await awa.browser.get<{ code: string }>(`/v1/biz/till?member_id=${moussa.id}`)
    assert.deepEqual([others.status, others.body.code], [403, 'insufficient_role'])
    const reversed = await shop.get<{ code: string; param: string }>(`/v1/biz/till?from=2027-01-02T00:00:00Z&to=2027-01-01T00:00:00Z`)
    assert.deepEqual([reversed.status, reversed.body.code, reversed.body.param], [400, 'invalid_parameter', 'to'])
  })
})
