// Members, second factors and forgotten passwords over HTTP: what each role may do, and what a link or a code opens once.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { SignedIn } from '../../../../engine/contract/dashboard.ts'
import { MEMBER_ROLES, type Member, type MemberRole } from '../../../../engine/contract/dashboard.ts'
import { INVITATIONS_PER_HOUR } from '../../../../http/server/server-limits.ts'
import { newEmail, type Owner, PASSWORD, signUp } from '../../../support/dashboard-callers.ts'
import { codeOf, enableTotp, invitationFor, joined, mailedCount, mailedToken } from '../../../support/member-callers.ts'
import { newKey, type TestServer } from '../../../support/server-fixture.ts'
import { sharedServer } from '../../../support/shared-server.ts'

let server: TestServer
let owner: Owner

before(async () => {
  server = await sharedServer()
  owner = await signUp(server)
})

const NEW_PASSWORD = 'trois pirogues sur la lagune'
const logIn = (email: string, more: object = {}) =>
  server.anybody.post<SignedIn & { readonly code?: string }>('/v1/dashboard/login', { email, password: PASSWORD, ...more })

describe('roles', () => {
  const WRITES: readonly { readonly least: MemberRole; readonly path: string; readonly body: object }[] = [
    { least: 'viewer', path: '/v1/dashboard/email-confirmation', body: {} },
    { least: 'owner', path: '/v1/dashboard/api-keys', body: { environment: 'test', scopes: [], label: '' } },
    { least: 'owner', path: '/v1/dashboard/members', body: { email: 'no-address', role: 'viewer' } },
    { least: 'owner', path: '/v1/biz/webhook-endpoints', body: { url: 'http://no.example', events: [] } },
    { least: 'manager', path: '/v1/biz/bill-payments/01965c1e-7a2b-7c3d-8e4f-5a6b7c8d9e0f/refund', body: {} },
  ]

  test('each role may do what it names and no more, and all but cashiers read everything', async () => {
    const members = new Map<MemberRole, Owner>([['owner', owner]])
    for (const role of ['viewer', 'cashier', 'manager'] as const) members.set(role, await joined(server, owner, role))
    for (const [role, { browser }] of members) {
      assert.equal((await browser.get<SignedIn>('/v1/dashboard/me')).body.user.role, role)
      assert.equal((await browser.get('/v1/biz/charges')).status, 200)
      assert.equal((await browser.get('/v1/dashboard/members')).status, role === 'cashier' ? 403 : 200)
      for (const { least, path, body } of WRITES) {
        const answer = await browser.post<{ code?: string }>(path, body, newKey())
        const isAllowed = MEMBER_ROLES.indexOf(role) >= MEMBER_ROLES.indexOf(least)
        assert.equal(answer.body.code === 'insufficient_role', !isAllowed, `${role} ${path}: ${answer.text}`)
      }
      assert.equal((await browser.get('/v1/biz/webhook-secret')).status, role === 'owner' ? 200 : 403)
    }
    const { body } = await owner.browser.get<{ data: Member[] }>('/v1/dashboard/members')
    assert.deepEqual(body.data.map(({ role, state }) => `${role} ${state}`).sort(), [
      'cashier active',
      'manager active',
      'owner active',
      'viewer active',
    ])
    for (const role of ['viewer', 'cashier', 'manager'] as const) {
      const id = body.data.find((member) => member.role === role)?.id ?? ''
      assert.equal((await owner.browser.request('DELETE', `/v1/dashboard/members/${id}`)).status, 200)
      assert.equal((await (members.get(role) as Owner).browser.get('/v1/dashboard/me')).status, 401, 'a removed member has no session')
    }
  })

  test('of two acceptances of an invitation one signs in, and the last owner stays', async () => {
    const founder = await signUp(server)
    const email = newEmail()
    const token = await invitationFor(server, founder, email, 'cashier')
    const accept = () => server.anybody.post('/v1/dashboard/members/accept', { token, password: PASSWORD })
    const answers = await Promise.all([accept(), accept()])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 400])
    assert.equal((await logIn(email)).body.merchant.id, founder.merchantId)
    const { body } = await founder.browser.get<SignedIn>('/v1/dashboard/me')
    const leave = await founder.browser.request<{ code: string }>('DELETE', `/v1/dashboard/members/${body.user.id}`)
    assert.deepEqual([leave.status, leave.body.code], [409, 'last_owner'])
    const taken = await founder.browser.post('/v1/dashboard/members', { email, role: 'viewer' })
    assert.deepEqual([taken.status, taken.body.code], [409, 'email_taken'])
    const weak = await server.anybody.post('/v1/dashboard/members/accept', { token: 'invitation_none', password: PASSWORD })
    assert.deepEqual([weak.status, weak.body.code], [400, 'invalid_token'])
  })

  test('a merchant sends so many invitations an hour, and each address counts', async () => {
    const { browser } = await signUp(server)
    const email = newEmail()
    for (let sent = 0; sent < INVITATIONS_PER_HOUR; sent++) {
      assert.equal((await browser.post('/v1/dashboard/members', { email, role: 'viewer' })).status, 201)
    }
    const over = await browser.post<{ code?: string }>('/v1/dashboard/members', { email, role: 'viewer' })
    assert.deepEqual([over.status, over.body.code], [429, 'rate_limited'])
  })

  test('a member of another merchant is not found', async () => {
    const [one, other] = [await signUp(server), await signUp(server)]
    const { body } = await other.browser.get<SignedIn>('/v1/dashboard/me')
    assert.equal((await one.browser.request('DELETE', `/v1/dashboard/members/${body.user.id}`)).status, 404)
  })
})

describe('a forgotten password', () => {
  test('the link sets a new password once and ends all sessions, and unknown addresses get the same answer and no e-mail', async () => {
    const { email, browser } = await signUp(server)
    const unknown = newEmail()
    const ask = (to: string) => server.anybody.post('/v1/dashboard/password-reset', { email: to })
    const [known, other] = [await ask(email.toUpperCase()), await ask(unknown)]
    assert.deepEqual([known.status, known.text], [202, other.text])
    const token = await mailedToken(server, email, 'reset')
    assert.equal(await mailedCount(server, unknown), 0)
    const reset = (password: string) => server.anybody.post('/v1/dashboard/password-reset/confirm', { token, password })
    assert.deepEqual((await reset('court')).body.code, 'weak_password')
    const answers = await Promise.all([reset(NEW_PASSWORD), reset(NEW_PASSWORD)])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400])
    assert.equal((await browser.get('/v1/dashboard/me')).status, 401)
    assert.equal((await logIn(email)).status, 401)
    assert.equal((await logIn(email, { password: NEW_PASSWORD })).status, 200)
  })

  test('a new password that the user sets ends the link of a forgotten one', async () => {
    const { email, browser } = await signUp(server)
    await server.anybody.post('/v1/dashboard/password-reset', { email })
    const token = await mailedToken(server, email, 'reset')
    assert.equal((await browser.post('/v1/dashboard/password', { password: PASSWORD, new_password: NEW_PASSWORD })).status, 200)
    const late = await server.anybody.post<{ code?: string }>('/v1/dashboard/password-reset/confirm', { token, password: PASSWORD })
    assert.deepEqual([late.status, late.body.code], [400, 'invalid_token'])
  })

  test('a link that confirms an address does it once', async () => {
    const { email, browser } = await signUp(server)
    const confirmed = async () => (await browser.get<SignedIn>('/v1/dashboard/me')).body.user.email_confirmed
    assert.equal(await confirmed(), false)
    const token = await mailedToken(server, email, 'confirm')
    const confirm = () => server.anybody.post('/v1/dashboard/email-confirmation/confirm', { token })
    assert.equal((await confirm()).status, 200)
    assert.deepEqual((await confirm()).body.code, 'invalid_token')
    assert.equal(await confirmed(), true)
  })
})

describe('TOTP', () => {
  test('a login needs a code, each code and each recovery code opens one', async () => {
    const { email, browser } = await signUp(server)
    const { secret, recoveryCodes } = await enableTotp(browser)
    const missing = await logIn(email)
    assert.deepEqual([missing.status, missing.body.code, missing.headers['set-cookie']], [401, 'totp_required', undefined])
    assert.equal((await logIn(email, { totp: codeOf(secret, -20) })).body.code, 'totp_incorrect')
    // The enrolment used the present step.
    const totp = codeOf(secret, 1)
    const pair = await Promise.all([logIn(email, { totp }), logIn(email, { totp })])
    assert.deepEqual(pair.map(({ status }) => status).sort(), [200, 401])
    assert.equal(pair.find(({ status }) => status === 200)?.body.user.totp_enabled, true)
    const [code = ''] = recoveryCodes
    assert.equal((await logIn(email, { totp: code.toUpperCase() })).status, 200)
    assert.equal((await logIn(email, { totp: code })).body.code, 'totp_incorrect')
    const renew = (more: object = {}) =>
      browser.post<{ recovery_codes: string[]; code: string }>('/v1/dashboard/totp/recovery-codes', {
        password: PASSWORD,
        totp: recoveryCodes[2],
        ...more,
      })
    assert.equal((await renew({ password: 'un autre mot de passe' })).status, 401)
    const renewed = await renew()
    assert.deepEqual([renewed.status, renewed.body.recovery_codes.length], [200, 10])
    assert.equal((await renew()).body.code, 'totp_incorrect', 'the earlier codes have ended')
    const disable = (more: object) =>
      browser.post('/v1/dashboard/totp/disable', { password: PASSWORD, totp: renewed.body.recovery_codes[1], ...more })
    assert.equal((await disable({ password: 'un autre mot de passe' })).body.code, 'invalid_credentials')
    assert.equal((await disable({ totp: '000000' })).status, 401)
    assert.equal((await disable({})).status, 200)
    assert.equal((await logIn(email)).status, 200)
  })

  test('an enrolment changes nothing until its first code, and a wrong code leaves it open', async () => {
    const { email, browser } = await signUp(server)
    const enrolled = await browser.post<{ secret: string; otpauth_url: string; qr_svg: string }>('/v1/dashboard/totp/enroll', undefined)
    assert.match(enrolled.body.qr_svg, /^<svg /)
    assert.ok(enrolled.body.otpauth_url.includes(enrolled.body.secret))
    assert.equal((await logIn(email)).status, 200)
    const confirm = (totp: string) => browser.post('/v1/dashboard/totp/confirm', { totp })
    assert.equal((await confirm(codeOf(enrolled.body.secret, -20))).body.code, 'totp_incorrect')
    assert.equal((await confirm(codeOf(enrolled.body.secret))).status, 200)
    assert.deepEqual((await browser.post('/v1/dashboard/totp/enroll', undefined)).body.code, 'totp_already_enabled')
  })

  test('the rejection of a removal is replayed with the bytes of the first, its request id among them', async () => {
    const { browser } = await signUp(server)
    const key = newKey()
    const first = await browser.post<{ code?: string }>('/v1/dashboard/totp/disable', { password: PASSWORD, totp: '123456' }, key)
    assert.deepEqual([first.status, first.body.code], [409, 'totp_not_enabled'])
    const again = await browser.post('/v1/dashboard/totp/disable', { password: PASSWORD, totp: '123456' }, key)
    assert.deepEqual([again.status, again.text], [409, first.text])
  })
})
