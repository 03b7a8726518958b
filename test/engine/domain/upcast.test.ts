// Versions of one event side by side: what an older release wrote reads in the shape of the newest version, and keeps its
// own bytes where bytes are repeated.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { BatchEncoder } from '../../../engine/actor/batch-encoder.ts'
import { decodeBatch, GENESIS_HASH } from '../../../engine/actor/record-codec.ts'
import { replayRecord } from '../../../engine/actor/turn.ts'
import { event } from '../../../engine/domain/decision.ts'
import { newState } from '../../../engine/domain/new-state.ts'
import type { NounModule } from '../../../engine/domain/noun-module.ts'
import { NounRegistry } from '../../../engine/domain/noun-registry.ts'
import { payloadOf, type StoredEvent } from '../../../engine/domain/record.ts'
import type { State } from '../../../engine/domain/state.ts'
import type { AccountNumber } from '../../../engine/ledger/transaction.ts'
import { openMerchant, openWallet, payout } from '../../support/commands.ts'
import { EngineFixture } from '../../support/engine-fixture.ts'
import { type CreateLabelledPayout, LABELLED_REGISTRY, type LabelledPayout } from '../../support/labelled-payouts.ts'

interface Written {
  readonly fixture: EngineFixture
  readonly merchant: AccountNumber
  /** What the old release answered to the key `old`. */
  readonly oldBody: string
}

/** Version 1 of `payout.paid` alone and in a payout batch, then version 2, in one log. */
async function writtenByBoth(): Promise<Written> {
  const fixture = await EngineFixture.open()
  const { test: merchant } = openMerchant(fixture, 'baobab', 100_000)
  openWallet(fixture, 'awa')
  const oldBody = fixture.do(payout(merchant, 'awa', 100), { key: 'old' }).body
  const line = { recipient: 'awa', amount: 200, reference: '', note: '', fault: null }
  assert.equal(
    fixture.do({ type: 'CreateBatch', merchant, reference: '', scheduleId: null, lines: [line] }, { mailbox: merchant }).kind,
    'created',
  )
  await fixture.upgrade(LABELLED_REGISTRY)
  const newer: CreateLabelledPayout = {
    type: 'CreatePayout',
    merchant,
    recipient: 'awa',
    amount: 300,
    reference: '',
    note: '',
    test_label: 'salaire',
  }
  assert.equal(fixture.do(newer, { key: 'new' }).kind, 'created')
  return { fixture, merchant, oldBody }
}

function listed({ fixture, merchant }: Written): [amount: number, test_label: string][] {
  const page = fixture.engine.query('payouts.list', { account: merchant, query: {} })
  assert.ok(page !== null)
  return page.rows.map((text): [number, string] => {
    const { amount, test_label } = JSON.parse(text) as LabelledPayout
    return [amount, test_label]
  })
}

describe('a payout of version 1 in a release that writes version 2', () => {
  it('a payout of version 1 in a release that writes version 2 is listed with an empty label beside those that have one, before and after a restart', async () => {
    const written = await writtenByBoth()
    const all = [
      [300, 'salaire'],
      [200, ''],
      [100, ''],
    ]
    assert.deepEqual(listed(written), all)
    await written.fixture.start()
    assert.deepEqual(listed(written), all)
    await written.fixture.startWithoutArchive()
    assert.deepEqual(listed(written), all)
  })

  it('a payout of version 1 in a release that writes version 2 is read by its id with an empty label', async () => {
    const { fixture, merchant, oldBody } = await writtenByBoth()
    const { id } = JSON.parse(oldBody) as { id: string }
    const text = fixture.engine.query('payouts.get', { account: merchant, id })
    assert.deepEqual(JSON.parse(text ?? ''), { ...(JSON.parse(oldBody) as object), test_label: '' })
  })

  it('a payout of version 1 in a release that writes version 2 replays under its key byte for byte as it was answered', async () => {
    const { fixture, merchant, oldBody } = await writtenByBoth()
    await fixture.startWithoutArchive()
    const again = fixture.do(payout(merchant, 'awa', 100), { key: 'old' })
    assert.deepEqual([again.replayed, again.body], [true, oldBody])
  })
})

describe('an applier of an old version', () => {
  it('an applier of an old version gets the payload that its version was released with, not the upcast one', async () => {
    const applied: [version: number, payload: object][] = []
    const note = (_state: State, payload: object, { version }: StoredEvent): void => {
      applied.push([version, payload])
    }
    const noun = (events: NounModule['events'], upcasters: NonNullable<NounModule['upcasters']>): NounRegistry =>
      new NounRegistry([
        {
          state: null,
          quotas: [],
          commands: {},
          events,
          indexKeys: {},
          indexed: {},
          timers: {},
          frames: [],
          transactionTypes: [],
          upcasters,
        },
      ])
    const third = noun(
      { 'noted@1': note, 'noted@2': note, 'noted@3': note },
      {
        'noted@1': ({ one }: { one: number }) => ({ two: one + 1 }),
        'noted@2': ({ two }: { two: number }) => ({ three: two + 1 }),
      },
    )
    assert.deepEqual(readAll(third, [{ one: 1 }, { two: 5 }, { three: 9 }]), [{ three: 3 }, { three: 6 }, { three: 9 }])
    assert.deepEqual(applied, [
      [1, { one: 1 }],
      [2, { two: 5 }],
      [3, { three: 9 }],
    ])
  })
})

/** Writes one event of each version, reads them back by the registry, applies them, and returns what readers get. */
function readAll(registry: NounRegistry, payloads: readonly object[]): object[] {
  const events = payloads.map((payload, index) => event('noted', index + 1, 0, payload))
  const encoder = new BatchEncoder()
  encoder.add({ sequence: 1, timeMs: 1, command: 'Note', environment: 'test', transactions: [], events, frames: [], idempotency: null })
  const [record] = decodeBatch(encoder.finish(GENESIS_HASH).bytes, registry)
  assert.ok(record !== undefined)
  replayRecord(newState(registry), record, registry)
  return record.events.map((one) => payloadOf(one))
}
