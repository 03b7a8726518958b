// All accounts in parallel columns: kind, environment and currency, balance, holds. The only code that changes a balance.
// A balance is credits minus debits: money owed to merchants and wallets is positive, settlement accounts are negative.
// The sum over all accounts of an environment and a currency is always zero.
import { CURRENCIES, type Currency } from '../kernel/amount.ts'
import { assert } from '../kernel/assert.ts'
import { ChangedBlocks, jsonOfNumbers } from '../kernel/changed-blocks.ts'
import type { Environment } from '../kernel/environment.ts'
import type { AccountNumber, AppliedPosting, Posting } from './transaction.ts'

export const ACCOUNT_KINDS = ['settlement', 'clearing', 'merchant', 'wallet'] as const

export type AccountKind = (typeof ACCOUNT_KINDS)[number]

/** Only a settlement account may go below zero: it mirrors the money that was deposited. */
const SETTLEMENT = 0

/** Number of accounts that the snapshot stores as one row. */
export const ACCOUNTS_PER_BLOCK = 1024

/** A code has four bits for the kind, one for the environment, three for the currency. */
const KIND_BITS = 4
const CURRENCY_SHIFT = 5
const CURRENCIES_MAX = 8
const FIRST_CAPACITY = ACCOUNTS_PER_BLOCK * 4

/** Balances of one block of accounts, as the snapshot stores them. */
export interface AccountBlock {
  readonly block: number
  /** Currency, environment and kind of each account, packed. */
  readonly codes: readonly number[]
  readonly balances: readonly number[]
  readonly holds: readonly number[]
}

interface Columns {
  readonly codes: Uint8Array
  readonly balances: Float64Array
  readonly holds: Float64Array
}

export class Accounts {
  #count = 0
  #codes = new Uint8Array(FIRST_CAPACITY)
  #balances = new Float64Array(FIRST_CAPACITY)
  #holds = new Float64Array(FIRST_CAPACITY)
  readonly #changed = new ChangedBlocks((block) => this.#columnsOf(block))
  readonly #currencies: readonly Currency[]

  /** `currencies`: those of the program; tests take more. */
  constructor(currencies: readonly Currency[] = CURRENCIES) {
    assert(currencies.length <= CURRENCIES_MAX, 'a currency has its bits in a code')
    this.#currencies = currencies
  }

  get count(): number {
    return this.#count
  }

  open(kind: AccountKind, environment: Environment, currency: Currency): AccountNumber {
    const account = this.#count
    const currencyIndex = this.#currencies.indexOf(currency)
    assert(currencyIndex >= 0, 'the currency is known to this release')
    this.#reserve(account + 1)
    this.#willChange(account)
    const environmentIndex = environment === 'test' ? 1 : 0
    this.#codes[account] = ACCOUNT_KINDS.indexOf(kind) | (environmentIndex << KIND_BITS) | (currencyIndex << CURRENCY_SHIFT)
    this.#count = account + 1
    return account
  }

  kind(account: AccountNumber): AccountKind {
    return ACCOUNT_KINDS[this.#code(account) & 0xf] as AccountKind
  }

  environment(account: AccountNumber): Environment {
    return ((this.#code(account) >>> KIND_BITS) & 1) === 1 ? 'test' : 'live'
  }

  currency(account: AccountNumber): Currency {
    return this.#currencies[this.#code(account) >>> CURRENCY_SHIFT] as Currency
  }

  /** Credits minus debits. */
  balance(account: AccountNumber): number {
    this.#code(account)
    return this.#balances[account] as number
  }

  /** Sum of the holds on the account: money that it still owns and may not spend. */
  held(account: AccountNumber): number {
    this.#code(account)
    return this.#holds[account] as number
  }

  /** Balance minus holds: the amount that may be spent. */
  available(account: AccountNumber): number {
    return this.balance(account) - (this.#holds[account] as number)
  }

  /**
   * Moves the amount and returns the posting with both balances after it. Decisions check first and return a rejection,
   * so a failed assertion here is a bug.
   */
  post(posting: Posting): AppliedPosting {
    const { debit, credit, amount } = posting
    assert(Number.isSafeInteger(amount) && amount > 0, 'a posting moves a positive safe integer')
    assert(debit !== credit, 'a posting has two accounts')
    const debitCode = this.#code(debit)
    const creditCode = this.#code(credit)
    assert(debitCode >>> KIND_BITS === creditCode >>> KIND_BITS, 'a posting stays in its environment and its currency')
    const debitBalance = (this.#balances[debit] as number) - amount
    const creditBalance = (this.#balances[credit] as number) + amount
    assert(Number.isSafeInteger(debitBalance) && Number.isSafeInteger(creditBalance), 'a balance is a safe integer')
    assert((debitCode & 0xf) === SETTLEMENT || debitBalance >= 0, 'no overdraft')
    this.#willChange(debit)
    this.#willChange(credit)
    this.#balances[debit] = debitBalance
    this.#balances[credit] = creditBalance
    return { debit, credit, amount, debitBalance, creditBalance }
  }

  /**
   * Asserts that the balance covers the holds, except on a settlement account. Called for every debited account at the end
   * of a record, not at each posting: a capture's posting and the end of its hold are in the same record.
   */
  assertCovered(account: AccountNumber): void {
    const balance = this.balance(account)
    assert(balance >= (this.#holds[account] as number) || (this.#code(account) & 0xf) === SETTLEMENT, 'what is held is not spent')
  }

  /** Raises the holds of the account, or lowers them by a negative amount. Only holds.ts calls it. */
  changeHeld(account: AccountNumber, change: number): void {
    const held = this.held(account) + change
    assert(Number.isSafeInteger(held) && held >= 0, 'holds do not go below zero')
    assert(held <= (this.#balances[account] as number), 'a hold is covered by the balance')
    this.#willChange(account)
    this.#holds[account] = held
  }

  /** Returns the blocks that changed since the last capture as JSON, as they are now. Read it to its end before the next capture. */
  captureBlocks(): IterableIterator<readonly [block: number, json: string]> {
    return asJson(this.#changed.capture())
  }

  copyBlock(block: number): AccountBlock {
    const { codes, balances, holds } = this.#columnsOf(block)
    return { block, codes: Array.from(codes), balances: Array.from(balances), holds: Array.from(holds) }
  }

  restoreBlock(block: AccountBlock): void {
    for (const code of block.codes) assert(code >>> CURRENCY_SHIFT < this.#currencies.length, 'the currency is known to this release')
    const from = block.block * ACCOUNTS_PER_BLOCK
    this.#reserve(from + block.codes.length)
    this.#codes.set(block.codes, from)
    this.#balances.set(block.balances, from)
    this.#holds.set(block.holds, from)
    this.#count = Math.max(this.#count, from + block.codes.length)
  }

  #code(account: AccountNumber): number {
    assert(account >= 0 && account < this.#count, 'the account exists')
    return this.#codes[account] as number
  }

  #willChange(account: AccountNumber): void {
    this.#changed.willChange(Math.floor(account / ACCOUNTS_PER_BLOCK))
  }

  /** Copies 17 bytes an account: a few microseconds, where arrays of numbers take thirty. */
  #columnsOf(block: number): Columns {
    const from = block * ACCOUNTS_PER_BLOCK
    const to = Math.min(from + ACCOUNTS_PER_BLOCK, this.#count)
    return { codes: this.#codes.slice(from, to), balances: this.#balances.slice(from, to), holds: this.#holds.slice(from, to) }
  }

  #reserve(count: number): void {
    if (count <= this.#codes.length) return
    let capacity = this.#codes.length
    while (capacity < count) capacity *= 2
    this.#codes = grown(this.#codes, new Uint8Array(capacity))
    this.#balances = grown(this.#balances, new Float64Array(capacity))
    this.#holds = grown(this.#holds, new Float64Array(capacity))
  }
}

/** The JSON of each AccountBlock. */
function* asJson(copies: Iterable<[number, Columns]>): Generator<readonly [number, string]> {
  for (const [block, { codes, balances, holds }] of copies) {
    const columns = `"codes":${jsonOfNumbers(codes)},"balances":${jsonOfNumbers(balances)},"holds":${jsonOfNumbers(holds)}`
    yield [block, `{"block":${block},${columns}}`]
  }
}

function grown<Column extends Uint8Array | Float64Array>(from: Column, to: Column): Column {
  to.set(from)
  return to
}
