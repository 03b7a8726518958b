// When a follower counts as cut off from the owner.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { OwnerProbe } from '../../../http/app/owner-probe.ts'
import { OWNER_UNREACHABLE_MS } from '../../../http/server/server-limits.ts'

it('a follower counts as cut off when the owner answers no probe for longer than a takeover takes, and no more at the first answer', () => {
  let nowMs = 0
  const probe = new OwnerProbe(() => nowMs)
  const [first, second] = [1, 2].map((epoch) => ({ url: 'http://a', epoch })) as [
    { url: string; epoch: number },
    { url: string; epoch: number },
  ]
  probe.add(first, 'unreachable')
  nowMs = OWNER_UNREACHABLE_MS - 1
  assert.equal(probe.trouble, null)
  probe.add(second, 'rejected')
  nowMs++
  assert.equal(probe.trouble, null)
  nowMs += OWNER_UNREACHABLE_MS
  assert.deepEqual(probe.trouble, { code: 'secret_rejected', measuredMs: OWNER_UNREACHABLE_MS + 1 })
  probe.add(second, 'unreachable')
  assert.match(JSON.stringify(probe.trouble), /owner_unreachable/)
  probe.add(second, 'reached')
  assert.equal(probe.trouble, null)
})
