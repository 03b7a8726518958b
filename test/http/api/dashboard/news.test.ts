// News of members over HTTP: what happened in live, counted on every page until the member has read it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NEWS_MAX, type News, type NewsRead } from '../../../../engine/contract/news.ts'
import type { Client } from '../../../support/client.ts'
import { type Owner, signUp } from '../../../support/dashboard-callers.ts'
import { hiddenOf, plainText } from '../../../support/dashboard-shop.ts'
import { joined } from '../../../support/member-callers.ts'
import { askPage } from '../../../support/raw-page.ts'
import { newKey, type TestServer } from '../../../support/server-fixture.ts'
import { sharedServer } from '../../../support/shared-server.ts'
import { ok } from '../../../support/wallet-callers.ts'

const PATH = '/v1/dashboard/news'

const newsOf = async ({ browser }: { browser: Client }): Promise<News> => (await ok(browser.get<News>(PATH))).body
const read = async ({ browser }: { browser: Client }, mark: string): Promise<NewsRead> =>
  (await ok(browser.request<NewsRead>('PUT', PATH, { json: { mark } }))).body

/** Requests a top-up in live and has an operator refuse it: one event of a notice. */
async function refusedTopUp(server: TestServer, owner: Owner, amount: number): Promise<string> {
  const live = await server.keyed(owner.merchantId, 'live', [])
  const { id } = (await ok(live.post<{ id: string }>('/v1/biz/top-ups', { amount }))).body
  await ok(server.operator.post(`/v1/operator/top-ups/${id}/refuse`, { reason: 'Rien reçu' }, newKey()))
  return id
}

test('each member reads the news for itself, newest first, each with its page; what came later stays unread', async () => {
  const server = await sharedServer()
  const owner = await signUp(server)
  assert.deepEqual(await newsOf(owner), { unread_count: 0, mark: '0-0', data: [] })
  const [first, second] = [await refusedTopUp(server, owner, 1000), await refusedTopUp(server, owner, 2000)]
  const other = await joined(server, owner, 'manager')
  const seen = await newsOf(owner)
  assert.deepEqual(
    seen.data.map(({ type, page, is_read }) => [type, page, is_read]),
    [
      ['top_up.refused', `top-ups/${second}`, false],
      ['top_up.refused', `top-ups/${first}`, false],
    ],
  )
  assert.match(seen.data[0]?.summary ?? '', /^Votre approvisionnement de 2.000.F.CFA est refusé\. Motif : Rien reçu$/)
  assert.equal(seen.unread_count, 2)
  assert.equal((await newsOf(other)).unread_count, 0, 'what happened before a member joined is no news to it')
  await refusedTopUp(server, owner, 3000)
  assert.deepEqual(await read(owner, seen.mark), { unread_count: 1 })
  assert.deepEqual(await read(owner, '0-0'), { unread_count: 1 }, 'what was read stays read')
  assert.deepEqual(
    (await newsOf(owner)).data.map(({ is_read }) => is_read),
    [false, true, true],
  )
  assert.equal((await newsOf(other)).unread_count, 1)
  assert.deepEqual(await read(owner, '999999-999999'), { unread_count: 0 })
  await refusedTopUp(server, owner, 4000)
  assert.equal((await newsOf(owner)).unread_count, 1, 'a mark beyond what there is reads nothing ahead')
  assert.equal((await owner.browser.request('PUT', PATH, { json: { mark: 'all' } })).status, 400)
})

test('the last news are kept, in the language of the reader, and a cashier sees none of the merchant', async () => {
  const server = await sharedServer()
  const owner = await signUp(server)
  for (let at = 0; at <= NEWS_MAX; at++) await refusedTopUp(server, owner, 100 + at)
  const { unread_count, data, mark } = await newsOf(owner)
  assert.deepEqual([unread_count, data.length, mark], [NEWS_MAX, NEWS_MAX, `${NEWS_MAX + 1}-0`])
  const english = (await ok(owner.browser.get<News>(PATH, { headers: { 'accept-language': 'en' } }))).body
  assert.match(english.data[0]?.summary ?? '', /was refused\. Reason: Rien reçu$/)
  const cashier = await joined(server, owner, 'cashier')
  assert.deepEqual(await newsOf(cashier), { unread_count: 0, mark: '0-0', data: [] })
})

test('the bell of every page counts what is unread, without a script, until its page is marked as read', async () => {
  const server = await sharedServer()
  const owner = await signUp(server)
  const page = (path: string) => askPage(server.process.baseUrl, `/dashboard/test/${path}`, { headers: { cookie: owner.cookie } })
  assert.match((await page('charges')).text, /class="bell"[^>]*aria-label="Nouvelles : tout est lu"/)
  const id = await refusedTopUp(server, owner, 7000)
  for (const path of ['charges', 'security'])
    assert.match((await page(path)).text, /class="bell"[^>]*aria-label="Nouvelles : 1 non lue"[\s\S]*<b aria-hidden="true">1<\/b>/)
  const { text } = await page('notices/received')
  assert.match(plainText(text), /Non lu Votre approvisionnement de 7 000 F CFA est refusé/)
  assert.ok(text.includes(`dashboard/live/top-ups/${id}"`), 'the news lead to the page in live')
  const form = hiddenOf(text, 'notices/received')
  const headers = { cookie: owner.cookie, origin: server.process.baseUrl }
  const sent = await askPage(server.process.baseUrl, '/dashboard/test/notices/received', { headers, form })
  assert.match(sent.location, /notices\/received\?ok=news_read$/)
  assert.match((await page('notices/received')).text, /aria-label="Nouvelles : tout est lu"/)
})
