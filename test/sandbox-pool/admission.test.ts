// Who runs next, who waits, who is refused: the limits, the turns that merchants take, and which run gives way in a full queue.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Admission } from '../../sandbox-pool/admission.ts'
import { FREE_SHARE, STARTED_MAX, STARTED_PER_MERCHANT_MAX, WAITING_MAX } from '../../sandbox-pool/limits.ts'
import { runs } from '../support/property-runs.ts'

interface Run {
  readonly merchantId: string
  readonly name: string
}

const run = (name: string): Run => ({ merchantId: name.slice(0, 1), name })

/** Offers runs by name, the first character being the merchant; answers those that are refused. */
function offered(admission: Admission<Run>, names: readonly string[]): string[] {
  return names.flatMap((name) => admission.offer(run(name))?.name ?? [])
}

/** Starts each run that may start. */
function started(admission: Admission<Run>): string[] {
  const names: string[] = []
  for (let next = admission.next(); next !== null; next = admission.next()) names.push(next.name)
  return names
}

function numbered(merchant: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${merchant}${index}`)
}

test('merchants take turns, each in its own order', () => {
  const admission = new Admission<Run>()
  assert.deepEqual(offered(admission, ['a0', 'a1', 'a2', 'a3', 'b0', 'b1', 'b2', 'c0']), [])
  assert.deepEqual(started(admission), ['a0', 'b0', 'c0', 'a1', 'b1', 'a2', 'b2', 'a3'])
  assert.deepEqual([admission.started, admission.waiting], [8, 0])
})

test('one merchant may start 80, and the next one when one of them has ended', () => {
  const admission = new Admission<Run>()
  offered(admission, numbered('a', STARTED_PER_MERCHANT_MAX + 1))
  assert.equal(started(admission).length, STARTED_PER_MERCHANT_MAX)
  admission.release(run('a0'))
  assert.deepEqual(started(admission), [`a${STARTED_PER_MERCHANT_MAX}`])
})

test('four merchants may start 50 each', () => {
  const admission = new Admission<Run>()
  for (const merchant of ['a', 'b', 'c', 'd']) {
    assert.deepEqual(offered(admission, numbered(merchant, 50)), [])
    assert.equal(started(admission).length, 50)
  }
})

test('ten merchants that start all they may leave places to the next', () => {
  const admission = new Admission<Run>()
  for (const merchant of 'abcdefghij') {
    offered(admission, numbered(merchant, STARTED_PER_MERCHANT_MAX))
    started(admission)
  }
  assert.ok(admission.started < STARTED_MAX)
  offered(admission, ['z0'])
  assert.deepEqual(started(admission), ['z0'])
})

test('a merchant who comes late is next, before those with runs already waiting', () => {
  const admission = new Admission<Run>()
  offered(admission, numbered('a', 40))
  assert.equal(admission.next()?.name, 'a0')
  offered(admission, ['b0'])
  assert.deepEqual([admission.next()?.name, admission.next()?.name], ['a1', 'b0'])
})

test('a merchant whose runs fill the queue is refused more', () => {
  const admission = new Admission<Run>()
  const names = numbered('a', WAITING_MAX + 2)
  assert.deepEqual(offered(admission, names), names.slice(WAITING_MAX))
  assert.equal(admission.waiting, WAITING_MAX)
})

test('in a full queue the newest of the longest queue gives way to a merchant who has fewer waiting', () => {
  const admission = new Admission<Run>()
  offered(admission, numbered('a', WAITING_MAX - 1))
  offered(admission, ['b0'])
  assert.deepEqual(offered(admission, ['c0', 'b1']), [`a${WAITING_MAX - 2}`, `a${WAITING_MAX - 3}`])
  assert.equal(admission.waiting, WAITING_MAX)
  assert.deepEqual(started(admission).slice(0, 5), ['a0', 'b0', 'c0', 'a1', 'b1'])
})

test('no run gives way to a merchant who would then have as many waiting', () => {
  const admission = new Admission<Run>()
  offered(admission, [...numbered('a', WAITING_MAX / 2), ...numbered('b', WAITING_MAX / 2)])
  assert.deepEqual(offered(admission, ['a99', 'b99']), ['a99', 'b99'])
  assert.deepEqual(offered(admission, ['c0']), [`a${WAITING_MAX / 2 - 1}`])
})

test('who leaves the queue is not started, and is gone once', () => {
  const admission = new Admission<Run>()
  const [first, second] = [run('a0'), run('a1')]
  admission.offer(first)
  admission.offer(second)
  assert.equal(admission.remove(first), true)
  assert.equal(admission.remove(first), false)
  assert.equal(admission.next(), second)
  assert.equal(admission.remove(second), false)
  admission.offer(first)
  assert.deepEqual(admission.removeAll(), [first])
  assert.deepEqual([admission.waiting, admission.next()], [0, null])
})

type Move =
  | { readonly do: 'offer'; readonly merchant: string }
  | { readonly do: 'next' }
  | { readonly do: 'release' | 'remove'; readonly which: number }

/** The same, kept as two plain lists. */
class Model {
  readonly admission = new Admission<Run>()
  readonly waiting: Run[] = []
  readonly running: Run[] = []

  offer(offer: Run): void {
    this.waiting.push(offer)
    const refused = this.admission.offer(offer)
    if (refused !== null) this.waiting.splice(this.waiting.indexOf(refused), 1)
  }

  /** A run that starts may start and is the first of its merchant; none starts only when none may. */
  next(): void {
    const next = this.admission.next()
    if (next === null) return assert.ok(!this.waiting.some((run) => this.#mayRun(run)))
    assert.ok(this.#mayRun(next))
    const first = this.waiting.find(({ merchantId }) => merchantId === next.merchantId)
    assert.equal(first, next)
    this.running.push(...this.waiting.splice(this.waiting.indexOf(next), 1))
  }

  release(which: number): void {
    for (const gone of this.running.splice(which % Math.max(1, this.running.length), 1)) this.admission.release(gone)
  }

  remove(which: number): void {
    for (const gone of this.waiting.splice(which % Math.max(1, this.waiting.length), 1)) assert.ok(this.admission.remove(gone))
  }

  #mayRun({ merchantId }: Run): boolean {
    const own = this.running.filter((other) => other.merchantId === merchantId).length
    const free = STARTED_MAX - this.running.length
    return free > 0 && own < STARTED_PER_MERCHANT_MAX && own * FREE_SHARE <= free
  }
}

test('after any operations limits hold, counts are right, no run is lost or started twice, none waits that could start', () => {
  const move: fc.Arbitrary<Move> = fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant('offer' as const), merchant: fc.constantFrom('a', 'b', 'c', 'd') }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('next' as const) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('release' as const, 'remove' as const), which: fc.nat() }) },
  )
  const property = fc.property(fc.array(move, { maxLength: 400, size: 'max' }), (moves) => {
    const model = new Model()
    for (const [index, step] of moves.entries()) {
      if (step.do === 'offer') model.offer(run(`${step.merchant}${index}`))
      else if (step.do === 'next') model.next()
      else model[step.do](step.which)
      assert.deepEqual([model.admission.waiting, model.admission.started], [model.waiting.length, model.running.length])
      assert.ok(model.waiting.length <= WAITING_MAX)
    }
  })
  fc.assert(property, { numRuns: runs(100) })
})
