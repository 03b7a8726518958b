// Demo data: a merchant with a login, test keys and play money, and two test wallets. Development only. Ordinary commands
// with fixed keys create it, so a second start finds the same demo.

import { randomBytes } from 'node:crypto'
import { AUDIT_ACCOUNT, type Command, type EngineApi, type MerchantRow, type Outcome } from '../../engine/api.ts'
import { assert } from '../../engine/kernel/assert.ts'
import type { Currency } from '../../engine/kernel/currency.ts'
import { ENVIRONMENTS } from '../../engine/kernel/environment.ts'
import type { DashboardAccess } from '../auth/dashboard/dashboard-access.ts'
import { DEMO_MERCHANT_KEY, DEMO_SCOPE, type DemoLock } from '../auth/demo-lock.ts'
import { newApiKey } from '../auth/keys/api-keys.ts'
import { derivedKey } from '../crypto/derived-key.ts'
import { newOpaqueToken } from '../crypto/opaque-token.ts'
import type { RootKeys, Seal } from '../crypto/seal.ts'
import type { Logger } from './logging.ts'

export interface Demo {
  readonly merchantId: string
  /** Login of the dashboard. */
  readonly login: DemoLogin
  readonly publicKey: string
  readonly secretKey: string
  readonly balance: number
  readonly currency: Currency
  /** Tags without @. */
  readonly wallets: readonly string[]
}

interface DemoLogin {
  readonly email: string
  readonly password: string
}

export interface DemoParts {
  readonly engine: DemoEngine
  readonly seal: Seal
  readonly rootKeys: RootKeys
  readonly dashboard: Pick<DashboardAccess, 'randomPasswordHash'>
}

const EMAIL = 'demo@example.com'
/** Number of base64url characters of the password, 96 bits derived from the master key: the same at each start, stored nowhere. */
const PASSWORD_LENGTH = 16
const SECRET_FIELD = 'secret_key'
const BALANCE = 1_000_000
const WALLETS = ['awa_demo', 'kofi_demo'] as const

type DemoEngine = Pick<EngineApi, 'submit' | 'query'>

/** Returns the demo of the data folder, and creates it in an empty one; null for a folder without a demo. */
export async function openDemo(parts: DemoParts): Promise<Demo | null> {
  const { engine, seal } = parts
  // The log is empty but for the limits of LIMITS_PRESET.
  const isNew = engine.query('engine.figures', null).lastSequence <= ENVIRONMENTS.length && engine.query('merchants.count', null) === 0
  if (!isNew && !isKnown(engine, DEMO_MERCHANT_KEY)) return null
  const merchant = await openMerchant(parts)
  const { publicKey, secretKey, secretHash } = newApiKey('test')
  const key = await run<{ public_key: string; secret_key: string }>(engine, 'api-key', {
    type: 'CreateApiKey',
    merchantId: merchant.id,
    environment: 'test',
    scopes: ['disbursements.write', 'billers.write'],
    label: 'Démo',
    publicKey,
    secretHash,
    sealedSecret: seal.seal(SECRET_FIELD, secretKey),
    by: 'dashboard',
    // Its owner is no second person for what the key makes.
    madeBy: merchant.ownerId,
  })
  for (const tag of WALLETS) await run(engine, `wallet-${tag}`, { type: 'CreateTestWallet', tag })
  await run(engine, 'deposit', {
    type: 'Deposit',
    target: { merchantId: merchant.id },
    environment: 'test',
    amount: BALANCE,
    reference: 'DEMO',
    by: 'test_helper',
  })
  return {
    merchantId: merchant.id,
    login: merchant.login,
    publicKey: key.public_key,
    secretKey: seal.open(SECRET_FIELD, key.secret_key),
    balance: BALANCE,
    currency: merchant.currency,
    wallets: WALLETS,
  }
}

function isKnown(engine: DemoEngine, key: string): boolean {
  return engine.query('results.known', { scope: DEMO_SCOPE, key, fingerprint: null }) !== null
}

/** Signs the merchant up. Its first session ends at once, because no browser has its token. */
async function openMerchant({
  engine,
  rootKeys,
  dashboard,
}: DemoParts): Promise<Pick<MerchantRow, 'id' | 'currency'> & { readonly ownerId: string; readonly login: DemoLogin }> {
  const password = derivedKey(rootKeys, 'demo-password').toString('base64url').slice(0, PASSWORD_LENGTH)
  const passwordHash = isKnown(engine, DEMO_MERCHANT_KEY) ? '' : await dashboard.randomPasswordHash(password, DEMO_SCOPE)
  assert(passwordHash !== null, 'no password is hashed before the first request')
  const session = { tokenHash: newOpaqueToken('session').hash, userAgent: '' }
  const made = await run<{ user_id: string; session_id: string }>(engine, DEMO_MERCHANT_KEY, {
    ...{ type: 'SignUpMerchant', merchantName: 'Boutique Démo', email: EMAIL, passwordHash, session },
  })
  const user = engine.query('dashboardUsers.byId', { id: made.user_id })
  const merchant = user === null ? null : engine.query('merchants.byId', { id: user.merchant_id })
  assert(user !== null && merchant !== null, 'the first user of the demo is there')
  await run(engine, 'session-end', { type: 'CloseDashboardSession', userId: user.id, sessionId: made.session_id }, 'ok')
  return { id: merchant.id, currency: merchant.currency, ownerId: user.id, login: { email: EMAIL, password } }
}

/** Logs that a production server runs over demo data. */
export function warnOfDemo({ merchantId }: Pick<DemoLock, 'merchantId'>, logger: Pick<Logger, 'warn'>): void {
  if (merchantId === null) return
  logger.warn(
    { merchant_id: merchantId },
    'this data folder has the demo data of a development server: its login, sessions and API keys are refused here. Start production with a folder of its own.',
  )
}

/** Returns a curl command that can be pasted into a shell. */
function pasted(demo: Demo, url: string, key: string, body: object): string {
  return [
    `curl -sS -X POST ${url}`,
    `-H 'X-Api-Key: ${demo.publicKey}'`,
    `-H 'X-Api-Secret: ${demo.secretKey}'`,
    `-H 'Idempotency-Key: ${key}'`,
    `-H 'Content-Type: application/json'`,
    `-d '${JSON.stringify(body)}'`,
  ].join(' \\\n  ')
}

export interface DemoAddresses {
  /** Base URL for merchants. */
  readonly baseUrl: string
  /** Listening address. */
  readonly url: string
  /** True when the operator's desk is on. */
  readonly hasDesk: boolean
}

/** Number of random bytes in the key of the printed charge: each start prints a charge that does not exist yet. */
const CHARGE_KEY_BYTES = 6

/** Returns the text of a start with a demo. */
export function demoText(demo: Demo, { baseUrl, url, hasDesk }: DemoAddresses): string {
  const payout = { recipient: `@${demo.wallets[0]}`, amount: 5000, reference: 'PREMIER' }
  const charge = { amount: 2000, reference: 'CMD-1', description: 'Un pagne wax' }
  const chargeKey = `paiement-${randomBytes(CHARGE_KEY_BYTES).toString('hex')}`
  const login = `${demo.login.email}, password ${demo.login.password}`
  return `
Demo merchant ${demo.merchantId} (test environment, ${demo.balance} ${demo.currency} of play money)
  X-Api-Key:    ${demo.publicKey}
  X-Api-Secret: ${demo.secretKey}
  Test wallets: ${demo.wallets.map((tag) => `@${tag}`).join(', ')} (code 000000, PIN 2580)

For the examples of the documents and the command cauri:

  export CAURI_URL=${baseUrl}
  export CAURI_API_KEY=${demo.publicKey}
  export CAURI_API_SECRET=${demo.secretKey}

A first payout, and again for the same answer:

  ${pasted(demo, `${baseUrl}/v1/biz/payouts`, 'premier-versement', payout)}

A first charge, new at each start; its checkout_url is the customer's page:

  ${pasted(demo, `${baseUrl}/v1/biz/charges`, chargeKey, charge)}

Pages (all of them are linked from ${url}/):

  Dashboard:       ${url}/dashboard/test (${login})
  Simulated phone: ${url}/dev/phone
  Inbox:           ${url}/dev (text messages, pushes, e-mails and webhooks)
  Operator's desk: ${hasDesk ? `${url}/operator (sign in with OPERATOR_TOKEN)` : 'set OPERATOR_TOKEN to turn it on'}
  Documents:       ${url}/docs (quickstart, guides, reference)
  API document:    ${url}/openapi.yaml

`
}

/**
 * Returns the command's result, also for a repeated key. A rejection would be a bug, because these names are
 * reserved.
 */
async function run<Answer>(engine: DemoEngine, key: string, command: Command, kind: Outcome['kind'] = 'created'): Promise<Answer> {
  const idempotency = { scope: DEMO_SCOPE, key, fingerprint: DEMO_SCOPE }
  const outcome = await new Promise<Outcome>((settle, reject) => {
    const code = engine.submit({ command, mailbox: AUDIT_ACCOUNT, idempotency }, { settle })
    if (code !== null) reject(new Error(`the engine refused ${command.type}: ${code}`))
  })
  assert(outcome.kind === kind, `the demo's ${key} is made: ${outcome.body}`)
  return JSON.parse(outcome.body) as Answer
}
