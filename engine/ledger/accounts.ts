// All accounts in parallel columns: kind, environment and currency, balance, holds. The only code that changes a balance.
// A balance is credits minus debits: money owed to merchants and wallets is positive, settlement accounts are negative.
// The sum over all accounts of an environment and a currency is always zero.
import { assert } from '../kernel/assert.ts'
import { ChangedBlocks, jsonOfNumbers } from '../kernel/changed-blocks.ts'
import { CURRENCY_CODES, type Currency } from '../kernel/currency.ts'
import { ENVIRONMENTS, type Environment } from '../kernel/environment.ts'
import { type AccountNumber, type AppliedPosting, type PlannedPosting, type Posting, plannedPosting } from './transaction.ts'

export const ACCOUNT_KINDS = ['settlement', 'clearing', 'merchant', 'wallet', 'fee'] as const

export type AccountKind = (typeof ACCOUNT_KINDS)[number]

/** Kinds of the service's own accounts: one of each in each environment and currency. */
const OWN_KINDS = ['settlement', 'clearing', 'fee'] as const

export type OwnKind = (typeof OWN_KINDS)[number]

/** Number of accounts that a currency begins with. */
const OWN_ACCOUNTS = OWN_KINDS.length * ENVIRONMENTS.length

/** Only a settlement account may go below zero: it mirrors the money that was deposited. */
const SETTLEMENT = 0

/** Number of accounts that the snapshot stores as one row. */
export const ACCOUNTS_PER_BLOCK = 1024

/** A code has three bits for the kind, one for the environment, four for the currency. */
const KIND_BITS = 3
const KIND_MASK = 0b111
const CURRENCY_SHIFT = 4
const CODES = 256
const NONE = -1
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
  /** The service's own accounts by code. */
  readonly #own = new Int32Array(CODES).fill(NONE)

  get count(): number {
    return this.#count
  }

  /** Opens an account of a merchant or a wallet. The first of a currency opens the service's own accounts of it before. */
  open(kind: Exclude<AccountKind, OwnKind>, environment: Environment, currency: Currency): AccountNumber {
    if (!this.keeps(currency)) this.openCurrency(currency)
    return this.#open(codeOf(kind, environment, currency))
  }

  /** Returns the number that the next account of the currency gets. */
  next(currency: Currency): AccountNumber {
    return this.#count + (this.keeps(currency) ? 0 : OWN_ACCOUNTS)
  }

  /** Returns whether there are accounts in the currency. */
  keeps(currency: Currency): boolean {
    return this.#own[codeOf('settlement', 'live', currency)] !== NONE
  }

  /** Opens the service's own accounts of the currency in both environments. */
  openCurrency(currency: Currency): void {
    assert(!this.keeps(currency), 'a currency has one account of each kind')
    for (const environment of ENVIRONMENTS) for (const kind of OWN_KINDS) this.#open(codeOf(kind, environment, currency))
  }

  /** Returns the service's own account of the kind. There is one where there are accounts in the currency. */
  own(kind: OwnKind, environment: Environment, currency: Currency): AccountNumber {
    const account = this.#own[codeOf(kind, environment, currency)] as number
    assert(account !== NONE, 'there are accounts in the currency')
    return account
  }

  /** Returns the service's own account of the kind in the environment and currency of an account. */
  ownBeside(kind: OwnKind, account: AccountNumber): AccountNumber {
    return this.#own[(this.#code(account) & ~KIND_MASK) | ACCOUNT_KINDS.indexOf(kind)] as number
  }

  #open(code: number): AccountNumber {
    const account = this.#count
    this.#reserve(account + 1)
    this.#willChange(account)
    this.#codes[account] = code
    this.#count = account + 1
    this.#noteOwn(code, account)
    return account
  }

  #noteOwn(code: number, account: AccountNumber): void {
    if (!IS_OWN[code & KIND_MASK]) return
    assert(this.#own[code] === NONE || this.#own[code] === account, 'a currency has one account of each kind')
    this.#own[code] = account
  }

  kind(account: AccountNumber): AccountKind {
    return ACCOUNT_KINDS[this.#code(account) & KIND_MASK] as AccountKind
  }

  environment(account: AccountNumber): Environment {
    return ((this.#code(account) >>> KIND_BITS) & 1) === 1 ? 'test' : 'live'
  }

  currency(account: AccountNumber): Currency {
    return CURRENCY_CODES[this.#code(account) >>> CURRENCY_SHIFT] as Currency
  }

  /** Returns whether money can move between the accounts: they have the same environment and currency. */
  isSameLedger(first: AccountNumber, second: AccountNumber): boolean {
    return this.#code(first) >>> KIND_BITS === this.#code(second) >>> KIND_BITS
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

  /** As `apply`, for a posting that stays as it is. */
  post({ debit, credit, amount }: Posting): AppliedPosting {
    return this.apply(plannedPosting(debit, credit, amount))
  }

  /**
   * Moves the amount, and returns the posting with both balances after it. Decisions check first and return a rejection, so a failed
   * assertion here is a bug.
   */
  apply(posting: PlannedPosting): AppliedPosting {
    const { debit, credit, amount } = posting
    assert(Number.isSafeInteger(amount) && amount > 0, 'a posting moves a positive safe integer')
    assert(debit !== credit, 'a posting has two accounts')
    const debitCode = this.#code(debit)
    const creditCode = this.#code(credit)
    assert(debitCode >>> KIND_BITS === creditCode >>> KIND_BITS, 'a posting stays in its environment and its currency')
    const debitBalance = (this.#balances[debit] as number) - amount
    const creditBalance = (this.#balances[credit] as number) + amount
    assert(Number.isSafeInteger(debitBalance) && Number.isSafeInteger(creditBalance), 'a balance is a safe integer')
    assert((debitCode & KIND_MASK) === SETTLEMENT || debitBalance >= 0, 'no overdraft')
    this.#willChange(debit)
    this.#willChange(credit)
    this.#balances[debit] = debitBalance
    this.#balances[credit] = creditBalance
    posting.debitBalance = debitBalance
    posting.creditBalance = creditBalance
    return posting
  }

  /**
   * Asserts that the balance covers the holds, except on a settlement account. Called for every debited account at the end
   * of a record, not at each posting: a capture's posting and the end of its hold are in the same record.
   */
  assertCovered(account: AccountNumber): void {
    const balance = this.balance(account)
    assert(balance >= (this.#holds[account] as number) || (this.#code(account) & KIND_MASK) === SETTLEMENT, 'what is held is not spent')
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
    for (const code of block.codes) assert(code >>> CURRENCY_SHIFT < CURRENCY_CODES.length, 'the currency is known to this release')
    const from = block.block * ACCOUNTS_PER_BLOCK
    this.#reserve(from + block.codes.length)
    this.#codes.set(block.codes, from)
    this.#balances.set(block.balances, from)
    this.#holds.set(block.holds, from)
    this.#count = Math.max(this.#count, from + block.codes.length)
    for (const [index, code] of block.codes.entries()) this.#noteOwn(code, from + index)
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

/** By index of the kind. */
const IS_OWN: readonly boolean[] = ACCOUNT_KINDS.map((kind) => (OWN_KINDS as readonly AccountKind[]).includes(kind))

function codeOf(kind: AccountKind, environment: Environment, currency: Currency): number {
  const currencyIndex = CURRENCY_CODES.indexOf(currency)
  assert(currencyIndex >= 0, 'the currency is known to this release')
  return ACCOUNT_KINDS.indexOf(kind) | ((environment === 'test' ? 1 : 0) << KIND_BITS) | (currencyIndex << CURRENCY_SHIFT)
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
