// Wallets: who owns an account of kind wallet. Millions of them stay in memory, so rows hold little.
import { type CapturedRow, ChangedRows } from '../../kernel/changed-rows.ts'
import type { Currency } from '../../kernel/currency.ts'
import { type Environment, environmentOfPhone } from '../../kernel/environment.ts'
import { LargeMap } from '../../kernel/large-map.ts'
import { NAMES_CACHED_FROM } from '../../kernel/limits.ts'
import { NameCache, type NameSpace } from '../../kernel/name-cache.ts'
import { isPhone } from '../../kernel/recipient.ts'
import { type SnapshotSource, SnapshotTables } from '../../kernel/table.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { event } from '../decision.ts'
import type { StoredEvent } from '../record.ts'

export interface Wallet {
  readonly account: AccountNumber
  /** UUID of the user. */
  readonly id: string
  readonly phone: string
  readonly tag: string
  readonly family_name: string
  readonly given_name: string
  /** A blocked wallet receives nothing but refunds, and pays nothing. */
  readonly blocked: boolean
  /** Present while an operator blocks it. */
  readonly block_reason?: string
}

/** The payload of `wallet.created`. The account has the currency from then on. */
export interface WalletCreated extends Wallet {
  readonly currency: Currency
}

export function walletCreated(wallet: Wallet, currency: Currency): StoredEvent {
  const payload: WalletCreated = { ...wallet, currency }
  return event('wallet.created', 1, wallet.account, payload)
}

/** Account that a payment goes to, or why it goes to none. */
export type Payee = AccountNumber | 'recipient_not_found' | 'recipient_blocked'

declare module '../state.ts' {
  interface State {
    readonly wallets: Wallets
  }
}

export class Wallets extends SnapshotTables implements SnapshotSource {
  readonly name = 'wallet'
  readonly #byAccount = new LargeMap<AccountNumber, Wallet>()
  readonly #byTag: Readonly<Record<Environment, LargeMap<string, Wallet>>> = { live: new LargeMap(), test: new LargeMap() }
  /** The phone says which environment: one map is enough. */
  readonly #byPhone = new LargeMap<string, Wallet>()
  readonly #changed = new ChangedRows<AccountNumber, Wallet>()
  /** Accounts of wallets that are not blocked, by tag. Null while there are few wallets. */
  #payees: NameCache | null = null

  constructor() {
    super()
    this.addSnapshotSource(this)
  }

  get size(): number {
    return this.#byAccount.size
  }

  byAccount(account: AccountNumber): Wallet | undefined {
    return this.#byAccount.get(account)
  }

  /** `tag` is normalized. */
  byTag(environment: Environment, tag: string): Wallet | undefined {
    return this.#byTag[environment].get(tag)
  }

  /** `recipient` is a normalized tag, or a phone: the phone of the other environment finds nothing. */
  byRecipient(environment: Environment, recipient: string): Wallet | undefined {
    if (!isPhone(recipient)) return this.#byTag[environment].get(recipient)
    return environmentOfPhone(recipient) === environment ? this.#byPhone.get(recipient) : undefined
  }

  /** Returns the account that a payment to the recipient goes to, or why it goes to none. As `byRecipient`, without reading the row. */
  payeeOf(environment: Environment, recipient: string): Payee {
    const known = this.#payees?.get(spaceOf(environment), recipient) ?? -1
    if (known >= 0) return known
    const wallet = this.byRecipient(environment, recipient)
    if (wallet === undefined) return 'recipient_not_found'
    if (wallet.blocked) return 'recipient_blocked'
    if (!isPhone(recipient)) this.#payees?.set(spaceOf(environment), recipient, wallet.account)
    return wallet.account
  }

  byPhone(phone: string): Wallet | undefined {
    return this.#byPhone.get(phone)
  }

  set(wallet: Wallet): void {
    this.#changed.willChange(wallet.account, this.#byAccount.get(wallet.account))
    this.#put(wallet)
  }

  capture(): IterableIterator<CapturedRow> {
    return this.#changed.capture((account) => this.#byAccount.get(account))
  }

  /** Returns wallets in the order of their creation, without the first `offset`. */
  *after(offset: number): Generator<Wallet> {
    let skipped = 0
    for (const wallet of this.#byAccount.values()) if (skipped++ >= offset) yield wallet
  }

  *rows(): IterableIterator<[string, Wallet]> {
    for (const [account, wallet] of this.#byAccount.entries()) yield [String(account), wallet]
  }

  restore(_key: string, row: object): void {
    this.#put(row as Wallet)
  }

  #put(wallet: Wallet): void {
    const environment = environmentOfPhone(wallet.phone)
    if (this.#payees !== null) this.#payees.delete(spaceOf(environment), wallet.tag)
    else if (this.#byAccount.size >= NAMES_CACHED_FROM) this.#payees = new NameCache()
    this.#byAccount.set(wallet.account, wallet)
    this.#byTag[environment].set(wallet.tag, wallet)
    this.#byPhone.set(wallet.phone, wallet)
  }
}

function spaceOf(environment: Environment): NameSpace {
  return environment === 'live' ? 0 : 1
}
