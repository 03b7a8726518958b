// Callers of the end-to-end tests of mandates: a merchant, a wallet that is signed in, and short ways to ask.
import assert from 'node:assert/strict'
import type { Mandate, MandatePayment, WalletMandate } from '../../engine/contract/mandate.ts'
import { openPayer, type Payer, PIN } from './charge-callers.ts'
import type { Client } from './client.ts'
import { lookAgain } from './look-again.ts'
import { type Merchant, newKey, type TestServer } from './server-fixture.ts'

export const PATH = '/v1/biz/mandates'
export const DAY_MS = 86_400_000

export interface List<Row> {
  readonly data: readonly Row[]
  readonly has_more: boolean
  readonly next_cursor: string | null
}

export interface Pair {
  readonly merchant: Merchant
  readonly payer: Payer
}

export async function openPair(server: TestServer, funds: number): Promise<Pair> {
  const merchant = await server.merchant('Boutique')
  return { merchant, payer: await openPayer(server, merchant, funds) }
}

export const fromNow = (ms: number): string => new Date(Date.now() + ms).toISOString()

/** 100 a month, first due in an hour, by default. */
export async function createMandate({ merchant, payer }: Pair, more: object = {}): Promise<Mandate> {
  const body = { customer_tag: payer.tag, amount: 100, interval: 'monthly', start_at: fromNow(3_600_000), ...more }
  const answer = await merchant.test.post<Mandate>(PATH, body)
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

export async function approve({ payer }: Pair, id: string): Promise<WalletMandate> {
  const answer = await payer.app.post<WalletMandate>(`/v1/me/mandates/${id}/approve`, { pin: PIN })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

export async function approvedMandate(pair: Pair, more: object = {}): Promise<Mandate> {
  const { id } = await createMandate(pair, more)
  await approve(pair, id)
  return readMandate(pair, id)
}

export async function readMandate({ merchant }: Pair, id: string): Promise<Mandate> {
  const answer = await merchant.test.get<Mandate>(`${PATH}/${id}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

/** Takes the next payment now, and answers how it stands then. */
export async function collect({ merchant }: Pair, id: string): Promise<string> {
  const answer = await merchant.test.post<MandatePayment>(`/v1/biz/test/mandates/${id}/collect`, {})
  assert.equal(answer.status, 200, answer.text)
  return answer.body.state
}

export async function charge(client: Client, id: string, body: object, key = newKey()): Promise<readonly [number, unknown]> {
  const answer = await client.post(`${PATH}/${id}/charges`, body, key)
  return [answer.status, answer.body.code ?? answer.body.state]
}

/** Newest first. */
export async function payments({ merchant }: Pair, id: string): Promise<readonly MandatePayment[]> {
  return (await merchant.test.get<List<MandatePayment>>(`${PATH}/${id}/charges`)).body.data
}

/** Asks again until the mandate is in the state; the runner's timeout is the end of it. */
export async function untilState(pair: Pair, id: string, state: Mandate['state']): Promise<Mandate> {
  for (;;) {
    const mandate = await readMandate(pair, id)
    if (mandate.state === state) return mandate
    await lookAgain()
  }
}

/** What the wallet and the merchant hold. */
export async function balances({ merchant, payer }: Pair): Promise<readonly [wallet: number, merchant: number]> {
  const [wallet, business] = [
    await payer.app.get<{ available: number }>('/v1/me/balance'),
    await merchant.test.get<{ available: number }>('/v1/biz/balance'),
  ]
  return [wallet.body.available, business.body.available]
}
