// The merchants of a crash run: their keys, and what each remembers of every payout that it ever sent.
import assert from 'node:assert/strict'
import { OPERATOR_TOKEN } from '../support/server-process.ts'
import type { Told, Wire } from './wire.ts'

export interface SentPayout {
  /** Its Idempotency-Key, and its reference: so every payout says which request made it. */
  readonly key: string
  readonly body: string
  /** The first answer to the merchant; null while it is unknown. */
  told: Told | null
}

export interface CrashMerchant {
  readonly id: string
  readonly credentials: Readonly<Record<string, string>>
  readonly deposited: number
  readonly sent: Map<string, SentPayout>
}

export const OPERATOR = { authorization: `Bearer ${OPERATOR_TOKEN}` } as const

/** One who has plenty, and one who runs out on the way. */
const DEPOSITS = [1_000_000_000, 20_000] as const

export const WALLETS = ['awa_crash', 'moussa_crash', 'test_blocked_crash'] as const
export const NOBODY = 'nobody_crash'

export async function openMerchants(wire: Wire): Promise<CrashMerchant[]> {
  const merchants: CrashMerchant[] = []
  for (const deposited of DEPOSITS) {
    const { id } = await made<{ id: string }>(wire, '/v1/operator/merchants', { name: 'Crash', email: `m${deposited}@example.com` })
    const wanted = { environment: 'test', scopes: ['disbursements.write'] }
    const pair = await made<{ public_key: string; secret_key: string }>(wire, `/v1/operator/merchants/${id}/api-keys`, wanted)
    const credentials = { 'x-api-key': pair.public_key, 'x-api-secret': pair.secret_key }
    await made(wire, '/v1/operator/deposits', { merchant_id: id, environment: 'test', amount: deposited, reference: 'start' })
    merchants.push({ id, credentials, deposited, sent: new Map() })
  }
  const [{ credentials }] = merchants as [CrashMerchant]
  for (const tag of WALLETS) await made(wire, '/v1/biz/test/wallets', { tag }, credentials)
  return merchants
}

async function made<Body = object>(
  wire: Wire,
  path: string,
  json: object,
  headers: Readonly<Record<string, string>> = OPERATOR,
): Promise<Body> {
  const told = await wire.send(
    'POST',
    path,
    { ...headers, 'idempotency-key': `start ${path} ${JSON.stringify(json)}` },
    JSON.stringify(json),
  )
  assert.equal(told.status, 201, told.text)
  return JSON.parse(told.text) as Body
}

/** Sends it, for the first time or again, and holds what comes back against what came back before. */
export async function sendPayout(wire: Wire, { credentials }: CrashMerchant, payout: SentPayout): Promise<Told> {
  const before = payout.told
  const told = await wire.send('POST', '/v1/biz/payouts', { ...credentials, 'idempotency-key': payout.key }, payout.body)
  if (told.status === 503) return told
  assert.equal(told.status, 201, `${payout.key}: ${told.text}`)
  if (payout.told !== null) assert.equal(told.text, payout.told.text, `${payout.key} is answered the same every time, byte for byte`)
  // Two at a time may come back in any order; one that is sent after an answer is marked as a replay.
  if (before !== null) assert.equal(told.replayed, true, `${payout.key} was not done again`)
  payout.told ??= told
  return told
}
