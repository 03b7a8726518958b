// The set of accounts with an open stream.
import assert from 'node:assert/strict'
import test from 'node:test'
import { AccountSet } from '../../../../http/api/stream/account-set.ts'

test('accounts are added, found and deleted alone, and their neighbours stay as they were', () => {
  const accounts = [0, 1, 7, 8, 9, 8191, 8192, 8193, 100_000, 20_000_000]
  const set = new AccountSet()
  for (const account of accounts) assert.equal(set.has(account), false)
  for (const account of accounts) set.add(account)
  const neighbours = accounts.flatMap((account) => [account - 1, account, account + 1]).filter((account) => account >= 0)
  for (const account of neighbours) assert.equal(set.has(account), accounts.includes(account), String(account))
  for (const [at, account] of accounts.entries()) {
    set.delete(account)
    for (const [other, left] of accounts.entries()) assert.equal(set.has(left), other > at, `${left} after ${account}`)
  }
  set.delete(40_000_000)
  assert.equal(set.has(40_000_000), false)
})
