// Accounts of the kill rounds: a merchant with money, products and payment links; wallets that are signed in and have approved a
// mandate; a second merchant whose schedules pay a wallet that nothing else pays; and a merchant with live money under dual control.

import { PRODUCTS } from '../../support/biller-callers.ts'
import { GOOD_PRODUCTS } from '../../support/biller-engine.ts'
import { fromNow } from '../../support/mandate-callers.ts'
import { newOperator } from '../../support/operator-callers.ts'
import { type Merchant, newKey, TestServer } from '../../support/server-fixture.ts'
import { ok, PIN } from '../../support/wallet-callers.ts'
import { keyHeaders, openWallet, publishProduct, type Wallet } from '../cluster/accounts.ts'
import { MERCHANT, type WritingAccounts } from '../cluster/money-writes.ts'
import { tokenMailedTo } from './mailbox.ts'

const WALLETS = 4
/** A link takes sixty charges a minute from one address. */
const LINKS = 8
const FUNDS = 1_000_000_000
/** Live movements of one operator above this amount wait for a second one. */
export const DUAL_CONTROL = 1000
/** Settings of every start. */
export const KILL_SETTINGS = { SANDBOX_THREADS: '1', OPERATOR_DUAL_CONTROL: String(DUAL_CONTROL) } as const
/** The live account in histories. */
export const LIVE_MERCHANT = 'live merchant'
const LATER_MS = 30 * 24 * 60 * 60_000
/** Its lookup and its fulfillment are hosted code. */
export const HOSTED_PRODUCT = 'facture'
const HOSTED = {
  lookup_integration: 'code',
  lookup_code: `function lookup({ fields }) {
    return { ok: true, amount: 100 + (Number(fields.compteur) % 90), currency: 'XOF', biller_ref: fields.compteur }
  }`,
  fulfillment_mode: 'code',
  fulfillment_code: 'async function onPaid(ctx) { console.log(ctx.charge_id) }',
}

export interface Planner {
  readonly headers: Readonly<Record<string, string>>
  /** Tag of the wallet that its schedules pay. */
  readonly recipient: string
  readonly deposited: number
}

/** Where the balance of an account of the histories is read. */
export interface BalancePlace {
  readonly account: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

interface LiveMerchant {
  readonly merchantId: string
  readonly headers: Readonly<Record<string, string>>
  /** Credentials of the operator who approves. */
  readonly secondOperator: Readonly<Record<string, string>>
}

/** A schedule that is due later than the rounds: only the test helper runs it. */
interface LaterSchedule {
  readonly id: string
  readonly items: readonly { readonly recipient: string; readonly amount: number }[]
}

/** A mandate whose payments are due later than the rounds: only the test helper collects them. */
interface LaterMandate {
  readonly id: string
  readonly tag: string
  readonly amount: number
}

type Parts = Pick<
  KillAccounts,
  'merchantId' | 'merchantHeaders' | 'wallets' | 'biller' | 'links' | 'planner' | 'live' | 'schedule' | 'mandates'
>

export class KillAccounts implements WritingAccounts {
  readonly merchantHeaders: Readonly<Record<string, string>>
  readonly wallets: readonly Wallet[]
  readonly biller: string
  /** Paths of the pages of payment links. */
  readonly links: readonly string[]
  readonly planner: Planner
  readonly merchantId: string
  readonly live: LiveMerchant
  readonly schedule: LaterSchedule
  readonly mandates: readonly LaterMandate[]

  private constructor(parts: Parts) {
    this.merchantId = parts.merchantId
    this.live = parts.live
    this.schedule = parts.schedule
    this.mandates = parts.mandates
    this.merchantHeaders = parts.merchantHeaders
    this.wallets = parts.wallets
    this.biller = parts.biller
    this.links = parts.links
    this.planner = parts.planner
  }

  static async open(baseUrl: string): Promise<KillAccounts> {
    const server = await TestServer.attached(baseUrl)
    const merchant = await server.fundedMerchant(FUNDS)
    const biller = await publishProduct(server, merchant, {})
    const product = { slug: HOSTED_PRODUCT, ...GOOD_PRODUCTS.lookup, lookup_url: undefined, ...HOSTED }
    // 503: the sandbox has not started yet.
    for (let status = 503; status === 503; ) {
      const made = await merchant.test.post(PRODUCTS, product)
      status = made.status
      if (status !== 201 && status !== 503) throw new Error(`the product: ${status} ${made.text}`)
    }
    const wallets: Wallet[] = []
    for (let count = 0; count < WALLETS; count++) wallets.push(await openWallet(server, merchant))
    const links: string[] = []
    for (let count = 0; count < LINKS; count++) {
      const { body } = await ok(merchant.test.post<{ url: string }>('/v1/biz/payment-links', { description: `Caisse ${count}` }, newKey()))
      links.push(new URL(body.url).pathname)
    }
    const planning = await server.fundedMerchant(FUNDS)
    const planner = { headers: await keyHeaders(server, planning), recipient: await server.wallet(planning), deposited: FUNDS }
    const merchantHeaders = await keyHeaders(server, merchant)
    const live = await openLive(server)
    const schedule = await openSchedule(merchant, wallets)
    const mandates = await openMandates(server, merchant, wallets)
    server.anybody.close()
    return new KillAccounts({ merchantId: merchant.id, merchantHeaders, wallets, biller, links, planner, live, schedule, mandates })
  }

  get balances(): readonly BalancePlace[] {
    const path = '/v1/biz/balance'
    return [
      { account: MERCHANT, path, headers: this.merchantHeaders },
      { account: LIVE_MERCHANT, path, headers: this.live.headers },
      ...this.wallets.map((wallet) => ({ account: wallet.tag, path: '/v1/me/balance', headers: this.headersOf(wallet) })),
    ]
  }

  headersOf({ accessToken }: Wallet): Readonly<Record<string, string>> {
    return { authorization: `Bearer ${accessToken}` }
  }
}

async function openLive(server: TestServer): Promise<LiveMerchant> {
  const { client, token } = await newOperator(server, 'finance', 'Fatou finance', tokenMailedTo)
  const { id: merchantId } = await server.merchant()
  const deposit = { merchant_id: merchantId, environment: 'live', amount: FUNDS }
  const { status, body, text } = await server.operator.post('/v1/operator/deposits', deposit, newKey())
  if (status !== 202) throw new Error(`a live deposit above the limit: ${status} ${text}`)
  await ok(client.post(`/v1/operator/approvals/${String(body.id)}/approve`, {}))
  const wanted = { environment: 'live', scopes: ['disbursements.write'] }
  const path = `/v1/operator/merchants/${merchantId}/api-keys`
  const pair = (await ok(server.operator.post<{ public_key: string; secret_key: string }>(path, wanted, newKey()))).body
  const headers = { 'x-api-key': pair.public_key, 'x-api-secret': pair.secret_key }
  return { merchantId, headers, secondOperator: { authorization: `Bearer ${token}` } }
}

async function openSchedule({ test }: Merchant, wallets: readonly Wallet[]): Promise<LaterSchedule> {
  const items = wallets.map(({ tag }, index) => ({ recipient: tag, amount: 1 + index }))
  const body = { recurrence: 'weekly', start_at: fromNow(LATER_MS), items }
  const made = await ok(test.post<{ id: string }>('/v1/biz/payout-schedules', body, newKey()))
  return { id: made.body.id, items }
}

async function openMandates({ anybody }: TestServer, { test }: Merchant, wallets: readonly Wallet[]): Promise<readonly LaterMandate[]> {
  const mandates: LaterMandate[] = []
  for (const [index, { tag, accessToken }] of wallets.entries()) {
    const amount = 1 + index
    const body = { customer_tag: tag, amount, interval: 'weekly', start_at: fromNow(LATER_MS) }
    const made = await ok(test.post<{ id: string }>('/v1/biz/mandates', body))
    const owner = anybody.with({ authorization: `Bearer ${accessToken}` })
    await ok(owner.post(`/v1/me/mandates/${made.body.id}/approve`, { pin: PIN }))
    mandates.push({ id: made.body.id, tag, amount })
  }
  return mandates
}
