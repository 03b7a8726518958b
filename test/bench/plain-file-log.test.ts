// The append-only file that the bench compares LMDB with: it keeps the contract of a log as far as a comparison needs it.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { measureLog } from '../../bench/cauri/log-latency.ts'
import { PlainFileLog } from '../../bench/cauri/plain-file-log.ts'
import type { DurableLog } from '../../engine/actor/ports.ts'

for (const sync of ['fdatasync', 'dsync'] as const) {
  for (const isPreallocated of [false, true]) {
    test(`an append-only file with ${sync}${isPreallocated ? ', preallocated,' : ''} returns its batches in order and refuses a gap`, async (context) => {
      const folder = mkdtempSync(join(tmpdir(), 'cauri-plain-'))
      context.after(() => rmSync(folder, { recursive: true, force: true }))
      const log = await PlainFileLog.create({ path: join(folder, 'log'), sync, isPreallocated })
      assert.equal(await append(log, 1, 3, 'first'), null)
      assert.equal(await append(log, 4, 1, 'second'), null)
      assert.match(String(await append(log, 9, 1, 'gap')), /out_of_order|ends at sequence 4/)
      assert.equal(log.durableSequence, 4)
      const seen: string[] = []
      for await (const { firstSequence, bytes } of log.read(2)) seen.push(`${firstSequence} ${Buffer.from(bytes).toString('utf8')}`)
      assert.deepEqual(seen, ['1 first', '4 second'])
      await log.close()
      assert.match(String(await append(log, 5, 1, 'late')), /closed/)
    })
  }
}

test('callers of a log get their next turn together and each is counted', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'cauri-plain-'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  const log = await PlainFileLog.create({ path: join(folder, 'log'), sync: 'dsync', isPreallocated: false })
  const histogram = await measureLog(log, 4, 0.05)
  await log.close()
  assert.ok(histogram.totalCount > 0)
  assert.equal(histogram.totalCount % 4, 0)
  assert.equal(log.durableSequence % 4, 0)
})

function append(log: DurableLog, expectedSequence: number, recordCount: number, text: string): Promise<Error | null> {
  const batch = { partition: 0, epoch: 1, expectedSequence, recordCount, bytes: Buffer.from(text) }
  return new Promise((resolve) => log.append([batch], resolve))
}
