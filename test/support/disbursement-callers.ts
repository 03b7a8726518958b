// Merchants with disbursements in a given state.
import type { Disbursement } from '../../engine/contract/disbursement.ts'
import type { Client } from './client.ts'
import { signUp } from './dashboard-callers.ts'
import { eventuallyAsync } from './eventually.ts'
import { newKey, newTag, type TestServer } from './server-fixture.ts'
import { ok } from './wallet-callers.ts'

export const DISBURSEMENTS = '/v1/biz/disbursements'

export async function newDisbursement(client: Client, body: object): Promise<Disbursement> {
  return (await ok(client.post(DISBURSEMENTS, body, newKey()))).body as unknown as Disbursement
}

/** Returns the record as soon as it is in the state. */
export async function disbursementIn(client: Client, id: string, state: Disbursement['state']): Promise<Disbursement> {
  let found: Disbursement | undefined
  await eventuallyAsync(async () => {
    found = (await client.get<Disbursement>(`${DISBURSEMENTS}/${id}`)).body
    return found.state === state
  }, `the disbursement is ${state}`)
  return found as Disbursement
}

export interface Payroll {
  /** The owner, in test. */
  readonly owner: Client
  /** A key of the owner. */
  readonly key: Client
  /** A key that no member made: another person. */
  readonly other: Client
  readonly merchantId: string
  readonly tag: string
}

/** A merchant with 1 000 000 of play money, a wallet, and a payout policy. */
export async function openPayroll(server: TestServer, approvalAbove: number | null): Promise<Payroll> {
  const { browser, merchantId } = await signUp(server)
  const owner = browser.with({ 'x-environment': 'test' })
  const scopes = ['disbursements.write', 'disbursements.approve']
  const { body } = await ok(owner.post('/v1/dashboard/api-keys', { environment: 'test', scopes, label: 'Paie' }))
  const key = server.anybody.with({ 'x-api-key': String(body.public_key), 'x-api-secret': String(body.secret_key) })
  const other = await server.keyed(merchantId, 'test', scopes)
  const tag = newTag()
  await ok(other.post('/v1/biz/test/wallets', { tag }))
  await ok(other.post('/v1/biz/test/deposits', { amount: 1_000_000 }))
  await ok(owner.request('PUT', '/v1/dashboard/payout-policy', { json: { approval_above: approvalAbove } }))
  return { owner, key, other, merchantId, tag }
}
