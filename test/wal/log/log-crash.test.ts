// Real processes that die while they append: every acknowledged batch is there afterwards, and the chain holds.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { it } from 'node:test'
import { GENESIS_HASH, hashBatch, readHeader } from '../../../engine/actor/record-codec.ts'
import { processEntry } from '../../../engine/kernel/script-entry.ts'
import { asBuffer } from '../../../wal/lmdb-store.ts'
import { LmdbLog } from '../../../wal/log/lmdb-log.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const CHILD = processEntry(new URL('../../support/wal-children/append.ts', import.meta.url))
const ROUNDS = 5

interface Progress {
  /** Last sequence of the flush that was appended last. */
  readonly begun: number
  readonly acknowledged: number
}

const BEGUN = 'begun '

/** Kills the process once it has acknowledged `appends` flushes. */
async function killAfter(child: ChildProcess, appends: number): Promise<Progress> {
  const exited = once(child, 'exit')
  let begun = 0
  let acknowledged = 0
  let count = 0
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    if (line.startsWith(BEGUN)) {
      begun = Number(line.slice(BEGUN.length))
      continue
    }
    acknowledged = Number(line)
    if (++count === appends) child.kill('SIGKILL')
  }
  const [, signal] = await exited
  assert.equal(signal, 'SIGKILL')
  return { begun, acknowledged }
}

async function assertWhole(path: string): Promise<number> {
  const log = await LmdbLog.open({ path })
  let hash: string = GENESIS_HASH
  let lastSequence = 0
  for await (const batch of log.read(1)) {
    const header = readHeader(asBuffer(batch.bytes))
    assert.equal(header.firstSequence, lastSequence + 1)
    assert.equal(header.previousHash, hash)
    hash = hashBatch(batch.bytes)
    lastSequence += header.recordCount
  }
  assert.equal(log.durableSequence, lastSequence)
  await log.close()
  return lastSequence
}

it('the log keeps every acknowledged flush through kill -9, and all or nothing of the next one', async (test) => {
  const path = join(scratchFolder(test), 'log')
  let before = 0
  for (let round = 1; round <= ROUNDS; round++) {
    const child = spawn(process.execPath, [...CHILD, path], { stdio: ['ignore', 'pipe', 'inherit'] })
    const { begun, acknowledged } = await killAfter(child, 7 * round)
    const durable = await assertWhole(path)
    assert.ok(acknowledged > before, 'the process went on after the one before it')
    assert.ok(durable === acknowledged || durable === begun, `acknowledged ${acknowledged}, begun ${begun}, on disk ${durable}`)
    before = durable
  }
})

it('the log stops at a full disk: the failed flush is reported once and no batch of it ever shows', async (test) => {
  const path = join(scratchFolder(test), 'log')
  // A limit on the size of files stands in for a full disk: it needs no privileges, and the write fails the same way.
  const command = `ulimit -f 1024 && exec "${process.execPath}" ${CHILD.map((part) => `"${part}"`).join(' ')} "${path}"`
  const child = spawn('bash', ['-c', command], { stdio: ['ignore', 'pipe', 'ignore'] })
  const lines: string[] = []
  const exited = once(child, 'exit')
  for await (const line of createInterface({ input: child.stdout })) if (!line.startsWith(BEGUN)) lines.push(line)
  assert.deepEqual(await exited, [3, null])
  const { code, ...verdict } = JSON.parse(lines.pop() as string) as { code: string }
  const acknowledged = Number(lines[lines.length - 1])
  // LMDB reports a write that the system cut short as EIO.
  assert.match(code, /^(disk_full|append_failed)$/)
  assert.deepEqual(verdict, { again: code, calls: lines.length + 1, durable: acknowledged })
  assert.equal(await assertWhole(path), acknowledged)
})
