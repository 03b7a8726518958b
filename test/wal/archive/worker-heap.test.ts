import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { describe, it } from 'node:test'
import { processEntry } from '../../../engine/kernel/script-entry.ts'
import { ARCHIVE_SEMI_SPACE_MB } from '../../../wal/limits.ts'

const PROCESS_SEMI_SPACE_MB = 32
const CHILD = new URL('../../support/wal-children/young-generation.ts', import.meta.url)

describe('heap of the thread of the archive', () => {
  it('the semi-spaces of the thread stay small in a process that has large ones, and the process keeps its own', () => {
    const printed = execFileSync(process.execPath, [`--max-semi-space-size=${PROCESS_SEMI_SPACE_MB}`, ...processEntry(CHILD)], {
      encoding: 'utf8',
    })
    // Two semi-spaces each.
    assert.deepEqual(printed.trim().split('\n').map(Number), [2 * ARCHIVE_SEMI_SPACE_MB, 2 * PROCESS_SEMI_SPACE_MB])
  })
})
