// The logo of a merchant over HTTP: customers see it once an operator has approved it, and never another one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Checkout } from '../../../../engine/contract/checkout.ts'
import type { MerchantAccount, MerchantLogoChange } from '../../../../engine/contract/merchant-account.ts'
import { fetched, form, said } from '../../../support/biller-callers.ts'
import { type Owner, signUp } from '../../../support/dashboard-callers.ts'
import { mailed } from '../../../support/mailed.ts'
import { joined } from '../../../support/member-callers.ts'
import { jpeg, png, webpLossy } from '../../../support/pictures.ts'
import type { TestServer } from '../../../support/server-fixture.ts'
import { sharedServer } from '../../../support/shared-server.ts'
import { ok } from '../../../support/wallet-callers.ts'

const PATH = '/v1/dashboard/account'

const send = ({ browser }: Pick<Owner, 'browser'>, content: Buffer | string) =>
  browser.request<MerchantAccount>('POST', `${PATH}/logo`, form([{ name: 'file', content, fileName: 'logo.png' }]))
const remove = async ({ browser }: Owner): Promise<MerchantAccount> =>
  (await ok(browser.request<MerchantAccount>('DELETE', `${PATH}/logo`))).body
const logosOf = ({ logo_url, logo_change }: MerchantAccount) => [logo_url, logo_change?.state, logo_change?.logo_url]
const read = async ({ browser }: Owner) => logosOf((await ok(browser.get<MerchantAccount>(PATH))).body)
const waitingUrl = ({ logo_change }: MerchantAccount): string => logo_change?.logo_url ?? ''
const statusOf = async (server: TestServer, url: string): Promise<number> => (await fetched(server, new URL(url).pathname)).status

async function decide(server: TestServer, { merchantId }: Owner, verb: 'approve' | 'refuse', json: object) {
  return said(await server.operator.post(`/v1/operator/merchants/${merchantId}/logo/${verb}`, json))
}

async function waiting(server: TestServer, { merchantId }: Owner): Promise<MerchantLogoChange | undefined> {
  const { data } = (await ok(server.operator.get<{ data: MerchantLogoChange[] }>('/v1/operator/logo-changes?limit=100'))).body
  return data.find(({ merchant_id }) => merchant_id === merchantId)
}

/** What a customer gets before it pays: over the API, and the picture on the page. */
async function shownTo(server: TestServer, { merchantId }: Owner) {
  const key = await server.keyed(merchantId, 'test', [])
  const { token } = (await ok(key.post<{ token: string }>('/v1/biz/charges', { amount: 10 }))).body
  const { merchant_logo_url, merchant_address } = (await ok(server.anybody.get<Checkout>(`/v1/biz/checkout/${token}`))).body
  const page = (await fetched(server, `/pay/${token}`)).bytes.toString('utf8')
  return { url: merchant_logo_url, address: merchant_address, picture: /logos\/([0-9a-f]{64}\.\w+)"/.exec(page)?.[1] ?? null, page }
}

test('customers see a logo once an operator has approved the one that it saw, and the owner is told', async () => {
  const server = await sharedServer()
  const owner = await signUp(server, 'Boutique Awa')
  const first = waitingUrl((await ok(send(owner, png(256)))).body)
  assert.deepEqual(await read(owner), [null, 'requested', first])
  const before = await shownTo(server, owner)
  assert.deepEqual([before.url, before.picture], [null, null])
  const row = await waiting(server, owner)
  assert.deepEqual([row?.merchant_name, row?.shown_logo_url, row?.logo_url], ['Boutique Awa', null, first])
  const second = waitingUrl((await ok(send(owner, jpeg(300)))).body)
  assert.equal(await statusOf(server, first), 404, 'what another one replaced is served no more')
  assert.deepEqual((await decide(server, owner, 'approve', { logo_url: first })).slice(0, 2), [409, 'request_not_open'])
  assert.equal((await decide(server, owner, 'approve', { logo_url: second }))[0], 200)
  assert.deepEqual(await read(owner), [second, undefined, undefined])
  const after = await shownTo(server, owner)
  assert.deepEqual([after.url, after.picture], [second, second.split('/').at(-1)])
  assert.equal(await waiting(server, owner), undefined)
  assert.match(await mailed(server, owner.email, 'Votre logo est accepté'), /dashboard\/live\/account/)
  const served = await fetched(server, new URL(second).pathname)
  assert.ok(served.bytes.equals(jpeg(300)))
  assert.deepEqual(
    [served.headers['content-type'], served.headers['x-content-type-options'], served.headers['content-security-policy']],
    ['image/jpeg', 'nosniff', "default-src 'none'; sandbox"],
  )
})

test('a refused logo leaves the one before, is served no more, and its reason reaches the owner, the audit and the timeline', async () => {
  const server = await sharedServer()
  const owner = await signUp(server, 'Boutique Binta')
  assert.deepEqual((await decide(server, owner, 'refuse', { reason: 'Rien' })).slice(0, 2), [409, 'request_not_open'])
  await ok(send(owner, png(199)))
  await decide(server, owner, 'refuse', { reason: 'Illisible.' })
  assert.match(await mailed(server, owner.email, 'Votre logo est refusé'), /Motif : Illisible/)
  const shown = waitingUrl((await ok(send(owner, png(200)))).body)
  await decide(server, owner, 'approve', { logo_url: shown })
  const refused = waitingUrl((await ok(send(owner, png(201)))).body)
  await decide(server, owner, 'refuse', { reason: 'Le logo d’Orange Money.' })
  assert.deepEqual(await read(owner), [shown, 'refused', null])
  assert.deepEqual([await statusOf(server, refused), await statusOf(server, shown)], [404, 200])
  assert.equal((await shownTo(server, owner)).url, shown)
  const path = `/v1/operator/merchants/${owner.merchantId}/timeline?environment=live`
  const timeline = (await ok(server.operator.get<{ data: { summary: string }[] }>(path))).body.data.map(({ summary }) => summary)
  assert.ok(timeline.some((summary) => summary.startsWith('Logo d’un marchand refusé')) && timeline.includes('Logo envoyé ou retiré'))
  const activity = '/v1/dashboard/activity?action=logo.set'
  assert.equal((await ok(owner.browser.get<{ data: object[] }>(activity))).body.data.length, 3)
  assert.deepEqual(logosOf(await remove(owner)), [null, undefined, undefined])
  assert.equal(await statusOf(server, shown), 404)
})

test('the logo that customers see withdraws what waits, and the same logo waits once', async () => {
  const server = await sharedServer()
  const owner = await signUp(server, 'Boutique Coumba')
  const shown = waitingUrl((await ok(send(owner, png(210)))).body)
  await decide(server, owner, 'approve', { logo_url: shown })
  const { logo_change } = (await ok(send(owner, png(211)))).body
  assert.deepEqual((await ok(send(owner, png(211)))).body.logo_change, logo_change)
  assert.deepEqual(logosOf((await ok(send(owner, png(210)))).body), [shown, undefined, undefined])
  assert.deepEqual(logosOf((await ok(send(owner, png(210)))).body), [shown, undefined, undefined])
})

test('only a small square PNG or JPEG of an owner is taken, and customers read the address', async () => {
  const server = await sharedServer()
  const owner = await signUp(server, 'Boutique Diarra')
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200"><script>alert(1)</script></svg>'
  const rows: readonly (readonly [Buffer | string, number, string])[] = [
    ['', 400, 'logo_required'],
    [svg, 400, 'invalid_logo_format'],
    ['GIF89a', 400, 'invalid_logo_format'],
    [webpLossy(200), 400, 'invalid_logo_format'],
    [png(1025), 400, 'invalid_logo_format'],
    [png(200, 201), 400, 'logo_not_square'],
    [png(127), 400, 'logo_too_small'],
    [png(200, 200, 32_769), 413, 'logo_too_large'],
  ]
  for (const [content, status, code] of rows) assert.deepEqual(said(await send(owner, content)), [status, code, 'file'], code)
  assert.equal((await send(owner, png(200, 200, 900_000))).status, 413)
  assert.deepEqual(await read(owner), [null, undefined, undefined])
  const manager = await joined(server, owner, 'manager')
  assert.deepEqual(said(await send(manager, png(200))).slice(0, 2), [403, 'insufficient_role'])
  await ok(owner.browser.request('PUT', PATH, { json: { address: '5 avenue <b>Pasteur</b>, Dakar' } }))
  const { address, page } = await shownTo(server, owner)
  assert.equal(address, '5 avenue <b>Pasteur</b>, Dakar')
  assert.match(page, /<p class="shop"><bdi>5 avenue &lt;b&gt;Pasteur&lt;\/b&gt;, Dakar<\/bdi><\/p>/)
})
