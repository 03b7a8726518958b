// All three nodes are restarted one after another, the owner first, while clients keep their connections and send to any node.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { Client } from '../../support/client.ts'
import { ClusterServers } from '../../support/cluster-servers.ts'
import { newDatabase, type PostgresPair, postgresMissing, startPair } from '../../support/postgres.ts'
import { newTag, TestServer } from '../../support/server-fixture.ts'
import { OPERATOR_TOKEN } from '../../support/server-process.ts'

const NAMES = ['a', 'b', 'c'] as const
const CLIENTS = 4
const CLOSED_BEFORE: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ECONNRESET', 'UND_ERR_SOCKET'])
const FUNDS = 1_000_000

describe('a rolling restart', { skip: postgresMissing() }, () => {
  let pair: PostgresPair
  let servers: ClusterServers
  let headers: Record<string, string>
  let recipient: string

  before(async () => {
    pair = await startPair()
    servers = new ClusterServers(pair.primary.url(await newDatabase(pair.primary)))
    await servers.start('a')
    await servers.becomesOwner('a')
    await Promise.all([servers.start('b'), servers.start('c')])
    const operator = (await Client.to(servers.node('a').baseUrl)).with({ authorization: `Bearer ${OPERATOR_TOKEN}` })
    const server = await TestServer.attached(servers.node('a').baseUrl, { authorization: `Bearer ${OPERATOR_TOKEN}` })
    const merchant = await server.fundedMerchant(FUNDS)
    recipient = newTag()
    assert.equal((await merchant.test.post('/v1/biz/test/wallets', { tag: recipient })).status, 201)
    const keys = await operator.post<{ public_key: string; secret_key: string }>(`/v1/operator/merchants/${merchant.id}/api-keys`, {
      environment: 'test',
      scopes: ['disbursements.write'],
    })
    headers = { 'x-api-key': keys.body.public_key, 'x-api-secret': keys.body.secret_key, 'content-type': 'application/json' }
  })

  after(async () => {
    await servers?.remove()
    await pair?.remove()
  })

  /**
   * Sends to any node. As a proxy does, it asks another node when one takes no connection, and when one closed an idle connection at the
   * moment of the request (RFC 9112, 9.3.1): the request has a key, or only reads.
   */
  async function ask(path: string, init: RequestInit): Promise<Response> {
    for (;;) {
      const name = NAMES[randomInt(NAMES.length)] ?? 'a'
      try {
        return await fetch(`${servers.node(name).baseUrl}${path}`, init)
      } catch (error) {
        const { code = '' } = ((error as Error).cause ?? {}) as { code?: string }
        if (!CLOSED_BEFORE.has(code)) throw error
      }
    }
  }

  async function balance(): Promise<number> {
    const answer = await ask('/v1/biz/balance', { headers })
    assert.equal(answer.status, 200, await answer.clone().text())
    return ((await answer.json()) as { available: number }).available
  }

  it('a rolling restart of all nodes under load shows no error to a client that goes to any of them', async (test) => {
    let isOver = false
    const faults: string[] = []
    const paidMs: number[] = []
    const client = async (id: number): Promise<void> => {
      for (let count = 0; !isOver; count++) {
        try {
          const answer = await ask('/v1/biz/payouts', {
            method: 'POST',
            headers: { ...headers, 'idempotency-key': `${id}-${count}` },
            body: JSON.stringify({ recipient, amount: 1 }),
          })
          const text = await answer.text()
          if (answer.status === 201) paidMs.push(performance.now())
          else faults.push(`payout ${answer.status} ${text}`)
          await balance()
        } catch (error) {
          faults.push(`${(error as Error).message} ${String((error as Error).cause ?? '')}`)
        }
      }
    }
    const clients = Array.from({ length: CLIENTS }, (_, id) => client(id))
    try {
      for (const name of NAMES) {
        const server = servers.node(name)
        assert.equal(await server.terminate(), 0, server.lines.slice(-20).join('\n'))
        const handover = server.lines.find((line) => line.includes('log handed over'))
        test.diagnostic(`${name} stopped: ${handover ?? 'a follower'}`)
        await servers.start(name)
      }
    } finally {
      isOver = true
      await Promise.all(clients)
    }
    assert.deepEqual(faults, [])
    assert.equal(await balance(), FUNDS - paidMs.length)
    const pauseMs = Math.max(...paidMs.slice(1).map((timeMs, at) => timeMs - (paidMs[at] as number)))
    test.diagnostic(`${paidMs.length} payouts, longest pause ${Math.round(pauseMs)} ms`)
  })
})
