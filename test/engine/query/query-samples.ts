// One sample of each query: the scenario that is played before it, and the input. A query without a sample does not compile.
import assert from 'node:assert/strict'
import type { QueryInput, QueryName } from '../../../engine/api.ts'
import type { Stage } from '../../support/engine-fixture.ts'

export interface QuerySample<Name extends QueryName> {
  /** A golden scenario, by the name of its file. */
  readonly scenario: string
  readonly input: (stage: Stage) => QueryInput<Name>
}

/** The test account of the first merchant of each scenario. */
const MERCHANT = 5
/** The account of the first wallet. */
const WALLET = 6
const PAGE = { limit: 2 }

export const QUERY_SAMPLES: { readonly [Name in QueryName]: QuerySample<Name> } = {
  'accounts.balance': { scenario: 'money-v1.json', input: () => ({ account: MERCHANT }) },
  'accounts.environment': { scenario: 'money-v1.json', input: () => ({ account: MERCHANT }) },
  'accounts.settlement': { scenario: 'money-v1.json', input: () => ({ environment: 'test' }) },
  'apiKeys.list': {
    scenario: 'money-v1.json',
    input: (stage) => ({ merchantId: stage.state.merchants.byAccount(MERCHANT)?.id ?? '', query: PAGE }),
  },
  'batches.dryRun': {
    scenario: 'money-v1.json',
    input: () => ({ type: 'CreateBatch', merchant: MERCHANT, lines: [], reference: '', scheduleId: null }),
  },
  'batches.get': { scenario: 'money-v1.json', input: (stage) => first(stage, 'batch.completed').own },
  'batches.list': { scenario: 'money-v1.json', input: () => ({ account: MERCHANT, query: PAGE }) },
  'bills.get': { scenario: 'bills-v2.json', input: paidBill },
  'bills.list': { scenario: 'bills-v2.json', input: () => ({ account: MERCHANT, query: PAGE, slice: 'first' }) },
  'bills.position': { scenario: 'bills-v2.json', input: paidBill },
  'charges.byToken': { scenario: 'charges-v2.json', input: () => ({ token: 'paid' }) },
  'charges.get': { scenario: 'charges-v2.json', input: () => ({ account: MERCHANT, handle: 'pending' }) },
  'charges.list': { scenario: 'charges-v2.json', input: () => ({ account: MERCHANT, query: { ...PAGE, state: 'paid' }, slice: 'first' }) },
  'charges.tokenOf': {
    scenario: 'charges-v2.json',
    input: (stage) => ({ account: MERCHANT, handle: first(stage, 'charge.created').own.id }),
  },
  'codeRuns.list': { scenario: 'code-runs-v1.json', input: () => ({ account: MERCHANT, product: 'facture', query: PAGE }) },
  'endpoints.attempts': {
    scenario: 'webhooks-v1.json',
    input: (stage) => ({ account: MERCHANT, id: first(stage, 'delivery.attempted').payload.endpoint_id ?? '', query: PAGE }),
  },
  'endpoints.get': { scenario: 'webhooks-v1.json', input: (stage) => openEndpoint(stage) },
  'endpoints.list': { scenario: 'webhooks-v1.json', input: () => ({ account: MERCHANT, query: PAGE }) },
  'engine.figures': { scenario: 'money-v1.json', input: () => null },
  'engine.time': { scenario: 'money-v1.json', input: () => null },
  'fulfillments.open': { scenario: 'bills-v2.json', input: () => ({ after: null, limit: 10 }) },
  'fulfillments.openOne': { scenario: 'bills-v2.json', input: (stage) => ({ chargeId: openFulfillment(stage) }) },
  'fulfillments.run': { scenario: 'bills-v2.json', input: (stage) => ({ chargeId: openFulfillment(stage) }) },
  'ledger.trialBalance': { scenario: 'money-v1.json', input: () => ({ environment: 'test' }) },
  'mandates.byToken': { scenario: 'mandates-v2.json', input: (stage) => ({ token: newestMandate(stage).token }) },
  'mandates.get': { scenario: 'mandates-v2.json', input: (stage) => ({ account: MERCHANT, id: newestMandate(stage).id }) },
  'mandates.list': { scenario: 'mandates-v2.json', input: () => ({ account: MERCHANT, query: PAGE, slice: 'first' }) },
  'mandates.ofWallet': { scenario: 'mandates-v2.json', input: () => ({ account: WALLET, query: PAGE, slice: 'first' }) },
  'mandates.payments': {
    scenario: 'mandates-v2.json',
    input: (stage) => {
      const { mandate } = first(stage, 'mandate.charged').payload
      return { account: MERCHANT, id: mandate?.id ?? '', query: PAGE }
    },
  },
  'mandates.seenByCustomer': { scenario: 'mandates-v2.json', input: (stage) => ({ account: WALLET, id: newestMandate(stage).id }) },
  'merchants.byAccount': { scenario: 'money-v1.json', input: () => ({ account: MERCHANT }) },
  'merchants.byId': { scenario: 'money-v1.json', input: (stage) => ({ id: stage.state.merchants.byAccount(MERCHANT)?.id ?? '' }) },
  'merchants.list': { scenario: 'money-v1.json', input: () => ({ query: PAGE }) },
  'operatorActions.list': { scenario: 'money-v1.json', input: () => ({ query: PAGE }) },
  'payouts.get': { scenario: 'money-v1.json', input: (stage) => first(stage, 'payout.paid').own },
  'payouts.list': { scenario: 'money-v1.json', input: () => ({ account: MERCHANT, query: PAGE }) },
  'results.known': { scenario: 'money-v1.json', input: () => ({ scope: String(MERCHANT), key: 'payout', fingerprint: null }) },
  'schedules.exists': { scenario: 'schedules-v1.json', input: (stage) => first(stage, 'schedule.created').own },
  'schedules.get': { scenario: 'schedules-v1.json', input: (stage) => first(stage, 'schedule.created').own },
  'schedules.list': { scenario: 'schedules-v1.json', input: () => ({ account: MERCHANT, query: PAGE, slice: 'first' }) },
  'schedules.runs': {
    scenario: 'schedules-v1.json',
    input: (stage) => ({ account: MERCHANT, id: first(stage, 'schedule.ran').payload.schedule_id ?? '', query: PAGE }),
  },
  'transactions.get': {
    scenario: 'money-v1.json',
    input: (stage) => ({ account: MERCHANT, id: stage.records.flatMap(({ transactions }) => transactions)[0]?.id ?? '' }),
  },
  'transactions.list': { scenario: 'money-v1.json', input: () => ({ account: MERCHANT, query: PAGE }) },
  'transactions.movements': {
    scenario: 'money-v1.json',
    input: () => ({ account: MERCHANT, fromMs: 0, toMs: Number.MAX_SAFE_INTEGER, below: null, limit: 2 }),
  },
  'wallets.byAccount': { scenario: 'money-v1.json', input: () => ({ account: WALLET }) },
  'wallets.byPhone': { scenario: 'money-v1.json', input: () => ({ phone: '+2250700000001' }) },
  'wallets.byTag': { scenario: 'money-v1.json', input: () => ({ environment: 'test', tag: 'awa' }) },
  'webhookEvents.get': { scenario: 'webhooks-v1.json', input: (stage) => first(stage, 'merchant_event.recorded').own },
  'webhookEvents.list': { scenario: 'webhooks-v1.json', input: () => ({ account: MERCHANT, query: PAGE, slice: 'first' }) },
  'webhookEvents.position': { scenario: 'webhooks-v1.json', input: (stage) => first(stage, 'merchant_event.recorded').own },
  'webhookEvents.undelivered': { scenario: 'webhooks-v1.json', input: () => ({ account: MERCHANT }) },
  'webhookEvents.undeliveredSlice': {
    scenario: 'webhooks-v1.json',
    input: (stage) => {
      const positions = stage.engine.query('webhookEvents.undelivered', { account: MERCHANT })
      return { account: MERCHANT, query: PAGE, positions: positions ?? [] }
    },
  },
}

interface SampleEvent {
  /** The account and the id in the event's payload. */
  readonly own: { readonly account: number; readonly id: string }
  readonly payload: SamplePayload
}

interface SamplePayload {
  readonly id?: string
  readonly endpoint_id?: string
  readonly schedule_id?: string
  readonly transaction_id?: string
  readonly mandate?: { readonly id: string; readonly token: string }
}

/** The first event of the type in the scenario. */
function first(stage: Stage, type: string): SampleEvent {
  const event = stage.records.flatMap(({ events }) => events).find((candidate) => candidate.type === type)
  assert.ok(event !== undefined, `the scenario has an event ${type}`)
  const payload = JSON.parse(event.text) as SamplePayload
  return { own: { account: event.account, id: payload.id ?? '' }, payload }
}

function paidBill(stage: Stage): { readonly account: number; readonly transactionId: string } {
  const { own, payload } = first(stage, 'bill.paid')
  return { account: own.account, transactionId: payload.transaction_id ?? '' }
}

function openFulfillment(stage: Stage): string {
  const [row] = stage.state.bills.fulfilling.values()
  return row?.charge_id ?? ''
}

function newestMandate(stage: Stage): { readonly id: string; readonly token: string } {
  return first(stage, 'mandate.created').payload.mandate ?? { id: '', token: '' }
}

function openEndpoint(stage: Stage): { readonly account: number; readonly id: string } {
  const [endpoint] = stage.state.webhooks.endpoints.values()
  return { account: endpoint?.account ?? -1, id: endpoint?.id ?? '' }
}
