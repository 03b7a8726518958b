// Callers of the end-to-end tests of charges: merchants who ask, and payers who are signed in to the app.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Charge } from '../../engine/contract/charge.ts'
import type { Client } from './client.ts'
import { type Merchant, newTag, type TestServer } from './server-fixture.ts'

export const PIN = '2580'
export const OTP = '000000'

export interface Payer {
  readonly tag: string
  readonly phone: string
  /** With an access token. */
  readonly app: Client
}

/** A test wallet with this much money. */
export async function openPayer(server: TestServer, merchant: Merchant, funds: number): Promise<Payer> {
  const tag = newTag()
  const made = await merchant.test.post<{ phone: string }>('/v1/biz/test/wallets', { tag })
  assert.equal(made.status, 201, made.text)
  if (funds > 0) assert.equal((await merchant.test.post('/v1/biz/test/deposits', { recipient: tag, amount: funds })).status, 201)
  const { phone } = made.body
  return { tag, phone, app: await signIn(server, phone) }
}

async function signIn({ anybody }: TestServer, phone: string): Promise<Client> {
  assert.equal((await anybody.post('/v1/auth/phone/start', { phone, purpose: 'login' })).status, 200)
  const verified = await anybody.post<{ login_token: string }>('/v1/auth/phone/verify', { phone, code: OTP, purpose: 'login' })
  const withToken = anybody.with({ authorization: `Bearer ${verified.body.login_token}` })
  const session = await withToken.post<{ access_token: string }>('/v1/auth/pin/verify', { pin: PIN, device: { id: randomUUID() } })
  assert.equal(session.status, 200, session.text)
  return anybody.with({ authorization: `Bearer ${session.body.access_token}` })
}

export interface PayerOfCharge extends Payer {
  readonly charge: Charge
  readonly transactionId: string
}

/** A wallet that has paid a charge of 1 000 by the merchant's test keys. */
export async function payerOfCharge(server: TestServer, merchant: Merchant, more: object = {}): Promise<PayerOfCharge> {
  const payer = await openPayer(server, merchant, 5000)
  const { token } = await openCharge(merchant, more)
  const { status, body, text } = await merchant.test.post<Charge>(`/v1/biz/test/charges/${token}/pay`, { payer_tag: payer.tag })
  assert.equal(status, 200, text)
  return { ...payer, charge: body, transactionId: String(body.transaction_id) }
}

/** A problem that such a wallet has opened, as the wallet reads it. */
export async function problemOfPayer(server: TestServer, merchant: Merchant): Promise<{ readonly client: Client; readonly path: string }> {
  const { app: client, transactionId } = await payerOfCharge(server, merchant)
  const path = `/v1/me/transactions/${transactionId}/problem`
  assert.equal((await client.post(path, { reason: 'not_received' })).status, 201)
  return { client, path }
}

export async function openCharge({ test }: Merchant, more: object = {}): Promise<Charge> {
  const answer = await test.post<Charge>('/v1/biz/charges', { amount: 1000, ...more })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

export async function stateOf(server: TestServer, { token }: Pick<Charge, 'token'>): Promise<string> {
  const { body } = await server.anybody.get<{ state: string }>(`/v1/biz/checkout/${token}/status`)
  return body.state
}

export async function balanceOf({ test }: Merchant): Promise<number> {
  return (await test.get<{ available: number }>('/v1/biz/balance')).body.available
}
