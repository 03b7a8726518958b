// Sums by account: the same as a Map has, for any accounts in any order.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { AccountSums } from '../../../engine/kernel/account-sums.ts'

const ACCOUNTS = fc.oneof(fc.nat(40), fc.nat(2 ** 31 - 2))

test('each account has the sum of what was added to it, and another one 0', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(ACCOUNTS, fc.nat(10 ** 12)), { maxLength: 400 }), ACCOUNTS, (added, other) => {
      const sums = new AccountSums()
      const model = new Map<number, number>()
      for (const [account, amount] of added) {
        sums.add(account, amount)
        model.set(account, (model.get(account) ?? 0) + amount)
      }
      for (const [account, sum] of model) assert.equal(sums.of(account), sum)
      assert.equal(sums.of(other), model.get(other) ?? 0)
    }),
  )
})
