// GET, PUT and DELETE of the API, each with what it needs: most of them stand beside a POST and use its row.
import { PRODUCTS, PROFILE } from './biller-callers.ts'
import { GOOD_PRODUCTS } from './biller-engine.ts'
import { openPayer, problemOfPayer } from './charge-callers.ts'
import type { Client } from './client.ts'
import { type Owner, signUp as openOwner } from './dashboard-callers.ts'
import { MERCHANT_ROUTES } from './keyed-merchant-routes.ts'
import { activationFileOf, savedAccountOf } from './keyed-operator-routes.ts'
import { PERSON_ROUTES } from './keyed-person-routes.ts'
import type { KeyedRequest, KeyedRow, KeyedRows, KeyedWorld } from './keyed-request.ts'
import { joined } from './member-callers.ts'
import { newOperator } from './operator-callers.ts'
import { newTag, type TestServer } from './server-fixture.ts'
import { ok, signUp } from './wallet-callers.ts'

const POSTS: KeyedRows = { ...PERSON_ROUTES, ...MERCHANT_ROUTES }

/** The row of a POST without the last steps of its path: what it acts on. `more` comes behind, `json` is a body. */
function objectOf(operation: string, more = '', { steps = 1, json }: { readonly steps?: number; readonly json?: object } = {}): KeyedRow {
  const prepare = POSTS[operation]
  if (prepare === undefined) throw new Error(`no row ${operation}`)
  return async (world) => {
    const { client, path } = await prepare(world)
    const object = path
      .split('/')
      .slice(0, steps === 0 ? undefined : -steps)
      .join('/')
    return { client, path: object + more, ...(json === undefined ? {} : { json }) }
  }
}

const plain =
  (path: string): KeyedRow =>
  ({ merchant }) => ({ client: merchant.test, path })
const operators =
  (path: string): KeyedRow =>
  ({ server }) => ({ client: server.operator, path })

const MERCHANTS: KeyedRows = {
  ping: plain('/v1/biz/ping'),
  listTestRequests: plain('/v1/biz/test/requests'),
  getBalance: plain('/v1/biz/balance'),
  listTransactions: plain('/v1/biz/transactions'),
  getTransaction: async ({ merchant }) => {
    const { body } = await ok(merchant.test.post('/v1/biz/test/deposits', { amount: 5 }))
    return { client: merchant.test, path: `/v1/biz/transactions/${body.transaction_id}` }
  },
  listTopUps: plain('/v1/biz/top-ups'),
  getTopUp: objectOf('cancelTopUp'),
  listWithdrawalAccounts: plain('/v1/biz/withdrawal-accounts'),
  deleteWithdrawalAccount: async ({ merchant }) => ({
    client: merchant.test,
    path: `/v1/biz/withdrawal-accounts/${await savedAccountOf(merchant.test)}`,
  }),
  listWithdrawals: plain('/v1/biz/withdrawals'),
  getWithdrawal: objectOf('cancelWithdrawal'),
  listCharges: plain('/v1/biz/charges'),
  getCharge: objectOf('cancelCharge'),
  getTill: plain('/v1/biz/till'),
  getFee: plain('/v1/biz/fees?on=payout&amount=5000'),
  listPaymentLinks: plain('/v1/biz/payment-links'),
  getPaymentLink: objectOf('closePaymentLink'),
  listProblems: plain('/v1/biz/problems'),
  getProblem: objectOf('answerProblem'),
  listPayouts: plain('/v1/biz/payouts'),
  getPayout: (world) => created(world, 'createPayout'),
  listBatches: plain('/v1/biz/payouts/batch'),
  getBatch: (world) => created(world, 'createBatch'),
  listDisbursements: plain('/v1/biz/disbursements'),
  getDisbursement: objectOf('cancelDisbursement'),
  listDisbursementLines: objectOf('cancelDisbursement', '/lines'),
  listContacts: plain('/v1/biz/contacts'),
  getContact: (world) => created(world, 'createContact'),
  replaceContact: async (world) => ({ ...(await created(world, 'createContact')), json: { recipient: newTag() } }),
  deleteContact: (world) => created(world, 'createContact'),
  listSchedules: plain('/v1/biz/payout-schedules'),
  getSchedule: objectOf('pauseSchedule'),
  listScheduleRuns: objectOf('pauseSchedule', '/runs'),
  replaceSchedule: async (world) => {
    const { client, path } = await prepared(world, 'pauseSchedule')
    const items = [{ recipient: await world.server.wallet(world.merchant), amount: 3 }]
    return { client, path: path.replace('/pause', ''), json: { items, recurrence: 'weekly' } }
  },
  listMandates: plain('/v1/biz/mandates'),
  getMandate: objectOf('cancelMandate'),
  listMandateCharges: objectOf('chargeMandate', '/charges'),
  listBillPayments: ({ paidFor }) => ({ client: paidFor.merchant.test, path: '/v1/biz/bill-payments' }),
  getBillPayment: objectOf('refundBillPayment'),
  getWebhookSecret: ({ merchant }) => ({ client: merchant.test, path: '/v1/biz/webhook-secret' }),
  listWebhookEndpoints: objectOf('pingWebhookEndpoint', '', { steps: 2 }),
  getWebhookEndpoint: objectOf('pingWebhookEndpoint'),
  updateWebhookEndpoint: async (world) => {
    const { client, path } = await prepared(world, 'pingWebhookEndpoint')
    return { client, path: path.replace('/ping', ''), json: { url: world.receiver, events: ['charge.succeeded'], description: 'Caisse' } }
  },
  deleteWebhookEndpoint: objectOf('pingWebhookEndpoint'),
  listDeliveries: objectOf('pingWebhookEndpoint', '/deliveries'),
  listEvents: objectOf('redeliverEvent', '', { steps: 2 }),
  getEvent: objectOf('redeliverEvent'),
  streamMerchantEvents: plain('/v1/biz/events/stream'),
}

const BILLERS: KeyedRows = {
  saveBiller: ({ paidFor }) => ({ client: paidFor.merchant.test, path: '/v1/biz/biller', json: PROFILE }),
  getBiller: ({ paidFor }) => ({ client: paidFor.merchant.test, path: '/v1/biz/biller' }),
  listBillerCategories: plain('/v1/biz/biller/categories'),
  listProducts: ({ paidFor }) => ({ client: paidFor.merchant.test, path: PRODUCTS }),
  getProduct: objectOf('activateProduct'),
  replaceProduct: objectOf('activateProduct', '', { json: GOOD_PRODUCTS.lookup }),
  listCodeRuns: objectOf('testFulfillment', '/runs'),
}

const CHECKOUT: KeyedRows = {
  getCheckout: objectOf('startCheckoutOtp'),
  getCheckoutStatus: objectOf('startCheckoutOtp', '/status'),
  getCheckoutQr: objectOf('startCheckoutOtp', '/qr'),
}

/** One for all reads of a server: a sign-up hashes a password. */
const readers = new WeakMap<TestServer, Promise<Owner>>()

const owned =
  (path: string, json: object): KeyedRow =>
  async ({ server }) => ({ client: (await openOwner(server)).browser, path, json })

const dashboard =
  (path: string): KeyedRow =>
  async ({ server }) => {
    const reader = readers.get(server) ?? openOwner(server)
    readers.set(server, reader)
    return { client: (await reader).browser, path }
  }

const DASHBOARD: KeyedRows = {
  getSignedIn: dashboard('/v1/dashboard/me'),
  listSessions: dashboard('/v1/dashboard/sessions'),
  deleteSession: async ({ server }) => {
    const { browser } = await openOwner(server)
    return { client: browser, path: `/v1/dashboard/sessions/${await firstId(browser, '/v1/dashboard/sessions')}` }
  },
  listMembers: dashboard('/v1/dashboard/members'),
  removeMember: async ({ server }) => {
    const owner = await openOwner(server)
    return { client: owner.browser, path: `/v1/dashboard/members/${(await joined(server, owner, 'viewer')).id}` }
  },
  listApiKeys: dashboard('/v1/dashboard/api-keys'),
  setApiKeyLimits: async ({ server }) => {
    const { browser } = await openOwner(server)
    const { body } = await ok(browser.post('/v1/dashboard/api-keys', { environment: 'test', scopes: [], label: 'Caisse' }))
    return { client: browser, path: `/v1/dashboard/api-keys/${body.id}/limits`, json: { day_max: 1000 } }
  },
  listActivity: async ({ server }) => ({ client: (await openOwner(server)).browser, path: '/v1/dashboard/activity' }),
  getMerchantAccount: dashboard('/v1/dashboard/account'),
  setMerchantAccount: owned('/v1/dashboard/account', { address: '12 rue Félix Faure, Dakar' }),
  deleteMerchantLogo: dashboard('/v1/dashboard/account/logo'),
  getPayoutPolicy: async ({ server }) => ({ client: (await openOwner(server)).browser, path: '/v1/dashboard/payout-policy' }),
  setPayoutPolicy: owned('/v1/dashboard/payout-policy', { approval_above: 1000 }),
  getNews: dashboard('/v1/dashboard/news'),
  readNews: owned('/v1/dashboard/news', { mark: '0-0' }),
  getNotices: dashboard('/v1/dashboard/notices'),
  setNotices: owned('/v1/dashboard/notices', { email: { daily_summary: true } }),
  deleteApiKey: async ({ server }) => {
    const { browser } = await openOwner(server)
    const { body } = await ok(browser.post('/v1/dashboard/api-keys', { environment: 'test', scopes: [], label: 'Caisse' }))
    return { client: browser, path: `/v1/dashboard/api-keys/${body.id}` }
  },
  getActivation: dashboard('/v1/dashboard/activation'),
  deleteActivationFile: async (world) => {
    const { browser, id } = await activationFileOf(world)
    return { client: browser, path: `/v1/dashboard/activation/files/${id}` }
  },
}

const wallet =
  (path: string): KeyedRow =>
  async ({ server }) => ({ client: (await signUp(server.anybody)).client, path })

async function deviceOf({ server }: KeyedWorld, more = ''): Promise<KeyedRequest> {
  const { client } = await signUp(server.anybody)
  return { client, path: `/v1/me/devices/${await firstId(client, '/v1/me/devices')}${more}` }
}

const WALLETS: KeyedRows = {
  getMe: wallet('/v1/me'),
  getMyBalance: wallet('/v1/me/balance'),
  getMyLimits: wallet('/v1/me/limits'),
  getMyFee: wallet('/v1/me/fees?on=transfer&amount=5000'),
  listMyTransactions: wallet('/v1/me/transactions'),
  getMyTransaction: async ({ server, merchant }) => {
    const { tag, app } = await openPayer(server, merchant, 0)
    const { body } = await ok(merchant.test.post('/v1/biz/test/deposits', { recipient: tag, amount: 5 }))
    return { client: app, path: `/v1/me/transactions/${body.transaction_id}` }
  },
  getMyProblem: ({ server, merchant }) => problemOfPayer(server, merchant),
  listDevices: wallet('/v1/me/devices'),
  setPushToken: async (world) => ({ ...(await deviceOf(world, '/push-token')), json: { provider: 'fcm', token: 'dGVzdA:APA91b' } }),
  deleteDevice: (world) => deviceOf(world),
  listMyMandates: objectOf('rejectMyMandate', '', { steps: 2 }),
  getMyMandate: objectOf('rejectMyMandate'),
  listDirectory: ({ customer }) => ({ client: customer.app, path: '/v1/me/directory' }),
  getDirectoryBiller: ({ customer, paidFor }) => ({ client: customer.app, path: `/v1/me/directory/${paidFor.biller}` }),
  getDirectoryProduct: ({ customer }) => ({ client: customer.app, path: customer.path('facture') }),
  streamEvents: wallet('/v1/me/events'),
}

const OPERATORS: KeyedRows = {
  listActivations: operators('/v1/operator/activations'),
  listNameChanges: operators('/v1/operator/name-changes'),
  listLogoChanges: operators('/v1/operator/logo-changes'),
  getActivationFile: async (world) => {
    const { merchantId, id } = await activationFileOf(world)
    return { client: world.server.operator, path: `/v1/operator/merchants/${merchantId}/activation-files/${id}` }
  },
  listMerchants: operators('/v1/operator/merchants'),
  getMerchant: objectOf('suspendMerchant'),
  getTrialBalance: operators('/v1/operator/ledger/trial-balance?environment=test'),
  getQuotas: operators('/v1/operator/quotas'),
  listOperatorActions: operators('/v1/operator/audit'),
  listApprovals: operators('/v1/operator/approvals'),
  getApproval: objectOf('refuseMovement'),
  listOperators: operators('/v1/operator/operators'),
  listOperatorRequests: operators('/v1/operator/operator-requests'),
  revokeOperator: async ({ server }) => ({
    client: server.operator,
    path: `/v1/operator/operators/${(await newOperator(server, 'support')).id}`,
  }),
  listOpenTopUps: operators('/v1/operator/top-ups'),
  getMerchantTopUp: objectOf('confirmTopUp'),
  listWaitingWithdrawalAccounts: operators('/v1/operator/withdrawal-accounts'),
  listOpenWithdrawals: operators('/v1/operator/withdrawals'),
  getMerchantWithdrawal: objectOf('payWithdrawal'),
  listMerchantApiKeys: objectOf('createMerchantApiKey', '', { steps: 0 }),
  revokeMerchantApiKey: async (world) => {
    const { client, path, json } = await prepared(world, 'createMerchantApiKey')
    const { body } = await ok(client.post(path, json))
    return { client, path: `${path}/${body.id}` }
  },
  findWallets: async ({ server, merchant }) => {
    const tag = newTag()
    await ok(merchant.test.post('/v1/biz/test/wallets', { tag }))
    return { client: server.operator, path: `/v1/operator/wallets?q=${tag}` }
  },
  getLimitRules: operators('/v1/operator/rules/limits?environment=test'),
  setLimitRules: ({ server }) => ({ client: server.operator, path: '/v1/operator/rules/limits?environment=test', json: {} }),
  getFeeRules: operators('/v1/operator/rules/fees?environment=test'),
  setFeeRules: ({ server }) => ({ client: server.operator, path: '/v1/operator/rules/fees?environment=test', json: {} }),
  getFeeReport: operators('/v1/operator/reports/fees?environment=test'),
  getMerchantTimeline: objectOf('suspendMerchant', '/timeline'),
  getWalletTimeline: objectOf('blockWallet', '/timeline?environment=test'),
  getMerchantLimits: objectOf('suspendMerchant', '/limits'),
  setMerchantLimits: objectOf('suspendMerchant', '/limits', { json: { unknown_recipients: 2000 } }),
  listMerchantMembers: objectOf('resetTotpOfMember', '', { steps: 2 }),
  listBillers: operators('/v1/operator/billers'),
  getBillerOfOperator: objectOf('suspendBiller'),
}

const PUBLIC: KeyedRows = {
  getHealth: ({ server }) => ({ client: server.anybody, path: '/healthz' }),
  getMetrics: ({ server }) => ({ client: server.anybody, path: '/metrics' }),
  getDocument: ({ server }) => ({ client: server.anybody, path: '/openapi.yaml' }),
  getDocumentAsJson: ({ server }) => ({ client: server.anybody, path: '/openapi.json' }),
}

/** Every operation of the API by its id. */
export const ROUTE_ROWS: KeyedRows = {
  ...POSTS,
  ...MERCHANTS,
  ...BILLERS,
  ...CHECKOUT,
  ...DASHBOARD,
  ...WALLETS,
  ...OPERATORS,
  ...PUBLIC,
}

/** Their good answers do not end. */
export const STREAM_ROUTES: ReadonlySet<string> = new Set(['streamMerchantEvents', 'streamEvents'])

async function prepared(world: KeyedWorld, operation: string): Promise<KeyedRequest> {
  const prepare = POSTS[operation]
  if (prepare === undefined) throw new Error(`no row ${operation}`)
  return prepare(world)
}

/** Sends the POST, and returns the path of what it created. */
async function created(world: KeyedWorld, operation: string): Promise<KeyedRequest> {
  const { client, path, json } = await prepared(world, operation)
  const { body } = await ok(client.post(path, json, { 'idempotency-key': newTag() }))
  return { client, path: `${path}/${body.id}` }
}

async function firstId(client: Client, list: string): Promise<string> {
  const { body } = await ok(client.get<{ data: readonly { readonly id: string }[] }>(list))
  return body.data[0]?.id ?? ''
}
