// Accounts of the kill rounds: a merchant with money, products and payment links; wallets that are signed in and have approved a
// mandate; and a second merchant whose schedules pay a wallet that nothing else pays.
import { keyHeaders, openWallet, publishProduct, type Wallet } from '../cluster/accounts.ts'
import type { WritingAccounts } from '../cluster/money-writes.ts'
import { PRODUCTS } from '../support/biller-callers.ts'
import { GOOD_PRODUCTS } from '../support/biller-engine.ts'
import { newKey, TestServer } from '../support/server-fixture.ts'
import { ok } from '../support/wallet-callers.ts'

const WALLETS = 4
/** A link takes sixty charges a minute from one address. */
const LINKS = 8
const FUNDS = 1_000_000_000
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

export class KillAccounts implements WritingAccounts {
  readonly merchantHeaders: Readonly<Record<string, string>>
  readonly wallets: readonly Wallet[]
  readonly biller: string
  /** Paths of the pages of payment links. */
  readonly links: readonly string[]
  readonly planner: Planner

  private constructor(parts: Pick<KillAccounts, 'merchantHeaders' | 'wallets' | 'biller' | 'links' | 'planner'>) {
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
    server.anybody.close()
    return new KillAccounts({ merchantHeaders, wallets, biller, links, planner })
  }

  headersOf({ accessToken }: Wallet): Readonly<Record<string, string>> {
    return { authorization: `Bearer ${accessToken}` }
  }
}
