// Changed blocks: each is taken once, and again after its next change.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ChangedBlocks } from '../../../engine/kernel/changed-blocks.ts'

test('the blocks that are taken are those that changed since, each once, in the order of their first change', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.nat(3000), { maxLength: 30 }), { maxLength: 6 }), (rounds) => {
      const blocks = new ChangedBlocks()
      for (const round of rounds) {
        for (const block of round) blocks.add(block)
        assert.deepEqual(blocks.take(), [...new Set(round)])
      }
      assert.deepEqual(blocks.take(), [])
    }),
  )
})
