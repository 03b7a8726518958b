// What every attack is followed by: the sandbox must be as if nothing had happened, for the attacker and for all others.
import assert from 'node:assert/strict'
import { RUN_WALL_MS } from '../../sandbox-pool/limits.ts'
import { Patience } from './patience.ts'
import type { Stand } from './sandbox-fixture.ts'

/** Less than the cores idle while one of two computes for a whole run: on a machine without other work no late run is repeated. */
const NEXT_MAX_MS = RUN_WALL_MS / 4

/** Marks its machine and returns whether it was marked before. */
const NEXT = `function lookup(args) {
  const marks = [globalThis.mark, Object.prototype.mark, JSON.mark, Array.prototype.mark, Function.prototype.mark, fetch.mark]
  for (const marked of [globalThis, Object.prototype, JSON, Array.prototype, Function.prototype, fetch]) marked.mark = args.n
  return { sum: args.n + [1, 2].reduce((sum, n) => sum + n, 0), marks: marks.filter((mark) => mark !== undefined) }
}`

/** The next run works and finds a new machine, for any merchant. */
export async function assertUnharmed(stand: Stand, attacker: string): Promise<void> {
  const next = [attacker, 'somebody-else'].map((merchantId) => nextValue(stand, merchantId))
  for (const value of await Promise.all(next)) assert.deepEqual(value, { sum: 42, marks: [] })
}

/** Code that computed for long has threads of low priority, which a busy machine may not run before the deadline. */
async function nextValue(stand: Stand, merchantId: string): Promise<unknown> {
  const patience = new Patience(NEXT_MAX_MS)
  for (;;) {
    const result = await stand.run(NEXT, { merchantId, argument: { n: 39 } })
    if (result.ok) return JSON.parse(result.value)
    if (result.fault !== 'timeout' || (result.started && patience.isOver))
      assert.fail(`${result.fault}: ${result.error} ${result.logs.join('\n')}`)
  }
}

/** A child that had to be replaced would be in the events. */
export function assertOneChild(stand: Stand): void {
  assert.deepEqual(
    stand.events.filter(({ type }) => type !== 'ready'),
    [],
  )
  assert.equal(stand.pids().length, 1)
}
