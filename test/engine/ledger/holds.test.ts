// Holds: placed once, ended once, always covered; and nothing else changes what is held.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { captureSnapshot, restoreSnapshot } from '../../../engine/actor/snapshot.ts'
import { newState } from '../../../engine/domain/new-state.ts'
import { InvariantError } from '../../../engine/kernel/assert.ts'
import { Accounts } from '../../../engine/ledger/accounts.ts'
import { HOLD_TRANSITIONS, Holds } from '../../../engine/ledger/holds.ts'
import { stateRows } from '../../support/engine-fixture.ts'

const SETTLEMENT = 0
const PAYER = 6
const PAYEE = 7
const EXPIRES = 1000

function given(): { accounts: Accounts; holds: Holds } {
  const accounts = new Accounts()
  accounts.open('wallet', 'live', 'XOF')
  accounts.open('merchant', 'live', 'XOF')
  accounts.post({ debit: SETTLEMENT, credit: PAYER, amount: 500 })
  return { accounts, holds: new Holds(accounts) }
}

const place = (holds: Holds, id: string, amount: number): unknown => holds.place({ id, account: PAYER, amount, expires_at: EXPIRES })

/** Balance, held and what may be spent of the payer, and the balance of the payee. */
function figures(accounts: Accounts): number[] {
  return [accounts.balance(PAYER), accounts.held(PAYER), accounts.available(PAYER), accounts.balance(PAYEE)]
}

describe('a hold', () => {
  it('a hold that is placed can no longer be spent', () => {
    const { accounts, holds } = given()
    assert.deepEqual(place(holds, 'h', 200), { id: 'h', account: PAYER, amount: 200, expires_at: EXPIRES, state: 'placed' })
    assert.deepEqual(figures(accounts), [500, 200, 300, 0])
    assert.equal(holds.canPlace(PAYER, 300), true)
    assert.equal(holds.canPlace(PAYER, 301), false)
  })

  it('a hold that is captured goes to the payee, though it was all there was', () => {
    const { accounts, holds } = given()
    place(holds, 'h', 500)
    accounts.post(holds.capturePosting('h', PAYEE))
    assert.equal(holds.capture('h', EXPIRES - 1).state, 'captured')
    accounts.assertCovered(PAYER)
    assert.deepEqual(figures(accounts), [0, 0, 0, 500])
  })

  const ends: readonly (readonly [state: string, end: (holds: Holds) => { readonly state: string }])[] = [
    ['voided', (holds) => holds.void('h')],
    ['expired', (holds) => holds.expire('h', EXPIRES)],
  ]
  for (const [state, end] of ends) {
    it(`a hold that is ${state} can be spent again`, () => {
      const { accounts, holds } = given()
      place(holds, 'h', 200)
      assert.equal(end(holds).state, state)
      assert.deepEqual(figures(accounts), [500, 0, 500, 0])
      assert.equal(holds.table.size, 0, 'what has ended leaves memory')
    })
  }

  it('a hold has the ends that the table says, and ends there', () => {
    const { placed, ...finals } = HOLD_TRANSITIONS
    assert.deepEqual([...placed].sort(), Object.keys(finals).sort())
    assert.ok(Object.values(finals).every((next) => next.length === 0))
  })

  const bugs: readonly (readonly [then: string, when: (holds: Holds) => unknown])[] = [
    ['placed twice', (holds) => place(holds, 'h', 1)],
    ['placed without cover', (holds) => place(holds, 'other', 301)],
    ['placed of nothing', (holds) => place(holds, 'other', 0)],
    ['placed of less than nothing', (holds) => place(holds, 'other', -1)],
    ['placed of half a franc', (holds) => place(holds, 'other', 0.5)],
    ['captured when it is not there', (holds) => holds.capture('other', 0)],
    ['captured when it has expired', (holds) => holds.capture('h', EXPIRES)],
    ['voided when it is not there', (holds) => holds.void('other')],
    ['expired before its time', (holds) => holds.expire('h', EXPIRES - 1)],
    ['captured and captured again', (holds) => [holds.capture('h', 0), holds.capture('h', 0)]],
    ['voided and then captured', (holds) => [holds.void('h'), holds.capture('h', 0)]],
    ['captured and then expired', (holds) => [holds.capture('h', 0), holds.expire('h', EXPIRES)]],
  ]
  for (const [then, when] of bugs) {
    it(`a hold is never ${then}`, () => {
      const { holds } = given()
      place(holds, 'h', 200)
      assert.throws(() => when(holds), InvariantError)
    })
  }
})

describe('holds', () => {
  it('holds of an account add up to what is held of it, after any operations', () => {
    const step = fc.record({
      id: fc.nat(5),
      what: fc.constantFrom('place', 'capture', 'void', 'expire'),
      amount: fc.integer({ min: 1, max: 300 }),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { accounts, holds } = given()
        for (const { id, what, amount } of steps) takeStep(accounts, holds, String(id), what, amount)
        const sum = [...holds.table.values()].reduce((total, hold) => total + hold.amount, 0)
        assert.equal(accounts.held(PAYER), sum)
        accounts.assertCovered(PAYER)
        assert.equal(accounts.balance(SETTLEMENT) + accounts.balance(PAYER) + accounts.balance(PAYEE), 0)
      }),
    )
  })

  it('holds are in the snapshot', () => {
    const state = newState()
    const account = state.accounts.open('wallet', 'live', 'XOF')
    state.accounts.post({ debit: 0, credit: account, amount: 100 })
    state.holds.place({ id: 'h', account, amount: 60, expires_at: EXPIRES })
    state.holds.place({ id: 'gone', account, amount: 30, expires_at: EXPIRES })
    state.holds.void('gone')
    const { changes, point } = captureSnapshot(state, { sequence: 1, timeMs: 0, batchHash: '' })
    const rows = Array.from({ [Symbol.iterator]: () => changes }).flatMap(({ key, value }) => (value === null ? [] : [{ key, value }]))
    const restored = newState()
    restoreSnapshot(restored, { ...point, rows })
    assert.deepEqual(stateRows(restored), stateRows(state))
    assert.equal(restored.holds.get('h')?.amount, 60)
    restored.holds.void('h')
    assert.equal(restored.accounts.available(account), 100)
  })

  it('holds are the only ones that change what is held', () => {
    const engine = join(import.meta.dirname, '..', '..', '..', 'engine')
    const callers = readdirSync(engine, { recursive: true, encoding: 'utf8' }).filter(
      (path) => path.endsWith('.ts') && readFileSync(join(engine, path), 'utf8').includes('changeHeld('),
    )
    assert.deepEqual(callers.sort(), [join('ledger', 'accounts.ts'), join('ledger', 'holds.ts')])
  })
})

function takeStep(accounts: Accounts, holds: Holds, id: string, what: string, amount: number): void {
  const isPlaced = holds.get(id) !== undefined
  if (what === 'place') {
    if (!isPlaced && holds.canPlace(PAYER, amount)) place(holds, id, amount)
  } else if (isPlaced && what === 'capture') {
    accounts.post(holds.capturePosting(id, PAYEE))
    holds.capture(id, 0)
  } else if (isPlaced && what === 'void') holds.void(id)
  else if (isPlaced) holds.expire(id, EXPIRES)
}
