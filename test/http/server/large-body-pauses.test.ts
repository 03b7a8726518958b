// Large bodies of an account that the engine has just rejected with 429: refused unread, for a while, on that route alone.

import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import type { OutcomeKind } from '../../../engine/contract/outcome-kind.ts'
import { LargeBodyPauses } from '../../../http/server/large-body-pauses.ts'
import { LARGE_BODY_BYTES, LARGE_BODY_PAUSE_MS } from '../../../http/server/server-limits.ts'
import { eventually, RawClient, request } from '../../support/raw-client.ts'
import { ACCOUNT, CREDENTIALS, openFakeServer, type ServerWithoutEngine } from '../../support/server-without-engine.ts'

describe('pauses of large bodies', () => {
  it('pauses of large bodies last for their time, for one account and one route', () => {
    const pauses = new LargeBodyPauses()
    assert.equal(pauses.left(1, 'a', 0), 0)
    pauses.begin(1, 'a', 1_000, LARGE_BODY_PAUSE_MS)
    assert.deepEqual([pauses.left(1, 'a', 1_000), pauses.left(2, 'a', 1_000), pauses.left(1, 'b', 1_000)], [LARGE_BODY_PAUSE_MS, 0, 0])
    assert.equal(pauses.left(1, 'a', 999 + LARGE_BODY_PAUSE_MS), 1)
    assert.equal(pauses.left(1, 'a', 1_000 + LARGE_BODY_PAUSE_MS), 0)
  })

  it('pauses of large bodies beyond the maximum end the oldest', () => {
    const pauses = new LargeBodyPauses(2)
    for (const account of [1, 2, 1, 3]) pauses.begin(account, 'a', 0, 1_000)
    assert.deepEqual(
      [1, 2, 3].map((account) => pauses.left(account, 'a', 0)),
      [1_000, 0, 1_000],
    )
  })
})

describe('a large body after a rejection', () => {
  let server: ServerWithoutEngine
  beforeEach(async () => {
    server = await openFakeServer()
  })
  afterEach(() => server.http.close())

  const pay = (bytes: number): string =>
    request({
      method: 'POST',
      path: '/pay',
      body: `{"a":"${'x'.repeat(bytes)}"}`,
      headers: { ...CREDENTIALS, 'Idempotency-Key': 'key-1' },
    })

  async function settled(body: string, kind: OutcomeKind): Promise<number> {
    const client = await RawClient.open(server.port)
    client.send(body)
    await eventually(() => server.engine.submitted.length === 1, 'the command')
    assert.equal(server.engine.submitted[0]?.envelope.mailbox, ACCOUNT)
    server.engine.settleAll({ kind })
    const answer = await client.answer()
    client.close()
    return answer.status
  }

  it('a large body after a rejection is refused without a command and says when to come back, while small ones pass', async () => {
    assert.equal(await settled(pay(LARGE_BODY_BYTES), 'created'), 201)
    assert.equal(await settled(pay(10), 'rate_limited'), 429)
    const client = await RawClient.open(server.port)
    const refused = await client.send(pay(LARGE_BODY_BYTES)).answer()
    client.close()
    assert.equal(refused.status, 429)
    assert.equal(refused.headers.get('retry-after'), String(LARGE_BODY_PAUSE_MS / 1000))
    assert.equal(server.engine.submitted.length, 0)
    assert.equal(await settled(pay(10), 'created'), 201)
  })
})
