// Pages of a merchant's dashboard, requested as a program does: mandates, security, first steps, and the chart of the home page.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openPayer, type Payer, PIN } from '../support/charge-callers.ts'
import { newEmail, type Owner, signUp } from '../support/dashboard-callers.ts'
import { askPage, type RawAnswer } from '../support/raw-page.ts'
import { TestServer } from '../support/server-fixture.ts'

let server: TestServer
let baseUrl: string
let payer: Payer

before(async () => {
  server = await TestServer.open()
  baseUrl = server.process.baseUrl
  payer = await openPayer(server, await server.merchant(), 20_000)
})

after(() => server?.close())

function page(owner: Pick<Owner, 'cookie'>, path: string, environment = 'test'): Promise<RawAnswer> {
  return askPage(baseUrl, `/dashboard/${environment}/${path}`.replace(/\/$/, ''), { headers: { cookie: owner.cookie } })
}

function send(owner: Owner, path: string, form: Readonly<Record<string, string>>): Promise<RawAnswer> {
  const headers = { cookie: owner.cookie, origin: baseUrl }
  return askPage(baseUrl, `/dashboard/test/${path}`, { headers, form: { csrf: owner.csrfToken, key: `form-${newEmail()}`, ...form } })
}

const plain = (text: string): string => text.replaceAll(/[\u00a0\u202f]/g, ' ')

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
