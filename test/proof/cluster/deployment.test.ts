// What compose.yaml starts, as processes of this machine: the PostgreSQL pair from the scripts that it mounts, three nodes, nginx in front.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { parse } from 'yaml'
import { Client } from '../../support/client.ts'
import { ClusterServers } from '../../support/cluster-servers.ts'
import { DeployedPostgres } from '../../support/deployed-postgres.ts'
import { eventuallyAsync } from '../../support/eventually.ts'
import { Nginx, nginxMissing } from '../../support/nginx.ts'
import { EventReader } from '../../support/open-stream.ts'
import { postgresMissing } from '../../support/postgres.ts'
import { TestServer } from '../../support/server-fixture.ts'
import { OPERATOR_TOKEN } from '../../support/server-process.ts'
import { type Person, signUp } from '../../support/wallet-callers.ts'

const COMPOSE = parse(readFileSync(join(import.meta.dirname, '..', '..', '..', 'compose.yaml'), 'utf8'), { merge: true }) as {
  readonly services: Readonly<Record<string, { readonly command?: readonly string[] }>>
}
const NODES = ['node-1', 'node-2', 'node-3']

describe('the deployment of compose.yaml', { skip: postgresMissing() || nginxMissing() }, () => {
  let postgres: DeployedPostgres
  let servers: ClusterServers
  let nginx: Nginx
  let credentials: Readonly<Record<string, string>>
  let person: Person
  let keys = 0

  before(async () => {
    postgres = await DeployedPostgres.open()
    // The standby begins before the primary is there, as compose may start them.
    const standby = startPostgres('postgres-b', 'postgres-a')
    await startPostgres('postgres-a', null)
    await standby
    servers = new ClusterServers(postgres.url)
    for (const name of NODES) await servers.start(name, { PROXY_HOPS: '1' })
    nginx = await Nginx.start(NODES.map((name) => servers.node(name).port))
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
    await postgres?.remove()
  })

  function startPostgres(name: 'postgres-a' | 'postgres-b', standbyOf: 'postgres-a' | 'postgres-b' | null): Promise<void> {
    return postgres.start(name, standbyOf, COMPOSE.services[name]?.command ?? [])
  }

  async function pay(): Promise<number> {
    const headers = { ...credentials, 'idempotency-key': `deployed-${++keys}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ recipient: person.tag, amount: 1 })
    return (await fetch(`${nginx.baseUrl}/v1/biz/payouts`, { method: 'POST', headers, body })).status
  }

  it('the deployment commits at the standby before it answers, and shows that to its nodes', async () => {
    assert.equal(await pay(), 201)
    const states = await postgres.run<{ application_name: string; sync_state: string }>(
      'postgres-a',
      'select application_name, sync_state from pg_stat_replication',
    )
    assert.deepEqual(states, [{ application_name: 'postgres-b', sync_state: 'quorum' }])
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

  it('the deployment sends the frames of a stream through nginx as they happen', async () => {
    const reader = await EventReader.open({ baseUrl: nginx.baseUrl, accessToken: person.accessToken })
    assert.equal(reader.status, 200)
    const { length } = reader.frames
    assert.equal(await pay(), 201)
    await reader.until(length + 1)
    reader.close()
  })

  it('the deployment answers every request while the owner and a follower are restarted', async () => {
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

  it('the deployment goes on at the standby after the primary is lost, with a new standby made by the same script', async () => {
    const before = await balance()
    await postgres.lose('postgres-a')
    await postgres.run('postgres-b', 'select pg_promote()')
    // Commits wait until there are two servers again.
    const paying = pay()
    await startPostgres('postgres-a', 'postgres-b')
    assert.ok([201, 503].includes(await paying))
    await eventuallyAsync(async () => (await pay()) === 201, 'a payout over the new pair')
    assert.ok((await balance()) < before)
  })

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
