// States that no random change reaches, each with the answer that a request must get there: poor and blocked wallets, decided mandates,
// used quotes, taken names, movements that wait for a second operator.
import assert from 'node:assert/strict'
import { TABLE } from '../../support/api-document.ts'
import { Customer } from '../../support/bill-callers.ts'
import { METER } from '../../support/bill-engine.ts'
import { openCharge, openPayer } from '../../support/charge-callers.ts'
import { newEmail, PASSWORD, signUp as signUpOwner } from '../../support/dashboard-callers.ts'
import { mandateOf } from '../../support/keyed-mandate.ts'
import type { KeyedRequest, KeyedWorld } from '../../support/keyed-request.ts'
import { enableTotp, invitationFor } from '../../support/member-callers.ts'
import { DUAL_CONTROL } from '../../support/operator-callers.ts'
import { ROUTE_ROWS } from '../../support/other-routes.ts'
import { Prng } from '../../support/prng.ts'
import { newKey } from '../../support/server-fixture.ts'
import { bearer, newTestPhone, ok, showCode, signUp, TEST_OTP } from '../../support/wallet-callers.ts'
import type { AttemptSender } from './attempt-sender.ts'
import { rightAttempt } from './route-attempt.ts'

interface StateRow {
  readonly operation: string
  readonly status: number
  readonly request: (world: KeyedWorld) => Promise<KeyedRequest>
}

const PIN = '2580'
const BEYOND = DUAL_CONTROL + 1
const ABSENT = '019aa0f8-1c00-7c01-8c4d-5e6f708192a3'
const ON_DEMAND = { interval: 'on_demand', start_at: undefined }

const state = (operation: string, status: number, request: StateRow['request']): StateRow => ({ operation, status, request })

/** The right request of a row with other fields. */
function changed(operation: string, status: number, fields: object): StateRow {
  return state(operation, status, async (world) => {
    const request = await rowOf(operation, world)
    return { ...request, json: { ...(request.json as object), ...fields } }
  })
}

/** The right request after another one that decides what it acts on: the path of the first without its last step, and `verb`. */
function after(first: string, operation: string, status: number, verb: string): StateRow {
  return state(operation, status, async (world) => {
    const { client, path, json } = await rowOf(first, world)
    await ok(client.request('POST', path, { ...(json === undefined ? {} : { json }), headers: newKey() }))
    const { json: own } = await rowOf(operation, world)
    return { client, path: path.replace(/[^/]+$/, verb), ...(own === undefined ? {} : { json: own }) }
  })
}

async function rowOf(operation: string, world: KeyedWorld): Promise<KeyedRequest> {
  const prepare = ROUTE_ROWS[operation]
  assert.ok(prepare !== undefined, operation)
  return prepare(world)
}

async function block({ server }: KeyedWorld, tag: string): Promise<void> {
  await ok(server.operator.post(`/v1/operator/wallets/${tag}/block`, { reason: 'Vol', environment: 'test' }))
}

async function blockedTag(world: KeyedWorld): Promise<string> {
  const tag = await world.server.wallet(world.merchant)
  await block(world, tag)
  return tag
}

/** A customer of the world's biller pays `don`. */
async function payDon(world: KeyedWorld, funds: number, isBlocked: boolean): Promise<KeyedRequest> {
  const { server, merchant, customer } = world
  const payer = await openPayer(server, merchant, funds)
  if (isBlocked) await block(world, payer.tag)
  return { client: payer.app, path: customer.path('don', 'pay'), json: { amount: 1000, pin: PIN } }
}

async function payAtCheckout(world: KeyedWorld, funds: number, isBlocked: boolean): Promise<KeyedRequest> {
  const { server, merchant } = world
  const { token } = await openCharge(merchant)
  const { tag } = await openPayer(server, merchant, funds)
  const { body } = await server.anybody.post(`/v1/biz/checkout/${token}/otp`, { identifier: tag })
  if (isBlocked) await block(world, tag)
  const json = { challenge_id: body.challenge_id, identifier: tag, otp: TEST_OTP, pin: PIN }
  return { client: server.anybody, path: `/v1/biz/checkout/${token}/pay`, json }
}

const POOR: readonly StateRow[] = [
  state('payBill', 402, (world) => payDon(world, 0, false)),
  state('payBill', 403, (world) => payDon(world, 10_000, true)),
  state('payCheckout', 402, (world) => payAtCheckout(world, 0, false)),
  state('payCheckout', 403, (world) => payAtCheckout(world, 10_000, true)),
  state('payTestCharge', 402, async ({ server, merchant }) => ({
    client: merchant.test,
    path: `/v1/biz/test/charges/${(await openCharge(merchant)).token}/pay`,
    json: { payer_tag: (await openPayer(server, merchant, 0)).tag },
  })),
  state('chargeMandate', 402, async (world) => {
    const { pair, id } = await mandateOf(world, true, { ...ON_DEMAND, amount: 1_000_000 })
    return { client: pair.merchant.test, path: `/v1/biz/mandates/${id}/charges`, json: { amount: 1_000_000 } }
  }),
  state('chargeMandate', 403, async (world) => {
    const { pair, id } = await mandateOf(world, true, ON_DEMAND)
    await block(world, pair.payer.tag)
    return { client: pair.merchant.test, path: `/v1/biz/mandates/${id}/charges`, json: { amount: 100 } }
  }),
  state('approveMandate', 403, async (world) => {
    const { pair, id } = await mandateOf(world, false)
    await block(world, pair.payer.tag)
    return { client: pair.payer.app, path: `/v1/me/mandates/${id}/approve`, json: { pin: PIN } }
  }),
]

const DECIDED: readonly StateRow[] = [
  after('rejectMyMandate', 'approveMandate', 409, 'approve'),
  after('approveMandate', 'rejectMyMandate', 409, 'reject'),
  after('rejectMyMandate', 'cancelMyMandate', 409, 'cancel'),
  after('cancelSchedule', 'pauseSchedule', 409, 'pause'),
  state('chargeMandate', 409, async (world) => {
    const { pair, id } = await mandateOf(world, true)
    return { client: pair.merchant.test, path: `/v1/biz/mandates/${id}/charges`, json: { amount: 100 } }
  }),
  state('collectTestMandate', 409, async (world) => {
    const { pair, id } = await mandateOf(world, false)
    return { client: pair.merchant.test, path: `/v1/biz/test/mandates/${id}/collect` }
  }),
  state('cancelMandate', 409, async (world) => {
    const { pair, id } = await mandateOf(world, false)
    await ok(pair.payer.app.post(`/v1/me/mandates/${id}/reject`, undefined))
    return { client: pair.merchant.test, path: `/v1/biz/mandates/${id}/cancel` }
  }),
  ...(['getCheckoutQr', 'startCheckoutOtp'] as const).map((operation) =>
    state(operation, 409, async (world) => {
      const { path, json, client } = await rowOf(operation, world)
      const token = path.split('/')[4]
      await ok(world.merchant.test.post(`/v1/biz/charges/${token}/cancel`, undefined))
      return { client, path, ...(json === undefined ? {} : { json }) }
    }),
  ),
  state('payBill', 409, async ({ customer }) => {
    const { body } = await ok(customer.quote())
    const json = { quote_id: body.id, pin: '7391' }
    await ok(customer.pay('facture', json))
    return { client: customer.app, path: customer.path('facture', 'pay'), json }
  }),
  state('testLookup', 409, async ({ paidFor }) => ({
    client: paidFor.merchant.test,
    path: '/v1/biz/biller/products/don/test-lookup',
    json: { fields: { compteur: METER } },
  })),
  state('testFulfillment', 409, async ({ paidFor }) => ({
    client: paidFor.merchant.test,
    path: '/v1/biz/biller/products/recharge/test-fulfillment',
    json: {},
  })),
]

const TAKEN: readonly StateRow[] = [
  state('setTag', 409, async (world) => {
    const request = await rowOf('setTag', world)
    return { ...request, json: { tag: await world.server.wallet(world.merchant) } }
  }),
  state('setPin', 409, async ({ server: { anybody } }) => {
    const client = bearer(anybody, await showCode(anybody, newTestPhone(), 'signup'))
    return { client, path: '/v1/auth/pin/set', json: { pin: '7391', device: { id: 'early' } } }
  }),
  state('verifyPhone', 409, async ({ server: { anybody } }) => {
    const { phone } = await signUp(anybody)
    const { body } = await ok(anybody.post('/v1/auth/phone/start', { phone, purpose: 'signup' }))
    return {
      client: anybody,
      path: '/v1/auth/phone/verify',
      json: { phone, purpose: 'signup', code: TEST_OTP, challenge_id: body.challenge_id },
    }
  }),
  state('verifyPhone', 404, async ({ server: { anybody } }) => {
    const phone = newTestPhone()
    const { body } = await ok(anybody.post('/v1/auth/phone/start', { phone, purpose: 'login' }))
    return {
      client: anybody,
      path: '/v1/auth/phone/verify',
      json: { phone, purpose: 'login', code: TEST_OTP, challenge_id: body.challenge_id },
    }
  }),
  state('exchangeFirebase', 409, async ({ server: { anybody }, firebase }) => {
    const id_token = await firebase.idToken((await signUp(anybody)).phone)
    return { client: anybody, path: '/v1/auth/firebase/exchange', json: { id_token, purpose: 'signup' } }
  }),
  changed('exchangeFirebase', 404, { purpose: 'login' }),
  state('inviteMember', 409, async ({ server }) => {
    const { email } = await signUpOwner(server)
    return { client: (await signUpOwner(server)).browser, path: '/v1/dashboard/members', json: { email, role: 'cashier' } }
  }),
  state('acceptInvitation', 409, async ({ server }) => {
    const email = newEmail()
    const token = await invitationFor(server, await signUpOwner(server), email, 'viewer')
    await ok(server.anybody.post('/v1/dashboard/signup', { merchant_name: 'Boutique', email, password: PASSWORD }))
    return { client: server.anybody, path: '/v1/dashboard/members/accept', json: { token, password: PASSWORD } }
  }),
  state('removeMember', 409, async ({ server }) => {
    const { browser } = await signUpOwner(server)
    const { body } = await ok(browser.get<{ data: readonly { id: string }[] }>('/v1/dashboard/members'))
    return { client: browser, path: `/v1/dashboard/members/${body.data[0]?.id}` }
  }),
  state('enrollTotp', 409, async ({ server }) => {
    const { browser } = await signUpOwner(server)
    await enableTotp(browser)
    return { client: browser, path: '/v1/dashboard/totp/enroll' }
  }),
  state('createTransfer', 409, async (world) => {
    const { client, path, json } = await rowOf('createTransfer', world)
    return { client, path, json: { ...(json as object), recipient: await blockedTag(world) } }
  }),
  changed('createTestDeposit', 404, { recipient: 'absent_wallet_7' }),
  changed('createTransfer', 404, { recipient: 'absent_wallet_7' }),
  changed('createDeposit', 404, { merchant_id: ABSENT }),
  changed('createWithdrawal', 404, { merchant_id: ABSENT }),
]

const WAITING: readonly StateRow[] = [
  state('confirmTopUp', 202, async ({ server, merchant }) => {
    const { body } = await ok(merchant.live.post('/v1/biz/top-ups', { amount: BEYOND }))
    return { client: server.operator, path: `/v1/operator/top-ups/${body.id}/confirm`, json: { amount: BEYOND, reference: 'VIR-1' } }
  }),
]

const ROWS: readonly StateRow[] = [...POOR, ...DECIDED, ...TAKEN, ...WAITING]

export async function walkStates(world: KeyedWorld, sender: AttemptSender): Promise<void> {
  const own = { ...world, customer: await Customer.open(world.server, world.paidFor) }
  for (const row of ROWS) {
    try {
      await sendRow(own, sender, row)
    } catch (error) {
      sender.failures.push(
        `${row.operation}, before ${row.status}: ${error instanceof Error ? error.message.slice(0, 500) : String(error)}`,
      )
    }
  }
}

async function sendRow(world: KeyedWorld, sender: AttemptSender, { operation, status, request }: StateRow): Promise<void> {
  const route = TABLE.find(({ operationId }) => operationId === operation)
  assert.ok(route !== undefined, operation)
  const prepared = await request(world)
  const attempt = rightAttempt(new Prng(sender.sent), route, prepared)
  const check = (answer: { readonly status: number; readonly text: string }): void => assert.equal(answer.status, status, answer.text)
  await sender.send(`${operation}, to answer ${status}`, route, prepared.client, attempt, check)
}
