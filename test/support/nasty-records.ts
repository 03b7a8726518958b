// Records of payouts, batches and withdrawals with texts that look like the structure of the log.
import fc from 'fast-check'
import { BatchEncoder } from '../../engine/actor/batch-encoder.ts'
import { GENESIS_HASH } from '../../engine/actor/record-codec.ts'
import type { LogRecord } from '../../engine/domain/record.ts'
import { readBatchLines } from './batch-lines.ts'
import { openMerchant, openWallet, payout, withdraw } from './commands.ts'
import { EngineFixture } from './engine-fixture.ts'

/** Texts that look like the structure around them. */
const NASTY = fc.oneof(
  fc.constantFrom('', 'R1', '"', '\\', '\\"', '],[', '"],["', '\\\\', 'é', '😀', '",3,[', '\n', '[[', ']]'),
  fc.string({ unit: 'binary', maxLength: 12 }),
)
const TAG = fc.constantFrom('awa', 'moussa', 'nobody')
export const PAYOUTS = fc.array(
  fc.record({ tag: TAG, amount: fc.constantFrom(1, 999, 10_000_000), reference: NASTY, note: NASTY, key: NASTY }),
  {
    maxLength: 12,
  },
)

/** Of the key that pays most of the payouts. */
const KEY_ID = '019aa0f8-1c00-7e12-8c4d-5e6f708192a3'

export function encoded(records: readonly LogRecord[]): Buffer {
  const encoder = new BatchEncoder()
  for (const record of records) encoder.add(record)
  return encoder.finish(GENESIS_HASH).bytes
}

export async function recordsOf(
  payouts: readonly { tag: string; amount: number; reference: string; note: string; key: string }[],
): Promise<LogRecord[]> {
  const fixture = await EngineFixture.open()
  const { test: merchant, id } = openMerchant(fixture, 'baobab', 5000)
  for (const tag of ['awa', 'moussa']) openWallet(fixture, tag)
  for (const { tag, amount, reference, note, key } of payouts) {
    fixture.loop.nowMs += 1
    fixture.do({ ...payout(merchant, tag, amount, reference, note), ...(amount === 1 ? {} : { keyId: KEY_ID }) }, key === '' ? {} : { key })
  }
  const lines = readBatchLines(payouts.map(({ tag, amount, reference, note }) => ({ recipient: tag, amount, reference, note })))
  if (lines.length > 0) {
    const command = {
      type: 'CreateBatch',
      merchant,
      lines,
      reference: payouts[0]?.reference ?? '',
      scheduleId: null,
      keyId: KEY_ID,
    } as const
    fixture.do(command, { mailbox: merchant, key: payouts[0]?.note ?? '' })
  }
  fixture.do(withdraw({ merchantId: id }, 1))
  return fixture.records
}
