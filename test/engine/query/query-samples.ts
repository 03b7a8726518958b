// One sample of each query: the scenario that is played before it, and the input. A query without a sample does not compile.
import type { QueryInput, QueryName } from '../../../engine/api.ts'
import { positionOf } from '../../../engine/kernel/position.ts'
import type { EngineFixture } from '../../support/engine-fixture.ts'
import {
  anyDelivery,
  anyDevice,
  anyKey,
  anyMessage,
  anyOperator,
  anySession,
  anyTotpUser,
  anyUser,
  billerAccount,
  first,
  framesOfPayout,
  newestChallenge,
  newestMandate,
  noticed,
  oneProduct,
  openEndpoint,
  openFulfillment,
  openInvitation,
  openLogin,
  openSignup,
  ownSlug,
  paidBill,
  payablePath,
  shownLogo,
  WALLET,
  waitingApproval,
} from './sample-rows.ts'

export interface QuerySample<Name extends QueryName> {
  /** A golden scenario, by the name of its file. */
  readonly scenario: string
  readonly input: (fixture: EngineFixture) => QueryInput<Name>
}

/** The test account of the first merchant of each scenario. */
const MERCHANT = 7
const PAGE = { limit: 2 }
const ownId = (fixture: EngineFixture): string => fixture.state.merchants.byAccount(MERCHANT)?.id ?? ''
const LOGOS = 'https://api.example/logos/'

export const QUERY_SAMPLES: { readonly [Name in QueryName]: QuerySample<Name> } = {
  'accounts.balance': { scenario: 'money-v1.json', input: () => ({ account: MERCHANT }) },
  'accounts.currency': { scenario: 'money-v1.json', input: () => ({ account: MERCHANT }) },
  'accounts.environment': { scenario: 'money-v1.json', input: () => ({ account: MERCHANT }) },
  'accounts.isProven': { scenario: 'money-v1.json', input: () => ({ account: MERCHANT }) },
  'accounts.settlement': { scenario: 'money-v1.json', input: () => ({ environment: 'test' }) },
  'apiKeys.exists': { scenario: 'money-v1.json', input: (fixture) => ({ merchantId: ownId(fixture), environment: 'test' }) },
  'apiKeys.list': { scenario: 'money-v1.json', input: (fixture) => ({ merchantId: ownId(fixture), query: PAGE }) },
  'apiKeys.byPublicKey': { scenario: 'money-v1.json', input: (fixture) => ({ publicKey: anyKey(fixture).public_key }) },
  'apiKeys.changes': { scenario: 'money-v1.json', input: () => null },
  'approvals.countWaiting': { scenario: 'operators-v1.json', input: () => null },
  'approvals.get': { scenario: 'operators-v1.json', input: (fixture) => ({ id: waitingApproval(fixture) }) },
  'approvals.list': { scenario: 'operators-v1.json', input: () => ({ query: { ...PAGE, state: 'approved' } }) },
  'payoutPolicies.get': { scenario: 'money-v1.json', input: () => ({ account: MERCHANT }) },
  'disbursements.failedLines': { scenario: 'disbursements-v1.json', input: (fixture) => ({ ...oneDisbursement(fixture), chunk: 0 }) },
  'disbursements.get': { scenario: 'disbursements-v1.json', input: oneDisbursement },
  'disbursements.lines': { scenario: 'disbursements-v1.json', input: (fixture) => ({ ...oneDisbursement(fixture), query: PAGE }) },
  'disbursements.list': { scenario: 'disbursements-v1.json', input: () => ({ account: MERCHANT, query: PAGE, slice: 'first' }) },
  'batches.get': { scenario: 'money-v1.json', input: (fixture) => first(fixture, 'batch.completed').own },
  'batches.list': { scenario: 'money-v1.json', input: () => ({ account: MERCHANT, query: PAGE }) },
  'batches.notes': { scenario: 'money-v1.json', input: (fixture) => first(fixture, 'batch.completed').own },
  'batches.search': { scenario: 'money-v1.json', input: () => ({ account: MERCHANT, query: { ...PAGE, q: 'a' }, slice: 'first' }) },
  'billers.byAccount': { scenario: 'billers-v1.json', input: (fixture) => ({ account: billerAccount(fixture) }) },
  'billers.comparison': { scenario: 'billers-v1.json', input: (fixture) => ({ slug: oneProduct(fixture).biller }) },
  'billers.countToReview': { scenario: 'billers-v1.json', input: () => null },
  'billers.forOperator': { scenario: 'billers-v1.json', input: (fixture) => ({ slug: oneProduct(fixture).biller, logosBase: LOGOS }) },
  'billers.hasLogo': { scenario: 'billers-v1.json', input: (fixture) => ({ file: shownLogo(fixture) }) },
  'billers.list': { scenario: 'billers-v1.json', input: () => ({ query: PAGE, logosBase: LOGOS }) },
  'billers.logo': { scenario: 'billers-v1.json', input: (fixture) => ({ file: shownLogo(fixture) }) },
  'billers.waitingLogos': { scenario: 'billers-v1.json', input: () => ({ limit: 2 }) },
  'bills.get': { scenario: 'bill-outcomes-v1.json', input: paidBill },
  'bills.list': { scenario: 'bill-outcomes-v1.json', input: () => ({ account: MERCHANT, query: PAGE, slice: 'first' }) },
  'bills.position': { scenario: 'bill-outcomes-v1.json', input: paidBill },
  'cashRequests.countOpen': { scenario: 'cash-requests-v1.json', input: () => null },
  'cashRequests.forOperator': {
    scenario: 'cash-requests-v1.json',
    input: (fixture) => ({ kind: 'top_up', ...first(fixture, 'top_up.requested').own }),
  },
  'cashRequests.get': {
    scenario: 'cash-requests-v1.json',
    input: (fixture) => ({ kind: 'withdrawal', ...first(fixture, 'withdrawal.requested').own }),
  },
  'cashRequests.list': {
    scenario: 'cash-requests-v1.json',
    input: () => ({ kind: 'top_up', account: MERCHANT, query: { ...PAGE, state: 'confirmed' }, slice: 'first' }),
  },
  'cashRequests.open': {
    scenario: 'cash-requests-v1.json',
    input: () => ({ kind: 'withdrawal', environment: 'test', merchantId: null, paymentReference: null, query: PAGE }),
  },
  'challenges.newest': {
    scenario: 'sign-in-networks-v1.json',
    input: newestChallenge,
  },
  'charges.byToken': { scenario: 'charges-v1.json', input: () => ({ token: 'paid' }) },
  'charges.get': { scenario: 'charges-v1.json', input: () => ({ account: MERCHANT, handle: 'pending' }) },
  'charges.list': { scenario: 'charges-v1.json', input: () => ({ account: MERCHANT, query: { ...PAGE, state: 'paid' }, slice: 'first' }) },
  'charges.till': {
    scenario: 'charges-v1.json',
    input: () => ({ account: MERCHANT, fromMs: 0, toMs: Number.MAX_SAFE_INTEGER, below: null, limit: 2 }),
  },
  'charges.tokenOf': {
    scenario: 'charges-v1.json',
    input: (fixture) => ({ account: MERCHANT, handle: first(fixture, 'charge.created').own.id }),
  },
  'codeRuns.list': { scenario: 'code-runs-v1.json', input: () => ({ account: MERCHANT, product: 'facture', query: PAGE }) },
  'codes.waitMs': { scenario: 'sign-in-networks-v1.json', input: () => ({ key: 'phone:none', limit: { most: 1, withinMs: 1 } }) },
  'dashboardLinks.byToken': { scenario: 'members-v1.json', input: (fixture) => openInvitation(fixture) },
  'dashboardMembers.list': { scenario: 'members-v1.json', input: (fixture) => ({ merchantId: anyUser(fixture).merchant_id, query: PAGE }) },
  'dashboardSessions.byToken': { scenario: 'dashboard-v1.json', input: (fixture) => ({ tokenHash: anySession(fixture).token_hash }) },
  'dashboardSessions.list': {
    scenario: 'dashboard-v1.json',
    input: (fixture) => ({ userId: anyUser(fixture).id, currentId: anySession(fixture).id, query: PAGE }),
  },
  'dashboardUsers.byEmail': { scenario: 'dashboard-v1.json', input: (fixture) => ({ email: anyUser(fixture).email }) },
  'dashboardUsers.byId': { scenario: 'dashboard-v1.json', input: (fixture) => ({ id: anyUser(fixture).id }) },
  'dashboardUsers.passwordCount': { scenario: 'dashboard-v1.json', input: () => ({ countKey: 'none' }) },
  'dashboardUsers.totp': { scenario: 'members-v1.json', input: (fixture) => ({ id: anyTotpUser(fixture) }) },
  'deliveries.byId': { scenario: 'webhooks-v1.json', input: (fixture) => ({ id: anyDelivery(fixture).id }) },
  'deliveries.message': { scenario: 'webhooks-v1.json', input: (fixture) => ({ id: anyDelivery(fixture).id }) },
  'deliveries.ofEndpoint': {
    scenario: 'webhooks-v1.json',
    input: (fixture) => ({ account: MERCHANT, endpointId: openEndpoint(fixture).id }),
  },
  'deliveries.open': { scenario: 'webhooks-v1.json', input: () => ({ offset: 0, limit: 2 }) },
  'devices.byId': { scenario: 'sign-in-networks-v1.json', input: (fixture) => anyDevice(fixture) },
  'devices.forPush': { scenario: 'sign-in-networks-v1.json', input: (fixture) => ({ account: anyDevice(fixture).account }) },
  'devices.has': { scenario: 'sign-in-networks-v1.json', input: (fixture) => ({ account: anyDevice(fixture).account }) },
  'devices.list': {
    scenario: 'sign-in-networks-v1.json',
    input: (fixture) => ({ account: anyDevice(fixture).account, currentId: 'a', query: PAGE }),
  },
  'devices.ofSession': { scenario: 'sign-in-networks-v1.json', input: (fixture) => ({ sessionId: anyDevice(fixture).session_id }) },
  'directory.biller': {
    scenario: 'bill-outcomes-v1.json',
    input: (fixture) => ({ environment: 'test', biller: oneProduct(fixture).biller, logosBase: LOGOS }),
  },
  'directory.list': {
    scenario: 'bill-outcomes-v1.json',
    input: () => ({ environment: 'test', currency: 'XOF', query: PAGE, logosBase: LOGOS }),
  },
  'directory.product': { scenario: 'bill-outcomes-v1.json', input: payablePath },
  'endpoints.attempts': {
    scenario: 'webhooks-v1.json',
    input: (fixture) => ({ account: MERCHANT, id: first(fixture, 'delivery.attempted').payload.endpoint_id ?? '', query: PAGE }),
  },
  'endpoints.byId': { scenario: 'webhooks-v1.json', input: (fixture) => ({ id: openEndpoint(fixture).id }) },
  'endpoints.first': { scenario: 'webhooks-v1.json', input: () => ({ account: MERCHANT }) },
  'endpoints.get': { scenario: 'webhooks-v1.json', input: (fixture) => openEndpoint(fixture) },
  'endpoints.list': { scenario: 'webhooks-v1.json', input: () => ({ account: MERCHANT, query: PAGE }) },
  'engine.figures': { scenario: 'money-v1.json', input: () => null },
  'engine.time': { scenario: 'money-v1.json', input: () => null },
  'frames.after': { scenario: 'money-v1.json', input: () => ({ account: WALLET, afterId: 0, belowId: null, below: null, recordsMax: 2 }) },
  'frames.durableId': { scenario: 'money-v1.json', input: () => ({ account: WALLET }) },
  'frames.newestId': { scenario: 'money-v1.json', input: () => ({ account: WALLET }) },
  'frames.texts': { scenario: 'money-v1.json', input: framesOfPayout },
  'fulfillments.open': { scenario: 'bill-outcomes-v1.json', input: () => ({ after: null, limit: 10 }) },
  'fulfillments.openOne': { scenario: 'bill-outcomes-v1.json', input: (fixture) => ({ chargeId: openFulfillment(fixture) }) },
  'fulfillments.run': { scenario: 'bill-outcomes-v1.json', input: (fixture) => ({ chargeId: openFulfillment(fixture) }) },
  'ledger.trialBalance': { scenario: 'money-v1.json', input: () => ({ environment: 'test' }) },
  'logins.byToken': { scenario: 'sign-in-networks-v1.json', input: openLogin },
  'mandates.byToken': { scenario: 'mandates-v1.json', input: (fixture) => ({ token: newestMandate(fixture).token }) },
  'mandates.get': { scenario: 'mandates-v1.json', input: (fixture) => ({ account: MERCHANT, id: newestMandate(fixture).id }) },
  'mandates.list': { scenario: 'mandates-v1.json', input: () => ({ account: MERCHANT, query: PAGE, slice: 'first' }) },
  'mandates.ofWallet': { scenario: 'mandates-v1.json', input: () => ({ account: WALLET, query: PAGE, slice: 'first' }) },
  'mandates.payments': {
    scenario: 'mandates-v1.json',
    input: (fixture) => {
      const { mandate } = first(fixture, 'mandate.charged').payload
      return { account: MERCHANT, id: mandate?.id ?? '', query: PAGE }
    },
  },
  'mandates.seenByCustomer': { scenario: 'mandates-v1.json', input: (fixture) => ({ account: WALLET, id: newestMandate(fixture).id }) },
  'merchants.activations': { scenario: 'activation-v1.json', input: () => ({ state: 'requested', query: PAGE }) },
  'merchantStream.frames': {
    scenario: 'money-v1.json',
    input: (fixture) => ({ account: MERCHANT, record: framesOfPayout(fixture).record }),
  },
  'merchantStream.after': { scenario: 'money-v1.json', input: () => ({ account: MERCHANT, after: 0, span: 1024 }) },
  'merchantStream.before': {
    scenario: 'money-v1.json',
    input: ({ state, records }) => ({
      account: MERCHANT,
      from: { id: state.webhooks.eventCounts.last(MERCHANT), position: positionOf(records.length, 0) },
      id: 1,
    }),
  },
  'merchantStream.newest': { scenario: 'money-v1.json', input: () => ({ account: MERCHANT }) },
  'merchants.byAccount': { scenario: 'money-v1.json', input: () => ({ account: MERCHANT }) },
  'merchants.byId': { scenario: 'money-v1.json', input: (fixture) => ({ id: ownId(fixture) }) },
  'merchants.count': { scenario: 'money-v1.json', input: () => null },
  'timeline.list': {
    scenario: 'money-v1.json',
    input: ({ state }) => ({
      subject: { kind: 'merchant', id: state.merchants.byAccount(MERCHANT)?.id ?? '' },
      environment: 'test',
      query: PAGE,
    }),
  },
  'withdrawalAccounts.list': { scenario: 'cash-requests-v1.json', input: () => ({ account: MERCHANT, query: PAGE }) },
  'withdrawalAccounts.waiting': { scenario: 'cash-requests-v1.json', input: () => ({ query: PAGE }) },
  'wallets.search': { scenario: 'money-v1.json', input: () => ({ environment: null, q: 'awa', offset: 0, readMax: 10, foundMax: 10 }) },
  'merchants.list': { scenario: 'money-v1.json', input: () => ({ query: PAGE }) },
  'messages.byId': { scenario: 'messages-v1.json', input: (fixture) => ({ id: anyMessage(fixture).id }) },
  'messages.open': { scenario: 'messages-v1.json', input: () => ({ offset: 0, limit: 2 }) },
  'messages.pushRoom': { scenario: 'messages-v1.json', input: () => ({ environment: 'test', account: 1, unrecorded: 0 }) },
  'messages.queued': { scenario: 'messages-v1.json', input: (fixture) => ({ position: anyMessage(fixture).position }) },
  'notices.causes': { scenario: 'notices-v1.json', input: (fixture) => ({ positions: noticed(fixture) }) },
  'operatorActions.list': { scenario: 'money-v1.json', input: () => ({ query: { ...PAGE, operator: 'root' }, slice: 'first' }) },
  'merchants.reviewedName': { scenario: 'money-v1.json', input: () => ({ account: MERCHANT }) },
  'operatorRequests.get': {
    scenario: 'second-persons-v1.json',
    input: (fixture) => ({ id: [...fixture.state.operators.waiting.values()][0]?.id ?? '' }),
  },
  'operatorRequests.list': { scenario: 'second-persons-v1.json', input: () => ({ query: PAGE }) },
  'operators.byId': { scenario: 'operators-v1.json', input: (fixture) => ({ id: anyOperator(fixture).id }) },
  'operators.byTokenHash': { scenario: 'operators-v1.json', input: (fixture) => ({ tokenHash: anyOperator(fixture).token_hash }) },
  'operators.list': { scenario: 'operators-v1.json', input: () => ({ query: PAGE }) },
  'paymentLinks.byCode': { scenario: 'payment-links-v1.json', input: () => ({ code: 'code' }) },
  'paymentLinks.get': {
    scenario: 'payment-links-v1.json',
    input: ({ state }) => ({ account: MERCHANT, id: state.paymentLinks.byCode('code')?.link.id ?? '' }),
  },
  'paymentLinks.list': { scenario: 'payment-links-v1.json', input: () => ({ account: MERCHANT, query: PAGE, createdBy: null }) },
  'payouts.get': { scenario: 'money-v1.json', input: (fixture) => first(fixture, 'payout.paid').own },
  'payouts.list': { scenario: 'money-v1.json', input: () => ({ account: MERCHANT, query: PAGE }) },
  'pins.counts': { scenario: 'sign-in-networks-v1.json', input: (fixture) => ({ account: anyDevice(fixture).account, deviceId: null }) },
  'pins.locked': { scenario: 'sign-in-networks-v1.json', input: () => ({ limit: 2 }) },
  'pins.ofWallet': { scenario: 'sign-in-networks-v1.json', input: (fixture) => ({ account: anyDevice(fixture).account }) },
  'products.exists': { scenario: 'billers-v1.json', input: ownSlug },
  'products.get': { scenario: 'billers-v1.json', input: ownSlug },
  'products.list': { scenario: 'billers-v1.json', input: (fixture) => ({ account: billerAccount(fixture), query: PAGE }) },
  'products.own': { scenario: 'billers-v1.json', input: ownSlug },
  'products.payable': { scenario: 'bill-outcomes-v1.json', input: payablePath },
  'pushes.from': { scenario: 'messages-v1.json', input: () => null },
  'pushes.progress': { scenario: 'messages-v1.json', input: () => null },
  'pushes.record': { scenario: 'messages-v1.json', input: (fixture) => ({ position: anyMessage(fixture).position }) },
  'pushes.recordsAfter': { scenario: 'messages-v1.json', input: () => ({ after: 1, limit: 2 }) },
  'results.known': { scenario: 'money-v1.json', input: () => ({ scope: String(MERCHANT), key: 'payout', fingerprint: null }) },
  'quotas.figures': { scenario: 'money-v1.json', input: () => null },
  'quotas.report': { scenario: 'money-v1.json', input: () => [] },
  'fees.rules': { scenario: 'fees-v1.json', input: () => ({ environment: 'test', currency: 'XOF' }) },
  'fees.now': { scenario: 'fees-v1.json', input: () => ({ account: MERCHANT, on: 'charge', amount: 5000 }) },
  'fees.moves': {
    scenario: 'fees-v1.json',
    input: () => ({ environment: 'test', currency: 'XOF', fromMs: 0, toMs: Number.MAX_SAFE_INTEGER, below: null, limit: 20 }),
  },
  'rules.limits': { scenario: 'rules-v1.json', input: () => ({ environment: 'test' }) },
  'rules.ofMerchant': { scenario: 'rules-v1.json', input: (fixture) => ({ id: ownId(fixture), environment: 'test' }) },
  'rules.ofWallet': {
    scenario: 'rules-v1.json',
    input: (fixture) => ({ account: fixture.state.wallets.byTag('test', 'awa')?.account ?? 0 }),
  },
  'schedules.exists': { scenario: 'schedules-v1.json', input: (fixture) => first(fixture, 'schedule.created').own },
  'schedules.get': { scenario: 'schedules-v1.json', input: (fixture) => first(fixture, 'schedule.created').own },
  'schedules.list': { scenario: 'schedules-v1.json', input: () => ({ account: MERCHANT, query: PAGE, slice: 'first' }) },
  'schedules.runs': {
    scenario: 'schedules-v1.json',
    input: (fixture) => ({ account: MERCHANT, id: first(fixture, 'schedule.ran').payload.schedule_id ?? '', query: PAGE }),
  },
  'signups.byToken': { scenario: 'sign-in-networks-v1.json', input: openSignup },
  'transactions.get': {
    scenario: 'money-v1.json',
    input: (fixture) => ({ account: MERCHANT, id: fixture.records.flatMap(({ transactions }) => transactions)[0]?.id ?? '' }),
  },
  'transactions.list': { scenario: 'money-v1.json', input: () => ({ account: MERCHANT, query: PAGE }) },
  'transactions.movements': {
    scenario: 'money-v1.json',
    input: () => ({ account: MERCHANT, fromMs: 0, toMs: Number.MAX_SAFE_INTEGER, below: null, limit: 2 }),
  },
  'wallets.byAccount': { scenario: 'money-v1.json', input: () => ({ account: WALLET }) },
  'wallets.byPhone': { scenario: 'money-v1.json', input: () => ({ phone: '+2250700000001' }) },
  'wallets.byTag': { scenario: 'money-v1.json', input: () => ({ environment: 'test', tag: 'awa' }) },
  'wallets.forOperator': { scenario: 'money-v1.json', input: () => ({ account: WALLET }) },
  'wallets.knowsNetwork': {
    scenario: 'sign-in-networks-v1.json',
    input: (fixture) => ({ account: anyDevice(fixture).account, network: 'n' }),
  },
  'wallets.count': { scenario: 'money-v1.json', input: () => null },
  'wallets.firstOfTest': { scenario: 'money-v1.json', input: () => ({ limit: 2, readMax: 10 }) },
  'webhookEvents.get': { scenario: 'webhooks-v1.json', input: (fixture) => first(fixture, 'merchant_event.recorded').own },
  'webhookEvents.list': { scenario: 'webhooks-v1.json', input: () => ({ account: MERCHANT, query: PAGE, slice: 'first' }) },
  'webhookEvents.position': { scenario: 'webhooks-v1.json', input: (fixture) => first(fixture, 'merchant_event.recorded').own },
  'webhookEvents.sent': { scenario: 'webhooks-v1.json', input: (fixture) => first(fixture, 'merchant_event.recorded').own },
  'webhookEvents.undelivered': { scenario: 'webhooks-v1.json', input: () => ({ account: MERCHANT }) },
  'webhookEvents.undeliveredSlice': {
    scenario: 'webhooks-v1.json',
    input: (fixture) => {
      const positions = fixture.engine.query('webhookEvents.undelivered', { account: MERCHANT })
      return { account: MERCHANT, query: PAGE, positions: positions ?? [] }
    },
  },
}

function oneDisbursement(fixture: EngineFixture): { readonly account: number; readonly id: string } {
  const { payload } = first(fixture, 'disbursement.created')
  return { account: MERCHANT, id: payload.plan?.id ?? '' }
}
