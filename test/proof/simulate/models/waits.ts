// The wait from a failed attempt to the next, for webhooks and messages, by the contract.
import assert from 'node:assert/strict'

/** Share by which a wait may vary. */
const JITTER = 0.2

export interface Wait {
  readonly foundMs: number
  /** Without jitter. */
  readonly usualMs: number
  /** What the receiver asked for, as far as it is honoured; 0 for nothing. */
  readonly askedMs: number
}

/** The receiver's `Retry-After` takes the place of the usual wait where it is longer. */
export function assertWait({ foundMs, usualMs, askedMs }: Wait, what: string): void {
  const [leastMs, mostMs] = [Math.floor((1 - JITTER) * usualMs), Math.ceil((1 + JITTER) * usualMs)]
  const isRight = foundMs >= Math.max(leastMs, askedMs) && foundMs <= Math.max(mostMs, askedMs)
  assert.ok(isRight, `the wait after ${what} is ${foundMs} ms; usual are ${usualMs}, and the receiver asked for ${askedMs}`)
}
