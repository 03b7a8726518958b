// Pages in English: what a reader sees of each page has no French, and the choice of a language holds.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { PASSWORD } from '../support/dashboard-callers.ts'
import { eventuallyAsync } from '../support/eventually.ts'
import { openEveryPage } from '../support/every-page.ts'
import { FRENCH } from '../support/french-words.ts'
import { askPage, cookieHeader, hidden } from '../support/raw-page.ts'
import type { TestServer } from '../support/server-fixture.ts'
import { OPERATOR_TOKEN } from '../support/server-process.ts'
import { ownServer } from '../support/shared-server.ts'

const ENGLISH = { 'accept-language': 'en-GB,en;q=0.9,fr;q=0.5' }
/** Dashboard pages of a new merchant. */
const DASHBOARD = [
  '',
  'charges',
  'charges/new',
  'links',
  'links/new',
  'payouts',
  'payouts/new',
  'batches',
  'disbursements',
  'disbursements/new',
  'contacts',
  'contacts/import',
  'contacts/new',
  'schedules',
]
const MORE = [
  'schedules/new',
  'bills',
  'top-ups',
  'top-ups/new',
  'withdrawals',
  'withdrawals/new',
  'transactions',
  'biller',
  'products/new',
]
const SETTINGS = [
  'keys',
  'webhooks',
  'events',
  'code',
  'members',
  'security',
  'account',
  'activation',
  'mandates',
  'mandates/new',
  'search',
  'till',
  'notices',
  'statements',
  `statements/${new Date().toISOString().slice(0, 7)}`,
  'withdrawal-accounts',
  'withdrawal-accounts/new',
  'till/close?p500=2',
  'counter',
  'notices/received',
]
const DESK = [
  '',
  '/billers',
  '/merchants',
  '/wallets',
  '/funding',
  '/requests',
  '/approvals',
  '/operators',
  '/ledger',
  '/audit',
  '/cluster',
  '/quotas',
]
const PUBLIC = [
  'dashboard/login',
  'dashboard/signup',
  'dashboard/password-reset',
  'operator/login',
  'dev',
  'dev/phone',
  'pay/unknown',
  'l/unknown',
  'docs',
  'docs/webhooks',
  'docs/errors',
]

let server: TestServer

before(async () => {
  server = await ownServer()
})

after(() => server.close())

/** Returns what a reader sees or hears, without the text of others, code, and the link to French. */
function shownText(html: string): string {
  const own = html.replaceAll(OF_OTHERS, ' ').replaceAll(/<(bdi|code|textarea|pre|script|style)\b[^>]*>[\s\S]*?<\/\1>/g, ' ')
  const attributes = [...own.matchAll(/\s(?:alt|aria-label|placeholder|title)="([^"]*)"/g)].map(([, text]) => text)
  return [own.replaceAll(/<[^>]*>/g, ' '), ...attributes].join(' ').replaceAll(/\s+/g, ' ')
}

async function frenchIn(path: string, headers: Readonly<Record<string, string>>): Promise<string | null> {
  const { status, text } = await askPage(server.process.baseUrl, path, { headers: { accept: 'text/html', ...ENGLISH, ...headers } })
  // To the record, where it has no receipt.
  if (status === 303) return null
  assert.match(text, /<html lang="en">/, path)
  const shown = shownText(text)
  const found = FRENCH.exec(shown)
  return found === null ? null : `${path}: ${shown.slice(Math.max(0, found.index - 60), found.index + 60)}`
}

async function frenchPages(paths: readonly string[], headers: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const found: string[] = []
  for (const path of paths) found.push(...[await frenchIn(path, headers)].filter((text) => text !== null))
  return found
}

test('public pages have no French in English', async () => {
  assert.deepEqual(await frenchPages(PUBLIC.map((path) => `/${path}`)), [])
})

test('pages of the dashboard have no French in English, and errors of forms neither', async () => {
  const form = { merchant_name: 'Boutique Awa', email: 'awa@example.ci', password: PASSWORD }
  const signedUp = await askPage(server.process.baseUrl, '/dashboard/signup', { form, headers: ENGLISH })
  const session = cookieHeader(signedUp)
  const isSent = async (): Promise<boolean> => (await askPage(server.process.baseUrl, '/dev')).text.includes('Confirm your e-mail address')
  await eventuallyAsync(isSent, 'the e-mail in English')
  const paths = [...DASHBOARD, ...MORE, ...SETTINGS].map((path) => `/dashboard/test/${path}`.replace(/\/$/, ''))
  assert.deepEqual(await frenchPages(paths, session), [])
  const page = await askPage(server.process.baseUrl, '/dashboard/test/charges/new', { headers: session })
  const wrong = { csrf: hidden(page.text, 'csrf'), key: hidden(page.text, 'key'), amount: '1000', redirect_url: 'http://x' }
  const refused = await askPage(server.process.baseUrl, '/dashboard/test/charges/new', { form: wrong, headers: { ...ENGLISH, ...session } })
  assert.match(refused.text, /The redirect address must begin with https:\/\/\./)
  assert.doesNotMatch(refused.text, /class="languages"/)
})

/** Records of merchants and customers, which a page shows in its title too. */
const OF_OTHERS =
  /Établissements Aminata Ouédraogo &(?:amp;)? Filles|Salle de sport|Caisse du marché de Treichville|Salaires|Salaire de novembre|Numéro(?: de compteur)?|Énergie du Sahel|Facture d’électricité/g

test('every page that has an address, with records in it, has no French in English', async () => {
  const every = await openEveryPage(server)
  const cookies = { cookie: [every.owner.cookie, every.desk.headers.cookie, every.phone].join('; ') }
  const found: string[] = []
  for (const address of new Set(Object.values(every.addresses).flat())) found.push(...(await frenchPages([address], cookies)))
  assert.deepEqual(found, [])
})

test('pages of the desk have no French in English', async () => {
  const signedIn = await askPage(server.process.baseUrl, '/operator/login', { form: { token: OPERATOR_TOKEN } })
  assert.deepEqual(
    await frenchPages(
      DESK.map((path) => `/operator${path}`),
      cookieHeader(signedIn),
    ),
    [],
  )
})

test('an unknown address is a page for a browser, in its language, and JSON for a program', async () => {
  const page = await askPage(server.process.baseUrl, '/dashboard/test/nowhere/at/all', {
    headers: { ...ENGLISH, accept: 'text/html,*/*;q=0.8' },
  })
  assert.equal(page.status, 404)
  assert.match(page.text, /<html lang="en">[\s\S]*<h1>Page not found<\/h1>/)
  const json = await askPage(server.process.baseUrl, '/v1/nowhere')
  assert.deepEqual([json.status, (JSON.parse(json.text) as { code: string }).code], [404, 'not_found'])
})

test('the link of a page keeps its address and sets a cookie, which goes before the browser’s language', async () => {
  const page = await askPage(server.process.baseUrl, '/dashboard/login?session=lost', { headers: ENGLISH })
  assert.match(page.text, /<a href="\?session=lost&amp;lang=fr" hreflang="fr" lang="fr" rel="nofollow"><bdi>Français<\/bdi>/)
  const french = await askPage(server.process.baseUrl, '/dashboard/login?session=lost&lang=fr', { headers: ENGLISH })
  assert.match(french.text, /<html lang="fr">[\s\S]*Se connecter/)
  assert.equal(french.cookies[0], 'lang=fr; Path=/; HttpOnly; SameSite=Lax; Max-Age=31536000')
  const kept = await askPage(server.process.baseUrl, '/dashboard/login', { headers: { ...ENGLISH, ...cookieHeader(french) } })
  assert.match(kept.text, /<html lang="fr">/)
  const unknown = await askPage(server.process.baseUrl, '/dashboard/login?lang=de', { headers: { cookie: 'lang=xx' } })
  assert.match(unknown.text, /<html lang="fr">/)
  assert.deepEqual(unknown.cookies, [])
})

test('a page names its language, and caches keep the languages apart', async () => {
  const answer = await fetch(`${server.process.baseUrl}/dashboard/login`, { headers: ENGLISH })
  await answer.body?.cancel()
  assert.equal(answer.headers.get('content-language'), 'en')
  assert.equal(answer.headers.get('vary'), 'Accept-Language, Cookie, Accept-Encoding')
  assert.equal(answer.headers.get('cache-control'), 'no-store')
})
