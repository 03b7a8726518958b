// Creates what a route needs that has an id in its path, for tests that call every route.
import type { Route } from '../../http/server/route.ts'
import type { Client } from './client.ts'
import { newEmail } from './dashboard-callers.ts'
import { fromNow } from './mandate-callers.ts'
import { type Merchant, newKey, type TestServer } from './server-fixture.ts'
import { ok } from './wallet-callers.ts'

interface Callers {
  readonly server: TestServer
  /** With play money. */
  readonly merchant: Merchant
  /** Calls the route. */
  readonly owner: Client
}

/** By a part of the path: what creates one. */
const CREATED: Readonly<Record<string, { readonly path: string; readonly body: () => object }>> = {
  '/top-ups/': { path: '/v1/biz/top-ups', body: () => ({ amount: 10 }) },
  '/withdrawals/': {
    path: '/v1/biz/withdrawals',
    body: () => ({ amount: 1, destination: { kind: 'bank', name: 'Boutique Awa', account: 'SN08SN0100152000048500003035' } }),
  },
  '/payment-links/': { path: '/v1/biz/payment-links', body: () => ({ amount: 100, description: 'Thé' }) },
  '/payout-schedules/': {
    path: '/v1/biz/payout-schedules',
    body: () => ({ items: [{ recipient: 'awa', amount: 1 }], recurrence: 'monthly', start_at: fromNow(86_400_000) }),
  },
}

/** Each route has its own: what one route ends is not missed by the next. */
const COUNT = 3

/** Returns values for the placeholders of the path, and null for routes of other things. */
export async function createdIds({ path }: Pick<Route, 'path'>, { server, merchant, owner }: Callers): Promise<readonly string[] | null> {
  const found = Object.entries(CREATED).find(([part]) => path.includes(part))
  // Other withdrawals may hold the whole balance.
  if (path.includes('/withdrawals/')) await ok(merchant.test.post('/v1/biz/test/deposits', { amount: COUNT }, newKey()))
  if (found !== undefined) return Promise.all(Array.from({ length: COUNT }, () => idOf(merchant.test, found[1].path, found[1].body())))
  if (path.startsWith('/v1/operator/wallets/{')) return ['koffi']
  if (path.startsWith('/v1/operator/operators/{')) return idsOf(server.operator, '/v1/operator/operators')
  if (path.endsWith('/api-keys/{key_id}')) {
    const keys = `/v1/operator/merchants/${merchant.id}/api-keys`
    return [merchant.id, await idOf(server.operator, keys, { environment: 'test', scopes: [] })]
  }
  if (!path.startsWith('/v1/dashboard/members/{')) return null
  return [await idOf(owner, '/v1/dashboard/members', { email: newEmail(), role: 'viewer' })]
}

/** Returns the ids of a list's first page. */
export async function idsOf(client: Client, list: string): Promise<readonly string[]> {
  const { body } = await client.get<{ data: readonly { id: string }[] }>(list)
  return body.data.map(({ id }) => id)
}

async function idOf(client: Client, path: string, body: object): Promise<string> {
  return String((await ok(client.post(path, body, newKey()))).body.id)
}
