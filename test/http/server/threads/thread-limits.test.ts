import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { youngMbMax } from '../../../../http/server/threads/thread-limits.ts'

describe('young generation of an HTTP thread', () => {
  it('has three times the semi-space that the process was started with, the last flag counts', () => {
    assert.equal(youngMbMax(['--max-semi-space-size=64', '--no-memory-reducer']), 192)
    assert.equal(youngMbMax(['--max-semi-space-size=64', '--max_semi_space_size=16']), 48)
  })

  it('is that of Node.js where the process has no flag', () => {
    assert.equal(youngMbMax([]), undefined)
    assert.equal(youngMbMax(['--max-semi-space-size=']), undefined)
  })
})
