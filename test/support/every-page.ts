// Every page of the product that a browser opens by its address, with records in every list: a shop after a day's work.
import assert from 'node:assert/strict'
import type { BrowserContext } from 'playwright-core'
import type { ApplicationContext } from '../../http/app/application-context.ts'
import { pageRoutes } from '../../http/pages/page-table.ts'
import type { Route } from '../../http/server/route.ts'
import { Inbox } from '../../http/workers/gateways/inbox.ts'
import { TABLE_PARTS } from './api-document.ts'
import { openBiller } from './biller-callers.ts'
import { GOOD_PRODUCTS } from './biller-engine.ts'
import { openPayer, type Payer, PIN } from './charge-callers.ts'
import { newEmail, type Owner, signUp } from './dashboard-callers.ts'
import { approvedMandate, createMandate, fromNow } from './mandate-callers.ts'
import { invitationFor } from './member-callers.ts'
import { type DeskSession, deskSession } from './operator-steps.ts'
import { phonePages, signInPhone } from './phone-pages.ts'
import { type Merchant, newKey, newTag, type TestServer } from './server-fixture.ts'
import { ok } from './wallet-callers.ts'

/** The route table of all pages, made without an application. */
export function pageTable(): readonly Route[] {
  const app: ApplicationContext = Object.create(TABLE_PARTS, { inbox: { value: new Inbox() } })
  const api = { ask: () => Promise.reject(new Error('no page is asked for')) } as unknown as Parameters<typeof pageRoutes>[0]['api']
  return pageRoutes({ app, api, operatorToken: 'operator', sessionKey: new Uint8Array(32), isSecure: false })
}

/** Paths of all routes that answer a page, as the route table has them. */
export function pagePaths(): string[] {
  const isPage = ({ method, tag, path }: Route): boolean =>
    method === 'GET' && tag === 'Pages' && !/\.(?:csv|svg)$|^\/assets|\/status$|news$|\/ticket$|\/files\/\{file\}$/.test(path)
  return [
    ...new Set(
      pageTable()
        .filter(isPage)
        .map(({ path }) => path),
    ),
  ].sort()
}

export interface EveryPage {
  readonly owner: Owner
  readonly merchant: Merchant
  readonly payer: Payer
  readonly desk: DeskSession
  /** Cookie of the simulated phone, on which the payer is signed in. */
  readonly phone: string
  /** Addresses by the path of the route. A page with several looks has several. */
  readonly addresses: Readonly<Record<string, readonly string[]>>
}

const PERSON = 'Établissements Aminata Ouédraogo & Filles'

/** `currency`: of the merchant and of its customer. */
export async function openEveryPage(server: TestServer, currency = 'XOF'): Promise<EveryPage> {
  const owner = await signUp(server, PERSON, currency)
  const scopes = ['disbursements.write', 'billers.write']
  const merchant: Merchant = {
    id: owner.merchantId,
    test: await server.keyed(owner.merchantId, 'test', scopes),
    live: await server.keyed(owner.merchantId, 'live', scopes),
  }
  await ok(merchant.test.post('/v1/biz/test/deposits', { amount: 999_999_999_999 }))
  const payer = await openPayer(server, merchant, 5_000_000)
  const desk = await deskSession(server)
  const phone = await signInPhone(server.process.baseUrl, payer.tag)
  const shop = await shopPages(server, owner, merchant, payer, phone)
  return { owner, merchant, payer, desk, phone, addresses: { ...shop, ...(await deskPages(server, merchant, payer, currency)) } }
}

type Addresses = Record<string, readonly string[]>

/** Paths of the dashboard that name no record. */
const PLAIN_PATHS = `|/account|/activation|/api|/batches|/batches/new|/contacts|/contacts/import|/contacts/new|/disbursements|/disbursements/new|/bills|/biller|/charges|/charges/new|/code|/counter|/till|/till/close|/events|/keys|/links|/links/new|/notices|/notices/received|/statements
|/mandates|/mandates/new|/members|/payouts|/payouts/new|/problems|/products/new|/search|/schedules|/schedules/new|/security|/top-ups|/top-ups/new
|/transactions|/webhooks|/withdrawal-accounts|/withdrawal-accounts/new|/withdrawals|/withdrawals/new`

async function shopPages(server: TestServer, owner: Owner, merchant: Merchant, payer: Payer, phone: string): Promise<Addresses> {
  const made = {
    ...(await takings(merchant, payer)),
    ...(await payouts(server, merchant, payer)),
    ...(await rest(server, owner, merchant, payer)),
  }
  const at = (path: string): readonly string[] => [`/dashboard/test${path}`]
  const own = (path: string, ...ids: readonly string[]): [string, readonly string[]] => [
    `/dashboard/{environment}${path}`,
    ids.length === 0 ? at(path) : ids.flatMap((id) => at(path.replace(/\{\w+\}/, id))),
  ]
  return {
    ...Object.fromEntries(
      PLAIN_PATHS.replaceAll('\n', '')
        .split('|')
        .map((path) => own(path)),
    ),
    ...Object.fromEntries([
      own('/batches/{id}', made.batch),
      own('/contacts/{id}', made.contact),
      own('/disbursements/{id}', made.disbursement, made.planned),
      own('/disbursements/{id}/repeat', made.disbursement),
      own('/bills/{transaction_id}', made.bill),
      own('/bills/{id}/receipt', made.bill),
      own('/charges/{id}/receipt', made.paid),
      own('/payouts/{id}/receipt', made.payout),
      own('/top-ups/{id}/receipt', made.topUp),
      own('/withdrawals/{id}/receipt', made.withdrawal),
      own('/charges/{token}', made.paid, made.pending),
      own('/counter/{token}', made.paid, made.pending),
      own('/events/{id}', made.event),
      own('/links/{id}', made.link),
      own('/links/{id}/print', made.link),
      own('/mandates/{id}', made.mandate),
      own('/payouts/{id}', made.payout, made.failed),
      own('/problems/{id}', made.problem),
      own('/products/{slug}', 'recharge'),
      own('/products/{slug}/try', 'recharge'),
      own('/schedules/{id}', made.schedule),
      own('/schedules/{id}/edit', made.schedule),
      own('/statements/{month}', new Date().toISOString().slice(0, 7)),
      own('/top-ups/{id}', made.topUp),
      own('/transactions/{id}', made.transaction),
      own('/webhooks/{id}', made.endpoint),
      own('/withdrawals/{id}', made.withdrawal),
    ]),
    '/dashboard': ['/dashboard/live'],
    '/dashboard/login': ['/dashboard/login'],
    '/dashboard/signup': ['/dashboard/signup'],
    '/dashboard/accept': [`/dashboard/accept?token=${made.invitation}`],
    '/dashboard/confirm-email': ['/dashboard/confirm-email?token=confirm_x'],
    '/dashboard/password-reset': ['/dashboard/password-reset'],
    '/pay/{token}': [`/pay/${made.pending}`, `/pay/${made.paid}`],
    '/l/{code}': [`/l/${made.code}`],
    '/mandates/{token}': [`/mandates/${made.approval}`],
    '/': ['/'],
    '/dev': ['/dev'],
    ...(await phonePages(server.process.baseUrl, payer, phone, made)),
    '/docs': ['/docs'],
    '/docs/errors': ['/docs/errors'],
    '/docs/errors/{name}': ['/docs/errors/insufficient_balance'],
    '/docs/events': ['/docs/events'],
    '/docs/events/{name}': ['/docs/events/charge.succeeded'],
    '/docs/reference': ['/docs/reference'],
    '/docs/reference/{name}': ['/docs/reference/createProduct'],
    '/docs/search': ['/docs/search?q=signature'],
    '/docs/{name}': ['/docs/quickstart', '/docs/payouts', '/docs/billers', '/docs/operations'],
  }
}

async function takings({ test }: Merchant, { tag, app }: Payer) {
  const charge = async (amount: number, reference: string, description: string): Promise<string> =>
    (await ok(test.post<{ token: string }>('/v1/biz/charges', { amount, reference, description }))).body.token
  const pay = (token: string) => ok(test.post(`/v1/biz/test/charges/${token}/pay`, { payer_tag: tag }))
  const paid = await charge(12_500, 'CMD-118', '2 pagnes wax, livraison à Cocody')
  const refunded = await charge(3000, 'CMD-120', '')
  const long = await charge(4_999, `COMMANDE-INTERNET-${'7'.repeat(60)}`, 'Une très longue référence')
  const [{ body: sold }] = await Promise.all([pay(paid), pay(refunded), pay(long)])
  const wrong = { reason: 'not_received', text: 'Je n’ai pas reçu les pagnes, et votre boutique ne répond pas au téléphone.' }
  const problem = (await ok(app.post<{ id: string }>(`/v1/me/transactions/${sold.transaction_id}/problem`, wrong))).body.id
  await ok(test.post(`/v1/biz/charges/${refunded}/refund`, undefined, newKey()))
  const cancelled = await charge(700, '', '')
  await ok(test.post(`/v1/biz/charges/${cancelled}/cancel`, {}))
  const pending = await charge(27_000, 'CMD-121', 'Robe de cérémonie\nRetouches comprises')
  const link = (
    await ok(test.post<{ id: string; url: string }>('/v1/biz/payment-links', { description: 'Caisse du marché de Treichville' }))
  ).body
  await ok(test.post('/v1/biz/payment-links', { description: 'Abonnement', amount: 5000 }))
  return { paid, pending, problem, link: link.id, code: link.url.split('/').at(-1) ?? '' }
}

async function payouts(server: TestServer, { test }: Merchant, payer: Payer) {
  const pay = async (recipient: string, amount: number, reference: string): Promise<string> =>
    (await ok(test.post<{ id: string }>('/v1/biz/payouts', { recipient, amount, reference, note: 'Merci' }, newKey()))).body.id
  const payout = await pay(`@${payer.tag}`, 15_000, 'PAIE-11')
  await pay(payer.phone, 123_456_789_012, `SALAIRE-${'9'.repeat(40)}`)
  const items = [
    { recipient: payer.tag, amount: 25_000, reference: 'PAIE-12' },
    { recipient: payer.phone, amount: 18_500, reference: 'PAIE-12', note: 'Salaire de novembre' },
    { recipient: newTag(), amount: 9000, reference: 'PAIE-12' },
  ]
  const batch = (await ok(test.post<{ id: string }>('/v1/biz/payouts/batch', { items, reference: 'Paie de novembre' }, newKey()))).body.id
  const { body } = await ok(test.get<{ data: { id: string; state: string }[] }>('/v1/biz/payouts?state=failed'))
  const plan = { items, recurrence: 'weekly', start_at: fromNow(3_600_000), reference: 'Salaires' }
  const schedule = (await ok(test.post<{ id: string }>('/v1/biz/payout-schedules', plan, newKey()))).body.id
  await ok(test.post(`/v1/biz/test/payout-schedules/${schedule}/run`, {}))
  assert.ok(server.process.baseUrl !== '')
  const disburse = async (body: object): Promise<string> =>
    (await ok(test.post<{ id: string }>('/v1/biz/disbursements', { items, reference: 'Primes', ...body }, newKey()))).body.id
  const disbursement = await disburse({})
  const planned = await disburse({ start: 'auto', start_at: fromNow(3_600_000) })
  const known = { recipient: payer.tag, name: 'Awa Diallo', groups: ['Treichville'], amount: 25_000 }
  const contact = (await ok(test.post<{ id: string }>('/v1/biz/contacts', known))).body.id
  return { payout, batch, schedule, contact, disbursement, planned, failed: body.data[0]?.id ?? payout }
}

async function rest(server: TestServer, owner: Owner, merchant: Merchant, payer: Payer) {
  const { test } = merchant
  const { slug } = await openBiller(server, 'published', merchant)
  await ok(test.post('/v1/biz/biller/products', { slug: 'recharge', ...GOOD_PRODUCTS.fixed }))
  const bought = { pin: PIN, package_id: 'jour', form_values: { ligne: '+221771234567' } }
  await ok(payer.app.post(`/v1/me/directory/${slug}/products/recharge/pay`, bought, newKey()))
  const first = async <Row>(path: string): Promise<Row> => (await ok(test.get<{ data: Row[] }>(path))).body.data[0] as Row
  const url = 'https://boutique.example/paiements/notifications/cauri'
  const endpoint = (
    await ok(test.post<{ id: string }>('/v1/biz/webhook-endpoints', { url, events: ['charge.succeeded'], description: 'Commandes' }))
  ).body.id
  const destination = { kind: 'bank', name: 'Boutique Awa', account: 'SN08SN0100152000048500003035' }
  const withdrawal = (await ok(test.post<{ id: string }>('/v1/biz/withdrawals', { amount: 50_000, destination }, newKey()))).body.id
  const topUp = (await ok(test.post<{ id: string }>('/v1/biz/top-ups', { amount: 250_000, reference: 'Caisse' }, newKey()))).body.id
  const terms = { amount: 5000, max_payments: 12, description: 'Salle de sport' }
  const mandate = await approvedMandate({ merchant, payer }, terms)
  return {
    ...{ biller: slug, endpoint, withdrawal, topUp, mandate: mandate.id },
    approval: (await createMandate({ merchant, payer }, terms)).token,
    bill: (await first<{ transaction_id: string }>('/v1/biz/bill-payments')).transaction_id,
    event: (await first<{ id: string }>('/v1/biz/events')).id,
    transaction: (await first<{ id: string }>('/v1/biz/transactions')).id,
    invitation: await invitationFor(server, owner, newEmail(), 'cashier'),
  }
}

async function deskPages(server: TestServer, merchant: Merchant, payer: Payer, currency: string): Promise<Addresses> {
  const operator = { name: 'Fatou Ndiaye', email: newEmail(), role: 'finance' }
  await ok(server.operator.post('/v1/operator/operators', operator))
  const waiting = await openBiller(server, 'in_review')
  const deposit = { merchant_id: merchant.id, environment: 'live', amount: 750_000, reference: 'VIR-118' }
  await ok(server.operator.post('/v1/operator/deposits', deposit, newKey()))
  const plain = [
    '',
    '/approvals',
    '/audit',
    '/billers',
    '/cluster',
    '/fees',
    '/login',
    '/merchants',
    '/operators',
    '/quotas',
    '/requests',
    '/rules',
  ]
  const ofRules = (path: string): [string, readonly string[]] => [path, [`${path}?environment=test&currency=${currency}`]]
  return {
    ...Object.fromEntries(plain.map((path) => [`/operator${path}`, [`/operator${path}`]])),
    ...Object.fromEntries(
      ['/operator/fees', '/operator/ledger', '/operator/rules', '/operator/rules/plan', '/operator/rules/tier'].map(ofRules),
    ),
    '/operator/billers/{slug}': [`/operator/billers/${waiting.slug}`],
    '/operator/merchants/{id}': [`/operator/merchants/${merchant.id}`],
    '/operator/funding': [`/operator/funding?q=${merchant.id}`, `/operator/funding?account=${merchant.id}&environment=live`],
    '/operator/search': ['/operator/search?q=example'],
    '/operator/wallets': [`/operator/wallets?q=${payer.tag}`],
    '/operator/wallets/{tag}': [`/operator/wallets/${payer.tag}`],
  }
}

/** Signs the context in to the dashboard and to the desk, not on the simulated phone. */
export async function signInContext(context: BrowserContext, baseUrl: string, { owner, desk }: EveryPage): Promise<void> {
  const cookies = [owner.cookie, ...desk.headers.cookie.split('; ')].map((cookie) => {
    const at = cookie.indexOf('=')
    return { name: cookie.slice(0, at), value: cookie.slice(at + 1), url: baseUrl }
  })
  await context.addCookies(cookies)
}
