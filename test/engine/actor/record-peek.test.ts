// One event read alone is the event that the whole record has, with any text in a merchant's lines.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { BatchEncoder } from '../../../engine/actor/batch-encoder.ts'
import { decodeBatch, decodeRecordAt, GENESIS_HASH } from '../../../engine/actor/record-codec.ts'
import { peekEvent, peekTime } from '../../../engine/actor/record-peek.ts'
import type { LogRecord } from '../../../engine/domain/record.ts'
import { endOfArray } from '../../../engine/kernel/json.ts'
import { readBatchLines } from '../../support/batch-lines.ts'
import { openMerchant, openWallet, payout } from '../../support/commands.ts'
import { EngineFixture } from '../../support/engine-fixture.ts'
import { runs } from '../../support/property-runs.ts'
import { goldenNames, readGolden } from '../golden-file.ts'

/** Texts that look like the structure around them. */
const NASTY = fc.oneof(
  fc.constantFrom(
    '',
    'R1',
    '"',
    '\\',
    '\\"',
    '"],["',
    ',"lines":[',
    '],["batch.completed",1,7,',
    'batch.completed',
    '],[',
    ']],[',
    '],[null,',
    '[[',
    ']]',
    '\\\\',
    'é',
    '😀',
    '",3,[',
  ),
  fc.string({ unit: fc.constantFrom('"', '\\', '[', ']', ',', 'a', '7', ':', '{', '}'), maxLength: 12 }),
)

const PAID_LINE = fc.record({ recipient: fc.constantFrom('@awa', '@moussa'), amount: fc.constantFrom(1, 2), reference: NASTY, note: NASTY })

const LINE = fc.record({
  recipient: fc.constantFrom('@awa', '@moussa', 'nobody', '@@', '"]', 7),
  amount: fc.constantFrom<unknown>(1, 2, 1_000_000, -1, 'x', null),
  reference: fc.oneof({ weight: 9, arbitrary: NASTY as fc.Arbitrary<unknown> }, { weight: 1, arbitrary: fc.constant(5) }),
  note: NASTY,
})

function encoded(records: readonly LogRecord[]): Buffer {
  const encoder = new BatchEncoder()
  for (const record of records) encoder.add(record)
  return encoder.finish(GENESIS_HASH).bytes
}

test('every payout of a batch, read alone, is the one of the whole record', async () => {
  let paid = 0
  let failed = 0
  const items = fc.oneof(fc.array(LINE, { minLength: 1, maxLength: 30 }), fc.array(PAID_LINE, { minLength: 20, maxLength: 80 }))
  await fc.assert(
    fc.asyncProperty(items, fc.integer({ min: 20, max: 100 }), NASTY, fc.boolean(), async (items, funds, reference, hasKey) => {
      const fixture = await EngineFixture.open()
      const { test: merchant } = openMerchant(fixture, 'baobab', funds)
      for (const tag of ['awa', 'moussa']) openWallet(fixture, tag)
      const command = { type: 'CreateBatch', merchant, lines: readBatchLines(items), reference, scheduleId: null } as const
      const from = fixture.records.length
      fixture.do(payout(merchant, 'awa', 1))
      fixture.do(command, hasKey ? { mailbox: merchant, key: '],["batch.completed",1,7,' } : { mailbox: merchant })
      fixture.do(payout(merchant, 'awa', 1))
      const records = fixture.records.slice(from)
      const bytes = encoded(records)
      for (const { sequence } of records) {
        const whole = decodeRecordAt(bytes, sequence)
        assert.equal(peekTime(bytes, sequence), whole.timeMs)
        for (const [index, event] of whole.events.entries()) {
          const peeked = peekEvent(bytes, sequence, index)
          if (whole.command !== 'CreateBatch' || !event.type.startsWith('payout.')) {
            assert.equal(peeked, null)
            continue
          }
          assert.deepEqual(
            [peeked?.event.type, peeked?.event.version, peeked?.event.account, peeked?.event.text, peeked?.event.payload],
            [event.type, event.version, event.account, event.text, event.payload],
          )
          assert.deepEqual(
            [peeked?.timeMs, peeked?.transaction ?? undefined],
            [whole.timeMs, whole.transactions.find(({ eventIndex }) => eventIndex === index)],
          )
          if (event.type === 'payout.paid') paid++
          else failed++
        }
        assert.equal(peekEvent(bytes, sequence, whole.events.length), null)
      }
    }),
    { numRuns: runs(150) },
  )
  assert.ok(paid > 30 && failed > 30, `${paid} paid, ${failed} failed`)
})

test('an array ends where JSON.parse ends it', () => {
  const VALUES = fc.array(fc.oneof(NASTY, fc.integer(), fc.constant(null)), { maxLength: 5 })
  const ROW = fc.tuple(fc.oneof(fc.uuid(), fc.constant(null)), VALUES).map(([first, rest]) => [first, ...rest])
  fc.assert(
    fc.property(NASTY, ROW, NASTY, (before, row, behind) => {
      const bytes = Buffer.from(JSON.stringify([before, row, behind]))
      const start = Buffer.byteLength(JSON.stringify([before]))
      assert.deepEqual(JSON.parse(bytes.toString('utf8', start, endOfArray(bytes, start))), row)
    }),
  )
})

test('every payout of a batch in the golden files, read alone, is the one of the whole record', () => {
  let payouts = 0
  for (const name of goldenNames()) {
    for (const batch of readGolden(name).batches.map((text) => Buffer.from(text, 'base64'))) {
      for (const record of decodeBatch(batch)) {
        for (const [index, whole] of record.events.entries()) {
          const peeked = peekEvent(batch, record.sequence, index)
          if (peeked === null) continue
          payouts++
          const transaction = record.transactions.find(({ eventIndex }) => eventIndex === index) ?? null
          assert.deepEqual(
            [peeked.event.type, peeked.event.version, peeked.event.text, peeked.transaction],
            [whole.type, whole.version, whole.text, transaction],
            `${name}, record ${record.sequence}`,
          )
        }
      }
    }
  }
  assert.ok(payouts > 10, `${payouts} payouts`)
})
