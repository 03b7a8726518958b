// How a request goes through its steps, with steps that wait, answer and refuse.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Fault } from '../../../http/server/body/validation.ts'
import { ANSWERED, advance, NEXT, resume, type Step, type StepResult, WAITING } from '../../../http/server/request.ts'

class Walk {
  at = 0
  readonly ran: string[] = []
  readonly refused: string[] = []
  readonly call = { refuse: (code: string, ..._details: readonly unknown[]): void => void this.refused.push(code) }
  steps: readonly Step<Walk>[]

  constructor(steps: readonly Step<Walk>[]) {
    this.steps = steps
  }
}

function step(name: string, result: StepResult): Step<Walk> {
  return (walk) => {
    walk.ran.push(name)
    return result
  }
}

describe('the steps of a request', () => {
  const waits = step('waits', WAITING)
  const first = step('first', NEXT)
  const last = step('last', ANSWERED)

  it('the steps of a request run in their order until one answers', () => {
    const walk = new Walk([first, last, step('never', NEXT)])
    advance(walk)
    assert.deepEqual([walk.ran, walk.refused], [['first', 'last'], []])
  })

  it('the steps of a request end with a fault, which refuses it', () => {
    const walk = new Walk([first, step('guard', new Fault('rate_limited')), last])
    advance(walk)
    assert.deepEqual([walk.ran, walk.refused], [['first', 'guard'], ['rate_limited']])
  })

  it('the steps of a request continue once behind a step that waited, and do not run it again', () => {
    const walk = new Walk([first, waits, last])
    advance(walk)
    resume(walk, waits)
    resume(walk, waits)
    assert.deepEqual(walk.ran, ['first', 'waits', 'last'])
  })

  it('a step that waited does not continue a request that was answered meanwhile, although an answer waits at its index', () => {
    const walk = new Walk([waits, last])
    advance(walk)
    walk.steps = [step('proof', WAITING), step('send', ANSWERED)]
    advance(walk)
    resume(walk, waits)
    assert.deepEqual(walk.ran, ['waits', 'proof'])
  })

  it('a step that continues its request before it returns is run once', () => {
    const walk = new Walk([])
    const early: Step<Walk> = (request) => {
      request.ran.push('early')
      resume(request, early)
      return WAITING
    }
    walk.steps = [early, last]
    advance(walk)
    assert.deepEqual(walk.ran, ['early', 'last'])
  })
})
