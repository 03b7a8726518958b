// The batch codec: every record comes back as it was, and any damage is noticed.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { BatchEncoder } from '../../../engine/actor/batch-encoder.ts'
import { LogFormatError } from '../../../engine/actor/log-format-error.ts'
import { decodeBatch, decodeRecordAt, FORMAT_VERSION, GENESIS_HASH, hashBatch, readHeader } from '../../../engine/actor/record-codec.ts'
import { REJECTION_KINDS, SUCCESS_KINDS } from '../../../engine/contract/outcome-kind.ts'
import type { LogRecord } from '../../../engine/domain/record.ts'
import { REGISTRY } from '../../../engine/domain/registry.ts'
import type { FrameType } from '../../../engine/domain/stream/stream-state.ts'
import { CURRENCY_CODES } from '../../../engine/kernel/currency.ts'
import type { TransactionType } from '../../../engine/ledger/transaction.ts'
import { runs } from '../../support/property-runs.ts'

/** Objects as a decoder makes them. */
const plain = <Fields extends object>(fields: { [Name in keyof Fields]: fc.Arbitrary<Fields[Name]> }): fc.Arbitrary<Fields> =>
  fc.record<Fields>(fields, { noNullPrototype: true })
const text = fc
  .string({ unit: 'binary', maxLength: 12 })
  .chain((some) => fc.constantFrom(some, `${some}\ud800`, `\udfff${some}`, `"${some}\\`, `${some}\n\r\u2028\u0000`, `],["${some}`))
const account = fc.nat(2_000_000)
const money = fc.integer({ min: -4e15, max: 4e15 })
const posting = plain({ debit: account, credit: account, amount: money, debitBalance: money, creditBalance: money })
const transaction = plain({
  id: fc.uuid(),
  type: fc.constantFrom(...(REGISTRY.transactionTypes as readonly TransactionType[])),
  currency: fc.constantFrom(...CURRENCY_CODES),
  reference: text,
  eventIndex: fc.nat(2047),
  postings: fc.array(posting, { minLength: 1, maxLength: 3 }),
})
const event = plain({
  // Types without upcasters: those of an old version come back in the shape of the newest.
  type: fc.constantFrom('payout.paid', 'deposit.made', 'merchant.created'),
  version: fc.integer({ min: 1, max: 9 }),
  account,
  text: fc.dictionary(text, text, { maxKeys: 3 }).map((payload) => JSON.stringify(payload)),
  payload: fc.constant(null),
})
const frame = plain({
  account,
  type: fc.constantFrom(...(REGISTRY.frames as readonly FrameType[])),
  eventIndex: fc.nat(2047),
  id: fc.integer({ min: 1, max: 2 ** 50 }),
})
const content = plain({
  timeMs: fc.nat(4e12),
  command: fc.constantFrom('CreatePayout', 'Deposit'),
  environment: fc.constantFrom('live' as const, 'test' as const),
  transactions: fc.array(transaction, { maxLength: 3 }),
  events: fc.array(event, { maxLength: 4 }),
  frames: fc.array(frame, { maxLength: 4 }),
  spend: fc.option(plain({ keyId: fc.uuid(), amount: fc.nat(1e12) })),
})
const idempotency = fc.option(
  plain({
    scope: text,
    key: text,
    fingerprint: text,
    kind: fc.constantFrom(...SUCCESS_KINDS, ...REJECTION_KINDS),
    ownBody: fc.option(text),
    index: fc.nat(3),
  }),
)

/** Records with consecutive sequences; a stored body is its own text, or an event's. */
const records = fc
  .tuple(fc.integer({ min: 1, max: 2 ** 40 }), fc.array(fc.tuple(content, idempotency), { minLength: 1, maxLength: 6 }))
  .map(([first, contents]) =>
    contents.map(([rest, entry], index): LogRecord => {
      if (entry === null) return { sequence: first + index, ...rest, idempotency: null }
      const { ownBody, index: eventIndex, ...key } = entry
      const body = ownBody === null && eventIndex < rest.events.length ? eventIndex : JSON.stringify({ body: ownBody })
      return { sequence: first + index, ...rest, idempotency: { ...key, body } }
    }),
  )

function encode(some: readonly LogRecord[], previousHash = GENESIS_HASH): Buffer {
  const encoder = new BatchEncoder()
  for (const record of some) encoder.add(record)
  return encoder.finish(previousHash).bytes
}

function sizeOf(record: LogRecord): number {
  const encoder = new BatchEncoder()
  encoder.add(record)
  return encoder.sizeBytes
}

describe('a batch', () => {
  it('a batch gives its records back, together and one by one, with any characters', () => {
    fc.assert(
      fc.property(records, fc.stringMatching(/^[0-9a-f]{64}$/), (some, previousHash) => {
        const bytes = encode(some, previousHash)
        const [first] = some as [LogRecord]
        assert.deepEqual(readHeader(bytes), {
          firstSequence: first.sequence,
          timeMs: first.timeMs,
          recordCount: some.length,
          previousHash,
        })
        assert.deepEqual(decodeBatch(bytes), some)
        for (const record of some) assert.deepEqual(decodeRecordAt(bytes, record.sequence), record)
      }),
      { numRuns: runs(300) },
    )
  })

  it('a batch is encoded again to the same bytes', () => {
    fc.assert(fc.property(records, (some) => assert.deepEqual(encode(decodeBatch(encode(some))), encode(some))))
  })

  it('a batch does not change when the encoder goes on', () => {
    const encoder = new BatchEncoder()
    const [one, other] = fc.sample(records, { numRuns: 2, seed: 4 }) as [LogRecord[], LogRecord[]]
    for (const record of one) encoder.add(record)
    const { bytes, hash } = encoder.finish(GENESIS_HASH)
    encoder.reset()
    for (const record of other) encoder.add(record)
    encoder.finish(hash)
    assert.deepEqual(decodeBatch(bytes), one)
    assert.equal(hashBatch(bytes), hash)
    assert.deepEqual([encoder.recordCount > 0, encoder.sizeBytes > 0], [true, true])
  })

  it('a batch may be larger than the buffer that it starts with, record by record', () => {
    const [some] = fc.sample(records, { numRuns: 1, seed: 5 }) as [LogRecord[]]
    const [first] = some as [LogRecord]
    const note = JSON.stringify({ note: 'é'.repeat(50_000) })
    const large = Array.from({ length: 12 }, (_, index): LogRecord => {
      const events = [{ type: 'payout.paid', version: 1, account: 1, text: note, payload: null }]
      return { ...first, sequence: 7 + index, events, idempotency: null }
    })
    assert.deepEqual(decodeBatch(encode(large)), large)
  })

  it('a flush gives all records in batches that follow each other, the large ones alone', () => {
    fc.assert(
      fc.property(records, fc.integer({ min: 1, max: 2000 }), (some, largeRecordBytes) => {
        const encoder = new BatchEncoder()
        for (const record of some) encoder.add(record)
        const batches = encoder.finishAll(GENESIS_HASH, largeRecordBytes)
        assert.deepEqual(
          batches.flatMap(({ bytes }) => decodeBatch(bytes)),
          some,
        )
        let previousHash = GENESIS_HASH
        let wasLarge = true
        for (const { bytes, hash, ...batch } of batches) {
          const held = decodeBatch(bytes)
          const [{ sequence: firstSequence, timeMs }] = held as [LogRecord]
          assert.deepEqual(readHeader(bytes), { firstSequence, timeMs, recordCount: held.length, previousHash })
          assert.deepEqual(batch, { firstSequence, recordCount: held.length })
          const isLarge = held.some((record) => sizeOf(record) >= largeRecordBytes)
          assert.ok(isLarge ? held.length === 1 : wasLarge)
          previousHash = hash
          wasLarge = isLarge
        }
      }),
      { numRuns: runs(300) },
    )
  })

  it('a flush of one batch is that batch', () => {
    const [some] = fc.sample(records, { numRuns: 1, seed: 7 }) as [LogRecord[]]
    const encoder = new BatchEncoder()
    for (const record of some) encoder.add(record)
    assert.deepEqual(encoder.finishAll(GENESIS_HASH, Number.POSITIVE_INFINITY), [encoder.finish(GENESIS_HASH)])
  })

  it('a batch has records that follow each other', () => {
    const [some] = fc.sample(records, { numRuns: 1, seed: 6 }) as [LogRecord[]]
    const encoder = new BatchEncoder()
    const [first] = some as [LogRecord]
    encoder.add(first)
    assert.throws(() => encoder.add({ ...first, sequence: first.sequence + 2 }), /consecutive/)
    assert.throws(() => new BatchEncoder().finish(GENESIS_HASH), /has records/)
  })
})

function codeOf(bytes: Buffer): string {
  try {
    readHeader(bytes)
  } catch (error) {
    assert.ok(error instanceof LogFormatError, 'nothing but a LogFormatError')
    return error.code
  }
  return 'whole'
}

describe('damage', () => {
  const [sample] = fc.sample(records, { numRuns: 1, seed: 11 }) as [LogRecord[]]
  const whole = encode(sample)

  it('damage of any single bit is noticed', () => {
    assert.equal(codeOf(whole), 'whole')
    for (let at = 0; at < whole.length; at++) {
      for (let bit = 0; bit < 8; bit++) {
        const bytes = Buffer.from(whole)
        bytes[at] = (bytes[at] as number) ^ (1 << bit)
        assert.ok(['batch_damaged', 'format_too_new', 'format_too_old'].includes(codeOf(bytes)), `bit ${bit} of byte ${at}`)
      }
    }
  })

  it('damage by a torn write is noticed, wherever it tore', () => {
    for (let length = 0; length < whole.length; length++) {
      assert.equal(codeOf(whole.subarray(0, length)), 'batch_damaged', `cut at ${length}`)
      const zeros = Buffer.from(whole)
      zeros.fill(0, length)
      const isSame = zeros.equals(whole)
      assert.equal(codeOf(zeros), isSame ? 'whole' : 'batch_damaged', `zeros from ${length}`)
    }
  })

  it('damage is reported with its remedy', () => {
    assert.throws(() => readHeader(whole.subarray(1)), /Restore the data folder from a backup \(npm run restore /)
  })

  it('damage by bytes too many is noticed', () => {
    assert.equal(codeOf(Buffer.concat([whole, Buffer.from([0])])), 'batch_damaged')
    assert.equal(codeOf(Buffer.concat([whole, whole])), 'batch_damaged')
  })

  it('damage and a newer format are two things', () => {
    const newer = Buffer.from(whole)
    newer.writeUInt16LE(FORMAT_VERSION + 1, 4)
    assert.equal(codeOf(newer), 'format_too_new')
    assert.throws(() => readHeader(newer), /start the newer release/)
  })

  it('damage and a format that is no longer read are two things', () => {
    const older = Buffer.from(whole)
    older.writeUInt16LE(1, 4)
    assert.equal(codeOf(older), 'format_too_old')
    assert.throws(() => readHeader(older), { message: 'The log has format version 1, which no program after commit fe8dd834 reads.' })
  })
})
