import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { LOCKED_PINS_LISTED_MAX } from '../../../../engine/domain/auth/auth-limits.ts'
import { LockedPins } from '../../../../engine/domain/auth/locked-pins.ts'

test('the list of locked PINs begins with the lock that began last, ends with an entered PIN and has a maximum', () => {
  const pins = new LockedPins()
  const lock = (account: number, locked_until_ms: number) => ({ account, locks: 1, locked_until_ms })
  for (let account = 1; account <= LOCKED_PINS_LISTED_MAX + 5; account++) pins.index(lock(account, account), undefined)
  pins.index(lock(7, 9000), lock(7, 7))
  pins.index({ ...lock(20, 0), locks: 0 }, lock(20, 20))
  const listed = pins.newestFirst().map(({ account }) => account)
  deepStrictEqual(listed.slice(0, 2), [7, LOCKED_PINS_LISTED_MAX + 5])
  deepStrictEqual([listed.includes(5), listed.includes(6), listed.includes(20)], [false, true, false])
  strictEqual(listed.length, LOCKED_PINS_LISTED_MAX - 1)
})
