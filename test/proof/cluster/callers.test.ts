// Flows of callers over three nodes: every request goes to the next node, and the owner is killed in the middle of each flow.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Charge } from '../../../engine/contract/charge.ts'
import { Customer, openBillerSystem, openLookup, type PaidFor } from '../../support/bill-callers.ts'
import { DUE } from '../../support/bill-engine.ts'
import { OTP, openCharge, openPayer, PIN as WALLET_PIN } from '../../support/charge-callers.ts'
import { Client } from '../../support/client.ts'
import { ClusterServers } from '../../support/cluster-servers.ts'
import { newEmail, PASSWORD } from '../../support/dashboard-callers.ts'
import { brokenLinks, differingReads, rawPost } from '../../support/follower-requests.ts'
import { EventReader } from '../../support/open-stream.ts'
import { newDatabase, type PostgresPair, postgresMissing, startPair } from '../../support/postgres.ts'
import { askPage, cookieHeader, hidden, type RawAnswer, type RawRequest } from '../../support/raw-page.ts'
import { LOCALHOST_CERTIFICATE, Receiver } from '../../support/receiver.ts'
import { RoundRobin } from '../../support/round-robin.ts'
import { type Merchant, newKey, newTag, TestServer } from '../../support/server-fixture.ts'
import { OPERATOR_TOKEN, type ServerProcess } from '../../support/server-process.ts'
import { bearer, newLivePhone, newTestPhone, ok, PIN, type Session, signUp, TEST_OTP } from '../../support/wallet-callers.ts'
import { newEndpoint, until } from '../../support/webhook-callers.ts'
import { merchantStreamFlow } from './merchant-stream-flow.ts'

const NAMES = ['a', 'b', 'c']
const SETTINGS = {
  PROXY_HOPS: '1',
  OUTBOUND_ALLOW_PRIVATE: 'true',
  NODE_EXTRA_CA_CERTS: LOCALHOST_CERTIFICATE,
}

/** A flow up to the kill of the owner; the function that it returns goes on after the takeover. */
type Flow = () => Promise<() => Promise<void>>

describe('callers of a cluster whose owner is killed in the middle', { skip: postgresMissing() }, () => {
  let pair: PostgresPair
  let servers: ClusterServers
  let proxy: RoundRobin
  let server: TestServer
  let merchant: Merchant
  let webhooks: Receiver
  let system: Receiver
  let paidFor: PaidFor
  const rests = new Map<string, () => Promise<void>>()

  const ask = (path: string, more: RawRequest = {}): Promise<RawAnswer> => askPage(proxy.url, path, more)

  before(async () => {
    pair = await startPair()
    servers = new ClusterServers(pair.primary.url(await newDatabase(pair.primary)))
    await servers.start('a', SETTINGS)
    await servers.becomesOwner('a')
    await Promise.all([servers.start('b', SETTINGS), servers.start('c', SETTINGS)])
    proxy = await RoundRobin.open(NAMES.map((name) => servers.node(name).baseUrl))
    const attached = await TestServer.attached(proxy.url)
    server = attached
    merchant = await server.fundedMerchant(1_000_000)
    webhooks = await Receiver.open()
    system = await openBillerSystem()
    system.answering = ({ path }, response) => (path === '/lookup' ? response.end(JSON.stringify({ ok: true, ...DUE })) : response.end())
    paidFor = await openLookup(server, system)
    const flows: Record<string, Flow> = { code, ticket, checkout, dashboard, desk, quote, news: () => merchantStreamFlow(server, servers) }
    await Promise.all(Object.entries(flows).map(async ([name, flow]) => rests.set(name, await flow())))
    await servers.node('a').kill()
  })

  after(async () => {
    server?.anybody.close()
    proxy?.close()
    await webhooks?.close()
    await system?.close()
    await servers?.remove()
    await pair?.remove()
  })

  async function code(): Promise<() => Promise<void>> {
    const [phone, tag] = [newTestPhone(), newTag()]
    const started = await ok(server.anybody.post<{ challenge_id: string }>('/v1/auth/phone/start', { phone, purpose: 'signup' }))
    const { challenge_id } = started.body
    return async () => {
      const body = { phone, purpose: 'signup', challenge_id, code: TEST_OTP }
      const verified = await ok(server.anybody.post<{ signup_token: string }>('/v1/auth/phone/verify', body))
      const next = bearer(server.anybody, verified.body.signup_token)
      await ok(next.post('/v1/auth/identity/set', { family_name: 'Diallo', given_name: 'Awa' }))
      await ok(next.post('/v1/auth/tag/set', { tag: `@${tag}` }))
      const session = await ok(next.post<Session>('/v1/auth/pin/set', { pin: PIN, device: { id: 'one' } }))
      assert.equal(session.body.user.tag, tag)
      assert.equal((await bearer(server.anybody, session.body.access_token).get('/v1/me/balance')).status, 200)
    }
  }

  async function ticket(): Promise<() => Promise<void>> {
    const person = await signUp(server.anybody)
    const issue = async (): Promise<string> =>
      (await ok(person.client.post<{ ticket: string }>('/v1/me/events/ticket', undefined))).body.ticket
    const [first, second] = [await issue(), await issue()]
    const open = (query: string, name: string, lastEventId?: number): Promise<EventReader> =>
      EventReader.open({ baseUrl: servers.node(name).baseUrl, query, ...(lastEventId === undefined ? {} : { lastEventId }) })
    const pay = async (amount: number): Promise<void> =>
      void (await ok(merchant.test.post('/v1/biz/payouts', { recipient: person.tag, amount }, newKey())))
    const [atOwner, atFollower] = [await open(`?ticket=${first}`, 'a'), await open(`?ticket=${await issue()}`, 'b')]
    assert.deepEqual([atOwner.status, atFollower.status], [200, 200])
    await pay(1)
    await Promise.all([atOwner.until(2), atFollower.until(2)])
    return async () => {
      for (const name of ['b', 'c']) assert.equal((await open(`?ticket=${first}`, name)).status, 401, 'a used ticket stays used')
      const resumed = await open(`?ticket=${second}`, 'c', Number(atOwner.frames.at(-1)?.id))
      assert.equal(resumed.status, 200)
      await pay(2)
      await Promise.all([resumed.until(2), atFollower.until(4)])
      const whole = [...atOwner.frames, ...resumed.frames]
      assert.deepEqual(
        whole.map(({ id }) => id),
        atFollower.frames.map(({ id }) => id),
        'nothing is missing and nothing comes twice',
      )
      assert.equal((await open(`?ticket=${second}`, 'b')).status, 401)
      resumed.close()
      atFollower.close()
    }
  }

  async function checkout(): Promise<() => Promise<void>> {
    const payer = await openPayer(server, merchant, 10_000)
    const endpoint = await newEndpoint(merchant.test, webhooks.url('/charges'), ['charge.succeeded'])
    const charge: Charge = await openCharge(merchant, { amount: 700 })
    const path = `/pay/${charge.token}`
    assert.equal((await ask(path)).status, 200)
    const sent = await ask(`${path}/otp`, { form: { identifier: `@${payer.tag}` } })
    assert.equal(sent.status, 303)
    return async () => {
      const form = await ask(`/pay/${sent.location.replace('../', '')}`)
      const s = hidden(form.text, 's')
      const wrong = await ask(`${path}/pay`, { form: { s, otp: OTP, pin: '9999' } })
      assert.match((await ask(`/pay/${wrong.location.replace('../', '')}`)).text, /PIN/)
      const paid = await ask(`${path}/pay`, { form: { s: hidden(form.text, 's'), otp: OTP, pin: WALLET_PIN } })
      assert.equal(paid.status, 303)
      for (let round = 0; round < NAMES.length; round++) assert.deepEqual(JSON.parse((await ask(`${path}/status`)).text), { state: 'paid' })
      await until(() => webhooks.received.some(({ body }) => body.includes(charge.token)), `the webhook of ${endpoint.id}`)
    }
  }

  async function dashboard(): Promise<() => Promise<void>> {
    const signedUp = await ask('/dashboard/signup', { form: { merchant_name: 'Chez Awa', email: newEmail(), password: PASSWORD } })
    assert.equal(signedUp.status, 303, signedUp.text)
    const headers = cookieHeader(signedUp)
    const formPage = await ask('/dashboard/test/keys', { headers })
    assert.equal(formPage.status, 200)
    return async () => {
      const tag = await server.wallet(merchant)
      const act = async (path: string, more: Record<string, string>, from: RawAnswer): Promise<RawAnswer> => {
        const { text } = from
        return ask(path, { headers, form: { csrf: hidden(text, 'csrf'), key: hidden(text, 'key'), ...more } })
      }
      const key = await act('/dashboard/test/keys', { 'disbursements.write': 'yes' }, formPage)
      assert.match(key.text, /sk_test_/, `${key.status}`)
      const home = await ask('/dashboard/test', { headers })
      const funded = await act('/dashboard/test/test-deposits', { amount: '5000' }, home)
      assert.ok(funded.status === 303, `${funded.status} ${funded.text}`)
      const form = await ask('/dashboard/test/payouts/new', { headers })
      const checked = await act('/dashboard/test/payouts/new', { recipient: `@${tag}`, amount: '1200' }, form)
      const sent = await act('/dashboard/test/payouts', { recipient: `@${tag}`, amount: '1200', reference: '', note: '' }, checked)
      assert.equal(sent.status, 303, sent.text)
      for (let round = 0; round < NAMES.length; round++) {
        const csv = await ask('/dashboard/test/payouts.csv', { headers })
        assert.ok(csv.text.includes(tag) && csv.text.includes('1200'), csv.text)
      }
    }
  }

  async function desk(): Promise<() => Promise<void>> {
    const signedIn = await ask('/operator/login', { form: { token: OPERATOR_TOKEN } })
    const headers = cookieHeader(signedIn)
    const page = await ask(`/operator/funding?account=${merchant.id}&environment=test`, { headers })
    const csrf = hidden(page.text, 'csrf')
    const form = { csrf, key: hidden(page.text, 'key'), kind: 'deposit', environment: 'test', account: merchant.id, amount: '4321' }
    const checked = await ask('/operator/funding/check', { headers, form })
    const s = new URL(checked.location, 'http://x/').searchParams.get('s') ?? ''
    return async () => {
      const confirmed = await ask('/operator/funding/confirm', { headers, form: { csrf, s } })
      assert.equal(confirmed.status, 303)
      for (let round = 0; round < NAMES.length; round++)
        assert.match((await ask(`/operator/funding/${confirmed.location}`, { headers })).text, /Effectué\./)
      assert.equal((await ask('/operator/logout', { headers, form: { csrf } })).status, 303)
      for (let round = 0; round < NAMES.length; round++) assert.equal((await ask('/operator', { headers })).status, 303)
    }
  }

  async function quote(): Promise<() => Promise<void>> {
    const customer = await Customer.open(server, paidFor)
    const quoted = await ok(customer.quote())
    return async () => {
      const before = await customer.balance()
      const body = { quote_id: quoted.body.id }
      const key = newKey()
      const paid = await ok(customer.pay('facture', body, key))
      assert.equal((await customer.pay('facture', body, key)).text, paid.text)
      assert.equal((await customer.pay('facture', body)).status, 409, 'a quote is used once')
      assert.ok((await customer.balance()) < before)
    }
  }

  const goOn = (name: string): Promise<void> => (rests.get(name) as () => Promise<void>)()

  it('a one-time code that was sent before the kill signs a wallet up after it', () => goOn('code'))
  it('a ticket opens one stream at any node, and a stream resumes at another node without a gap', () => goOn('ticket'))
  it('a payment page goes on after the kill, and its webhook arrives', () => goOn('checkout'))
  it('a dashboard session makes a key, pays and exports at every node', () => goOn('dashboard'))
  it('a merchant’s stream at a follower misses nothing over the kill, and ends at the logout', () => goOn('news'))
  it('a session of the operator confirms a deposit after the kill, and its end holds at every node', () => goOn('desk'))
  it('a quote of one node is paid at another, once', () => goOn('quote'))

  async function follower(): Promise<ServerProcess> {
    const healths = await Promise.all(['b', 'c'].map(async (name) => ({ name, role: (await servers.health(name))?.role })))
    return servers.node(healths.find(({ role }) => role === 'follower')?.name ?? '')
  }

  it('a follower forwards the address of the caller, and a code is found from that address alone', async () => {
    const nodes = await Promise.all(['b', 'c'].map((name) => Client.to(servers.node(name).baseUrl)))
    const [one, other] = nodes as [Client, Client]
    const phone = newTestPhone()
    const from = (client: Client, address: string): Client => client.with({ 'x-forwarded-for': address })
    await ok(from(one, '41.82.7.9').post('/v1/auth/phone/start', { phone, purpose: 'signup' }))
    const body = { phone, purpose: 'signup', code: TEST_OTP }
    assert.equal((await from(other, '41.82.9.1').post('/v1/auth/phone/verify', body)).status, 401)
    await ok(from(other, '41.82.7.9').post('/v1/auth/phone/verify', body))
    for (const client of nodes) client.close()
  })

  it('a follower rejects a seal that no node made, and does not forward the request', async () => {
    const { port } = await follower()
    const forged = `${Date.now()}.AAAAAAAAAAAAAAAA.1.${'A'.repeat(100)}`
    for (const name of ['b', 'c']) {
      const path = '/v1/auth/phone/start'
      const headers = { 'content-type': 'application/json', 'cauri-node': forged }
      const answer = await rawPost({ port: servers.node(name).port, path, headers, body: '{}' })
      assert.match(answer, /^HTTP\/1\.1 400 /)
      assert.match(answer, /"param":"Cauri-Node"/)
    }
    const node = await rawPost({ port, path: '/node/commands', headers: { 'content-type': 'application/json' }, body: '{"mailbox":0}' })
    assert.match(node, /^HTTP\/1\.1 404 /, 'a command of nodes is not forwarded for a caller')
  })

  it('a follower forwards header values beyond ASCII, a large form of a new session and no body beyond the maximum', async () => {
    const { port, baseUrl } = await follower()
    const client = await Client.to(baseUrl)
    const atFollower = merchant.test.at(client)
    const utf8 = Buffer.from('é€').toString('latin1')
    const headers = { 'content-type': 'application/json', 'x-odd': utf8, 'user-agent': `${utf8} \xff`, 'idempotency-key': `a${utf8}b` }
    const answer = await rawPost({ port, path: '/v1/biz/payouts', headers, body: '{}' })
    assert.match(answer, /^HTTP\/1\.1 401 /)
    assert.equal(answer.match(/^date:/gim)?.length, 1, 'the answer has each header of this node once')
    const large = { recipient: 'x', amount: 1, note: 'x'.repeat(1024 * 1024) }
    assert.equal((await atFollower.post('/v1/biz/payouts', large, newKey())).status, 413)
    const signedUp = await askPage(baseUrl, '/dashboard/signup', {
      form: { merchant_name: 'Boutique', email: newEmail(), password: PASSWORD },
    })
    const cookies = cookieHeader(signedUp)
    const csrf = hidden((await askPage(baseUrl, '/dashboard/test/keys', { headers: cookies })).text, 'csrf')
    const form = { csrf, key: 'x', label: 'x'.repeat(100_000) }
    assert.equal((await askPage(baseUrl, '/dashboard/test/keys', { headers: cookies, form })).status, 400, 'the owner has read the form')
    const origin = { ...cookies, host: 'pay.example', origin: 'https://pay.example', 'sec-fetch-site': 'same-origin' }
    assert.notEqual((await askPage(baseUrl, '/dashboard/test/keys', { headers: origin, form })).status, 403)
    client.close()
  })

  it('every GET of the API and every page answers at a follower as at the owner', async () => {
    const { baseUrl } = await follower()
    const person = await signUp(server.anybody)
    const signedUp = await ask('/dashboard/signup', { form: { merchant_name: 'Boutique', email: newEmail(), password: PASSWORD } })
    const { cookie } = cookieHeader(signedUp)
    const deskCookie = cookieHeader(await ask('/operator/login', { form: { token: OPERATOR_TOKEN } })).cookie
    const wanted = { environment: 'test', scopes: ['disbursements.write', 'billers.write'] }
    const key = await ok(server.operator.post<Record<string, string>>(`/v1/operator/merchants/${merchant.id}/api-keys`, wanted))
    const credentials = {
      '/v1/biz': { 'x-api-key': String(key.body.public_key), 'x-api-secret': String(key.body.secret_key) },
      '/v1/me': { authorization: `Bearer ${person.accessToken}` },
      '/v1/operator': { authorization: `Bearer ${OPERATOR_TOKEN}` },
      '/v1/dashboard': { cookie },
    }
    const others = ['b', 'c'].map((name) => servers.node(name).baseUrl)
    assert.deepEqual(await differingReads(baseUrl, others.find((url) => url !== baseUrl) ?? '', credentials), [])
    assert.deepEqual(await brokenLinks(baseUrl, '/dashboard/test', cookie), [])
    assert.deepEqual(await brokenLinks(baseUrl, '/operator', deskCookie), [])
  })

  it('the development pages of a follower show the owner’s messages, and their stream is ended there', async () => {
    const { port, baseUrl } = await follower()
    const phone = newLivePhone()
    await ok(server.anybody.post('/v1/auth/phone/start', { phone, purpose: 'signup' }))
    const headers = { host: `localhost:${port}` }
    assert.ok((await askPage(baseUrl, '/dev', { headers })).text.includes(phone))
    assert.equal((await askPage(baseUrl, '/dev/phone', { headers })).status, 200)
    assert.equal((await askPage(baseUrl, '/dev/news', { headers })).status, 204)
    assert.equal((await askPage(baseUrl, '/dev', { headers: { ...headers, 'x-forwarded-for': '127.0.0.1' } })).status, 403)
  })

  it('every node that is up answered requests', () => {
    for (const name of NAMES) assert.ok((proxy.counts.get(servers.node(name).baseUrl) ?? 0) > 10, name)
  })
})
