// The count of processes that ended inside a write of the archive.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { it, type TestContext } from 'node:test'
import { processEntry } from '../../../engine/kernel/script-entry.ts'
import { unfinishedWrites, WriteMark } from '../../../wal/archive/write-mark.ts'
import { WRITES_UNTIL_SOUND } from '../../../wal/limits.ts'
import { closeLater, scratchFolder } from '../../support/scratch-folder.ts'

const CHILD = processEntry(new URL('../../support/wal-children/end-inside-write.ts', import.meta.url))

function markOf(test: TestContext, path: string): WriteMark {
  const mark = new WriteMark(path)
  closeLater(test, { close: async () => mark.close() })
  return mark
}

it('processes in a row that end inside a write of the archive are counted', (test) => {
  const path = scratchFolder(test)
  assert.equal(unfinishedWrites(path), 0)
  markOf(test, path).during(() => {
    assert.equal(unfinishedWrites(path), 1)
    // The next process begins while the mark of this one stands, as after a kill.
    const next = markOf(test, path)
    next.during(() => assert.equal(unfinishedWrites(path), 2))
    next.during(() => assert.equal(unfinishedWrites(path), 2))
    assert.equal(unfinishedWrites(path), 0)
  })
})

it('a process that ends between two writes of the archive is not counted, nor are those before it', (test) => {
  const path = scratchFolder(test)
  markOf(test, path).during(() => markOf(test, path).during(() => {}))
  markOf(test, path).during(() => assert.equal(unfinishedWrites(path), 1))
})

it('a write of the archive that fails is a finished one', (test) => {
  const path = scratchFolder(test)
  const fail = (): void => {
    throw new Error('no space')
  }
  assert.throws(() => markOf(test, path).during(fail), /no space/)
  assert.equal(unfinishedWrites(path), 0)
})

it('after many writes of the archive the processes before are no longer counted', (test) => {
  const path = scratchFolder(test)
  markOf(test, path).during(() => {
    const next = markOf(test, path)
    for (let count = 0; count < WRITES_UNTIL_SOUND; count++) next.during(() => {})
    next.during(() => assert.equal(unfinishedWrites(path), 1))
  })
})

for (const [how, ended, count] of [
  ['exits', [3, null], 0],
  ['abort', [null, 'SIGABRT'], 1],
] as const)
  it(`a process that ${how === 'exits' ? 'exits' : 'LMDB aborts'} inside a write of the archive ${count === 0 ? 'is not counted' : 'is counted'}`, (test) => {
    const path = scratchFolder(test)
    const { status, signal } = spawnSync(process.execPath, [...CHILD, path, how])
    assert.deepEqual([status, signal], ended)
    assert.equal(unfinishedWrites(path), count)
  })
