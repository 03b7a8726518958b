// POSTs of merchants' systems and of operators.

import assert from 'node:assert/strict'
import { fulfilledRow } from './bill-callers.ts'
import { METER } from './bill-engine.ts'
import { logoForm, PRODUCTS } from './biller-callers.ts'
import { GOOD_PRODUCTS } from './biller-engine.ts'
import { openCharge, openPayer } from './charge-callers.ts'
import { newEmail } from './dashboard-callers.ts'
import { DISBURSEMENTS, disbursementIn, newDisbursement, openPayroll } from './disbursement-callers.ts'
import { mandateOf } from './keyed-mandate.ts'
import { CASH_ROUTES, CONTROL_ROUTES } from './keyed-operator-routes.ts'
import type { KeyedRequest, KeyedRows, KeyedWorld } from './keyed-request.ts'
import { fromNow } from './mandate-callers.ts'
import { approverOf, DUAL_CONTROL, newOperator, waitingOperator } from './operator-callers.ts'
import { newKey, newTag } from './server-fixture.ts'
import { ok } from './wallet-callers.ts'
import { newEndpoint, paidCharge } from './webhook-callers.ts'

async function scheduleOf({ server, merchant }: KeyedWorld, ...verbs: readonly string[]): Promise<string> {
  const items = [{ recipient: await server.wallet(merchant), amount: 10 }]
  const body = { items, recurrence: 'monthly', start_at: fromNow(3_600_000) }
  const { body: schedule } = await ok(merchant.test.post('/v1/biz/payout-schedules', body, newKey()))
  for (const verb of verbs) await ok(merchant.test.post(`/v1/biz/payout-schedules/${schedule.id}/${verb}`, {}))
  return String(schedule.id)
}

const TOO_MUCH = 1_000_000_000_000
/** Also too much, and 50 000 of it are an amount. */
const MUCH = 50_000_000_000

/** A disbursement from which the verb leads on. */
async function disbursementFor(
  { server, merchant }: KeyedWorld,
  verb: 'start' | 'pause' | 'resume' | 'cancel' | 'retry',
): Promise<KeyedRequest> {
  const recipient = await server.wallet(merchant)
  // Lines that fail for a while: each paid one would push a message into the inbox, where other rows look for theirs.
  const [lines, amount] = verb === 'pause' ? [50_000, MUCH] : [1, TOO_MUCH]
  const items = Array.from({ length: lines }, () => ({ recipient, amount }))
  const start = verb === 'start' || verb === 'cancel' ? 'manual' : 'auto'
  const on_insufficient_balance = verb === 'retry' || verb === 'pause' ? 'fail' : 'pause'
  const { id } = await newDisbursement(merchant.test, { items, start, on_insufficient_balance })
  if (verb === 'resume') await disbursementIn(merchant.test, id, 'paused')
  if (verb === 'retry') await disbursementIn(merchant.test, id, 'completed')
  return { client: merchant.test, path: `${DISBURSEMENTS}/${id}/${verb}` }
}

async function awaitingDisbursement({ server }: KeyedWorld, verb: 'approve' | 'reject', json?: object): Promise<KeyedRequest> {
  const { owner, other, tag } = await openPayroll(server, 0)
  const { id } = await newDisbursement(owner, { items: [{ recipient: tag, amount: 1 }], start: 'auto' })
  return { client: other, path: `${DISBURSEMENTS}/${id}/${verb}`, ...(json === undefined ? {} : { json }) }
}

const MONEY_OUT: KeyedRows = {
  createPayout: async ({ server, merchant }) => ({
    client: merchant.test,
    path: '/v1/biz/payouts',
    json: { recipient: await server.wallet(merchant), amount: 10 },
  }),
  checkRecipient: async ({ server, merchant }) => ({
    client: merchant.test,
    path: '/v1/biz/payouts/check-recipient',
    json: { recipient: await server.wallet(merchant) },
  }),
  createBatch: async ({ server, merchant }) => ({
    client: merchant.test,
    path: '/v1/biz/payouts/batch',
    json: { items: [{ recipient: await server.wallet(merchant), amount: 10 }] },
  }),
  createSchedule: async ({ server, merchant }) => ({
    client: merchant.test,
    path: '/v1/biz/payout-schedules',
    json: { items: [{ recipient: await server.wallet(merchant), amount: 1 }], recurrence: 'weekly', start_at: fromNow(3_600_000) },
  }),
  createDisbursement: async ({ server, merchant }) => ({
    client: merchant.test,
    path: '/v1/biz/disbursements',
    json: { items: [{ recipient: await server.wallet(merchant), amount: 1 }] },
  }),
  createContact: ({ merchant }) => ({ client: merchant.test, path: '/v1/biz/contacts', json: { recipient: newTag() } }),
  startDisbursement: (world) => disbursementFor(world, 'start'),
  approveDisbursement: (world) => awaitingDisbursement(world, 'approve'),
  rejectDisbursement: (world) => awaitingDisbursement(world, 'reject', { reason: 'Total faux.' }),
  pauseDisbursement: (world) => disbursementFor(world, 'pause'),
  resumeDisbursement: (world) => disbursementFor(world, 'resume'),
  cancelDisbursement: (world) => disbursementFor(world, 'cancel'),
  retryDisbursement: (world) => disbursementFor(world, 'retry'),
  pauseSchedule: async (world) => ({ client: world.merchant.test, path: `/v1/biz/payout-schedules/${await scheduleOf(world)}/pause` }),
  resumeSchedule: async (world) => ({
    client: world.merchant.test,
    path: `/v1/biz/payout-schedules/${await scheduleOf(world, 'pause')}/resume`,
  }),
  cancelSchedule: async (world) => ({ client: world.merchant.test, path: `/v1/biz/payout-schedules/${await scheduleOf(world)}/cancel` }),
  runTestSchedule: async (world) => ({ client: world.merchant.test, path: `/v1/biz/test/payout-schedules/${await scheduleOf(world)}/run` }),
}

const CHARGES: KeyedRows = {
  createPaymentLink: ({ merchant }) => ({ client: merchant.test, path: '/v1/biz/payment-links', json: { description: 'Caisse' } }),
  closePaymentLink: async ({ merchant }) => {
    const { body } = await ok(merchant.test.post<{ id: string }>('/v1/biz/payment-links', { description: 'Caisse' }))
    return { client: merchant.test, path: `/v1/biz/payment-links/${body.id}/close`, json: {} }
  },
  createCharge: ({ merchant }) => ({ client: merchant.test, path: '/v1/biz/charges', json: { amount: 10 } }),
  cancelCharge: async ({ merchant }) => ({ client: merchant.test, path: `/v1/biz/charges/${(await openCharge(merchant)).token}/cancel` }),
  refundCharge: async ({ server, merchant }) => {
    const { tag } = await openPayer(server, merchant, 100)
    return { client: merchant.test, path: `/v1/biz/charges/${await paidCharge(merchant, tag)}/refund` }
  },
  payTestCharge: async ({ server, merchant }) => ({
    client: merchant.test,
    path: `/v1/biz/test/charges/${(await openCharge(merchant)).token}/pay`,
    json: { payer_tag: (await openPayer(server, merchant, 5000)).tag },
  }),
  expireTestCharge: async ({ merchant }) => ({
    client: merchant.test,
    path: `/v1/biz/test/charges/${(await openCharge(merchant)).token}/expire`,
  }),
}

const MANDATES: KeyedRows = {
  createMandate: async ({ server, merchant }) => ({
    client: merchant.test,
    path: '/v1/biz/mandates',
    json: { customer_tag: (await openPayer(server, merchant, 0)).tag, amount: 100, interval: 'monthly' },
  }),
  cancelMandate: async (world) => {
    const { pair, id } = await mandateOf(world, false)
    return { client: pair.merchant.test, path: `/v1/biz/mandates/${id}/cancel` }
  },
  chargeMandate: async (world) => {
    const { pair, id } = await mandateOf(world, true, { interval: 'on_demand', start_at: undefined })
    return { client: pair.merchant.test, path: `/v1/biz/mandates/${id}/charges`, json: { amount: 100 } }
  },
  collectTestMandate: async (world) => {
    const { pair, id } = await mandateOf(world, true)
    return { client: pair.merchant.test, path: `/v1/biz/test/mandates/${id}/collect` }
  },
}

const BILLERS: KeyedRows = {
  uploadBillerLogo: async ({ openBiller }) => ({
    client: (await openBiller('draft')).merchant.test,
    path: '/v1/biz/biller/logo',
    form: logoForm(),
  }),
  createProduct: async ({ openBiller }) => ({
    client: (await openBiller('draft')).merchant.test,
    path: PRODUCTS,
    json: { slug: 'don', ...GOOD_PRODUCTS.user },
  }),
  activateProduct: async ({ openBiller }) => ({ client: (await openBiller('draft')).merchant.test, path: `${PRODUCTS}/facture/activate` }),
  deactivateProduct: async ({ openBiller }) => ({
    client: (await openBiller('draft')).merchant.test,
    path: `${PRODUCTS}/facture/deactivate`,
  }),
  testLookup: ({ paidFor: { merchant } }) => ({
    client: merchant.test,
    path: `${PRODUCTS}/facture/test-lookup`,
    json: { fields: { compteur: METER } },
  }),
  testFulfillment: ({ paidFor: { merchant } }) => ({ client: merchant.test, path: `${PRODUCTS}/jeton/test-fulfillment`, json: {} }),
  submitBiller: async ({ openBiller }) => ({ client: (await openBiller('draft')).merchant.test, path: '/v1/biz/biller/submit' }),
  approveTestBiller: async ({ openBiller }) => ({
    client: (await openBiller('in_review')).merchant.test,
    path: '/v1/biz/test/billers/approve',
  }),
}

const BILLS: KeyedRows = {
  redeliverBillPayment: async ({ customer, paidFor: { merchant } }) => {
    const { body } = await ok(customer.pay('jeton', { amount: 1000 }))
    await fulfilledRow(merchant, body.charge_id)
    return { client: merchant.test, path: `/v1/biz/bill-payments/${body.transaction_id}/redeliver`, json: { force: true } }
  },
  refundBillPayment: async ({ customer, paidFor: { merchant } }) => {
    const { body } = await ok(customer.pay('don', { amount: 1000 }))
    return { client: merchant.test, path: `/v1/biz/bill-payments/${body.transaction_id}/refund` }
  },
}

const WEBHOOKS: KeyedRows = {
  createWebhookEndpoint: async ({ server, receiver }) => ({
    client: (await server.merchant()).test,
    path: '/v1/biz/webhook-endpoints',
    json: { url: receiver, events: ['charge.succeeded'] },
  }),
  rotateWebhookSecret: async ({ server, receiver }) => {
    const { test } = await server.merchant()
    return { client: test, path: `/v1/biz/webhook-endpoints/${(await newEndpoint(test, receiver)).id}/rotate-secret` }
  },
  pingWebhookEndpoint: async ({ server, receiver }) => {
    const { test } = await server.merchant()
    return { client: test, path: `/v1/biz/webhook-endpoints/${(await newEndpoint(test, receiver)).id}/ping` }
  },
  redeliverEvent: async ({ server, receiver }) => {
    const { test } = await server.merchant()
    const { id } = await newEndpoint(test, receiver)
    const { body } = await ok(test.post(`/v1/biz/webhook-endpoints/${id}/ping`, {}))
    return { client: test, path: `/v1/biz/events/${body.id}/redeliver` }
  },
}

const TEST_HELPERS: KeyedRows = {
  createTestDeposit: ({ merchant }) => ({ client: merchant.test, path: '/v1/biz/test/deposits', json: { amount: 10 } }),
  createTestWallet: ({ merchant }) => ({ client: merchant.test, path: '/v1/biz/test/wallets', json: { tag: newTag() } }),
}

const OPERATOR: KeyedRows = {
  createMerchant: ({ server }) => ({
    client: server.operator,
    path: '/v1/operator/merchants',
    json: { name: 'Boutique', email: newEmail() },
  }),
  createMerchantApiKey: ({ server, merchant }) => ({
    client: server.operator,
    path: `/v1/operator/merchants/${merchant.id}/api-keys`,
    json: { environment: 'test', scopes: [] },
  }),
  createDeposit: ({ server, merchant }) => ({
    client: server.operator,
    path: '/v1/operator/deposits',
    json: { merchant_id: merchant.id, environment: 'test', amount: 10 },
  }),
  createWithdrawal: ({ server, merchant }) => ({
    client: server.operator,
    path: '/v1/operator/withdrawals',
    json: { merchant_id: merchant.id, environment: 'test', amount: 10 },
  }),
  createOperator: ({ server }) => ({
    client: server.operator,
    path: '/v1/operator/operators',
    json: { name: 'Fatou', email: newEmail(), role: 'support' },
  }),
  approveMovement: async (world) => ({
    client: (await newOperator(world.server, 'finance')).client,
    path: `/v1/operator/approvals/${await waitingDeposit(world)}/approve`,
  }),
  approveOperator: async ({ server }) => ({
    client: (await approverOf(server)).client,
    path: `/v1/operator/operator-requests/${await waitingOperator(server, 'finance')}/approve`,
  }),
  refuseOperator: async ({ server }) => ({
    client: server.operator,
    path: `/v1/operator/operator-requests/${await waitingOperator(server, 'finance')}/refuse`,
    json: { reason: 'Personne inconnue.' },
  }),
  refuseMovement: async (world) => ({
    client: world.server.operator,
    path: `/v1/operator/approvals/${await waitingDeposit(world)}/refuse`,
    json: { reason: 'Le virement n’est pas arrivé.' },
  }),
  ...curation('approveBiller', 'in_review', 'approve'),
  ...curation('rejectBiller', 'in_review', 'reject', { reason: 'Le logo manque.' }),
  ...curation('suspendBiller', 'published', 'suspend', { reason: 'Plaintes.' }),
  ...curation('reinstateBiller', 'suspended', 'reinstate'),
  ...logoCuration('logoApproveBiller', 'approve'),
  ...logoCuration('logoRejectBiller', 'reject'),
}

async function waitingDeposit({ server, merchant }: KeyedWorld): Promise<string> {
  const body = { merchant_id: merchant.id, environment: 'live', amount: DUAL_CONTROL + 1 }
  const answer = await server.operator.post<{ id: string }>('/v1/operator/deposits', body, newKey())
  assert.equal(answer.status, 202, answer.text)
  return answer.body.id
}

function curation(name: string, from: 'in_review' | 'published' | 'suspended', verb: string, json?: object): KeyedRows {
  return {
    [name]: async ({ server, openBiller }) => {
      const { slug } = await openBiller(from)
      return { client: server.operator, path: `/v1/operator/billers/${slug}/${verb}`, json }
    },
  }
}

/** A published biller's new logo waits for an operator. */
function logoCuration(name: string, verb: string): KeyedRows {
  return {
    [name]: async ({ server, openBiller }) => {
      const { merchant, slug } = await openBiller('published')
      await ok(merchant.test.request('POST', '/v1/biz/biller/logo', logoForm('another')))
      return { client: server.operator, path: `/v1/operator/billers/${slug}/logo/${verb}` }
    },
  }
}

export const MERCHANT_ROUTES: KeyedRows = {
  ...MONEY_OUT,
  ...CASH_ROUTES,
  ...CONTROL_ROUTES,
  ...CHARGES,
  ...MANDATES,
  ...BILLERS,
  ...BILLS,
  ...WEBHOOKS,
  ...TEST_HELPERS,
  ...OPERATOR,
}
