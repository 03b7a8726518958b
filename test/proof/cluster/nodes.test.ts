// Three real servers over PostgreSQL with a synchronous standby, asked over HTTP at any of them.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Client } from '../../support/client.ts'
import { ClusterServers } from '../../support/cluster-servers.ts'
import { newDatabase, type PostgresPair, postgresMissing, startPair } from '../../support/postgres.ts'
import { type Merchant, newTag, TestServer } from '../../support/server-fixture.ts'

const NAMES = ['a', 'b', 'c']

interface Balance {
  readonly available: number
}

describe('three nodes of a cluster', { skip: postgresMissing() }, () => {
  let pair: PostgresPair
  let servers: ClusterServers
  let merchant: Merchant
  let clients: Map<string, Client>
  let tag: string

  before(async () => {
    pair = await startPair()
    servers = new ClusterServers(pair.primary.url(await newDatabase(pair.primary)))
    await servers.start('a')
    await servers.becomesOwner('a')
    await servers.start('b')
    await servers.start('c')
    const { OPERATOR_TOKEN } = await import('../../support/server-process.ts')
    clients = new Map()
    for (const name of NAMES) clients.set(name, await Client.to(servers.node(name).baseUrl))
    // The merchant is opened through a follower.
    const server = await TestServer.attached(servers.node('b').baseUrl, { authorization: `Bearer ${OPERATOR_TOKEN}` })
    merchant = await server.fundedMerchant(100_000)
    tag = newTag()
    assert.equal((await at('c').post('/v1/biz/test/wallets', { tag })).status, 201)
  })

  after(async () => {
    await servers?.remove()
    await pair?.remove()
  })

  function at(name: string): Client {
    const client = clients.get(name)
    assert.ok(client !== undefined)
    return merchant.test.at(client)
  }

  function pay(name: string, amount: number, key: string) {
    return at(name).post('/v1/biz/payouts', { recipient: tag, amount }, { 'idempotency-key': key })
  }

  async function balance(name: string): Promise<number> {
    const { status, body, text } = await at(name).get<Balance>('/v1/biz/balance')
    assert.equal(status, 200, text)
    return body.available
  }

  it('a cluster of three nodes takes a write at every node and shows it at every node at once', async () => {
    let expected = await balance('a')
    for (const [index, name] of [...NAMES, ...NAMES].entries()) {
      const { status, text } = await pay(name, 10, `every-${index}`)
      assert.equal(status, 201, text)
      expected -= 10
      for (const other of NAMES) assert.equal(await balance(other), expected)
    }
  })

  it('a cluster of three nodes answers a used key byte for byte at every node', async () => {
    const first = await pay('b', 7, 'same')
    assert.equal(first.status, 201, first.text)
    for (const name of NAMES) {
      const again = await pay(name, 7, 'same')
      assert.equal(again.text, first.text)
      assert.equal(again.headers['idempotent-replayed'], 'true')
    }
  })

  it('a cluster of three nodes goes on without an error when the owner is stopped in order', async () => {
    const before = await balance('b')
    const stopping = servers.node('a').terminate()
    for (let index = 0; index < 20; index++) {
      const { status, text } = await pay(index % 2 === 0 ? 'b' : 'c', 1, `handover-${index}`)
      assert.equal(status, 201, text)
    }
    assert.equal(await stopping, 0)
    for (const name of ['b', 'c']) assert.equal(await balance(name), before - 20)
    await servers.start('a')
    clients.set('a', await Client.to(servers.node('a').baseUrl))
    assert.equal(await balance('a'), before - 20)
  })

  it('a cluster of three nodes goes on after the owner was killed, and nothing acknowledged is lost or paid twice', async () => {
    const before = await balance('a')
    const healths = await Promise.all(NAMES.map(async (name) => ({ name, health: await servers.health(name) })))
    const owner = healths.find(({ health }) => health?.role === 'owner')?.name ?? ''
    const living = NAMES.filter((name) => name !== owner)
    const acknowledged = Array.from({ length: 10 }, (_, index) => pay(living[index % 2] as string, 1, `kill-${index}`))
    await servers.node(owner).kill()
    const answers = await Promise.all(acknowledged)
    // Requests without an answer in time are sent again with their key.
    for (let index = 0; index < 10; index++) {
      let { status } = answers[index] as { status: number }
      while (status === 503) status = (await pay(living[index % 2] as string, 1, `kill-${index}`)).status
      assert.equal(status, 201)
    }
    for (const name of living) assert.equal(await balance(name), before - 10)
  })
})
