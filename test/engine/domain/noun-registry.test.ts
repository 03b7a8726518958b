// The list of nouns: a noun that only this test has works as the real ones do, and two nouns never claim one thing.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { newState } from '../../../engine/domain/new-state.ts'
import type { NounModule } from '../../../engine/domain/noun-module.ts'
import { NounRegistry } from '../../../engine/domain/noun-registry.ts'
import { payloadOf } from '../../../engine/domain/record.ts'
import { NOUNS, REGISTRY } from '../../../engine/domain/registry.ts'
import { SnapshotTables, Table } from '../../../engine/kernel/table.ts'
import { openMerchant } from '../../support/commands.ts'
import { EngineFixture } from '../../support/engine-fixture.ts'
import { openSpecimen, SPECIMEN, SPECIMEN_DAYS_MS, SPECIMENS, specimensIndexKey, specimensOf } from '../../support/specimen-noun.ts'

const WITH_SPECIMENS = new NounRegistry([...NOUNS, SPECIMEN])

function reasonsListed(fixture: EngineFixture, merchant: number): string[] {
  const { hits } = fixture.engine.history.page({
    indexKeys: [specimensIndexKey(merchant)],
    limit: 10,
    keep: ({ event }) => event.account === merchant,
  })
  return hits.map(({ event }) => payloadOf<{ readonly reason: string }>(event).reason)
}

function openReasons(fixture: EngineFixture): string[] {
  return Array.from(specimensOf(fixture.state).open.values(), ({ reason }) => reason).sort()
}

async function withTwoSpecimens(): Promise<{ fixture: EngineFixture; merchant: number }> {
  const fixture = await EngineFixture.open({ registry: WITH_SPECIMENS })
  const { test: merchant } = openMerchant(fixture, 'baobab')
  assert.equal(fixture.do(openSpecimen(merchant, 'twice charged'), { key: 'd-1' }).kind, 'created')
  assert.equal(fixture.do(openSpecimen(merchant, 'not delivered'), { key: 'd-2' }).kind, 'created')
  return { fixture, merchant }
}

describe('a noun that is only in the list of a test', () => {
  it('a noun that is only in the list of a test decides its command, applies its event, and is listed newest first', async () => {
    const { fixture, merchant } = await withTwoSpecimens()
    assert.deepEqual(openReasons(fixture), ['not delivered', 'twice charged'])
    assert.deepEqual(reasonsListed(fixture, merchant), ['not delivered', 'twice charged'])
  })

  it('a noun that is only in the list of a test has its rows, its list and its timers again after a restart from the log alone', async () => {
    const { fixture, merchant } = await withTwoSpecimens()
    await fixture.startWithoutArchive()
    assert.ok(fixture.engine.recovered.replayedRecords > 0, 'the state came out of the log')
    assert.deepEqual(openReasons(fixture), ['not delivered', 'twice charged'])
    assert.deepEqual(reasonsListed(fixture, merchant), ['not delivered', 'twice charged'])
    assert.ok(fixture.do(openSpecimen(merchant, 'twice charged'), { key: 'd-1' }).replayed)
  })

  it('a noun that is only in the list of a test has its rows and its timers again after a restart from the snapshot alone', async () => {
    const { fixture, merchant } = await withTwoSpecimens()
    await fixture.close()
    await fixture.start()
    assert.equal(fixture.engine.recovered.replayedRecords, 0, 'the state came out of the snapshot')
    assert.deepEqual(openReasons(fixture), ['not delivered', 'twice charged'])
    assert.deepEqual(reasonsListed(fixture, merchant), ['not delivered', 'twice charged'])
    fixture.loop.advance(SPECIMEN_DAYS_MS)
    fixture.settle()
    assert.deepEqual(openReasons(fixture), [], 'the timers closed both')
  })

  it('a noun that is only in the list of a test is unknown to the real list, which refuses the log that has it', async () => {
    const { fixture } = await withTwoSpecimens()
    const log = fixture.log
    fixture.kill()
    await assert.rejects(
      EngineFixture.open({ log: () => log, registry: REGISTRY }),
      /the event specimen.opened version 1 is known to this release/,
    )
  })
})

const EMPTY = {
  state: null,
  quotas: [],
  commands: {},
  events: {},
  indexKeys: {},
  indexed: {},
  timers: {},
  frames: [],
  transactionTypes: [],
}

describe('a list of nouns', () => {
  const claims: readonly { name: string; other: Partial<NounModule>; error: RegExp }[] = [
    { name: 'a command', other: { commands: SPECIMEN.commands }, error: /only one noun has "OpenSpecimen"/ },
    { name: 'an event', other: { events: { 'payout.paid@1': null } }, error: /only one noun has "payout.paid@1"/ },
    { name: 'the number of an index key', other: { indexKeys: { other: 20 } }, error: /only one noun has "20"/ },
    { name: 'the number of an index key of all records', other: { indexKeys: { other: 10 } }, error: /only one noun has "10"/ },
    { name: 'a timer', other: { timers: SPECIMEN.timers }, error: /only one noun has "specimen"/ },
    {
      name: 'an upcaster',
      other: { upcasters: { 'payout.paid@1': (old) => old } },
      error: /the upcasters of payout.paid lead to its newest version/,
    },
  ]
  for (const { name, other, error } of claims) {
    it(`a list of nouns is refused when ${name} is claimed twice or leads nowhere`, () => {
      assert.throws(() => new NounRegistry([...NOUNS, SPECIMEN, { ...EMPTY, ...other }]), error)
    })
  }
})

describe('the quotas of a list of nouns', () => {
  it('a noun without quotas, and a table without a bound, do not compile', () => {
    const { quotas: _quotas, ...withoutQuotas } = SPECIMEN
    // @ts-expect-error A noun names its quotas.
    const noun: NounModule = withoutQuotas
    // @ts-expect-error A table names its quota, or what limits it instead.
    const table = (): Table<Row> => new Table<Row>(new SnapshotTables(), 'rows')
    assert.ok(!('quotas' in noun))
    assert.throws(table, TypeError)
  })

  it('a table that counts for a quota that its noun does not declare is refused', () => {
    assert.throws(() => newState(new NounRegistry([...NOUNS, { ...SPECIMEN, quotas: [] }])), /a noun declares the quota "specimens"/)
  })

  it('a declared quota that no table counts for is refused, and one name stands for one quota', () => {
    const unused = { ...EMPTY, quotas: [{ ...SPECIMENS, name: 'unused' }] }
    assert.throws(() => newState(new NounRegistry([...NOUNS, unused])), /a table counts for the quota "unused"/)
    const twice = { ...EMPTY, quotas: [SPECIMENS] }
    assert.throws(() => newState(new NounRegistry([...NOUNS, SPECIMEN, twice])), /only one quota has the name "specimens"/)
  })

  it('the counts of all quotas are the same after a replay of the log and from a snapshot', async () => {
    const { fixture } = await withTwoSpecimens()
    const counted = (): unknown => fixture.state.quotas.all().map((use) => [use.quota.name, use.figures])
    const before = counted()
    assert.deepEqual(fixture.state.quotas.use(SPECIMENS).figures, [{ part: 'both', rows: 2, max: 1000, largest: 1 }])
    await fixture.startWithoutArchive()
    assert.deepEqual(counted(), before)
    await fixture.close()
    await fixture.start()
    assert.deepEqual(counted(), before)
  })
})

interface Row {
  readonly name: string
}
