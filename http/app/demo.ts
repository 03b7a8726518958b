// Demo data: a merchant with test keys and play money, and two test wallets. Development only. Ordinary commands with
// fixed keys create it, so a second start finds the same demo.
import { AUDIT_ACCOUNT, type Command, type EngineApi, type Outcome } from '../../engine/api.ts'
import { CURRENCY } from '../../engine/kernel/amount.ts'
import { assert } from '../../engine/kernel/assert.ts'
import { newApiKey } from '../auth/keys/api-keys.ts'
import type { Seal } from '../crypto/seal.ts'

export interface Demo {
  readonly merchantId: string
  readonly publicKey: string
  readonly secretKey: string
  readonly balance: number
  /** Tags without @. */
  readonly wallets: readonly string[]
}

const SCOPE = 'demo'
const SECRET_FIELD = 'secret_key'
const BALANCE = 1_000_000
const WALLETS = ['awa_demo', 'kofi_demo'] as const

type DemoEngine = Pick<EngineApi, 'submit' | 'query'>

/** Returns the demo of the data folder, and creates it in an empty one; null for a folder without a demo. */
export async function openDemo(engine: DemoEngine, seal: Seal): Promise<Demo | null> {
  const isNew = engine.query('engine.figures', null).lastSequence === 0
  if (!isNew && engine.query('results.known', { scope: SCOPE, key: 'merchant', fingerprint: null }) === null) return null
  const merchant = await run<{ id: string }>(engine, 'merchant', {
    type: 'CreateMerchant',
    name: 'Boutique Démo',
    email: 'demo@example.com',
    currency: CURRENCY,
  })
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
    by: 'operator',
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
    publicKey: key.public_key,
    secretKey: seal.open(SECRET_FIELD, key.secret_key),
    balance: BALANCE,
    wallets: WALLETS,
  }
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

/** Returns the text of the first start. `url` is the listening address, `baseUrl` the one for merchants. */
export function demoText(demo: Demo, baseUrl: string, url: string): string {
  const payout = { recipient: `@${demo.wallets[0]}`, amount: 5000, reference: 'PREMIER' }
  const charge = { amount: 2000, reference: 'CMD-1', description: 'Un pagne wax' }
  return `
Demo merchant ${demo.merchantId} (test environment, ${demo.balance} ${CURRENCY} of play money)
  X-Api-Key:    ${demo.publicKey}
  X-Api-Secret: ${demo.secretKey}
  Test wallets: ${demo.wallets.map((tag) => `@${tag}`).join(', ')}

A first payout, and again for the same answer:

  ${pasted(demo, `${baseUrl}/v1/biz/payouts`, 'premier-versement', payout)}

A first charge; its checkout_url is the customer's page:

  ${pasted(demo, `${baseUrl}/v1/biz/charges`, 'premier-paiement', charge)}

Outgoing messages, and a telephone to pay with (PIN 2580): ${url}/dev

`
}

/**
 * Returns the command's result, also for a repeated key. A rejection would be a bug, because these names are
 * reserved.
 */
async function run<Answer>(engine: DemoEngine, key: string, command: Command): Promise<Answer> {
  const idempotency = { scope: SCOPE, key, fingerprint: SCOPE }
  const outcome = await new Promise<Outcome>((settle, reject) => {
    const code = engine.submit({ command, mailbox: AUDIT_ACCOUNT, idempotency }, { settle })
    if (code !== null) reject(new Error(`the engine refused ${command.type}: ${code}`))
  })
  assert(outcome.kind === 'created', `the demo's ${key} is made: ${outcome.body}`)
  return JSON.parse(outcome.body) as Answer
}
