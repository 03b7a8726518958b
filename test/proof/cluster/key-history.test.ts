// The checker of idempotency keys accepts one execution with its replays, and refuses anything else.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type KeyAttempt, keyContradiction } from './key-history.ts'

const first = (startMs: number, endMs: number, body: string): KeyAttempt => ({ node: 'a', startMs, endMs, body, isReplay: false })
const replay = (startMs: number, endMs: number, body: string): KeyAttempt => ({ node: 'b', startMs, endMs, body, isReplay: true })
const lost = (startMs: number): KeyAttempt => ({ node: 'c', startMs, endMs: Number.POSITIVE_INFINITY, body: null, isReplay: false })

describe('a history of one idempotency key', () => {
  const rows: [title: string, attempts: KeyAttempt[], isExplained: boolean][] = [
    ['is explained by one execution', [first(0, 10, 'x')], true],
    ['is explained by one execution and its replays', [first(0, 10, 'x'), replay(11, 12, 'x'), replay(11, 13, 'x')], true],
    ['is explained when two requests ran at once and one was the first', [replay(0, 10, 'x'), first(1, 9, 'x')], true],
    ['is explained when the first answer was lost', [lost(0), replay(5, 6, 'x'), replay(7, 8, 'x')], true],
    ['is explained when the lost request was not executed', [lost(0), first(5, 6, 'x'), replay(7, 8, 'x')], true],
    ['is explained when many requests were lost', [...Array.from({ length: 200 }, (_, at) => lost(at)), first(300, 301, 'x')], true],
    ['is refused when the key was executed twice', [first(0, 10, 'x'), first(11, 12, 'x')], false],
    ['is refused when a replay has another body', [first(0, 10, 'x'), replay(11, 12, 'y')], false],
    ['is refused when replays of a lost answer differ', [lost(0), replay(5, 6, 'x'), replay(7, 8, 'y')], false],
    ['is explained when a node had passed the request on twice', [replay(0, 1, 'x'), replay(5, 6, 'x')], true],
    ['is refused when it was executed after a replay', [replay(0, 1, 'x'), first(5, 6, 'x')], false],
  ]
  for (const [title, attempts, isExplained] of rows) {
    it(title, () => assert.equal(keyContradiction('key', attempts) === null, isExplained))
  }
})
