// The stream of a merchant at the nodes a, b and c of a cluster, over the kill of the owner a.
import assert from 'node:assert/strict'
import type { ClusterServers } from '../../support/cluster-servers.ts'
import { signUp } from '../../support/dashboard-callers.ts'
import { MERCHANT_STREAM, Reading } from '../../support/merchant-stream-reader.ts'
import type { TestServer } from '../../support/server-fixture.ts'
import { ok } from '../../support/wallet-callers.ts'

/** Opens streams of one session before the kill. The function that it returns resumes them after the takeover, up to the logout. */
export async function merchantStreamFlow(server: TestServer, servers: ClusterServers): Promise<() => Promise<void>> {
  const owner = await signUp(server)
  const headers = { cookie: owner.cookie, 'x-environment': 'test' }
  const api = owner.browser.with({ 'x-environment': 'test' })
  const open = (name: string, path: string, more: Readonly<Record<string, string>> = {}): Promise<Reading> =>
    Reading.open(servers.node(name).baseUrl, { ...headers, ...more }, '', path)
  const cancel = async (): Promise<void> => {
    const { token } = (await ok(api.post<{ token: string }>('/v1/biz/charges', { amount: 10 }))).body
    await ok(api.post(`/v1/biz/charges/${token}/cancel`, undefined))
  }
  const [atOwner, atFollower] = [await open('a', MERCHANT_STREAM), await open('b', '/dashboard/test/news')]
  await cancel()
  const [first] = await atOwner.until(1)
  await atFollower.until(1)
  return async () => {
    const resumed = await open('c', MERCHANT_STREAM, { 'last-event-id': String(first?.id) })
    const whole = await open('b', MERCHANT_STREAM, { 'last-event-id': '0' })
    await cancel()
    const [second] = await resumed.until(1)
    await Promise.all([atFollower.until(2), whole.until(2)])
    const idsOf = ({ frames }: Reading): number[] => frames.map(({ id }) => id)
    assert.deepEqual([idsOf(atFollower), idsOf(whole)], Array(2).fill([first?.id, second?.id]))
    await ok(owner.browser.post('/v1/dashboard/logout', undefined))
    await Promise.all([resumed, atFollower, whole].map((stream) => stream.ended()))
  }
}
