// The invariants of the ledger, from the outside: they hold after every single step.
import assert from 'node:assert/strict'
import type { State } from '../../engine/domain/state.ts'

/** In each environment and currency all balances add up to zero, and no account but settlement has spent what it does not have. */
export function assertMoneyAddsUp({ accounts }: State): void {
  const sums = new Map<string, number>()
  for (let account = 0; account < accounts.count; account++) {
    const balance = accounts.balance(account)
    assert.ok(Number.isSafeInteger(balance), `the balance of account ${account} is a safe integer`)
    const book = `${accounts.environment(account)} ${accounts.currency(account)}`
    sums.set(book, (sums.get(book) ?? 0) + balance)
    if (accounts.kind(account) !== 'settlement') {
      assert.ok(balance >= 0 && accounts.available(account) >= 0, `account ${account} is not overdrawn`)
    }
  }
  for (const [book, sum] of sums) assert.equal(sum, 0, `all balances of ${book} add up to zero`)
}
