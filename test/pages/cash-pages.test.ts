// Money in and out on the pages, without a script: a shop announces a top-up, the desk credits it, the shop withdraws, the
// desk refuses with a reason; a merchant asks for its activation and gets it.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fetched } from '../support/biller-callers.ts'
import { signUp } from '../support/dashboard-callers.ts'
import { hiddenOf, plainText } from '../support/dashboard-shop.ts'
import { type DeskSession, deskSession } from '../support/operator-steps.ts'
import { askPage, hidden, type RawAnswer, type RawRequest } from '../support/raw-page.ts'
import type { TestServer } from '../support/server-fixture.ts'
import { ownServer } from '../support/shared-server.ts'
import { ok } from '../support/wallet-callers.ts'

let server: TestServer
let desk: DeskSession

before(async () => {
  server = await ownServer({ SIGNUP: 'approval' })
  desk = await deskSession(server)
})

after(async () => {
  await server?.close()
})

const ask = (path: string, more: RawRequest = {}): Promise<RawAnswer> => askPage(server.process.baseUrl, path, more)
const PDF = Buffer.from('%PDF-1.7\n%%EOF\n')
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
  // Between tags: a token of a form may look the same.
  const payment = />([2-9A-Z]{4}-[2-9A-Z]{4})</.exec((await shop(`top-ups/${topUp}`)).text)?.[1] ?? ''
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

test('the activation is asked for in steps: each is checked, keeps what was typed, and the last one sends', async () => {
  const { cookie, csrfToken: csrf } = await signUp(server, 'Étal de Binta')
  const business = { legal_name: 'Étal de Binta', registration_number: '', activity: 'Légumes', address: 'Marché de Thiès' }
  let key = 0
  const post = (step: string, fields: Readonly<Record<string, string>>, go = 'next') =>
    ask('/dashboard/live/activation', {
      headers: { cookie, origin: server.process.baseUrl },
      form: { csrf, key: `steps-${++key}`, step, go, ...fields },
    })
  const first = (await ask('/dashboard/live/activation', { headers: { cookie } })).text
  assert.match(first, /aria-current="step"><span>Votre commerce<[\s\S]*La personne à contacter[\s\S]*Joindre des justificatifs/)
  assert.ok(!first.includes('id="contact_phone"'))
  assert.match((await post('business', business)).text, /id="registration_number-error">Saisissez le numéro, ou cochez/)
  const second = (await post('business', { ...business, informal: 'yes' })).text
  assert.match(second, /name="legal_name" value="Étal de Binta"[\s\S]*id="contact_phone" name="contact_phone" type="tel"/)
  const typed = { ...business, informal: 'yes', contact_name: 'Binta', contact_phone: '77' }
  assert.match((await post('contact', typed)).text, /id="contact_phone-error"/)
  assert.match((await post('contact', typed, 'back')).text, /id="legal_name"[\s\S]*name="informal" value="yes" checked/)
  const good = { ...typed, contact_phone: '+221 77 000 00 09' }
  const third = (await post('contact', good)).text
  assert.match(third, /Vérifier et envoyer[\s\S]*Mon commerce n’est inscrit dans aucun registre\.[\s\S]*\+221 77 000 00 09/)
  assert.match((await post('check', good)).location, /activation\?ok=activation_requested$/)
  const sent = (await ask('/dashboard/live/activation', { headers: { cookie } })).text
  assert.match(sent, /aria-current="step"><span>Notre réponse, par e-mail</)
})

test('a shop joins documents to its request, and the desk reads them', async () => {
  const { browser, cookie, csrfToken: csrf, merchantId } = await signUp(server, 'Étal de Fatou')
  const page = async (): Promise<string> => (await ask('/dashboard/live/activation', { headers: { cookie } })).text
  const join = async (key: string, content: Buffer | string): Promise<{ status: number; location: string; text: string }> => {
    const body = new FormData()
    for (const [name, value] of Object.entries({ csrf, key })) body.set(name, value)
    body.set('file', new Blob([content]), 'registre.pdf')
    const address = `${server.process.baseUrl}/dashboard/live/activation/files`
    const answer = await fetch(address, { method: 'POST', headers: { cookie }, body, redirect: 'manual' })
    return { status: answer.status, location: answer.headers.get('location') ?? '', text: await answer.text() }
  }
  assert.match(await page(), /Justificatifs[\s\S]*action="[^"]*activation\/files"/)
  for (const [content, reason] of [
    ['GIF89a', /doit être un PDF, ou une image PNG ou JPEG/],
    ['', /doit être un PDF, ou une image PNG ou JPEG/],
    [Buffer.concat([PDF, Buffer.alloc(5 * 1024 * 1024)]), /trop volumineux/],
  ] as const) {
    const { status, text } = await join('k', content)
    assert.deepEqual([status, reason.test(text)], [400, true], text.slice(0, 300))
  }
  for (const key of ['k1', 'k1', 'k2', 'k3', 'k4']) {
    const { status, location } = await join(key, PDF)
    assert.deepEqual([status, location.endsWith('activation?ok=activation_file_added')], [303, true])
  }
  const full = await page()
  assert.deepEqual([full.match(/PDF, 1 Ko/g)?.length, full.includes('enctype')], [4, false])
  assert.match((await join('k5', PDF)).text, /déjà quatre fichiers/)
  const informal = { legal_name: 'Fatou', registration_number: '', address: 'Thiès', contact_name: 'Fatou', activity: 'Riz' }
  const asked = async (more: Readonly<Record<string, string>>): Promise<string> => {
    const form = { csrf, key: `form-${Object.keys(more).length}`, ...informal, contact_phone: '+221 77 000 00 03', ...more }
    const { text, location } = await ask('/dashboard/live/activation', { headers: { cookie, origin: server.process.baseUrl }, form })
    return location === '' ? text : location
  }
  assert.match(await asked({}), /id="registration_number-error"/)
  assert.match(await asked({ informal: 'yes' }), /activation\?ok=activation_requested$/)
  assert.match(await page(), /name="informal" value="yes" checked/)
  const details = { legal_name: 'Fatou', registration_number: 'SN-3', address: 'Thiès', contact_name: 'Fatou', activity: 'Riz' }
  await ok(browser.post('/v1/dashboard/activation', { ...details, contact_phone: '+221770000003' }))
  const requests = (await ask('/operator/requests', { headers: desk.headers })).text
  const links = [...requests.matchAll(new RegExp(`href="([^"]*/activations/${merchantId}/files/[^"]*)"`, 'g'))].map(([, link]) =>
    String(link),
  )
  assert.equal(links.length, 4)
  const path = new URL(links[0] ?? '', `${server.process.baseUrl}/operator/requests`).pathname
  const { status, bytes, headers } = await fetched(server, path, desk.headers)
  assert.deepEqual([status, bytes.equals(PDF), headers['content-type']], [200, true, 'application/pdf'])
  assert.match(String(headers['content-disposition']), /^attachment; filename="[0-9a-f-]{36}\.pdf"$/)
  assert.equal(
    (await ask(`/operator/requests/activations/${merchantId}/activate`, { headers: desk.headers, form: { csrf: desk.csrf } })).status,
    303,
  )
  const dossier = (await ask(`/operator/merchants/${merchantId}`, { headers: desk.headers })).text
  assert.match(dossier, /Activé[\s\S]*SN-3[\s\S]*\.\.\/requests\/activations\/[0-9a-f-]+\/files\//, 'the dossier stays after the decision')
  const absent = await ask(path.replace(merchantId, '019aa0f8-1c00-7c01-8c4d-5e6f708192a3'), { headers: desk.headers })
  assert.deepEqual([absent.status, /n’a pas ce fichier/.test(absent.text)], [404, true])
  assert.match((await ask(path)).location, /operator\/login$/)
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
  assert.match(
    (await post(`wallets/${tag}/block`, { reason: 'Vol', environment: 'test' })).location,
    new RegExp(`\\.\\./${tag}\\?environment=test$`),
  )
  assert.match((await ask(`/operator/wallets?q=${tag}`, { headers })).text, /bloqué/)
  assert.match((await ask(`/operator/wallets/${tag}`, { headers })).text, /Bloqué par Accès principal, [\s\S]*Raison : <bdi>Vol/)
  assert.equal((await post(`wallets/${tag}/unblock`, { environment: 'test' })).status, 303)
  assert.match((await ask(`/operator/wallets/${tag}`, { headers })).text, /Bloquer ce portefeuille/)
  assert.equal((await post(`merchants/${merchant.id}/suspend`, { reason: 'Plaintes' })).status, 303)
  assert.match(
    (await ask(`/operator/merchants/${merchant.id}`, { headers })).text,
    /suspendu[\s\S]*Suspendu par Accès principal[\s\S]*Raison : <bdi>Plaintes/,
  )
  assert.equal((await post(`merchants/${merchant.id}/reinstate`, {})).status, 303)
  assert.match((await ask(`/operator/merchants/${merchant.id}`, { headers })).text, /Suspendre ce marchand/)
})

test('the desk’s requests need its session and its token', async () => {
  assert.match((await ask('/operator/requests')).location, /operator\/login$/)
  const path = '/operator/requests/top-ups/019aa0f8-1c00-7c01-8c4d-5e6f708192a3/refuse'
  assert.equal((await ask(path, { headers: desk.headers, form: { reason: 'x' } })).status, 403)
})

test('local numbers of an uploaded file get the country of the shop’s activation phone, in payments and in plans', async () => {
  const { cookie, csrfToken: csrf, browser, merchantId } = await signUp(server, 'Chez Binta')
  const details = { legal_name: 'Binta SARL', registration_number: 'SN-2', address: 'Dakar', contact_name: 'Binta', activity: 'Riz' }
  const send = async (path: string, fields: Readonly<Record<string, string>>, file?: Uint8Array<ArrayBuffer>): Promise<string> => {
    const body = new FormData()
    for (const [name, value] of Object.entries({ csrf, ...fields })) body.set(name, value)
    if (file !== undefined) body.set('file', new Blob([file]), 'paie.csv')
    const answer = await fetch(`${server.process.baseUrl}/dashboard/test/${path}`, { method: 'POST', headers: { cookie }, body })
    return answer.text()
  }
  // Windows-1252, as Excel writes it: `Téléphone;Montant;Référence` and one line.
  const file = Buffer.from('T\xe9l\xe9phone;Montant;R\xe9f\xe9rence\r\n77 123 45 67;25 000;Salaire d\x92Awa\r\n', 'latin1')
  const upload = new Uint8Array(file)
  const plan = { recurrence: 'monthly', date: '2030-01-31', time: '08:00', reference: 'PAIE', lines: '@pasted;1' }
  assert.match(plainText(await send('schedules/new', plan, upload)), /« 77 123 45 67 » est un téléphone sans pays/, 'no country is guessed')
  await ok(browser.post('/v1/dashboard/activation', { ...details, contact_phone: '+221770000001' }))
  for (const [path, typed] of [
    ['disbursements/new', { lines: '', reference: '' }],
    ['schedules/new', plan],
  ] as const) {
    const checked = plainText(await send(path, typed, upload))
    assert.match(checked, /77 123 45 67 .*\+221771234567/, `${path} shows what it completed`)
    assert.match(checked, /25 000 F CFA/)
  }
  const saved = hiddenOf(await send('schedules/new', plan, upload), '/schedules"')
  const made = new URLSearchParams({ ...saved, csrf })
  const answer = await fetch(`${server.process.baseUrl}/dashboard/test/schedules`, { method: 'POST', headers: { cookie }, body: made })
  assert.equal(answer.status, 200)
  const keyed = await server.keyed(merchantId, 'test', [])
  const { data } = (await ok(keyed.get<{ data: { items: object[] }[] }>('/v1/biz/payout-schedules'))).body
  assert.deepEqual(
    data[0]?.items,
    [{ recipient: '+221771234567', amount: 25_000, reference: 'Salaire d’Awa', note: '' }],
    'not the pasted line',
  )
})
