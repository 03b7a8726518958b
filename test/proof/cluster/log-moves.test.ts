// A log moves from an embedded server to a cluster and back. The servers at each end answer the same: lists, single objects, and the
// replays of idempotency keys.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { Client } from '../../support/client.ts'
import { ClusterServers } from '../../support/cluster-servers.ts'
import { moveLog } from '../../support/log-moves.ts'
import { newDatabase, type PostgresPair, postgresMissing, startPair } from '../../support/postgres.ts'
import { newKey, TestServer } from '../../support/server-fixture.ts'
import { launch, OPERATOR_TOKEN, type ServerProcess, startServer } from '../../support/server-process.ts'

/** What every server must answer, by a caller's name for it. */
type Answers = ReadonlyMap<string, string>

const EMBEDDED = { BASE_URL: 'http://127.0.0.1:8080' }
const LISTS = ['/v1/biz/payouts', '/v1/biz/transactions', '/v1/biz/balance', '/v1/biz/charges', '/v1/biz/events']

describe('a log that moves between an embedded server and a cluster', { skip: postgresMissing() }, () => {
  const scratch = mkdtempSync(join(tmpdir(), 'cauri-moves-'))
  let pair: PostgresPair
  let servers: ClusterServers
  let url: string
  let embedded: ServerProcess | null = null

  before(async () => {
    pair = await startPair()
    url = pair.primary.url(await newDatabase(pair.primary))
    servers = new ClusterServers(url)
  })

  after(async () => {
    await embedded?.remove()
    await servers?.remove()
    await pair?.remove()
    rmSync(scratch, { recursive: true, force: true })
  })

  /** Reads the lists and repeats every write with its key. */
  async function answersOf(merchant: Client, writes: readonly (readonly [path: string, json: unknown, key: string])[]): Promise<Answers> {
    const answers = new Map<string, string>()
    for (const path of LISTS) {
      const { status, text } = await merchant.get(path)
      assert.equal(status, 200, text)
      answers.set(path, text)
    }
    for (const [path, json, key] of writes) {
      const { status, text, headers } = await merchant.post(path, json, { 'idempotency-key': key })
      assert.equal(headers['idempotent-replayed'], 'true', text)
      answers.set(key, `${status} ${text}`)
    }
    return answers
  }

  it('a log that moves to a cluster and back gives the same answers at each place, and only one place accepts writes', async () => {
    const [dataDir, back] = [join(scratch, 'data'), join(scratch, 'back')]
    embedded = await startServer({ dataDir, settings: EMBEDDED })
    const fixture = await TestServer.attached(embedded.baseUrl, { authorization: `Bearer ${OPERATOR_TOKEN}` })
    const owner = await fixture.fundedMerchant(100_000)
    const tag = await fixture.wallet(owner)
    const merchant = owner.test
    const writes: [string, unknown, string][] = []
    const write = async (client: Client, path: string, json: unknown): Promise<void> => {
      const key = newKey()
      const { status, text } = await client.post(path, json, key)
      assert.equal(status, 201, text)
      writes.push([path, json, key['idempotency-key']])
    }
    for (let amount = 1; amount <= 12; amount++) await write(merchant, '/v1/biz/payouts', { recipient: tag, amount })
    await write(merchant, '/v1/biz/payouts', { recipient: 'absent_tag', amount: 5 })
    await write(merchant, '/v1/biz/charges', { amount: 700 })
    const before = await answersOf(merchant, writes)
    assert.equal(await embedded.terminate(), 0)
    fixture.anybody.close()

    await moveLog(dataDir, url)
    const refused = launch({ dataDir, settings: EMBEDDED })
    assert.equal(await refused.exited, 1)
    assert.match(refused.errorOutput() + refused.lines.join('\n'), /only a copy/)

    await servers.start('a')
    await servers.becomesOwner('a')
    const clustered = merchant.at(await Client.to(servers.node('a').baseUrl))
    assert.deepEqual(await answersOf(clustered, writes), before)
    await write(clustered, '/v1/biz/payouts', { recipient: tag, amount: 13 })
    const after = await answersOf(clustered, writes)
    assert.equal(await servers.node('a').terminate(), 0)

    await moveLog(url, back)
    await assert.rejects(servers.start('a'), /was moved to/)
    embedded = await startServer({ dataDir: back, settings: EMBEDDED })
    const again = merchant.at(await Client.to(embedded.baseUrl))
    assert.deepEqual(await answersOf(again, writes), after)
    await write(again, '/v1/biz/payouts', { recipient: tag, amount: 14 })
  })
})
