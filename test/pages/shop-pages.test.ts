// Pages of a merchant's dashboard, requested as a program does: mandates, security, first steps, and the chart of the home page.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { scaleFor } from '../../http/pages/dashboard/overview/chart.ts'
import { openPayer, type Payer, PIN } from '../support/charge-callers.ts'
import { newEmail, type Owner, signUp } from '../support/dashboard-callers.ts'
import { joined } from '../support/member-callers.ts'
import { askPage, cookieHeader, type RawAnswer } from '../support/raw-page.ts'
import type { TestServer } from '../support/server-fixture.ts'
import { sharedServer } from '../support/shared-server.ts'

let server: TestServer
let baseUrl: string
let payer: Payer

before(async () => {
  server = await sharedServer()
  baseUrl = server.process.baseUrl
  payer = await openPayer(server, await server.merchant(), 20_000)
})

function page(owner: Pick<Owner, 'cookie'>, path: string, environment = 'test'): Promise<RawAnswer> {
  return askPage(baseUrl, `/dashboard/${environment}/${path}`.replace(/\/$/, ''), { headers: { cookie: owner.cookie } })
}

function send(owner: Owner, path: string, form: Readonly<Record<string, string>>): Promise<RawAnswer> {
  const headers = { cookie: owner.cookie, origin: baseUrl }
  return askPage(baseUrl, `/dashboard/test/${path}`, { headers, form: { csrf: owner.csrfToken, key: `form-${newEmail()}`, ...form } })
}

const plain = (text: string): string => text.replaceAll(/[\u00a0\u202f]/g, ' ')

describe('the home page', () => {
  test('a new owner sees the first steps, each is marked when it is done, and the list can be dismissed', async () => {
    const owner = await signUp(server)
    const first = (await page(owner, '')).text
    assert.ok(first.includes('Premiers pas') && first.includes('1 sur 6'), 'this server activates at sign-up')
    await send(owner, 'charges/new', { amount: '500' })
    assert.match((await page(owner, '')).text, /2 sur 6[\s\S]*Demander un premier paiement<\/span> <span class="badge is-good">Fait/)
    const hidden = await send(owner, 'first-steps/dismiss', {})
    const { cookie } = cookieHeader(hidden)
    assert.ok(!(await page({ cookie: `${owner.cookie}; ${cookie}` }, '')).text.includes('Premiers pas'))
    const other = await signUp(server)
    assert.ok(
      (await page({ cookie: `${other.cookie}; ${cookie}` }, '')).text.includes('Premiers pas'),
      'another merchant still sees its own',
    )
  })

  test('members who are no owners see no first steps', async () => {
    const cashier = await joined(server, await signUp(server), 'cashier')
    assert.ok(!(await page(cashier, '')).text.includes('Premiers pas'))
  })

  test('the chart has an axis with its unit, figures of each day and an empty state', async () => {
    const owner = await signUp(server)
    assert.match((await page(owner, '')).text, /Aucun mouvement pour le moment/)
    await send(owner, 'test-deposits', { amount: '10000' })
    await send(owner, 'payouts', { recipient: payer.tag, amount: '1500', confirmed: 'yes' })
    const shown = plain((await page(owner, '')).text)
    assert.match(shown, /en F CFA par jour[\s\S]*<text class="tick"[^>]*>1,5 k<\/text>/)
    assert.match(shown, /<a class="day" href="[^"]*transactions\?from=\d{4}-\d\d-\d\d[^>]*versé 1 500 F CFA/)
    assert.match(shown, /Les mêmes chiffres en tableau/)
  })

  test('the axis ends at a round number that no bar exceeds', () => {
    const rows = [
      [0, 1],
      [1, 1],
      [7, 8],
      [1500, 1500],
      [641_000, 800_000],
      [999_999_999, 1_000_000_000],
    ] as const
    for (const [amount, most] of rows) assert.equal(scaleFor(amount).most, most, String(amount))
  })
})

describe('mandates', () => {
  const idIn = ({ location }: RawAnswer): string => /mandates\/([0-9a-f-]{36})/.exec(location)?.[1] ?? ''

  test('a merchant asks for a mandate, sees its state and payments, and cancels it', async () => {
    const owner = await signUp(server)
    assert.match((await page(owner, 'mandates')).text, /Aucune autorisation de prélèvement pour le moment/)
    const asked = await send(owner, 'mandates/new', {
      customer_tag: `@${payer.tag}`,
      interval: 'monthly',
      amount: '5 000',
      reference: 'BAIL-7',
    })
    const id = idIn(asked)
    const pending = (await page(owner, `mandates/${id}`)).text
    assert.ok(pending.includes('En attente du client') && pending.includes('Lien d’accord à envoyer au client'))
    assert.equal((await payer.app.post(`/v1/me/mandates/${id}/approve`, { pin: PIN })).status, 200)
    const active = plain((await page(owner, `mandates/${id}`)).text)
    assert.match(active, /Active[\s\S]*Prochaine fois[\s\S]*Payé[\s\S]*BAIL-7/)
    assert.match(
      plain((await page(owner, 'mandates?state=active')).text),
      new RegExp(`@${payer.tag}[\\s\\S]*5 000 F CFA[\\s\\S]*Chaque mois`),
    )
    assert.match((await send(owner, `mandates/${id}/cancel`, {})).location, /mandate_cancelled$/)
    assert.match((await page(owner, `mandates/${id}`)).text, /Annulée/)
    assert.match((await page(owner, 'mandates.csv')).text, /BAIL-7/)
  })

  test('payments that the merchant asks for are refused above the limit, and each reason is shown', async () => {
    const owner = await signUp(server)
    const form = { customer_tag: payer.tag, interval: 'on_demand', max_amount: '9000' }
    const id = idIn(await send(owner, 'mandates/new', form))
    assert.equal((await payer.app.post(`/v1/me/mandates/${id}/approve`, { pin: PIN })).status, 200)
    assert.match(plain((await page(owner, `mandates/${id}`)).text), /9 000 F CFA<\/span> au plus/)
    assert.equal((await send(owner, `mandates/${id}/charge`, { amount: '9001', reference: '' })).status, 409)
    assert.match((await send(owner, `mandates/${id}/charge`, { amount: '1500', reference: 'EAU' })).location, /mandate_charged$/)
    assert.match(plain((await page(owner, `mandates/${id}`)).text), /1 500 F CFA[\s\S]*Payé[\s\S]*EAU/)
  })

  test('the form says what is missing and keeps what was typed', async () => {
    const owner = await signUp(server)
    const empty = await send(owner, 'mandates/new', { customer_tag: payer.tag, interval: 'weekly', description: 'Cotisation' })
    assert.deepEqual([empty.status, /id="amount-error"/.test(empty.text), /Cotisation/.test(empty.text)], [400, true, true])
    const unknown = await send(owner, 'mandates/new', { customer_tag: 'personne_ici', interval: 'weekly', amount: '10' })
    assert.ok(unknown.text.includes('id="customer_tag-error"'))
    assert.equal((await page(owner, 'mandates/01965c1e-7a2b-7c3d-8e4f-5a6b7c8d9e0f')).status, 404)
  })
})

test('a page without a session gets no stream', async () => {
  assert.equal((await askPage(baseUrl, '/dashboard/test/news')).status, 204)
  const { cookie } = await signUp(server)
  const foreign = await askPage(baseUrl, '/dashboard/test/news', { headers: { cookie, 'sec-fetch-site': 'cross-site' } })
  assert.equal(foreign.status, 403)
  assert.equal((await askPage(baseUrl, '/dashboard/other/news', { headers: { cookie } })).status, 204)
})
