// Accounts, merchants and wallets in the model: balances, holds, frames, blocks and suspensions.
import assert from 'node:assert/strict'
import type { LogRecord } from '../../../../engine/domain/record.ts'
import type { State } from '../../../../engine/domain/state.ts'
import { type Entry, eventsOf, Machine, type NounModel } from '../entry.ts'
import type { Moves } from '../moves.ts'

export type Environment = 'live' | 'test'
type Kind = 'settlement' | 'clearing' | 'fee' | 'merchant' | 'wallet'

export interface ModelAccount {
  readonly number: number
  readonly kind: Kind
  readonly environment: Environment
  balance: number
  held: number
  frames: number
}

export interface ModelMerchant {
  readonly id: string
  readonly live: number
  readonly test: number
  suspension: 'active' | 'suspended'
  activation: 'active' | 'required' | 'requested' | 'refused'
}

export interface ModelWallet {
  readonly account: number
  readonly environment: Environment
  readonly tag: string
  readonly phone: string
  block: 'free' | 'blocked'
}

/** What the engine's limits are meant to be, written down a second time. */
const CURRENCY = 'XOF'
export const WALLET_MAX = 1e15
export const ACCOUNT_MAX = 4e15
const TEST_PHONES = '+22500'

/** From and to which kinds of accounts each type of transaction moves money; null: any. */
const DIRECTIONS: Readonly<Record<string, readonly [Kind | null, Kind | null]>> = {
  deposit: ['settlement', null],
  withdrawal: [null, 'settlement'],
  payout: ['merchant', 'wallet'],
  transfer: ['wallet', 'wallet'],
  charge: ['wallet', 'merchant'],
  refund: ['merchant', 'wallet'],
  bill: ['wallet', 'merchant'],
  mandate: ['wallet', 'merchant'],
  fee: [null, 'fee'],
  fee_refund: ['fee', null],
}

interface Line {
  readonly recipient: string
  readonly amount: number
  readonly cost: number
}

export class AccountsModel implements NounModel {
  readonly accounts: ModelAccount[] = []
  readonly merchants: ModelMerchant[] = []
  readonly wallets: ModelWallet[] = []
  readonly transactions = { live: 0, test: 0 }
  /** Wallets that have had money, in the order in which they got it first. */
  readonly funded: ModelWallet[] = []
  readonly #funded = new Set<number>()
  readonly #byId = new Map<string, ModelMerchant>()
  readonly #byTag = new Map<string, ModelWallet>()
  readonly #byPhone = new Map<string, ModelWallet>()
  readonly #byAccount = new Map<number, ModelWallet>()
  readonly #ofAccount = new Map<number, ModelMerchant>()
  readonly #block: Machine<'free' | 'blocked'>
  readonly #suspension: Machine<'active' | 'suspended'>
  readonly #activation: Machine<ModelMerchant['activation']>

  constructor(seen: Moves) {
    this.#block = new Machine('wallet', { blocked: ['free', 'blocked'], unblocked: ['blocked'] }, seen)
    this.#suspension = new Machine('merchant', { suspended: ['active', 'suspended'], reinstated: ['suspended'] }, seen)
    const moves = {
      required: ['active'],
      requested: ['required', 'requested', 'refused'],
      refused: ['requested'],
      activated: ['required', 'requested', 'refused'],
    } as const
    this.#activation = new Machine('activation', moves, seen)
    for (const environment of ['live', 'test'] as const) {
      this.#open('settlement', environment)
      this.#open('clearing', environment)
      this.#open('fee', environment)
    }
  }

  account(number: number): ModelAccount {
    const account = this.accounts[number]
    assert.ok(account !== undefined, `account ${number} exists`)
    return account
  }

  available(number: number): number {
    const { balance, held } = this.account(number)
    return balance - held
  }

  merchant(id: string): ModelMerchant | undefined {
    return this.#byId.get(id)
  }

  settlement(environment: Environment): ModelAccount {
    return this.account(this.accounts.findIndex((one) => one.kind === 'settlement' && one.environment === environment))
  }

  wallet(environment: Environment, tag: string): ModelWallet | undefined {
    return this.#byTag.get(`${environment}:${tag}`)
  }

  walletAt(account: number): ModelWallet | undefined {
    return this.#byAccount.get(account)
  }

  merchantAt(account: number): ModelMerchant {
    const merchant = this.#ofAccount.get(account)
    assert.ok(merchant !== undefined, `account ${account} is a merchant's`)
    return merchant
  }

  stopOf(account: number): 'merchant_suspended' | 'live_not_activated' | null {
    const { suspension, activation } = this.merchantAt(account)
    if (suspension === 'suspended') return 'merchant_suspended'
    return activation !== 'active' && this.account(account).environment === 'live' ? 'live_not_activated' : null
  }

  /**
   * What a payout must come to: its failure code, or null. `spent` and `given`: what the lines of the batch before it took from the
   * merchant and gave to each account.
   */
  payoutFailure(merchant: number, { recipient, amount, cost }: Line, spent: number, given: ReadonlyMap<number, number>): string | null {
    const { environment } = this.account(merchant)
    if (this.available(merchant) - spent < cost) return 'insufficient_balance'
    const wallet = this.payee(environment, recipient)
    if (wallet === undefined) return 'recipient_not_found'
    if (wallet.block === 'blocked') return 'recipient_blocked'
    const balance = this.account(wallet.account).balance + (given.get(wallet.account) ?? 0)
    return balance + amount > WALLET_MAX ? 'recipient_limit_exceeded' : null
  }

  payee(environment: Environment, recipient: string): ModelWallet | undefined {
    if (!recipient.startsWith('+')) return this.wallet(environment, recipient)
    return environmentOf(recipient) === environment ? this.#byPhone.get(recipient) : undefined
  }

  audit(entry: Entry): void {
    for (const { payload } of eventsOf<{ readonly id: string; readonly accounts: Record<Environment, number> }>(
      entry,
      'merchant.created',
    )) {
      const live = this.#open('merchant', 'live')
      const merchant: ModelMerchant = {
        id: payload.id,
        live,
        test: this.#open('merchant', 'test'),
        suspension: 'active',
        activation: 'active',
      }
      assert.deepEqual(payload.accounts, { live, test: live + 1 }, 'a merchant has the next two accounts')
      this.merchants.push(merchant)
      this.#byId.set(merchant.id, merchant)
      for (const account of [live, merchant.test]) this.#ofAccount.set(account, merchant)
    }
    for (const { payload } of eventsOf<ModelWallet & { readonly blocked: boolean }>(entry, 'wallet.created')) this.#openWallet(payload)
    this.#auditControl(entry)
  }

  /** Moves the money of the record, one posting after the other. */
  post({ transactions, environment, sequence }: LogRecord): void {
    for (const { type, currency, postings } of transactions) {
      assert.equal(currency, CURRENCY, 'a transaction has the currency of its accounts')
      this.transactions[environment]++
      assert.equal(postings.length, 1, 'each transaction of these commands has one posting')
      for (const { debit, credit, amount, debitBalance, creditBalance } of postings) {
        const from = this.account(debit)
        const to = this.account(credit)
        const [fromKind, toKind] = DIRECTIONS[type] ?? []
        assert.ok(fromKind !== undefined && toKind !== undefined, `${type} is a known type of transaction`)
        assert.ok(fromKind === null || from.kind === fromKind, `${type} from a ${from.kind} at ${sequence}`)
        assert.ok(toKind === null || to.kind === toKind, `${type} to a ${to.kind} at ${sequence}`)
        assert.ok(from.environment === to.environment && from.environment === environment, 'money stays in its environment')
        assert.ok(Number.isSafeInteger(amount) && amount > 0, `${amount} is an amount`)
        from.balance -= amount
        to.balance += amount
        if (to.kind === 'wallet' && to.balance === amount) this.#fund(credit)
        assert.deepEqual([debitBalance, creditBalance], [from.balance, to.balance], `balances after ${type} at ${sequence}`)
        assert.ok(from.kind === 'settlement' || from.balance >= from.held, `account ${debit} is not overdrawn at ${sequence}`)
        assert.ok(to.balance <= (to.kind === 'wallet' ? WALLET_MAX : ACCOUNT_MAX), `account ${credit} is within its maximum`)
      }
    }
  }

  /** Each account has the next id, and only the accounts that the models say get a frame. */
  number({ record, frames }: Entry): void {
    const found = record.frames.map(({ account, type }) => `${account}:${type}`)
    assert.deepEqual([...found].sort(), [...frames].sort(), `frames of ${record.command} at ${record.sequence}`)
    for (const { account, id } of record.frames) assert.equal(id, ++this.account(account).frames, 'the ids of a stream grow by one')
  }

  compare({ accounts, transactionCounts, frames, wallets, merchants }: State): void {
    assert.equal(accounts.count, this.accounts.length, 'accounts')
    assert.deepEqual(transactionCounts, this.transactions, 'transactions')
    for (const { number, kind, environment, balance, held, frames: last } of this.accounts) {
      const isSame =
        accounts.kind(number) === kind &&
        accounts.environment(number) === environment &&
        accounts.currency(number) === CURRENCY &&
        accounts.balance(number) === balance &&
        accounts.held(number) === held &&
        frames.last(number) === last
      if (isSame) continue
      const found = [
        accounts.kind(number),
        accounts.environment(number),
        accounts.balance(number),
        accounts.held(number),
        frames.last(number),
      ]
      assert.deepEqual(found, [kind, environment, balance, held, last], `account ${number}`)
    }
    assert.equal(wallets.size, this.wallets.length, 'wallets')
    for (const { account, environment, tag, block } of this.wallets) {
      const wallet = wallets.byTag(environment, tag)
      assert.ok(wallet?.account === account && wallet.blocked === (block === 'blocked'), `wallet ${tag}`)
    }
    for (const { id, live } of this.merchants) {
      assert.equal(merchants.merchants.get(id)?.accounts.live, live)
      assert.equal(merchants.stopOf(live), this.stopOf(live), `merchant ${id}`)
    }
  }

  #auditControl(entry: Entry): void {
    for (const { event } of eventsOf(entry, 'wallet.blocked')) this.#setBlock(event.account, 'blocked', 'blocked')
    for (const { event } of eventsOf(entry, 'wallet.unblocked')) this.#setBlock(event.account, 'unblocked', 'free')
    for (const { event } of eventsOf(entry, 'merchant.suspended')) this.#setSuspension(event.account, 'suspended', 'suspended')
    for (const { event } of eventsOf(entry, 'merchant.reinstated')) this.#setSuspension(event.account, 'reinstated', 'active')
    for (const [move, to] of [
      ['required', 'required'],
      ['requested', 'requested'],
      ['refused', 'refused'],
    ] as const) {
      for (const { event } of eventsOf(entry, `merchant.activation_${move}`)) this.#setActivation(event.account, move, to)
    }
    for (const { event } of eventsOf(entry, 'merchant.activated')) this.#setActivation(event.account, 'activated', 'active')
  }

  #fund(account: number): void {
    const wallet = this.#byAccount.get(account)
    if (wallet !== undefined && !this.#funded.has(account)) this.funded.push(wallet)
    this.#funded.add(account)
  }

  #setBlock(account: number, move: string, to: ModelWallet['block']): void {
    const wallet = this.#byAccount.get(account)
    this.#block.move(wallet?.block, move)
    if (wallet !== undefined) wallet.block = to
  }

  #setSuspension(account: number, move: string, to: ModelMerchant['suspension']): void {
    const merchant = this.merchantAt(account)
    this.#suspension.move(merchant.suspension, move)
    merchant.suspension = to
  }

  #setActivation(account: number, move: string, to: ModelMerchant['activation']): void {
    const merchant = this.merchantAt(account)
    this.#activation.move(merchant.activation, move)
    merchant.activation = to
  }

  #openWallet({ account, tag, phone, blocked }: Pick<ModelWallet, 'account' | 'tag' | 'phone'> & { readonly blocked: boolean }): void {
    const environment = environmentOf(phone)
    assert.equal(this.#open('wallet', environment), account, 'a wallet has the next account')
    assert.equal(this.wallet(environment, tag), undefined, `the tag ${tag} is taken once`)
    assert.equal(this.#byPhone.get(phone), undefined, `the phone ${phone} is taken once`)
    const wallet: ModelWallet = { account, environment, tag, phone, block: blocked ? 'blocked' : 'free' }
    this.wallets.push(wallet)
    this.#byTag.set(`${environment}:${tag}`, wallet)
    this.#byPhone.set(phone, wallet)
    this.#byAccount.set(account, wallet)
  }

  #open(kind: Kind, environment: Environment): number {
    const number = this.accounts.length
    this.accounts.push({ number, kind, environment, balance: 0, held: 0, frames: 0 })
    return number
  }
}

export function environmentOf(phone: string): Environment {
  return phone.startsWith(TEST_PHONES) ? 'test' : 'live'
}
