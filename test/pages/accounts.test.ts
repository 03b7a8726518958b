// Pages of accounts, asked for as a program does: members, invitation, forgotten password, second factor; and on the operator's desk
// operators with a name and movements that need a second person.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { browserWords } from '../../http/pages/dashboard/account/browser-words.ts'
import { newEmail, type Owner, PASSWORD, signUp } from '../support/dashboard-callers.ts'
import { eventuallyAsync } from '../support/eventually.ts'
import { codeOf, enableTotp, invitationFor, joined, mailedOperatorToken, mailedToken } from '../support/member-callers.ts'
import { approverOf, newOperator } from '../support/operator-callers.ts'
import { type DeskSession, deskSession } from '../support/operator-steps.ts'
import { askPage, cookieHeader, hidden, type RawAnswer } from '../support/raw-page.ts'
import type { TestServer } from '../support/server-fixture.ts'
import { OPERATOR_TOKEN } from '../support/server-process.ts'
import { sharedServer } from '../support/shared-server.ts'
import { ok } from '../support/wallet-callers.ts'

const ABOVE = 100_000
let server: TestServer
let baseUrl: string

before(async () => {
  server = await sharedServer({ OPERATOR_DUAL_CONTROL: String(ABOVE), OPERATOR_DAY_CONTROL: String(ABOVE) })
  baseUrl = server.process.baseUrl
})

function page(owner: Pick<Owner, 'cookie'>, path: string): Promise<RawAnswer> {
  return askPage(baseUrl, `/dashboard/test/${path}`, { headers: { cookie: owner.cookie } })
}

function send(owner: Owner, path: string, form: Readonly<Record<string, string>>): Promise<RawAnswer> {
  const headers = { cookie: owner.cookie, origin: baseUrl }
  return askPage(baseUrl, `/dashboard/test/${path}`, { headers, form: { csrf: owner.csrfToken, key: `form-${newEmail()}`, ...form } })
}

const visitor = (path: string, form?: Readonly<Record<string, string>>): Promise<RawAnswer> =>
  askPage(baseUrl, `/dashboard/${path}`, form === undefined ? {} : { form, headers: { origin: baseUrl } })

describe('the dashboard', () => {
  test('an owner invites, the invited person joins on the page of the link, and a cashier does not see the members', async () => {
    const owner = await signUp(server)
    const email = newEmail()
    const wrong = await send(owner, 'members', { email: 'moussa', role: 'cashier' })
    assert.match(wrong.text, /<a href="#email">Ce champ doit être une adresse e-mail\.<\/a>/, 'no name of the API')
    assert.equal((await send(owner, 'members', { email, role: 'cashier' })).status, 303)
    const token = await mailedToken(server, email, 'invitation')
    const inbox = await askPage(baseUrl, '/dev')
    assert.ok(inbox.text.includes(`<a href="${baseUrl}/dashboard/accept?token=${token}"`), 'links in the inbox can be followed')
    const shown = await visitor(`accept?token=${token}`)
    assert.equal(hidden(shown.text, 'token'), token)
    assert.equal((await visitor('accept', { token, password: 'court' })).status, 400)
    const opened = await visitor('accept', { token, password: PASSWORD })
    assert.equal(opened.status, 303)
    const cashier = cookieHeader(opened)
    assert.equal((await page(cashier, 'members')).status, 403)
    assert.ok((await page(owner, 'members')).text.includes(email))
    assert.ok((await page(owner, 'members')).text.includes('Inviter quelqu’un'))
    assert.match((await visitor('accept', { token, password: PASSWORD })).text, /Ce lien n’est plus valable/)
  })

  test('a cashier who sends the form of a payout is refused', async () => {
    const cashier = await joined(server, await signUp(server), 'cashier')
    const answer = await send(cashier, 'payouts', { recipient: 'awa_demo', amount: '10', confirmed: 'yes' })
    assert.notEqual(answer.status, 303)
    assert.match(answer.text, /Votre rôle ne permet pas cette opération/)
  })

  test('a forgotten password is set by the link, and the address is confirmed by its own', async () => {
    const { email } = await signUp(server)
    const asked = await visitor('password-reset', { email })
    assert.match(asked.text, /Vérifiez votre boîte/)
    const token = await mailedToken(server, email, 'reset')
    assert.equal(hidden((await visitor(`password-reset?token=${token}`)).text, 'token'), token)
    const password = 'trois pirogues sur la lagune'
    assert.match((await visitor('password-reset', { token, password })).text, /Mot de passe changé/)
    for (const used of [await visitor(`password-reset?token=${token}`), await visitor('password-reset', { token, password })]) {
      assert.match(used.text, /Ce lien n’est plus valable[\s\S]*name="email"[\s\S]*Recevoir le lien/, 'a used link leads to a new one')
      assert.ok(!used.text.includes('type="password"'))
    }
    assert.match((await visitor('accept?token=invitation_x')).text, /Ce lien n’est plus valable[\s\S]*demandez une nouvelle invitation/)
    assert.match((await visitor('confirm-email?token=confirm_x')).text, /Ce lien n’est plus valable[\s\S]*href="live\/account"/)
    assert.equal((await visitor('login', { email, password })).status, 303)
    const other = await signUp(server)
    const confirm = await mailedToken(server, other.email, 'confirm')
    assert.match((await page(other, 'account')).text, /À confirmer/)
    assert.match((await visitor('confirm-email', { token: confirm })).text, /Adresse confirmée/)
    assert.match((await page(other, 'account')).text, /Confirmée/)
  })

  test('TOTP is turned on with the QR code, asked for at login and turned off with a recovery code', async () => {
    const owner = await signUp(server)
    assert.equal((await send(owner, 'security/enroll', {})).status, 303)
    const enrolment = await page(owner, 'security/enroll')
    const secret = /<code>([A-Z2-7 ]+)<\/code>/.exec(enrolment.text)?.[1]?.replaceAll(' ', '') ?? ''
    assert.match((await page(owner, 'security/qr.svg')).text, /^<svg /)
    assert.match((await send(owner, 'security/confirm', { totp: codeOf(secret, -20) })).text, /incorrect ou a déjà servi/)
    const codes = await send(owner, 'security/confirm', { totp: codeOf(secret) })
    const [, recovery = ''] = /<code>([a-z2-7]{5}-[a-z2-7]{5})<\/code>/.exec(codes.text) ?? []
    assert.equal((await page(owner, 'security/qr.svg')).status, 404)
    const first = await visitor('login', { email: owner.email, password: PASSWORD })
    assert.deepEqual([first.status, first.cookies], [200, []])
    const step = hidden(first.text, 'step')
    assert.ok(/name="totp"/.test(first.text) && !/type="password"/.test(first.text), 'the password is not asked for again')
    const wrong = await visitor('login', { email: owner.email, step, totp: '000000' })
    assert.deepEqual([wrong.status, /incorrect ou a déjà servi/.test(wrong.text)], [401, true])
    const other = `${step.slice(0, -2)}${step.at(-2) === 'A' ? 'BA' : 'AA'}`
    const forged = await visitor('login', { email: owner.email, step: other, totp: codeOf(secret, 1) })
    assert.deepEqual([forged.status, forged.cookies, /type="password"/.test(forged.text)], [401, [], true])
    assert.equal((await visitor('login', { email: owner.email, step: hidden(wrong.text, 'step'), totp: codeOf(secret, 1) })).status, 303)
    assert.match((await page(owner, 'security')).text, /Codes de secours qui restent : <b>10<\/b>/)
    const renewed = await send(owner, 'security/recovery-codes', { password: PASSWORD, totp: recovery })
    const [, fresh = ''] = /<code>([a-z2-7]{5}-[a-z2-7]{5})<\/code>/.exec(renewed.text) ?? []
    assert.ok(renewed.text.includes('data-print') && fresh !== recovery)
    assert.equal(
      (await send(owner, 'security/disable', { password: PASSWORD, totp: recovery })).status,
      400,
      'the earlier codes have ended',
    )
    assert.equal((await send(owner, 'security/disable', { password: PASSWORD, totp: fresh })).status, 303)
    assert.match((await page(owner, 'security')).text, /Inactive/)
  })

  test('a user ends all other sessions, and changes the password with the old one', async () => {
    const owner = await signUp(server)
    const opened = await visitor('login', { email: owner.email, password: PASSWORD })
    const other = cookieHeader(opened)
    assert.equal((await page(other, 'security')).status, 200)
    assert.match((await page(owner, 'security')).text, /Fermer toutes les autres sessions/)
    assert.match((await send(owner, 'security/sessions/end-others', {})).location, /sessions_ended$/)
    assert.equal((await page(other, 'security')).status, 303)
    const new_password = 'trois pirogues sur la lagune'
    const wrong = await send(owner, 'security/password', { password: 'pas le bon mot', new_password })
    assert.deepEqual([wrong.status, /actuel n’est pas le bon/.test(wrong.text)], [401, true])
    assert.match((await send(owner, 'security/password', { password: PASSWORD, new_password })).location, /password_changed$/)
  })

  test('an owner or an operator turns off the lost second factor of a member, who gets an e-mail', async () => {
    const owner = await signUp(server)
    const member = await joined(server, owner, 'manager')
    const logIn = (email: string) => visitor('login', { email, password: PASSWORD })
    await enableTotp(member.browser)
    assert.match((await logIn(member.email)).text, /name="totp"/)
    assert.match((await page(owner, 'members')).text, /Téléphone perdu/)
    const refused = await send(owner, `members/${member.id}/reset-totp`, { password: 'pas le bon mot' })
    assert.match(refused.text, /Ce n’est pas votre mot de passe/)
    assert.match((await logIn(member.email)).text, /name="totp"/)
    assert.match((await send(owner, `members/${member.id}/reset-totp`, { password: PASSWORD })).location, /totp_reset$/)
    assert.equal((await logIn(member.email)).status, 303)
    await eventuallyAsync(async () => {
      const { text } = await askPage(baseUrl, '/dev')
      return text.includes(member.email) && text.includes('Validation en deux étapes réinitialisée')
    }, 'the notice is in the inbox')
    await enableTotp(member.browser)
    await ok(owner.browser.with({ 'accept-language': 'en' }).post(`/v1/dashboard/members/${member.id}/reset-totp`, { password: PASSWORD }))
    await eventuallyAsync(
      async () => (await askPage(baseUrl, '/dev')).text.includes('Two-step verification reset'),
      'the notice is in the language of the owner',
    )
    await enableTotp(owner.browser)
    const { body: me } = await owner.browser.get<{ user: { id: string } }>('/v1/dashboard/me')
    assert.equal((await owner.browser.post(`/v1/dashboard/members/${me.user.id}/reset-totp`, { password: PASSWORD })).status, 403)
    assert.equal((await member.browser.post(`/v1/dashboard/members/${me.user.id}/reset-totp`, { password: PASSWORD })).status, 403)
    const path = `/v1/operator/merchants/${owner.merchantId}/members`
    const members = await server.operator.get<{ data: { id: string }[] }>(path)
    assert.ok(members.body.data.some(({ id }) => id === me.user.id))
    const desk = await deskSession(server)
    const form = { csrf: desk.csrf, key: 'lost', reason: 'Vu au bureau.' }
    const merchantPage = await askPage(baseUrl, `/operator/merchants/${owner.merchantId}`, { headers: desk.headers })
    assert.match(merchantPage.text, /Téléphone perdu/)
    const reset = `/operator/merchants/${owner.merchantId}/members/${me.user.id}/reset-totp`
    assert.equal((await askPage(baseUrl, reset, { headers: desk.headers, form })).status, 303)
    assert.match((await logIn(owner.email)).text, /name="totp"/, 'without the token of the operator nothing changes')
    assert.equal((await askPage(baseUrl, reset, { headers: desk.headers, form: { ...form, token: OPERATOR_TOKEN } })).status, 303)
    assert.equal((await logIn(owner.email)).status, 303)
    const audit = await server.operator.get<{ data: { target: string }[] }>('/v1/operator/audit?action=member.totp_reset')
    assert.equal(audit.body.data[0]?.target, me.user.id)
  })

  test('sessions are shown in words', async () => {
    const owner = await signUp(server)
    assert.match((await page(owner, 'security')).text, /Navigateur inconnu[\s\S]*Cette session[\s\S]*à l’instant/)
    const rows = [
      [
        'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
        'Chrome sur Windows',
      ],
      [
        'Mozilla/5.0 (Linux; Android 14; SM-A155F) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 Chrome/121.0 Mobile',
        'Samsung Internet sur Android',
      ],
      [
        'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1',
        'Safari sur iPhone',
      ],
      ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox sur Linux'],
      ['', 'Navigateur inconnu'],
    ] as const
    for (const [userAgent, words] of rows) assert.equal(browserWords(userAgent).in('fr'), words)
  })

  test('the pages of links change nothing when they are only looked at, and refuse forms of other sites', async () => {
    const token = await invitationFor(server, await signUp(server), newEmail(), 'viewer')
    await visitor(`accept?token=${token}`)
    const foreign = await askPage(baseUrl, '/dashboard/accept', {
      form: { token, password: PASSWORD },
      headers: { origin: 'https://evil.example' },
    })
    assert.equal(foreign.status, 403)
    assert.equal((await visitor('accept', { token, password: PASSWORD })).status, 303)
  })
})

describe('the desk', () => {
  const deskOf = (token: string): Promise<DeskSession> => deskSession(server, token)
  const look = ({ headers }: DeskSession, path: string) => askPage(baseUrl, `/operator/${path}`, { headers })
  const act = ({ headers, csrf }: DeskSession, path: string, form: Readonly<Record<string, string>>) =>
    askPage(baseUrl, `/operator/${path}`, { headers, form: { csrf, ...form } })

  test('an operator with a name enters, sees its name, and its session ends when it is revoked', async () => {
    const { id, token } = await newOperator(server, 'support', 'Binta Sarr')
    const desk = await deskOf(token)
    assert.match((await look(desk, 'operators')).text, /Binta Sarr<\/bdi> · assistance/)
    assert.equal((await look(desk, 'funding')).status, 403)
    assert.ok(!(await look(desk, 'operators')).text.includes('Nouvel opérateur'))
    await server.operator.request('DELETE', `/v1/operator/operators/${id}`)
    assert.equal((await look(desk, 'operators')).status, 303)
  })

  test('an operator whom another administrator approves on the page enters with its token', async () => {
    const root = await deskSession(server)
    const admin = await deskOf((await approverOf(server)).token)
    const email = newEmail()
    const created = await act(root, 'operators', { key: 'form-1', name: 'Moussa Traoré', email, role: 'finance' })
    assert.equal(created.status, 303)
    assert.match((await look(root, 'operators')).text, /une autre personne doit l’approuver/)
    const home = await askPage(baseUrl, '/operator', { headers: admin.headers })
    assert.match(home.text, /Accès à approuver[\s\S]*Moussa Traoré/)
    const [, id = ''] = /operators\/requests\/([0-9a-f-]{36})\/approve/.exec((await look(admin, 'operators')).text) ?? []
    assert.equal((await act(admin, `operators/requests/${id}/approve`, { key: 'form-5' })).status, 303)
    const token = await mailedOperatorToken(server, email)
    assert.match((await look(await deskOf(token), 'approvals')).text, /Demandes à approuver/)
    assert.match((await look(root, 'audit')).text, /Opérateur demandé/)
  })

  test('a large movement waits on the desk, its own operator cannot approve it, another does', async () => {
    const [first, second] = [
      await deskOf((await newOperator(server, 'finance', 'Fatou')).token),
      await deskOf((await newOperator(server, 'finance')).token),
    ]
    const merchant = await server.merchant('Chez Binta')
    const amount = String(ABOVE + 1)
    const typed = { kind: 'deposit', environment: 'live', account: merchant.id, amount, reference: 'VIR-1' }
    const checked = await act(first, 'funding/check', { key: 'form-00000000-0000-0000-0000-000000000001', ...typed })
    const address = `funding/${checked.location}`
    const sealed = new URLSearchParams(checked.location.split('?')[1]).get('s') ?? ''
    assert.equal((await act(first, 'funding/confirm', { s: sealed, again: amount })).status, 303)
    assert.match((await look(first, address)).text, /une seconde personne de la finance/)
    assert.match((await look(first, 'approvals')).text, /une autre personne doit l’approuver/)
    const list = await look(second, 'approvals')
    const [, id = ''] = /approvals\/([0-9a-f-]{36})\/approve/.exec(list.text) ?? []
    assert.match(list.text, /Fatou/)
    assert.match(list.text, /<h2[^>]*>Dépôt de [^<]*, <bdi>Chez Binta<\/bdi><\/h2>/)
    assert.ok(!list.text.includes(`>${merchant.id}<`), 'a name, no id')
    assert.equal((await act(second, `approvals/${id}/approve`, { key: 'form-2' })).status, 303)
    assert.match((await look(first, address)).text, /Effectué/)
    assert.equal((await merchant.live.get('/v1/biz/balance')).body.available, ABOVE + 1)
  })

  test('a large top-up waits on the desk without forms of its own, and another operator approves it', async () => {
    const [first, second] = [
      await deskOf((await newOperator(server, 'finance', 'Fatou')).token),
      await deskOf((await newOperator(server, 'finance')).token),
    ]
    const merchant = await server.merchant()
    const amount = ABOVE + 7
    const { id } = (await merchant.live.post<{ id: string }>('/v1/biz/top-ups', { amount })).body
    assert.ok((await look(first, 'requests')).text.includes(`top-ups/${id}/confirm`))
    const form = { key: 'form-3', amount: String(amount), reference: 'VIR-2' }
    const asked = await act(first, `requests/top-ups/${id}/confirm`, form)
    assert.equal(asked.status, 303)
    const shown = await look({ ...first, headers: { cookie: `${first.headers.cookie}; ${cookieHeader(asked).cookie}` } }, 'requests')
    assert.match(shown.text, /une seconde personne de la finance doit approuver/)
    assert.ok(shown.text.includes('Une seconde personne doit décider') && !shown.text.includes(`top-ups/${id}/confirm`))
    const list = (await look(second, 'approvals')).text
    assert.ok(list.includes('Approvisionnement de') && !list.includes(`>${id}<`))
    assert.match(list, /Annoncé par le marchand<\/dt><dd>[^<]*, référence <strong>/)
    const [, approval = ''] = /approvals\/([0-9a-f-]{36})\/approve/.exec(list) ?? []
    assert.equal((await act(second, `approvals/${approval}/approve`, { key: 'form-4' })).status, 303)
    assert.equal((await merchant.live.get('/v1/biz/balance')).body.available, amount)
    assert.match((await look(first, 'audit')).text, /Crédit d’un approvisionnement demandé/)
  })
})
