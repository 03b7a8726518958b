// The three hosts of the page "Several hosts" and of compose.yaml, as processes of this machine: PostgreSQL under Patroni from the files that
// they install, three nodes with TLS to it, nginx in front.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { Client } from '../../support/client.ts'
import { ClusterServers } from '../../support/cluster-servers.ts'
import { DeployedHosts, HOSTS, hostsMissing } from '../../support/deployed-hosts.ts'
import { eventuallyAsync } from '../../support/eventually.ts'
import { Nginx, nginxMissing } from '../../support/nginx.ts'
import { EventReader } from '../../support/open-stream.ts'
import { Patience } from '../../support/patience.ts'
import { postgresMissing } from '../../support/postgres.ts'
import { TestServer } from '../../support/server-fixture.ts'
import { OPERATOR_TOKEN } from '../../support/server-process.ts'
import { type Person, signUp } from '../../support/wallet-callers.ts'

/** Patroni's `ttl` is 20 s; a test machine may be slow. */
const FAILOVER_MAX_MS = 120_000

describe('three hosts under Patroni', { skip: postgresMissing() || nginxMissing() || hostsMissing() }, () => {
  let hosts: DeployedHosts
  let servers: ClusterServers
  let nginx: Nginx
  let credentials: Readonly<Record<string, string>>
  let person: Person
  let keys = 0

  before(async () => {
    hosts = await DeployedHosts.start()
    servers = new ClusterServers(hosts.url)
    for (const name of HOSTS) await servers.start(name, { PROXY_HOPS: '1' })
    nginx = await Nginx.start(HOSTS.map((name) => servers.node(name).port))
    const server = await TestServer.attached(servers.node('node-2').baseUrl, { authorization: `Bearer ${OPERATOR_TOKEN}` })
    const { id } = await server.fundedMerchant(1_000_000)
    const key = await server.operator.post<{ public_key: string; secret_key: string }>(`/v1/operator/merchants/${id}/api-keys`, {
      ...{ environment: 'test', scopes: ['disbursements.write'] },
    })
    credentials = { 'x-api-key': key.body.public_key, 'x-api-secret': key.body.secret_key }
    person = await signUp(await Client.to(servers.node('node-3').baseUrl))
  })

  after(async () => {
    await nginx?.stop()
    await servers?.remove()
    await hosts?.remove()
  })

  async function pay(): Promise<number> {
    const headers = { ...credentials, 'idempotency-key': `deployed-${++keys}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ recipient: person.tag, amount: 1 })
    return (await fetch(`${nginx.baseUrl}/v1/biz/payouts`, { method: 'POST', headers, body })).status
  }

  it('the three hosts commit at a standby before they answer, and show that to their nodes', async () => {
    assert.equal(await pay(), 201)
    // Before Patroni has chosen its standby, any may confirm (`*`): the other one is 'potential'.
    const isChosen = async (): Promise<boolean> => {
      const states = await hosts.standbys()
      return isDeepStrictEqual(states.map(({ sync_state }) => sync_state).sort(), ['async', 'sync'])
    }
    await eventuallyAsync(isChosen, 'one synchronous standby of two')
    await eventuallyAsync(async () => {
      const shown = await metricsOf('node-2')
      return /^cauri_cluster_standbys 1$/m.test(shown) && /^cauri_cluster_nodes 3$/m.test(shown)
    }, 'the standby and all nodes in the metrics')
    const metrics = await metricsOf('node-2')
    for (const name of [
      'owner',
      'epoch',
      'sequence',
      'lag_seconds',
      'takeovers_total',
      'forwarded_total',
      'behind_records',
      'copy_waiting_bytes',
      'without_owner_total',
      'barrier_duration_seconds_count',
    ]) {
      assert.match(metrics, new RegExp(`^cauri_cluster_${name}(?:\\{[^}]*\\})? [0-9.e-]+$`, 'm'))
    }
  })

  async function metricsOf(name: string): Promise<string> {
    // As Prometheus asks: not through nginx.
    const answer = await fetch(`${servers.node(name).baseUrl}/metrics`, { headers: { 'X-Forwarded-For': '10.0.0.9' } })
    assert.equal(answer.status, 200)
    return answer.text()
  }

  it('the three hosts send the frames of a stream through nginx as they happen', async () => {
    const reader = await EventReader.open({ baseUrl: nginx.baseUrl, accessToken: person.accessToken })
    assert.equal(reader.status, 200)
    const { length } = reader.frames
    assert.equal(await pay(), 201)
    await reader.until(length + 1)
    reader.close()
  })

  it('the three hosts answer every request while the owner and a follower are restarted', async () => {
    for (const name of ['node-1', 'node-2']) {
      await servers.node(name).terminate()
      const started = servers.start(name, { PROXY_HOPS: '1' })
      let isStarted = false
      started.then(
        () => {
          isStarted = true
        },
        () => {
          isStarted = true
        },
      )
      while (!isStarted) assert.equal(await pay(), 201, `${name} starts`)
      await started
      assert.equal(await pay(), 201, `${name} is back`)
    }
  })

  it('three hosts under Patroni read at every node once there is a new primary, and take writes again without a hand', async () => {
    const before = await balance()
    const lost = await hosts.primary()
    const startMs = performance.now()
    await hosts.lose(lost)
    await untilFailover('a new primary', async () => (await hosts.primaryNow()) !== null)
    // No write before: reads need none, and no standby either.
    for (const name of HOSTS) await untilFailover(`reads at ${name}`, async () => (await ping(name)) === 200)
    await untilFailover('writes', async () => (await pay()) === 201)
    const tookMs = performance.now() - startMs
    assert.notEqual(await hosts.primary(), lost)
    assert.ok((await balance()) < before)
    console.log(`writes went on ${Math.round(tookMs)} ms after the host of the primary failed`)
    hosts.begin(lost)
    await hosts.untilSynchronous()
    assert.equal(await pay(), 201)
  })

  async function untilFailover(what: string, holds: () => Promise<boolean>): Promise<void> {
    const patience = new Patience(FAILOVER_MAX_MS)
    while (!(await holds())) assert.ok(!patience.isOver, `${what}: not by themselves`)
  }

  /** A read without a primary is 503: its state cannot be shown to be the newest. */
  async function ping(name: (typeof HOSTS)[number]): Promise<number> {
    const { status } = await fetch(`${servers.node(name).baseUrl}/v1/biz/ping`, { headers: credentials })
    assert.ok(status === 200 || status === 503, `${status} at ${name}`)
    return status
  }

  async function balance(): Promise<number> {
    let available = Number.NaN
    await eventuallyAsync(async () => {
      const answer = await fetch(`${nginx.baseUrl}/v1/biz/balance`, { headers: credentials })
      available = ((await answer.json()) as { readonly available: number }).available
      return answer.status === 200
    }, 'the balance')
    return available
  }
})
