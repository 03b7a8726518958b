// Rows that the samples of queries look up: what a golden scenario leaves in live state and in its records.
import assert from 'node:assert/strict'
import { BatchEncoder } from '../../../engine/actor/batch-encoder.ts'
import { decodeBatch, GENESIS_HASH } from '../../../engine/actor/record-codec.ts'
import type {
  ApiKeyRow,
  DashboardSessionRow,
  DashboardUserRow,
  Delivery,
  DeviceRow,
  OpenMessage,
  OperatorRow,
  QueryInput,
} from '../../../engine/api.ts'
import type { EngineFixture } from '../../support/engine-fixture.ts'

/** The test account of the first merchant of each scenario. */
export const MERCHANT = 7

export const ownId = (fixture: EngineFixture): string => fixture.state.merchants.byAccount(MERCHANT)?.id ?? ''
export const ownTest = (fixture: EngineFixture) => ({ merchantId: ownId(fixture), environment: 'test' as const })

/** The account of the first wallet of each scenario. */
export const WALLET = 8

interface SampleEvent {
  /** The account and the id in the event's payload. */
  readonly own: { readonly account: number; readonly id: string }
  readonly payload: SamplePayload
}

interface SamplePayload {
  readonly id?: string
  readonly endpoint_id?: string
  readonly schedule_id?: string
  readonly plan?: { readonly id: string }
  readonly transaction_id?: string
  readonly problem?: { readonly id: string }
  readonly mandate?: { readonly id: string; readonly token: string }
}

/** The first event of the type in the scenario. */
export function first(fixture: EngineFixture, type: string): SampleEvent {
  const event = fixture.records.flatMap(({ events }) => events).find((candidate) => candidate.type === type)
  assert.ok(event !== undefined, `the scenario has an event ${type}`)
  const payload = JSON.parse(event.text) as SamplePayload
  return { own: { account: event.account, id: payload.id ?? '' }, payload }
}

/** The first problem of the scenario. */
export function oneProblem(fixture: EngineFixture): { readonly account: number; readonly id: string } {
  const { own, payload } = first(fixture, 'problem.opened')
  return { account: own.account, id: payload.problem?.id ?? '' }
}

/** The payment that it is about, for the wallet that paid. */
export function problemPayment(fixture: EngineFixture): { readonly account: number; readonly id: string } {
  return { account: WALLET, id: first(fixture, 'charge.paid').payload.transaction_id ?? '' }
}

/** The events of the notice that waits. */
export function noticed(fixture: EngineFixture): readonly number[] {
  return [...fixture.state.notices.rows.values()].find(({ count, kind }) => count > 0 && kind === 'top_up')?.positions ?? []
}

export function paidBill(fixture: EngineFixture): { readonly account: number; readonly transactionId: string } {
  const { own, payload } = first(fixture, 'bill.paid')
  return { account: own.account, transactionId: payload.transaction_id ?? '' }
}

export function oneProduct(fixture: EngineFixture): { readonly biller: string; readonly slug: string } {
  const [product] = fixture.state.billers.products.values()
  return { biller: product?.biller ?? '', slug: product?.slug ?? '' }
}

/** The test account of the merchant whose product `oneProduct` is. */
export function billerAccount(fixture: EngineFixture): number {
  const { state } = fixture
  const biller = state.billers.profiles.get(oneProduct(fixture).biller)
  return state.merchants.merchants.get(biller?.merchant_id ?? '')?.accounts.test ?? -1
}

export function ownSlug(fixture: EngineFixture): { readonly account: number; readonly slug: string } {
  return { account: billerAccount(fixture), slug: oneProduct(fixture).slug }
}

export function payablePath(fixture: EngineFixture): { readonly environment: 'test'; readonly biller: string; readonly product: string } {
  const { biller, slug } = oneProduct(fixture)
  return { environment: 'test', biller, product: slug }
}

export function shownLogo(fixture: EngineFixture): string {
  const [logo] = [...fixture.state.billers.profiles.values()]
    .map((biller) => biller.logo ?? biller.pending_logo)
    .filter((one) => one !== null)
  return logo?.file ?? ''
}

export function openFulfillment(fixture: EngineFixture): string {
  const [row] = fixture.state.bills.fulfilling.values()
  return row?.charge_id ?? ''
}

export function newestMandate(fixture: EngineFixture): { readonly id: string; readonly token: string } {
  return first(fixture, 'mandate.created').payload.mandate ?? { id: '', token: '' }
}

export function openEndpoint(fixture: EngineFixture): { readonly account: number; readonly id: string } {
  const [endpoint] = fixture.state.webhooks.endpoints.values()
  return { account: endpoint?.account ?? -1, id: endpoint?.id ?? '' }
}

export function anyKey({ state }: EngineFixture): ApiKeyRow {
  return firstOf(state.merchants.apiKeys.values())
}

export function anyUser({ state }: EngineFixture): DashboardUserRow {
  return firstOf(state.dashboard.users.values())
}

export function anySession({ state }: EngineFixture): DashboardSessionRow {
  return firstOf(state.dashboard.sessions.values())
}

export function anyDevice({ state }: EngineFixture): DeviceRow {
  return firstOf(state.auth.devices.values())
}

export function newestChallenge({ state }: EngineFixture): QueryInput<'challenges.newest'> {
  const { purpose, identifier, origin } = firstOf(state.auth.challenges.values())
  return { purpose, identifier, address: origin.address }
}

/** The scenarios complete all of theirs. */
export function openSignup({ state, engine }: EngineFixture): QueryInput<'signups.byToken'> {
  const tokenHash = 'open sign-up'
  const expires_at_ms = engine.nowMs() + 1
  state.auth.signups.set(tokenHash, {
    ...{ token_hash: tokenHash, phone: '+221770000043', family_name: null, given_name: null, tag: null, expires_at_ms },
  })
  return { tokenHash }
}

export function openLogin({ state, engine }: EngineFixture): QueryInput<'logins.byToken'> {
  const tokenHash = 'open login'
  state.auth.logins.set(tokenHash, { token_hash: tokenHash, account: WALLET, expires_at_ms: engine.nowMs() + 1 })
  return { tokenHash }
}

function firstOf<Row>(rows: Iterable<Row>): Row {
  const [row] = rows
  assert.ok(row !== undefined, 'the scenario leaves a row')
  return row
}

/** A record of a single payout with all its frames, as it is read from the log: before that, its event writes its text itself. */
export function framesOfPayout({ records }: EngineFixture): QueryInput<'frames.texts'> {
  const written = records.find(({ command }) => command === 'CreatePayout')
  assert.ok(written !== undefined, 'the scenario has a payout')
  const encoder = new BatchEncoder()
  encoder.add(written)
  const [record] = decodeBatch(encoder.finish(GENESIS_HASH).bytes)
  assert.ok(record !== undefined, 'the batch has the payout')
  return { record, frames: record.frames }
}

export function anyDelivery({ state }: EngineFixture): Delivery {
  return firstOf(state.webhooks.deliveries.values())
}

export function anyOperator({ state }: EngineFixture): OperatorRow {
  return firstOf(state.operators.operators.values())
}

export function waitingApproval({ state }: EngineFixture): string {
  return firstOf(state.approvals.waiting.values()).id
}

/** A file of an activation. */
export function sentFile({ state }: EngineFixture): QueryInput<'merchants.activationFile'> {
  const { id: merchantId, activation_files } = firstOf(state.merchants.merchants.values())
  return { merchantId, id: firstOf(activation_files ?? []).id }
}

/** A text message or an e-mail. */
export function anyMessage({ state }: EngineFixture): OpenMessage {
  return firstOf([...state.messages.open.values()].filter(({ channel }) => channel !== 'push'))
}

export function openInvitation({ state }: EngineFixture): QueryInput<'dashboardLinks.byToken'> {
  const { token_hash: tokenHash, kind } = firstOf(state.dashboard.links.values())
  return { tokenHash, kind }
}

export function anyTotpUser({ state }: EngineFixture): string {
  return firstOf(state.dashboard.totps.values()).user_id
}

export function oneDisbursement(fixture: EngineFixture): SampleEvent['own'] {
  const { own, payload } = first(fixture, 'disbursement.created')
  return { ...own, id: payload.plan?.id ?? '' }
}
