// Money in and out on the pages, without a script: a shop announces a top-up, the desk credits it, the shop withdraws, the
// desk refuses with a reason; a merchant asks for its activation and gets it.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { signUp } from '../support/dashboard-callers.ts'
import { type DeskSession, deskSession } from '../support/operator-steps.ts'
import { askPage, hidden, type RawAnswer, type RawRequest } from '../support/raw-page.ts'
import { TestServer } from '../support/server-fixture.ts'

let server: TestServer
let desk: DeskSession

before(async () => {
  server = await TestServer.open({ settings: { SIGNUP: 'approval' } })
  desk = await deskSession(server)
})

after(async () => {
  await server?.close()
})

const ask = (path: string, more: RawRequest = {}): Promise<RawAnswer> => askPage(server.process.baseUrl, path, more)
const DESTINATION = { kind: 'bank', name: 'Boutique Awa', account: 'SN08SN0100152000048500003035' }

/** The key of the form that leads to an address that ends so. */
function keyOf(text: string, action: string): string {
  const start = text.indexOf('<form', text.indexOf(`${action}"`) - 200)
  return hidden(text.slice(start), 'key')
}

test('a shop activates itself, puts money in and takes money out, and sees every reason', async () => {
  const { cookie, csrfToken: csrf, merchantId } = await signUp(server, 'Chez Awa')
  const headers = { cookie }
  const shop = (path: string): Promise<RawAnswer> => ask(`/dashboard/live/${path}`, { headers })
  const send = async (path: string, form: Record<string, string>): Promise<RawAnswer> =>
    ask(`/dashboard/live/${path}`, { headers, form: { csrf, ...form } })
  const decide = async (path: string, form: Record<string, string> = {}): Promise<string> => {
    const page = await ask('/operator/requests', { headers: desk.headers })
    assert.match(page.text, /Chez Awa/)
    const key = keyOf(page.text, path)
    const answer = await ask(`/operator/requests/${path}`, { headers: desk.headers, form: { csrf: desk.csrf, key, ...form } })
    return answer.location
  }

  assert.match((await shop('top-ups')).text, /avant l’activation/)
  const stopped = await send('top-ups/new', { key: 'stopped', amount: '5000', reference: '' })
  assert.deepEqual([stopped.status, /pas encore activé/.test(stopped.text)], [400, true])
  const details = { legal_name: 'Awa SARL', registration_number: 'SN-1', address: 'Dakar', contact_name: 'Awa', activity: 'Tissus' }
  const wrong = await send('activation', { key: 'a1', ...details, contact_phone: '77' })
  assert.deepEqual([wrong.status, /Awa SARL/.test(wrong.text)], [400, true], 'what was typed stays')
  const sent = await send('activation', { key: 'a2', ...details, contact_phone: '+221 77 000 00 01' })
  assert.match(sent.location, /activation\?ok=activation_requested$/)
  assert.match(await decide(`activations/${merchantId}/activate`), /requests$/)
  assert.match((await shop('activation')).text, /peut recevoir et envoyer/)

  const announced = await send('top-ups/new', { key: 't1', amount: '12 500', reference: 'Appro' })
  const topUp = /top-ups\/([0-9a-f-]{36})\?ok=top_up_created$/.exec(announced.location)?.[1] ?? ''
  const payment = /[2-9A-Z]{4}-[2-9A-Z]{4}/.exec((await shop(`top-ups/${topUp}`)).text)?.[0] ?? ''
  assert.match((await ask('/operator/requests', { headers: desk.headers })).text, new RegExp(payment))
  assert.match(await decide(`top-ups/${topUp}/confirm`, { amount: '12000', reference: 'VIR-1' }), /requests$/)
  const credited = (await shop(`top-ups/${topUp}`)).text
  assert.ok(credited.includes('Crédité') && credited.includes('VIR-1'))

  const check = await send('withdrawals/new', { amount: '5000', ...DESTINATION, reference: '' })
  assert.match(check.text, /Disponible avant[\s\S]*Disponible après/)
  const key = hidden(check.text, 'key')
  const asked = await send('withdrawals', { key, amount: '5000', ...DESTINATION, reference: '' })
  const again = await send('withdrawals', { key, amount: '5000', ...DESTINATION, reference: '' })
  const withdrawal = /withdrawals\/([0-9a-f-]{36})/.exec(asked.location)?.[1] ?? ''
  assert.ok(again.location.includes(withdrawal), 'a second click holds nothing twice')
  assert.match(await decide(`withdrawals/${withdrawal}/refuse`, { reason: 'Titulaire inconnu.' }), /requests$/)
  assert.match((await shop(`withdrawals/${withdrawal}`)).text, /Titulaire inconnu\./)
  assert.match((await shop('withdrawals')).text, /Refusé/)
  const short = await send('withdrawals/new', { amount: '999999', ...DESTINATION, reference: '' })
  assert.match(short.text, /c’est moins que ce montant/)
})

test('the desk blocks a wallet and suspends a merchant with a reason, and undoes both', async () => {
  const merchant = await server.merchant('Chez Koffi')
  const tag = await server.wallet(merchant)
  const { headers, csrf } = desk
  const post = (path: string, form: Record<string, string>): Promise<RawAnswer> =>
    ask(`/operator/${path}`, { headers, form: { csrf, key: path, ...form } })
  const [unknown, without] = [
    await post('wallets/personne_ici/block', { reason: 'Vol' }),
    await post(`wallets/${tag}/block`, { reason: '' }),
  ]
  assert.deepEqual([unknown.status, /Introuvable/.test(unknown.text)], [404, true])
  assert.deepEqual([without.status, /Introuvable/.test(without.text), /Saisissez une raison/.test(without.text)], [400, false, true])
  assert.match((await post(`wallets/${tag}/block`, { reason: 'Vol', environment: 'test' })).location, new RegExp(`wallets\\?q=${tag}$`))
  assert.match((await ask(`/operator/wallets?q=${tag}`, { headers })).text, /bloqué[\s\S]*Raison : <bdi>Vol/)
  assert.equal((await post(`wallets/${tag}/unblock`, { environment: 'test' })).status, 303)
  assert.match((await ask(`/operator/wallets?q=${tag}`, { headers })).text, /Bloquer ce portefeuille/)
  assert.equal((await post(`merchants/${merchant.id}/suspend`, { reason: 'Plaintes' })).status, 303)
  assert.match((await ask(`/operator/merchants/${merchant.id}`, { headers })).text, /suspendu[\s\S]*Raison : <bdi>Plaintes/)
  assert.equal((await post(`merchants/${merchant.id}/reinstate`, {})).status, 303)
  assert.match((await ask(`/operator/merchants/${merchant.id}`, { headers })).text, /Suspendre ce marchand/)
})

test('the desk’s requests need its session and its token', async () => {
  assert.match((await ask('/operator/requests')).location, /operator\/login$/)
  const path = '/operator/requests/top-ups/019aa0f8-1c00-7c01-8c4d-5e6f708192a3/refuse'
  assert.equal((await ask(path, { headers: desk.headers, form: { reason: 'x' } })).status, 403)
})
