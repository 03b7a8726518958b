// POSTs of persons: sign-in and sign-up steps, the dashboard, the wallet, the checkout.
import { randomUUID } from 'node:crypto'
import { METER } from './bill-engine.ts'
import { openCharge, openPayer, payerOfCharge } from './charge-callers.ts'
import type { Client } from './client.ts'
import { newEmail, signUp as openOwner, PASSWORD } from './dashboard-callers.ts'
import { mandateOf } from './keyed-mandate.ts'
import type { KeyedRows, KeyedWorld } from './keyed-request.ts'
import { codeOf, enableTotp, invitationFor, joined, mailedToken } from './member-callers.ts'
import { newTag } from './server-fixture.ts'
import { bearer, newTestPhone, ok, PIN, showCode, signUp, TEST_OTP } from './wallet-callers.ts'

const phoneBody = (purpose: 'signup' | 'login', more: object = {}): object => ({ phone: newTestPhone(), purpose, ...more })

async function startedSignup({ server }: KeyedWorld): Promise<object> {
  const phone = newTestPhone()
  const { body } = await ok(server.anybody.post('/v1/auth/phone/start', { phone, purpose: 'signup' }))
  return { phone, purpose: 'signup', code: TEST_OTP, challenge_id: body.challenge_id }
}

async function signupStep({ server: { anybody } }: KeyedWorld, steps: 0 | 1 | 2): Promise<Client> {
  const client = bearer(anybody, await showCode(anybody, newTestPhone(), 'signup'))
  if (steps > 0) await ok(client.post('/v1/auth/identity/set', { family_name: 'Diallo', given_name: 'Awa' }))
  if (steps > 1) await ok(client.post('/v1/auth/tag/set', { tag: newTag() }))
  return client
}

const AUTH: KeyedRows = {
  startPhone: ({ server }) => ({ client: server.anybody, path: '/v1/auth/phone/start', json: phoneBody('signup') }),
  verifyPhone: async (world) => ({ client: world.server.anybody, path: '/v1/auth/phone/verify', json: await startedSignup(world) }),
  exchangeFirebase: async ({ server, firebase }) => {
    const id_token = await firebase.idToken(newTestPhone())
    return { client: server.anybody, path: '/v1/auth/firebase/exchange', json: { id_token, purpose: 'signup' } }
  },
  setIdentity: async (world) => ({
    client: await signupStep(world, 0),
    path: '/v1/auth/identity/set',
    json: { family_name: 'Diallo', given_name: 'Awa' },
  }),
  setTag: async (world) => ({ client: await signupStep(world, 1), path: '/v1/auth/tag/set', json: { tag: newTag() } }),
  setPin: async (world) => ({
    client: await signupStep(world, 2),
    path: '/v1/auth/pin/set',
    json: { pin: PIN, device: { id: randomUUID() } },
  }),
  verifyPin: async ({ server: { anybody } }) => {
    const { phone } = await signUp(anybody)
    const client = bearer(anybody, await showCode(anybody, phone, 'login'))
    return { client, path: '/v1/auth/pin/verify', json: { pin: PIN, device: { id: randomUUID() } } }
  },
  refreshSession: async ({ server: { anybody } }) => {
    const { phone, deviceId, deviceToken } = await signUp(anybody)
    const json = { phone, pin: PIN, device_id: deviceId, device_token: deviceToken }
    return { client: anybody, path: '/v1/auth/refresh', json }
  },
}

const DASHBOARD: KeyedRows = {
  signUpMerchant: ({ server }) => ({
    client: server.anybody,
    path: '/v1/dashboard/signup',
    json: { merchant_name: 'Boutique', email: newEmail(), password: PASSWORD },
  }),
  logInToDashboard: async ({ server }) => {
    const { email } = await openOwner(server)
    return { client: server.anybody, path: '/v1/dashboard/login', json: { email, password: PASSWORD } }
  },
  logOutOfDashboard: async ({ server }) => ({ client: (await openOwner(server)).browser, path: '/v1/dashboard/logout' }),
  changePassword: async ({ server }) => ({
    client: (await openOwner(server)).browser,
    path: '/v1/dashboard/password',
    json: { password: PASSWORD, new_password: 'trois pirogues sur la lagune' },
  }),
  createApiKey: async ({ server }) => ({
    client: (await openOwner(server)).browser,
    path: '/v1/dashboard/api-keys',
    json: { environment: 'test', scopes: [], label: 'Caisse' },
  }),
}

const PASSWORDLESS: KeyedRows = {
  requestPasswordReset: async ({ server }) => ({
    client: server.anybody,
    path: '/v1/dashboard/password-reset',
    json: { email: (await openOwner(server)).email },
  }),
  resetPassword: async ({ server }) => {
    const { email } = await openOwner(server)
    await server.anybody.post('/v1/dashboard/password-reset', { email })
    const token = await mailedToken(server, email, 'reset')
    return {
      client: server.anybody,
      path: '/v1/dashboard/password-reset/confirm',
      json: { token, password: 'trois pirogues sur la lagune' },
    }
  },
  requestEmailConfirmation: async ({ server }) => ({
    client: (await openOwner(server)).browser,
    path: '/v1/dashboard/email-confirmation',
  }),
  confirmEmail: async ({ server }) => {
    const { email } = await openOwner(server)
    const token = await mailedToken(server, email, 'confirm')
    return { client: server.anybody, path: '/v1/dashboard/email-confirmation/confirm', json: { token } }
  },
  inviteMember: async ({ server }) => ({
    client: (await openOwner(server)).browser,
    path: '/v1/dashboard/members',
    json: { email: newEmail(), role: 'cashier' },
  }),
  acceptInvitation: async ({ server }) => {
    const token = await invitationFor(server, await openOwner(server), newEmail(), 'viewer')
    return { client: server.anybody, path: '/v1/dashboard/members/accept', json: { token, password: PASSWORD } }
  },
  resetMemberTotp: async ({ server }) => {
    const owner = await openOwner(server)
    const member = await joined(server, owner, 'viewer')
    await enableTotp(member.browser)
    return { client: owner.browser, path: `/v1/dashboard/members/${member.id}/reset-totp`, json: { password: PASSWORD } }
  },
  enrollTotp: async ({ server }) => ({ client: (await openOwner(server)).browser, path: '/v1/dashboard/totp/enroll' }),
  confirmTotp: async ({ server }) => {
    const { browser } = await openOwner(server)
    const { body } = await ok(browser.post('/v1/dashboard/totp/enroll', undefined))
    return { client: browser, path: '/v1/dashboard/totp/confirm', json: { totp: codeOf(String(body.secret)) } }
  },
  renewRecoveryCodes: async ({ server }) => {
    const { browser } = await openOwner(server)
    const { recoveryCodes } = await enableTotp(browser)
    return { client: browser, path: '/v1/dashboard/totp/recovery-codes', json: { password: PASSWORD, totp: recoveryCodes[0] } }
  },
  disableTotp: async ({ server }) => {
    const { browser } = await openOwner(server)
    const { recoveryCodes } = await enableTotp(browser)
    return { client: browser, path: '/v1/dashboard/totp/disable', json: { password: PASSWORD, totp: recoveryCodes[0] } }
  },
}

async function walletOf({ server: { anybody } }: KeyedWorld): Promise<Client> {
  return (await signUp(anybody)).client
}

async function fundedApp({ server, merchant }: KeyedWorld): Promise<Client> {
  return (await openPayer(server, merchant, 10_000)).app
}

const WALLET: KeyedRows = {
  changePin: async (world) => ({ client: await walletOf(world), path: '/v1/me/pin/change', json: { pin: PIN, new_pin: '8264' } }),
  logOut: async (world) => ({ client: await walletOf(world), path: '/v1/me/logout' }),
  answerProblem: async ({ server, merchant }) => {
    const { app, transactionId } = await payerOfCharge(server, merchant)
    const { body } = await ok(app.post<{ id: string }>(`/v1/me/transactions/${transactionId}/problem`, { reason: 'not_received' }))
    return { client: merchant.test, path: `/v1/biz/problems/${body.id}/answer`, json: { text: 'Demain.' } }
  },
  openMyProblem: async ({ server, merchant }) => {
    const { app, transactionId } = await payerOfCharge(server, merchant)
    return { client: app, path: `/v1/me/transactions/${transactionId}/problem`, json: { reason: 'not_received', text: 'Rien reçu.' } }
  },
  createStreamTicket: async (world) => ({ client: await walletOf(world), path: '/v1/me/events/ticket' }),
  scanCharge: async (world) => {
    const { token } = await openCharge(world.merchant)
    const { body } = await ok(world.server.anybody.get(`/v1/biz/checkout/${token}/qr`))
    return { client: await walletOf(world), path: '/v1/me/charges/scan', json: { payload: body.payload } }
  },
  payCharge: async (world) => {
    const { token } = await openCharge(world.merchant)
    return { client: await fundedApp(world), path: `/v1/me/charges/${token}/pay`, json: { pin: '2580' } }
  },
  createTransfer: async (world) => ({
    client: await fundedApp(world),
    path: '/v1/me/transfers',
    json: { recipient: await world.server.wallet(world.merchant), amount: 10, pin: '2580' },
  }),
  createQuote: ({ customer }) => ({
    client: customer.app,
    path: customer.path('facture', 'quote'),
    json: { form_values: { compteur: METER } },
  }),
  payBill: ({ customer }) => ({ client: customer.app, path: customer.path('don', 'pay'), json: { amount: 1000, pin: PIN } }),
  approveMandate: async (world) => {
    const { pair, id } = await mandateOf(world, false)
    return { client: pair.payer.app, path: `/v1/me/mandates/${id}/approve`, json: { pin: '2580' } }
  },
  rejectMyMandate: async (world) => {
    const { pair, id } = await mandateOf(world, false)
    return { client: pair.payer.app, path: `/v1/me/mandates/${id}/reject` }
  },
  cancelMyMandate: async (world) => {
    const { pair, id } = await mandateOf(world, true)
    return { client: pair.payer.app, path: `/v1/me/mandates/${id}/cancel` }
  },
}

const CHECKOUT: KeyedRows = {
  startCheckoutOtp: async ({ server, merchant }) => {
    const { token } = await openCharge(merchant)
    const { tag } = await openPayer(server, merchant, 0)
    return { client: server.anybody, path: `/v1/biz/checkout/${token}/otp`, json: { identifier: tag } }
  },
  payCheckout: async ({ server, merchant }) => {
    const { token } = await openCharge(merchant)
    const { tag } = await openPayer(server, merchant, 10_000)
    const started = await server.anybody.post(`/v1/biz/checkout/${token}/otp`, { identifier: tag })
    const json = { challenge_id: started.body.challenge_id, identifier: tag, otp: TEST_OTP, pin: '2580' }
    return { client: server.anybody, path: `/v1/biz/checkout/${token}/pay`, json }
  },
}

export const PERSON_ROUTES: KeyedRows = { ...AUTH, ...DASHBOARD, ...PASSWORDLESS, ...WALLET, ...CHECKOUT }
