// What the walk over live state sees: rows of tables, and what no table and no snapshot knows of.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { newState } from '../../engine/domain/new-state.ts'
import { assertSameWhole, wholeState } from './whole-state.ts'

class Forgotten {
  readonly #rows = new Map<string, object>()

  set(key: string, row: object): void {
    this.#rows.set(key, row)
  }
}

describe('the walk over live state', () => {
  it('two empty states hold the same', () => {
    assertSameWhole(newState(), newState(), 'empty')
  })

  it('it sees a row of a private map that no snapshot knows of', () => {
    const [one, other] = [newState(), newState()]
    const [forgotten, same] = [new Forgotten(), new Forgotten()]
    Object.assign(one, { forgotten })
    Object.assign(other, { forgotten: same })
    assertSameWhole(one, other, 'both are empty')
    forgotten.set('a', { value: 1 })
    assert.throws(() => assertSameWhole(one, other, 'one has a row more'), /one has a row more/)
    assert.ok(wholeState(one).includes('state.forgotten.#rows[a] = {"value":1}'))
  })

  it('it sees a balance, the stream of an account and a timer', () => {
    for (const change of [
      (state: ReturnType<typeof newState>) => state.accounts.post({ debit: 0, credit: 1, amount: 5 }),
      (state: ReturnType<typeof newState>) => state.frames.set(3, 1),
      (state: ReturnType<typeof newState>) => state.timers.set('charge', 'token', 5),
    ]) {
      const changed = newState()
      change(changed)
      assert.throws(() => assertSameWhole(changed, newState(), 'changed'))
    }
  })
})
