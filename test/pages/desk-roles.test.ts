// Roles on the operator's desk: each form by each role, sent by a program that needs no button; and the forms that each role sees.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { OPERATOR_ROLES, type OperatorRole } from '../../engine/contract/operator.ts'
import { DEFAULT_CURRENCIES } from '../../engine/kernel/currency.ts'
import { OperatorSessions } from '../../http/auth/operator/operator-sessions.ts'
import { Seal } from '../../http/crypto/seal.ts'
import { operatorPages } from '../../http/pages/operator/operator-table.ts'
import { ApiCalls } from '../../http/pages/shared/api-calls.ts'
import { newOperator } from '../support/operator-callers.ts'
import { type DeskSession, deskSession } from '../support/operator-steps.ts'
import { askPage, cookieHeader, hidden, type RawAnswer } from '../support/raw-page.ts'
import type { Merchant, TestServer } from '../support/server-fixture.ts'
import { OPERATOR_TOKEN } from '../support/server-process.ts'
import { sharedServer } from '../support/shared-server.ts'

let server: TestServer
let merchant: Merchant
let root: DeskSession
const desks = new Map<OperatorRole, DeskSession>()

before(async () => {
  server = await sharedServer()
  merchant = await server.merchant()
  root = await deskSession(server)
  for (const role of OPERATOR_ROLES) desks.set(role, await sessionOf(role))
})

async function sessionOf(role: OperatorRole): Promise<DeskSession> {
  const { token } = await newOperator(server, role)
  const headers = cookieHeader(await askPage(server.process.baseUrl, '/operator/login', { form: { token } }))
  return { headers, csrf: hidden((await askPage(server.process.baseUrl, '/operator', { headers })).text, 'csrf') }
}

const look = ({ headers }: DeskSession, path: string): Promise<RawAnswer> => askPage(server.process.baseUrl, path, { headers })
const send = ({ headers, csrf }: DeskSession, path: string, form: Readonly<Record<string, string>> = {}): Promise<RawAnswer> =>
  askPage(server.process.baseUrl, path, { headers, form: { csrf, ...form } })

/** By the address of the form: the roles that may send it, beside the holder of OPERATOR_TOKEN. */
const FORMS: Readonly<Record<string, OperatorRole | readonly OperatorRole[]>> = {
  '/operator/billers/{slug}/approve': 'curator',
  '/operator/billers/{slug}/reject': 'curator',
  '/operator/billers/{slug}/suspend': 'curator',
  '/operator/billers/{slug}/reinstate': 'curator',
  '/operator/billers/{slug}/logo-approve': 'curator',
  '/operator/billers/{slug}/logo-reject': 'curator',
  '/operator/requests/top-ups/{id}/confirm': 'finance',
  '/operator/requests/top-ups/{id}/refuse': 'finance',
  '/operator/requests/withdrawals/{id}/pay': 'finance',
  '/operator/requests/withdrawals/{id}/refuse': 'finance',
  '/operator/requests/accounts/{id}/confirm': 'finance',
  '/operator/requests/activations/{id}/activate': 'admin',
  '/operator/requests/activations/{id}/refuse': 'admin',
  '/operator/requests/logos/{id}/approve': 'admin',
  '/operator/requests/logos/{id}/refuse': 'admin',
  '/operator/requests/names/{id}/approve': 'admin',
  '/operator/requests/names/{id}/refuse': 'admin',
  '/operator/wallets/{id}/block': 'admin',
  '/operator/wallets/{id}/unblock': 'admin',
  '/operator/wallets/{id}/notes': OPERATOR_ROLES,
  '/operator/wallets/{tag}/phone': OPERATOR_ROLES,
  '/operator/merchants/{id}/notes': OPERATOR_ROLES,
  '/operator/merchants/{id}/suspend': 'admin',
  '/operator/merchants/{id}/reinstate': 'admin',
  '/operator/merchants/{id}/limits': 'admin',
  '/operator/merchants/{id}/api-keys/{key_id}/revoke': 'admin',
  '/operator/merchants/{id}/members/{user_id}/reset-totp': 'admin',
  '/operator/funding/check': 'finance',
  '/operator/funding/confirm': 'finance',
  // Finance decides movements, administrators changes of rules: the ledger knows which of them waits.
  '/operator/approvals/{id}/approve': ['finance', 'admin'],
  '/operator/approvals/{id}/refuse': ['finance', 'admin'],
  '/operator/rules/merchants': 'admin',
  '/operator/rules/tier': 'admin',
  '/operator/merchants/{id}/rules': 'admin',
  '/operator/merchants/{id}/fee-plan': 'admin',
  '/operator/wallets/{tag}/tier': 'admin',
  '/operator/rules/plan': 'admin',
  '/operator/operators': 'admin',
  '/operator/operators/{id}/revoke': 'admin',
  '/operator/operators/requests/{id}/approve': 'admin',
  '/operator/operators/requests/{id}/refuse': 'admin',
}

test('each form of the desk has its role in this test', () => {
  const engine = { query: assert.fail }
  const app = {
    engine,
    seal: new Seal(new Uint8Array(32)),
    demoLock: { merchantId: null },
    currencies: DEFAULT_CURRENCIES,
    clusterView: () => null,
  }
  const sessions = new OperatorSessions({ token: OPERATOR_TOKEN, key: new Uint8Array(32), engine })
  const posts = operatorPages({ app, api: new ApiCalls(), sessions, isSecure: false }).filter(({ method }) => method === 'POST')
  const paths = posts.map(({ path }) => path).filter((path) => !/\/log(?:in|out)$/.test(path))
  assert.deepEqual(paths.sort(), Object.keys(FORMS).sort())
})

test('a form that an operator of another role sends is answered 403 and does nothing', async () => {
  const before = (await server.operator.get<{ data: { id: string }[] }>('/v1/operator/audit?limit=1')).body.data[0]?.id
  for (const [form, roles] of Object.entries(FORMS)) {
    const path = form.replaceAll(/\{[a-z_]+\}/g, '019aa0f8-1c00-7c01-8c4d-5e6f708192a3')
    for (const [own, desk] of desks) {
      const { status, text } = await send(desk, path, { reason: 'x' })
      if ([roles].flat().includes(own)) assert.notEqual(status, 403, `${own} ${form}`)
      else assert.deepEqual([status, text.includes('Votre rôle ne permet pas cette opération.')], [403, true], `${own} ${form}`)
    }
    assert.notEqual((await send(root, path, { reason: 'x' })).status, 403, form)
  }
  const last = (await server.operator.get<{ data: { id: string }[] }>('/v1/operator/audit?limit=1')).body.data[0]?.id
  assert.equal(last, before)
})

test('an operator sees the forms of its role alone', async () => {
  const { id } = (await merchant.live.post<{ id: string }>('/v1/biz/top-ups', { amount: 5 })).body
  const rows: readonly (readonly [string, string, OperatorRole])[] = [
    ['/operator/requests', `top-ups/${id}/confirm`, 'finance'],
    ['/operator/operators', 'action="operators"', 'admin'],
    [`/operator/merchants/${merchant.id}`, `${merchant.id}/suspend`, 'admin'],
    [`/operator/merchants/${merchant.id}`, `${merchant.id}/limits`, 'admin'],
    [`/operator/merchants/${merchant.id}`, '/revoke"', 'admin'],
    [`/operator/funding?account=${merchant.id}&environment=test`, 'funding/check', 'finance'],
    ['/operator/funding', 'action="funding"', 'finance'],
  ]
  for (const [page, form, role] of rows) {
    for (const [own, desk] of desks) assert.equal((await look(desk, page)).text.includes(form), own === role, `${own} ${page} ${form}`)
    assert.ok((await look(root, page)).text.includes(form), form)
  }
})

test('an admin revokes an API key of a merchant on its page, and the other key stays', async () => {
  const shop = await server.merchant()
  const admin = desks.get('admin') ?? root
  const page = `/operator/merchants/${shop.id}`
  const keys = await server.operator.get<{ data: { id: string }[] }>(`/v1/operator/merchants/${shop.id}/api-keys?environment=test`)
  const [{ id = '' } = {}] = keys.body.data
  const form = `${page}/api-keys/${id}/revoke`
  assert.ok((await look(admin, page)).text.includes(`action="${shop.id}/api-keys/${id}/revoke"`))
  const revoked = await send(admin, form)
  assert.equal(new URL(revoked.location, `http://x${form}`).pathname, page)
  const notice = { ...admin, headers: { cookie: `${admin.headers.cookie}; ${cookieHeader(revoked).cookie}` } }
  const after = (await look(notice, page)).text
  assert.ok(after.includes('La clé API est révoquée.') && !after.includes(`api-keys/${id}/revoke`))
  assert.equal((await shop.test.get('/v1/biz/ping')).status, 401)
  assert.equal((await shop.live.get('/v1/biz/ping')).status, 200)
  assert.match((await look(admin, '/operator/audit')).text, /Clé API révoquée/)
})

test('support reads phones masked, and a whole one with a reason that the audit trail keeps', async () => {
  const tag = await server.wallet(merchant)
  const support = desks.get('support') ?? root
  const page = `/operator/wallets/${tag}`
  const [whole = ''] = /\+\d{13}/.exec((await look(root, page)).text) ?? []
  const masked = `${whole.slice(0, 4)}${'•'.repeat(8)}${whole.slice(-2)}`
  for (const path of [page, `/operator/wallets?q=${tag}`]) {
    const { text } = await look(support, path)
    assert.deepEqual([text.includes(masked), text.includes(whole)], [true, false], path)
  }
  assert.ok(!(await look(root, page)).text.includes(`${tag}/phone`))
  const form = { environment: 'test', reason: 'La cliente demande un rappel.', key: 'show-1' }
  const shown = await send(support, `${page}/phone`, form)
  const notice = { ...support, headers: { cookie: `${support.headers.cookie}; ${cookieHeader(shown).cookie}` } }
  assert.ok((await look(notice, page)).text.includes(`Numéro de @${tag} : ${whole}`))
  assert.match((await look(support, page)).text, /Numéro d’un portefeuille affiché : La cliente demande un rappel\./)
})
