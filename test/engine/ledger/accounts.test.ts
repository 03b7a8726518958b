// The ledger's columns: what a posting may do, and what stops the process.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { InvariantError } from '../../../engine/kernel/assert.ts'
import type { Currency } from '../../../engine/kernel/currency.ts'
import type { Environment } from '../../../engine/kernel/environment.ts'
import { ACCOUNTS_PER_BLOCK, type AccountBlock, Accounts } from '../../../engine/ledger/accounts.ts'
import type { Posting } from '../../../engine/ledger/transaction.ts'

const SETTLEMENT = 0
const MERCHANT = 6
const WALLET = 7
const TEST_WALLET = 8

/** Accounts of the service itself, which a currency begins with. */
const OWN = [
  ['settlement', 'live'],
  ['clearing', 'live'],
  ['fee', 'live'],
  ['settlement', 'test'],
  ['clearing', 'test'],
  ['fee', 'test'],
] as const

const HOUSE: readonly (readonly ['merchant' | 'wallet', Environment])[] = [
  ['merchant', 'live'],
  ['wallet', 'live'],
  ['wallet', 'test'],
]

/** Settlement, merchant and wallet of live, a wallet of test; the merchant has 1000, of which 300 are held. */
function givenAccounts(): Accounts {
  const accounts = new Accounts()
  for (const [kind, environment] of HOUSE) accounts.open(kind, environment, 'XOF')
  accounts.post({ debit: SETTLEMENT, credit: MERCHANT, amount: 1000 })
  accounts.changeHeld(MERCHANT, 300)
  return accounts
}

function balances(accounts: Accounts): number[] {
  return Array.from({ length: accounts.count }, (_, account) => accounts.balance(account)).filter(
    (_, account) => account === 0 || account >= OWN.length,
  )
}

describe('a posting', () => {
  it('a posting moves its amount and answers both balances after it', () => {
    const accounts = givenAccounts()
    const applied = accounts.post({ debit: MERCHANT, credit: WALLET, amount: 250 })
    assert.deepEqual(applied, { debit: MERCHANT, credit: WALLET, amount: 250, debitBalance: 750, creditBalance: 250 })
    assert.deepEqual(balances(accounts), [-1000, 750, 250, 0])
    assert.equal(accounts.available(MERCHANT), 450)
  })

  it('a posting may bring a settlement account below zero, and no other account', () => {
    const accounts = givenAccounts()
    accounts.post({ debit: SETTLEMENT, credit: WALLET, amount: 5 })
    assert.equal(accounts.balance(SETTLEMENT), -1005)
  })

  const refused: readonly (readonly [then: string, when: Posting])[] = [
    ['an overdraft of a merchant', { debit: MERCHANT, credit: WALLET, amount: 1001 }],
    ['an overdraft of a wallet', { debit: WALLET, credit: MERCHANT, amount: 1 }],
    ['an amount of zero', { debit: MERCHANT, credit: WALLET, amount: 0 }],
    ['a negative amount', { debit: WALLET, credit: MERCHANT, amount: -5 }],
    ['half a franc', { debit: MERCHANT, credit: WALLET, amount: 0.5 }],
    ['no number', { debit: MERCHANT, credit: WALLET, amount: Number.NaN }],
    ['an amount beyond the safe integers', { debit: SETTLEMENT, credit: WALLET, amount: Number.MAX_SAFE_INTEGER + 1 }],
    ['a balance beyond the safe integers', { debit: SETTLEMENT, credit: MERCHANT, amount: Number.MAX_SAFE_INTEGER - 999 }],
    ['a settlement balance beyond the safe integers', { debit: SETTLEMENT, credit: WALLET, amount: Number.MAX_SAFE_INTEGER - 999 }],
    ['an account and itself', { debit: MERCHANT, credit: MERCHANT, amount: 1 }],
    ['live and test', { debit: MERCHANT, credit: TEST_WALLET, amount: 1 }],
    ['an account that does not exist', { debit: MERCHANT, credit: 4, amount: 1 }],
    ['an account below zero', { debit: -1, credit: WALLET, amount: 1 }],
    ['an account that is no integer', { debit: MERCHANT, credit: 1.5, amount: 1 }],
  ]
  for (const [then, when] of refused) {
    it(`a posting is refused for ${then}, and changes nothing`, () => {
      const accounts = givenAccounts()
      const before = accounts.copyBlock(0)
      assert.throws(() => accounts.post(when), InvariantError)
      assert.deepEqual(accounts.copyBlock(0), before)
    })
  }

  it('a posting may leave a balance of exactly zero', () => {
    const accounts = givenAccounts()
    accounts.changeHeld(MERCHANT, -300)
    assert.equal(accounts.post({ debit: MERCHANT, credit: WALLET, amount: 1000 }).debitBalance, 0)
  })
})

describe('what a record leaves', () => {
  it('what a record leaves is covered: held money is not spent', () => {
    const accounts = givenAccounts()
    accounts.post({ debit: MERCHANT, credit: WALLET, amount: 700 })
    accounts.assertCovered(MERCHANT)
    accounts.post({ debit: MERCHANT, credit: WALLET, amount: 1 })
    assert.throws(() => accounts.assertCovered(MERCHANT), InvariantError)
  })

  it('what a record leaves is covered for a settlement account of any balance', () => {
    givenAccounts().assertCovered(SETTLEMENT)
  })
})

describe('what is held', () => {
  it('what is held counts in the balance and not in what may be spent', () => {
    const accounts = givenAccounts()
    assert.deepEqual([accounts.balance(MERCHANT), accounts.held(MERCHANT), accounts.available(MERCHANT)], [1000, 300, 700])
  })

  const refused: readonly (readonly [then: string, account: number, change: number])[] = [
    ['more than the balance', MERCHANT, 701],
    ['below zero', MERCHANT, -301],
    ['on an account without money', WALLET, 1],
    ['on a settlement account', SETTLEMENT, 1],
    ['no integer', MERCHANT, 0.5],
    ['an account that does not exist', 9, 1],
  ]
  for (const [then, account, change] of refused) {
    it(`what is held is never ${then}`, () => {
      const accounts = givenAccounts()
      const before = accounts.copyBlock(0)
      assert.throws(() => accounts.changeHeld(account, change), InvariantError)
      assert.deepEqual(accounts.copyBlock(0), before)
    })
  }
})

describe('accounts', () => {
  it('accounts are numbered from zero and keep kind and environment', () => {
    const accounts = givenAccounts()
    const seen = Array.from({ length: accounts.count }, (_, account) => [accounts.kind(account), accounts.environment(account)])
    assert.deepEqual(seen, [...OWN, ...HOUSE])
  })

  it('accounts keep their currency, also through a snapshot, and no posting leaves it', () => {
    const currencies: readonly Currency[] = ['XOF', 'GHS', 'EUR']
    const accounts = new Accounts()
    for (const currency of currencies) {
      const next = accounts.next(currency)
      assert.equal(accounts.keeps(currency), false)
      assert.equal(accounts.open('wallet', 'test', currency), next, 'the number is known beforehand')
      assert.equal(accounts.next(currency), next + 1)
    }
    const restored = new Accounts()
    restored.restoreBlock(accounts.copyBlock(0))
    for (const one of [accounts, restored]) {
      const seen = Array.from({ length: one.count }, (_, account) => [one.kind(account), one.environment(account), one.currency(account)])
      const expected = currencies.flatMap((currency) => [...OWN, ['wallet', 'test'] as const].map((account) => [...account, currency]))
      assert.deepEqual(seen, expected)
      for (const currency of currencies) {
        const settlement = one.own('settlement', 'test', currency)
        assert.deepEqual([one.kind(settlement), one.environment(settlement), one.currency(settlement)], ['settlement', 'test', currency])
      }
      assert.throws(() => one.own('fee', 'live', 'NGN'), /there are accounts in the currency/)
    }
    const [xof, ghs] = [OWN.length, 2 * OWN.length + 1]
    accounts.post({ debit: accounts.own('settlement', 'test', 'GHS'), credit: ghs, amount: 5 })
    assert.throws(() => accounts.post({ debit: ghs, credit: xof, amount: 5 }), /stays in its environment and its currency/)
    assert.deepEqual(
      [accounts.isSameLedger(ghs, xof), accounts.isSameLedger(ghs, ghs - 1), accounts.isSameLedger(ghs, ghs - 4)],
      [false, true, false],
    )
    assert.throws(() => new Accounts().open('wallet', 'test', 'ABC' as Currency), /currency is known/)
    assert.throws(() => new Accounts().restoreBlock({ ...accounts.copyBlock(0), codes: [255] }), /currency is known/)
  })

  it('accounts of any number go through blocks into other columns, in any order', () => {
    const accounts = new Accounts()
    accounts.openCurrency('XOF')
    for (let account = OWN.length; account < 5 * ACCOUNTS_PER_BLOCK + 7; account++) {
      accounts.open(account % 2 === 0 ? 'wallet' : 'merchant', 'live', 'XOF')
      accounts.post({ debit: 0, credit: account, amount: account })
    }
    const blocks = [...accounts.captureBlocks()].sort(([one], [other]) => other - one)
    assert.equal(blocks.length, 6)
    const restored = new Accounts()
    for (const [block, json] of blocks) {
      assert.equal(json, JSON.stringify(accounts.copyBlock(block)))
      restored.restoreBlock(JSON.parse(json) as AccountBlock)
    }
    assert.equal(restored.count, accounts.count)
    assert.deepEqual(balances(restored), balances(accounts))
    for (let account = OWN.length; account < accounts.count; account++) {
      assert.equal(accounts.balance(account), account, 'a balance stays while the columns grow')
    }
    assert.equal(restored.kind(7), 'merchant')
  })

  it('accounts list which blocks changed since the last time', () => {
    const accounts = new Accounts()
    accounts.openCurrency('XOF')
    for (let account = OWN.length; account < 3 * ACCOUNTS_PER_BLOCK; account++) accounts.open('wallet', 'live', 'XOF')
    const changed = (): number[] => Array.from(accounts.captureBlocks(), ([block]) => block).sort()
    assert.deepEqual(changed(), [0, 1, 2])
    assert.deepEqual(changed(), [])
    accounts.post({ debit: 0, credit: 2 * ACCOUNTS_PER_BLOCK, amount: 1 })
    assert.deepEqual(changed(), [0, 2])
    accounts.changeHeld(2 * ACCOUNTS_PER_BLOCK, 1)
    assert.deepEqual(changed(), [2])
  })
})
