// The operator's day on the desk: what waits for a decision with age and amount, what needs attention, and who did what.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { DAY_MS, type DayTotal } from '../../http/pages/dashboard/overview/day-totals.ts'
import { APPROVAL_NAMES } from '../../http/pages/operator/approval-words.ts'
import { type MerchantFigures, merchantSuspicions } from '../../http/pages/operator/suspicions.ts'
import { ACTION_WORDS } from '../../http/text/action-words.ts'
import { openPayer } from '../support/charge-callers.ts'
import { signUp } from '../support/dashboard-callers.ts'
import { newOperator } from '../support/operator-callers.ts'
import { type DeskSession, deskSession } from '../support/operator-steps.ts'
import { askPage } from '../support/raw-page.ts'
import { newKey, type TestServer } from '../support/server-fixture.ts'
import { ownServer } from '../support/shared-server.ts'
import { ok } from '../support/wallet-callers.ts'

let server: TestServer
let desk: DeskSession

before(async () => {
  server = await ownServer()
  desk = await deskSession(server)
})

after(() => server?.close())

const plain = (text: string): string => text.replaceAll(/[\u00a0\u202f]/g, ' ')
const look = async (path: string): Promise<string> => plain((await askPage(server.process.baseUrl, path, { headers: desk.headers })).text)

describe('the first page of the desk', () => {
  test('it lists what waits for a decision with amount and age, and leads to it', async () => {
    assert.match(await look('/operator'), /Rien n’attend de décision/)
    const merchant = await server.merchant('Chez Awa')
    const { id } = (await merchant.live.post<{ id: string }>('/v1/biz/top-ups', { amount: 75_000 })).body
    const shown = await look('/operator')
    assert.match(shown, /Approvisionnement à créditer[\s\S]*75 000 F CFA[\s\S]*Chez Awa[\s\S]*à l’instant/)
    assert.ok(shown.includes(`operator/requests#r-${id}`))
    assert.match(await look('/operator/requests'), /Chez Awa[\s\S]*\(à l’instant\)/)
  })

  test('it names a new merchant with a large withdrawal, and a wallet whose PIN is locked', async () => {
    const merchant = await server.merchant('Chez Binta')
    const deposit = { merchant_id: merchant.id, environment: 'live', amount: 900_000, reference: 'VIR-9' }
    assert.equal((await server.operator.post('/v1/operator/deposits', deposit, newKey())).status, 201)
    const destination = { kind: 'bank', name: 'Binta', account: 'SN08' }
    assert.equal((await merchant.live.post('/v1/biz/withdrawals', { amount: 800_000, destination }, newKey())).status, 201)
    const { tag, app } = await openPayer(server, merchant, 100)
    for (let tries = 0; tries < 5; tries++) await app.post('/v1/me/transfers', { recipient: 'awa_demo', amount: 1, pin: '0000' }, newKey())
    const shown = await look('/operator')
    assert.match(shown, /Chez Binta<\/bdi> : compte de moins de 7 jours, 800 000 F CFA à retirer/)
    assert.match(shown, new RegExp(`@${tag}</bdi> : code PIN bloqué[\\s\\S]*wallets/${tag}\\?environment=test`))
  })
})

test('a new name waits in both lists of the desk, and is approved as it was shown', async () => {
  const { browser, merchantId } = await signUp(server, 'Boutique Coumba')
  await ok(browser.request('PUT', '/v1/dashboard/account', { json: { name: 'Chez Coumba' } }))
  assert.match(await look('/operator'), new RegExp(`requests#n-${merchantId}[\\s\\S]*Boutique Coumba`))
  const card = await look('/operator/requests')
  assert.match(card, /Nouveau nom : <strong><bdi>Chez Coumba[\s\S]*name="name" value="Chez Coumba"/)
  const form = { csrf: desk.csrf, name: 'Chez Coumba' }
  const headers = { ...desk.headers, origin: server.process.baseUrl }
  const approved = await askPage(server.process.baseUrl, `/operator/requests/names/${merchantId}/approve`, { headers, form })
  assert.equal(approved.status, 303, approved.text)
  assert.match(await look(`/operator/merchants/${merchantId}`), /<h1[^>]*>[\s\S]*Chez Coumba/)
  assert.ok(!(await look('/operator')).includes(`requests#n-${merchantId}`))
})

test('the search finds merchants and wallets together, and shows at once what it finds alone', async () => {
  const merchant = await server.merchant('Rapidex')
  const tag = await server.wallet(merchant)
  const find = (q: string) => askPage(server.process.baseUrl, `/operator/search?q=${encodeURIComponent(q)}`, { headers: desk.headers })
  assert.deepEqual(
    [(await find('apide')).location, (await find(tag)).location],
    [`merchants/${merchant.id}`, `wallets/${tag}?environment=test`],
  )
  assert.equal((await find('e')).status, 400)
  const short = await askPage(server.process.baseUrl, '/operator/funding?q=e', { headers: desk.headers })
  assert.match(`${short.status} ${short.text}`, /^400 [\s\S]*id="q-error"[^>]*>Saisissez trois caractères/)
  assert.match((await find('personne ici')).text, /Aucun marchand et aucun portefeuille/)
  await server.operator.post('/v1/operator/merchants', { name: tag, email: `${tag}@x.example` })
  assert.match((await find(tag)).text, new RegExp(`merchants/[0-9a-f-]{36}"><bdi>${tag}[\\s\\S]*wallets/${tag}\\?environment=test`))
})

describe('the timeline of a page', () => {
  test('it is filtered by kind and period, and shows the environment that was asked for', async () => {
    const today = (): string => new Date().toISOString().slice(0, 10)
    const firstDay = today()
    const merchant = await server.merchant('Chez Adjoua')
    const deposit = { merchant_id: merchant.id, environment: 'test', amount: 4000, reference: 'ESSAI-1' }
    assert.equal((await server.operator.post('/v1/operator/deposits', deposit, newKey())).status, 201)
    const path = `/operator/merchants/${merchant.id}`
    const send = (form: object): Promise<{ status: number; location: string }> =>
      askPage(server.process.baseUrl, `${path}/notes`, { headers: desk.headers, form: { csrf: desk.csrf, key: 'note-1', ...form } })
    for (const text of ['Vue au marché.\r\nDocuments en règle.', 'Vue au marché.\r\nDocuments en règle.']) {
      const { status, location } = await send({ environment: 'live', text })
      assert.deepEqual([status, location], [303, `../${merchant.id}?environment=live`])
    }
    const live = await look(path)
    assert.equal(live.split('Vue au marché.\nDocuments en règle.').length, 2, 'a form that is sent twice is one note')
    assert.ok(!live.includes('ESSAI-1'))
    assert.match(await look(`${path}?environment=test&type=movement`), /4 000 F CFA[\s\S]*ESSAI-1[\s\S]*mouvement<\/span>/)
    assert.ok(!(await look(`${path}?environment=test&type=note`)).includes('ESSAI-1'))
    assert.match(await look(`${path}?to=2020-01-01`), /Rien ne correspond/)
    assert.match(await look(`${path}?from=${firstDay}&to=${today()}`), /Documents en règle/)
    assert.match(await look(`${path}?environment=test&from=5/1/2020`), /ESSAI-1[\s\S]*value="2020-01-05"|value="2020-01-05"[\s\S]*ESSAI-1/)
  })
})

describe('the audit list', () => {
  test('it can be filtered by operator, action and period', async () => {
    const admin = await newOperator(server, 'admin', 'Fatou Ndiaye')
    const merchant = await server.merchant('Chez Kofi')
    assert.equal((await admin.client.post(`/v1/operator/merchants/${merchant.id}/suspend`, { reason: 'Plaintes' })).status, 200)
    const own = await look(`/operator/audit?operator=${admin.id}`)
    assert.ok(own.includes('Plaintes') && !own.includes('<td role="cell" class="at-line" data-label="Sur"><code>root'))
    assert.ok(!(await look('/operator/audit?operator=root&action=merchant.suspend')).includes('Plaintes'))
    assert.match(await look('/operator/audit?action=merchant.suspend'), /Fatou Ndiaye[\s\S]*Plaintes/)
    assert.match(await look('/operator/audit?action=merchant.suspend&from=2020-01-01'), /Plaintes/)
    assert.match(await look('/operator/audit?from=2020-01-01&to=2020-01-01'), /Aucune opération ne correspond/)
    const api = await server.operator.get<{ data: { action: string }[] }>('/v1/operator/audit?action=operator.create&operator=root')
    assert.deepEqual([...new Set(api.body.data.map(({ action }) => action))], ['operator.create'])
  })

  test('it answers who credited a merchant, by a part of its name, and who blocked a wallet', async () => {
    const [one, other] = [await server.merchant('Quincaillerie Tidiane'), await server.merchant('Quincaillerie Mariama')]
    const deposit = { environment: 'live', amount: 61_000, reference: 'VIR-61' }
    for (const merchant_id of [one.id, other.id])
      assert.equal((await server.operator.post('/v1/operator/deposits', { ...deposit, merchant_id }, newKey())).status, 201)
    const choice = await look('/operator/audit?merchant=quincaillerie&action=deposit.create')
    assert.match(choice, /Plusieurs marchands répondent/)
    assert.ok(choice.includes(`audit?action=deposit.create&amp;merchant=${other.id}`), choice)
    for (const typed of ['tidiane', one.id]) {
      const found = await look(`/operator/audit?merchant=${typed}&action=deposit.create`)
      assert.match(found, /operator=root">Accès principal<\/a>[\s\S]*Quincaillerie Tidiane<\/bdi><\/a>[\s\S]*61 000 F CFA[\s\S]*VIR-61/)
      assert.ok(!found.includes('Mariama') && found.includes('value="Quincaillerie Tidiane"'))
    }
    assert.match(await look('/operator/audit?merchant=personne%20ici'), /Aucun marchand ne répond à « <bdi>personne ici/)
    const tag = await server.wallet(one)
    await server.operator.post(`/v1/operator/wallets/${tag}/block`, { reason: 'Vol', environment: 'test' })
    assert.match(
      await look(`/operator/audit?tag=@${tag}`),
      new RegExp(`wallets/${tag}\\?environment=test"><bdi>@${tag}</bdi></a>[\\s\\S]*Vol`),
    )
    assert.match(await look('/operator/audit?tag=%2B'), /role="alert"/)
  })

  test('each action has words, and what it is about has a name', async () => {
    const domain = join(import.meta.dirname, '..', '..', 'engine', 'domain')
    const sources = readdirSync(domain, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
    const actions = sources.flatMap((path) =>
      [...readFileSync(join(domain, path), 'utf8').matchAll(/\baction: '([a-z_.]+)'/g)].map(([, name]) => name),
    )
    const decisions = Object.keys(APPROVAL_NAMES).flatMap((kind) => [`${kind}.request`, `${kind}.refuse`])
    assert.ok(actions.length > 15)
    const isNamed = (name: string | undefined): boolean => ACTION_WORDS[name ?? ''] !== undefined
    assert.deepEqual(
      [...actions, ...decisions].filter((name) => !isNamed(name)),
      [],
    )
    const merchant = await server.merchant('Chez Yaye')
    const { body } = await merchant.live.post<{ id: string }>('/v1/biz/top-ups', { amount: 5000 }, newKey())
    const refused = await server.operator.post(`/v1/operator/top-ups/${body.id}/refuse`, { reason: 'Inconnu' }, newKey())
    assert.equal(refused.status, 200, refused.text)
    const shown = await look('/operator/audit?action=top_up.refuse')
    assert.ok(shown.includes(`merchants/${merchant.id}"><bdi>Chez Yaye</bdi></a>`) && !shown.includes(`>${body.id}<`), shown)
    await newOperator(server, 'support', 'Rokhaya Sarr')
    assert.match(await look('/operator/audit?action=operator.create'), /data-label="Sur"><bdi>Rokhaya Sarr<\/bdi>/)
  })
})

describe('the rules for merchants', () => {
  const NOW = 20_000 * DAY_MS
  const day = (more: Partial<DayTotal> = {}): DayTotal => ({
    ...{ dayMs: NOW, takings: 0, refunds: 0, payouts: 0, payoutsCount: 0, takingsCount: 0, sinceMs: null },
    ...more,
  })
  const quiet: MerchantFigures = {
    ...{ id: 'm', name: 'Chez Awa', currency: 'XOF', createdMs: NOW - 90 * DAY_MS, available: 5_000_000, withdrawals: [], refused: 0 },
    ...{ hasWithdrawn: true, newWallets: 0, aboveOwnLimits: 0, aboveLimitsOfPayee: 0 },
    days: [day(), day(), day()],
  }
  const rows: readonly (readonly [name: string, more: Partial<MerchantFigures>, finds: RegExp | null])[] = [
    ['a quiet merchant', {}, null],
    ['a large withdrawal of an old merchant', { withdrawals: [600_000] }, null],
    ['a withdrawal of nearly all', { withdrawals: [600_000], available: 10_000 }, /presque tout son solde/],
    ['a small withdrawal of all', { withdrawals: [20_000], available: 0 }, null],
    ['a first large withdrawal', { withdrawals: [600_000], hasWithdrawn: false }, /son premier retrait/],
    ['a first small withdrawal', { withdrawals: [20_000], hasWithdrawn: false }, null],
    ['five new wallets', { newWallets: 5 }, /5 portefeuilles ouverts depuis moins de deux jours/],
    ['four new wallets', { newWallets: 4 }, null],
    ['limits of its own', { aboveOwnLimits: 2 }, /2 versements refusés aujourd’hui, au-dessus de ses limites/],
    ['limits of recipients', { aboveLimitsOfPayee: 1 }, /un versement refusé aujourd’hui, le destinataire a atteint sa limite/],
    ['two refused withdrawals', { refused: 2 }, /2 retraits refusés/],
    ['a jump of takings', { days: [day({ takings: 50_000 }), day({ takings: 900_000 })] }, /bien plus que d’habitude/],
    ['takings as usual', { days: [day({ takings: 700_000 }), day({ takings: 900_000 })] }, null],
    ['a large first payout', { days: [day(), day({ payouts: 900_000, payoutsCount: 1 })] }, /premiers versements/],
    ['a large payout after others', { days: [day({ payoutsCount: 1 }), day({ payouts: 900_000, payoutsCount: 1 })] }, null],
  ]
  for (const [name, more, finds] of rows) {
    test(`${name}: ${finds === null ? 'nothing' : 'named'}`, () => {
      const found = merchantSuspicions({ ...quiet, ...more }, NOW).map(({ text }) => text.text)
      if (finds === null) assert.deepEqual(found, [])
      else assert.match(found.join('\n'), finds)
    })
  }
})
