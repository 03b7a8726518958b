// A browser's own EventSource reads the stream: what the HTML standard says of it is what we send.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { sharedBrowser } from '../../../support/browser.ts'
import { type Merchant, newKey, type TestServer } from '../../../support/server-fixture.ts'
import { sharedServer } from '../../../support/shared-server.ts'
import { ok, type Person, signUp } from '../../../support/wallet-callers.ts'

let server: TestServer
let browser: Browser
let merchant: Merchant

before(async () => {
  server = await sharedServer()
  browser = await sharedBrowser()
  merchant = await server.fundedMerchant(1000)
})

interface Seen {
  readonly type: string
  readonly lastEventId: string
  readonly data: { readonly id: number; readonly type: string }
}

/** Runs in the page: opens the stream, and keeps what comes under `seen`. */
function listen(page: Page, query: string): Promise<void> {
  return page.evaluate(`new Promise((resolve, reject) => {
    window.seen = []
    window.source = new EventSource('/v1/me/events?${query}')
    for (const type of ['payment.received', 'balance.updated', 'stream.reset'])
      source.addEventListener(type, ({ lastEventId, data }) => seen.push({ type, lastEventId, data: JSON.parse(data) }))
    source.onmessage = ({ data }) => seen.push({ type: 'message', data })
    source.onopen = () => resolve()
    source.onerror = () => reject(new Error('refused'))
  })`)
}

async function seenBy(page: Page, count: number): Promise<Seen[]> {
  await page.waitForFunction(`seen.length >= ${count}`)
  return (await page.evaluate('seen')) as Seen[]
}

const ticketOf = async ({ client }: Person): Promise<string> =>
  (await ok(client.post<{ ticket: string }>('/v1/me/events/ticket', undefined))).body.ticket

test('frames arrive under their names with their ids, and a second ticket goes on where the first ended', async () => {
  const awa = await signUp(server.anybody)
  const payAwa = () => ok(merchant.test.post('/v1/biz/payouts', { recipient: awa.tag, amount: 1 }, newKey()))
  const page = await browser.newPage()
  // A page of the same origin that has no policy of its own.
  await page.goto(`${server.process.baseUrl}/healthz`)
  const ticket = await ticketOf(awa)
  await listen(page, `ticket=${ticket}`)
  await payAwa()
  const first = await seenBy(page, 2)
  assert.deepEqual(
    first.map(({ type, lastEventId, data }) => [type, lastEventId, data.id, data.type]),
    [
      ['payment.received', '1', 1, 'payment.received'],
      ['balance.updated', '2', 2, 'balance.updated'],
    ],
  )
  await page.evaluate('source.close()')
  await payAwa()
  await assert.rejects(listen(page, `ticket=${ticket}`), /refused/)
  await listen(page, `ticket=${await ticketOf(awa)}&last_event_id=${first.at(-1)?.lastEventId}`)
  assert.deepEqual(
    (await seenBy(page, 2)).map(({ lastEventId }) => lastEventId),
    ['3', '4'],
  )
  await page.close()
})
