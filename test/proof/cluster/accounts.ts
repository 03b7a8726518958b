// Accounts of the rounds: a merchant with money, products with hosted code and a webhook endpoint; wallets that are signed in and have
// approved a mandate.
import assert from 'node:assert/strict'
import { logoForm, PRODUCTS, PROFILE } from '../../support/biller-callers.ts'
import { GOOD_PRODUCTS } from '../../support/biller-engine.ts'
import { Client } from '../../support/client.ts'
import { LOCALHOST_CERTIFICATE, Receiver } from '../../support/receiver.ts'
import { type Merchant, newKey, newTag, TestServer } from '../../support/server-fixture.ts'
import { OPERATOR_TOKEN } from '../../support/server-process.ts'
import { logIn, ok, PIN, signUp } from '../../support/wallet-callers.ts'

export const OPERATOR = { authorization: `Bearer ${OPERATOR_TOKEN}` } as const
export const PRODUCT = 'jeton'

const WALLETS = 4
const MERCHANT_FUNDS = 1_000_000_000
const WALLET_FUNDS = 10_000_000
/** Access tokens are good for an hour. */
const SIGN_IN_AGAIN_MS = 20 * 60_000
const EVENTS = ['charge.succeeded', 'charge.refunded', 'payout.paid', 'batch.completed', 'bill.paid']

/** Settings of nodes that may call the receivers of this machine. */
export const ACCOUNT_SETTINGS = { OUTBOUND_ALLOW_PRIVATE: 'true', NODE_EXTRA_CA_CERTS: LOCALHOST_CERTIFICATE, SANDBOX_THREADS: '1' }

export interface Wallet {
  readonly tag: string
  readonly phone: string
  readonly mandateId: string
  accessToken: string
}

export class Accounts {
  readonly merchantHeaders: Readonly<Record<string, string>>
  readonly wallets: readonly Wallet[]
  readonly biller: string
  /** Receives webhook events at `/webhooks`. */
  readonly webhooks: Receiver
  /** Called by hosted code, with the charge id as the last part of the path. */
  readonly billerSystem: Receiver
  #signedInMs = performance.now()

  private constructor(parts: Pick<Accounts, 'merchantHeaders' | 'wallets' | 'biller' | 'webhooks' | 'billerSystem'>) {
    this.merchantHeaders = parts.merchantHeaders
    this.wallets = parts.wallets
    this.biller = parts.biller
    this.webhooks = parts.webhooks
    this.billerSystem = parts.billerSystem
  }

  static async open(baseUrl: string): Promise<Accounts> {
    const webhooks = await Receiver.open()
    const billerSystem = await Receiver.open('https', '127.0.0.1', 'localhost')
    const server = await TestServer.attached(baseUrl)
    const merchant = await server.fundedMerchant(MERCHANT_FUNDS)
    const biller = await openProduct(server, merchant, billerSystem)
    const wallets: Wallet[] = []
    for (let count = 0; count < WALLETS; count++) wallets.push(await openWallet(server, merchant))
    await ok(merchant.test.post('/v1/biz/webhook-endpoints', { url: webhooks.url('/webhooks'), events: EVENTS }))
    const merchantHeaders = await keyHeaders(server, merchant)
    server.anybody.close()
    return new Accounts({ merchantHeaders, wallets, biller, webhooks, billerSystem })
  }

  /** Signs the wallets in again before their access tokens end. */
  async keepSignedIn(baseUrl: string): Promise<void> {
    if (performance.now() - this.#signedInMs < SIGN_IN_AGAIN_MS) return
    const client = await Client.to(baseUrl)
    for (const wallet of this.wallets) wallet.accessToken = (await logIn(client, wallet.phone, PIN)).accessToken
    client.close()
    this.#signedInMs = performance.now()
  }

  headersOf(wallet: Wallet): Readonly<Record<string, string>> {
    return { authorization: `Bearer ${wallet.accessToken}` }
  }

  async close(): Promise<void> {
    await this.webhooks.close()
    await this.billerSystem.close()
  }
}

export async function openWallet({ anybody }: TestServer, merchant: Merchant): Promise<Wallet> {
  const { tag, phone, accessToken, client } = await signUp(anybody, { tag: newTag() })
  await ok(merchant.test.post('/v1/biz/test/deposits', { recipient: tag, amount: WALLET_FUNDS }))
  // The sum of a month: more than all rounds together collect.
  const mandate = { customer_tag: tag, max_amount: 1_000_000_000, interval: 'on_demand' }
  const { body } = await ok(merchant.test.post<{ id: string }>('/v1/biz/mandates', mandate))
  await ok(client.post(`/v1/me/mandates/${body.id}/approve`, { pin: PIN }))
  return { tag, phone, accessToken, mandateId: body.id }
}

/** Publishes a product whose hosted code calls the biller's system once for each payment. Returns the biller's slug. */
async function openProduct(server: TestServer, merchant: Merchant, system: Receiver): Promise<string> {
  const code = `async function onPaid(ctx) { await fetch('https://localhost:${system.port}/' + ctx.charge_id, { method: 'POST' }) }`
  return publishProduct(server, merchant, { fulfillment_mode: 'code', fulfillment_code: code })
}

/** Publishes a product of a new biller. Returns the biller's slug. */
export async function publishProduct({ operator }: TestServer, { test }: Merchant, fulfillment: object): Promise<string> {
  const { body } = await ok(test.request<{ slug: string }>('PUT', '/v1/biz/biller', { json: PROFILE }))
  await ok(test.request('POST', '/v1/biz/biller/logo', logoForm()))
  const product = { slug: PRODUCT, ...GOOD_PRODUCTS.user, ...fulfillment }
  // 503: the sandbox has not started yet.
  let made = await test.post(PRODUCTS, product)
  while (made.status === 503) made = await test.post(PRODUCTS, product)
  assert.equal(made.status, 201, made.text)
  await ok(test.request('POST', '/v1/biz/biller/submit'))
  await ok(operator.request('POST', `/v1/operator/billers/${body.slug}/approve`))
  return body.slug
}

export async function keyHeaders({ operator }: TestServer, { id }: Merchant): Promise<Readonly<Record<string, string>>> {
  const wanted = { environment: 'test', scopes: ['disbursements.write', 'billers.write'] }
  const path = `/v1/operator/merchants/${id}/api-keys`
  const { body } = await ok(operator.post<{ public_key: string; secret_key: string }>(path, wanted, newKey()))
  return { 'x-api-key': body.public_key, 'x-api-secret': body.secret_key }
}
