// Documents that change: read whole from their first version and the newest change, whichever release wrote them.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findCharge } from '../../../engine/domain/charge/charge-versions.ts'
import { bodyOf } from '../../../engine/domain/documents.ts'
import type { Mandate, MandateVersion } from '../../../engine/domain/mandate/mandate-state.ts'
import { findMandate } from '../../../engine/domain/mandate/mandate-versions.ts'
import { type LogRecord, payloadOf } from '../../../engine/domain/record.ts'
import { openDataFolder } from '../../../wal/folder/open-folder.ts'
import { verifyFolder } from '../../../wal/tools/verify.ts'
import { cancel, createCharge, openSetup, refund } from '../../support/charge-engine.ts'
import { EngineFixture } from '../../support/engine-fixture.ts'
import { mustAppend } from '../../support/log-batches.ts'
import { MandateFixture } from '../../support/mandate-engine.ts'
import { pastOf } from '../../support/past-of.ts'
import { openEngine } from '../../support/real-engine.ts'
import { releasedBatches, releasedLog } from '../../support/released-log.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { goldenRecords, readGolden } from '../golden-file.ts'

const TOKENS = ['paid', 'refunded', 'cancelled', 'expired', 'pending']

/** What the first release said of its charges: the text of the newest version of each. */
function chargesOfRelease(): Map<string, string> {
  const texts = new Map<string, string>()
  for (const { type, text } of goldenRecords(readGolden('charges-v1.json')).flatMap(({ events }) => events)) {
    if (type.startsWith('charge.')) texts.set((JSON.parse(text) as { token: string }).token, text)
  }
  return texts
}

function mandatesOfRelease(): Map<string, Mandate> {
  const mandates = new Map<string, Mandate>()
  for (const event of goldenRecords(readGolden('mandates-v1.json')).flatMap(({ events }) => events)) {
    if (!event.type.startsWith('mandate.')) continue
    const { mandate } = payloadOf<MandateVersion>(event)
    mandates.set(mandate.id, mandate)
  }
  return mandates
}

function bodies(records: readonly LogRecord[]): string[] {
  return records.filter(({ idempotency }) => idempotency !== null).map((record) => bodyOf(record, pastOf(records)))
}

function openOn(name: string): Promise<EngineFixture> {
  return EngineFixture.open({ log: (soon) => releasedLog(name, soon) })
}

function chargeText({ engine, state }: Pick<EngineFixture, 'engine' | 'state'>, token: string): string | undefined {
  return findCharge(state, token, { past: engine.history, timeMs: 0 })?.text
}

describe('a log of the first release', () => {
  it('a log of the first release reads the same charges byte for byte', async () => {
    const fixture = await openOn('charges-v1.json')
    const texts = chargesOfRelease()
    assert.deepEqual([...texts.keys()].sort(), [...TOKENS].sort())
    for (const [token, text] of texts) assert.equal(chargeText(fixture, token), text)
  })

  it('a log of the first release reads the same mandates', async () => {
    const fixture = await openOn('mandates-v1.json')
    const mandates = mandatesOfRelease()
    assert.ok(mandates.size >= 6)
    for (const [id, mandate] of mandates) {
      const found = findMandate(fixture.state, fixture.engine.history, id)
      assert.equal(JSON.stringify(found?.mandate), JSON.stringify(mandate))
    }
  })

  it('a log of the first release answers its keys byte for byte', async () => {
    const fixture = await openOn('charges-v1.json')
    for (const record of goldenRecords(readGolden('charges-v1.json'))) {
      const { idempotency } = record
      if (idempotency === null) continue
      const body = typeof idempotency.body === 'string' ? idempotency.body : record.events[idempotency.body]?.text
      assert.equal(fixture.engine.history.result(idempotency.scope, idempotency.key)?.body, body)
    }
  })

  it('a log of the first release has the same answers about charges as this release gives to the same commands', () => {
    const [first, second] = ['charges-v1.json', 'charges-v2.json'].map((name) => bodies(goldenRecords(readGolden(name))))
    assert.deepEqual(second, first)
  })

  it('a log of the first release has the same mandates as this release makes of the same commands', async () => {
    const fixture = await openOn('mandates-v2.json')
    for (const [id, mandate] of mandatesOfRelease()) {
      assert.equal(JSON.stringify(findMandate(fixture.state, fixture.engine.history, id)?.mandate), JSON.stringify(mandate))
    }
  })

  it('a log of the first release goes on with changes of its whole versions', async () => {
    const fixture = await openOn('charges-v1.json')
    const merchant = fixture.state.charges.pending.get('pending')?.account ?? -1
    const before = JSON.parse(chargeText(fixture, 'paid') ?? '') as object
    const refunded = fixture.do(refund('paid', merchant), { mailbox: merchant, key: 'refund of later' })
    assert.equal(refunded.kind, 'ok')
    assert.deepEqual(Object.keys(JSON.parse(refunded.body)), Object.keys(before))
    assert.equal(chargeText(fixture, 'paid'), refunded.body)
    const cancelled = fixture.do(cancel('pending', merchant), { mailbox: merchant, key: 'cancellation of later' })
    await fixture.startWithoutArchive()
    assert.equal(chargeText(fixture, 'paid'), refunded.body)
    assert.equal(chargeText(fixture, 'pending'), cancelled.body)
    assert.equal(fixture.engine.history.result(String(merchant), 'cancellation of later')?.body, cancelled.body)
  })

  it('a log of the first release opens as a data folder, verifies, and reads the same', async (test) => {
    const dataDir = scratchFolder(test)
    const filled = await openDataFolder({ dataDir, onWarning: assert.fail })
    for (const batch of releasedBatches('charges-v1.json')) await mustAppend(filled.log, batch)
    await filled.close()
    const folder = await openDataFolder({ dataDir, onWarning: () => {} })
    const engine = await openEngine(folder)
    // Nothing runs between the opening and this loop: the pending charge expires with the first timer.
    for (const [token, text] of chargesOfRelease()) assert.equal(chargeText({ engine, state: engine.state }, token), text)
    await engine.close()
    await folder.close()
    assert.deepEqual((await verifyFolder(dataDir)).faults, [])
  })
})

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
      { type: 'CreateSchedule', merchant, recurrence: 'weekly', startMs, reference: '', lines },
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
