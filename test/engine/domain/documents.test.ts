// Documents that change: written whole once, then as changes.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cancel, createCharge, openSetup } from '../../support/charge-engine.ts'
import { MEMBER } from '../../support/commands.ts'
import { MandateFixture } from '../../support/mandate-engine.ts'

describe('a change of a document', () => {
  it('a change of a document takes as little room for 8 KiB of metadata as for none', async () => {
    const sizes: number[] = []
    for (const metadata of [{}, Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`k${index}`, 'v'.repeat(500)]))]) {
      const { fixture, merchant } = await openSetup()
      const created = createCharge(merchant, { metadata })
      assert.equal(fixture.do(created, { mailbox: merchant }).kind, 'created')
      const before = fixture.engine.figures.flushedBytes
      const answer = fixture.do(cancel(created.token, merchant), { mailbox: merchant, key: 'cancel' })
      sizes.push(fixture.engine.figures.flushedBytes - before)
      assert.deepEqual((JSON.parse(answer.body) as { metadata: object }).metadata, metadata)
      assert.equal(fixture.do(cancel(created.token, merchant), { mailbox: merchant, key: 'cancel' }).body, answer.body)
    }
    const [without = 0, withMetadata = 0] = sizes
    assert.ok(Math.abs(withMetadata - without) < 10 && without < 1200, `${without} and ${withMetadata} bytes`)
  })

  it('a change of a document of a mandate leaves out what never changes', async () => {
    const setup = await MandateFixture.open(0)
    const { fixture } = setup
    const mandate = setup.create({ description: 'd'.repeat(500), reference: 'r'.repeat(255) })
    const by = setup.merchant.test
    const before = fixture.engine.figures.flushedBytes
    const answer = fixture.do({ type: 'CancelMandate', by, id: mandate.id }, { mailbox: by, key: 'cancel' })
    assert.ok(fixture.engine.figures.flushedBytes - before < 1400)
    assert.deepEqual(JSON.parse(answer.body), { ...mandate, state: 'cancelled', cancelled_at: JSON.parse(answer.body).cancelled_at })
    assert.deepEqual(Object.keys(JSON.parse(answer.body)), Object.keys(mandate))
  })

  it('a change of a document of a schedule answers a key with its lines and writes them once', async () => {
    const { fixture, merchant } = await openSetup()
    const lines = Array.from({ length: 100 }, () => ({ recipient: 'awa', amount: 1, reference: '', note: 'n'.repeat(300) }))
    const startMs = fixture.loop.nowMs + 3_600_000
    const created = fixture.do(
      { type: 'CreateSchedule', merchant, recurrence: 'weekly', startMs, reference: '', lines, by: MEMBER },
      { mailbox: merchant },
    )
    const { id } = JSON.parse(created.body) as { id: string }
    const before = fixture.engine.figures.flushedBytes
    const paused = fixture.do({ type: 'PauseSchedule', merchant, id }, { mailbox: merchant, key: 'pause' })
    assert.ok(fixture.engine.figures.flushedBytes - before < 1000)
    const { warnings: _, ...schedule } = JSON.parse(created.body) as Record<string, unknown>
    assert.deepEqual(JSON.parse(paused.body), { ...schedule, state: 'paused', next_run_at: null })
    await fixture.startWithoutArchive()
    assert.equal(fixture.engine.history.result(String(merchant), 'pause')?.body, paused.body)
  })
})
