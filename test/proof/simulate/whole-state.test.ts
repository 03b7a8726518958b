// What the walk over live state sees: rows of tables, and what no table and no snapshot knows of.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { newState } from '../../../engine/domain/new-state.ts'
import { assertSameRows } from '../../support/walked-rows.ts'
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

describe('the comparison of rows', () => {
  const row = { id: 'a', amount: 5, by: { id: null } }
  type Change = (state: ReturnType<typeof newState>) => void
  const withRow = (other: object): Change => {
    return (state) => state.approvals.waiting.set('a', other as never)
  }

  for (const [name, one, other] of [
    ['a row that only one has', withRow(row), () => {}],
    ['a row that only the other has', () => {}, withRow(row)],
    ['a member of another value', withRow(row), withRow({ ...row, amount: 6 })],
    ['a member of a member', withRow(row), withRow({ ...row, by: { id: 'b' } })],
    ['a member that only one has', withRow(row), withRow({ id: 'a', amount: 5 })],
    ['a balance', (state) => state.accounts.post({ debit: 0, credit: 1, amount: 5 }), () => {}],
    ['a timer', (state) => state.timers.set('charge', 'token', 5), () => {}],
    ['a frame', (state) => state.frames.set(3, 1), () => {}],
  ] as const satisfies readonly (readonly [string, Change, Change])[]) {
    it(`it sees ${name}`, () => {
      const [state, otherState] = [newState(), newState()]
      assertSameRows(state, otherState, 'both are empty')
      one(state)
      other(otherState)
      assert.throws(() => assertSameRows(state, otherState, 'they differ'), /they differ/)
    })
  }

  it('it takes a member that is undefined for one that is absent, as a snapshot does', () => {
    const [state, otherState] = [newState(), newState()]
    withRow({ ...row, note: undefined })(state)
    withRow(row)(otherState)
    assertSameRows(state, otherState, 'they are the same text')
  })
})
