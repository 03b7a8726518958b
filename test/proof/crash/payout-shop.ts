// A merchant with money and a wallet that it pays, opened with a few requests; and its payouts, whose reference is their key.
import { OPERATOR } from '../cluster/accounts.ts'
import type { Told, Wire } from './wire.ts'

const DEPOSIT = 1_000_000_000
const TAG = 'awa_crash'

export interface PayoutShop {
  readonly credentials: Readonly<Record<string, string>>
  readonly deposited: number
}

export async function openPayoutShop(wire: Wire): Promise<PayoutShop> {
  const { id } = await made<{ id: string }>(wire, '/v1/operator/merchants', { name: 'Boutique', email: 'boutique@example.com' }, OPERATOR)
  const wanted = { environment: 'test', scopes: ['disbursements.write'] }
  const pair = await made<{ public_key: string; secret_key: string }>(wire, `/v1/operator/merchants/${id}/api-keys`, wanted, OPERATOR)
  const credentials = { 'x-api-key': pair.public_key, 'x-api-secret': pair.secret_key }
  await made(wire, '/v1/operator/deposits', { merchant_id: id, environment: 'test', amount: DEPOSIT, reference: 'start' }, OPERATOR)
  await made(wire, '/v1/biz/test/wallets', { tag: TAG }, credentials)
  return { credentials, deposited: DEPOSIT }
}

export function sendPayout(wire: Wire, { credentials }: PayoutShop, key: string, amount: number, note = ''): Promise<Told> {
  const body = JSON.stringify({ recipient: TAG, amount, reference: key, note })
  return wire.send('POST', '/v1/biz/payouts', { ...credentials, 'idempotency-key': key }, body)
}

/** A payout batch whose lines have its key as their reference, and this note. */
export function sendBatch(wire: Wire, { credentials }: PayoutShop, key: string, lines: number, note: string): Promise<Told> {
  const items = Array.from({ length: lines }, (_, index) => ({ recipient: TAG, amount: 1 + index, reference: key, note }))
  return wire.send('POST', '/v1/biz/payouts/batch', { ...credentials, 'idempotency-key': key }, JSON.stringify({ items, reference: key }))
}

export async function availableOf(wire: Wire, { credentials }: PayoutShop): Promise<number> {
  const { status, text } = await wire.send('GET', '/v1/biz/balance', credentials)
  if (status !== 200) throw new Error(`the balance: ${status} ${text}`)
  return (JSON.parse(text) as { available: number }).available
}

async function made<Body = object>(wire: Wire, path: string, json: object, headers: Readonly<Record<string, string>>): Promise<Body> {
  const { status, text } = await wire.send('POST', path, { ...headers, 'idempotency-key': `start ${path}` }, JSON.stringify(json))
  if (status !== 201) throw new Error(`${path}: ${status} ${text}`)
  return JSON.parse(text) as Body
}
