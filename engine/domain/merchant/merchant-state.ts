// Merchants and their API keys. Secrets stand here as SHA-256 only.
import type { Activation, ActivationFile } from '../../contract/activation.ts'
import { type KeyLimits, NO_KEY_LIMITS, type Scope } from '../../contract/api-key.ts'
import type { Caller } from '../../contract/created-by.ts'
import type { ListedApiKey } from '../../contract/dashboard.ts'
import type { EmailLanguage, NameChange } from '../../contract/merchant-account.ts'
import type { OwnLimits } from '../../contract/merchant-limits.ts'
import type { Immutable } from '../../contract/schema.ts'
import type { Amount } from '../../kernel/amount.ts'
import type { Currency } from '../../kernel/currency.ts'
import type { Environment } from '../../kernel/environment.ts'
import type { Position } from '../../kernel/position.ts'
import { SnapshotTables, Table } from '../../kernel/table.ts'
import { DEFAULT_TIME_ZONE, type TimeZone } from '../../kernel/time-zone.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { LogoFiles } from '../logo-files.ts'
import { countedBy } from '../quotas.ts'
import type { SharedState } from '../state.ts'
import { KeyDays } from './key-days.ts'
import { API_KEYS } from './merchant-limits.ts'
import { logosOf, type MerchantLogos } from './merchant-logo.ts'

export type { Scope }

export interface MerchantRow extends MerchantLogos {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly currency: Currency
  readonly accounts: Readonly<Record<Environment, AccountNumber>>
  /** RFC 3339. */
  readonly created_at: string
  /** Absent: it is not suspended. */
  readonly suspension?: MerchantSuspension
  /** Absent: it was active from the start. */
  readonly activation?: MerchantActivation
  /** Absent before the first. */
  readonly activation_files?: readonly ActivationFileRow[]
  /** What owners say about it; absent before they do. */
  readonly profile?: MerchantProfile
  /** The name that an owner asked for last; absent where none waits or was refused. */
  readonly name_change?: NameChange
  /** Names that it had before, oldest first: a record keeps the name of its time. Absent before an operator has approved one. */
  readonly past_names?: readonly PastName[]
  /** Limits that differ from the defaults; absent before the first. */
  readonly limits?: OwnLimits
}

/** A name until the record that replaced it. */
export interface PastName {
  readonly name: string
  readonly until_sequence: number
}

export interface MerchantProfile {
  readonly address: string | null
  readonly time_zone: TimeZone
  /** Of notices by e-mail; null: both. */
  readonly email_language: EmailLanguage | null
}

/** The payload of `merchant.account_set`: all of it, as it is from then on. */
export interface MerchantAccountSet extends MerchantProfile {
  readonly merchant_id: string
  readonly acted_by: Caller
}

/** The payload of `merchant.name_requested`; null withdraws the request. */
export interface MerchantNameRequested {
  readonly merchant_id: string
  readonly name_change: NameChange | null
  readonly acted_by: Caller
}

/** The payload of `merchant.name_approved`. */
export interface MerchantNameApproved {
  readonly merchant_id: string
  readonly name: string
}

/** The payload of `merchant.name_refused`. */
export interface MerchantNameRefused {
  readonly merchant_id: string
  readonly name_change: NameChange
}

export type MerchantActivation = Immutable<Omit<Activation, 'files'>>

/** A file of an activation. Its bytes stay in the log. */
export interface ActivationFileRow extends Immutable<ActivationFile> {
  /** Position of the `merchant.activation_file_added` event that holds it. */
  readonly position: Position
  /** True once an operator has activated the merchant with it; absent before. */
  readonly activated_on?: true
}

export interface MerchantSuspension {
  readonly reason: string
  readonly suspended_at: string
}

/** The payload of `merchant.limits_set`: all limits that differ from the defaults, as they are from then on. */
export interface MerchantLimitsSet {
  readonly merchant_id: string
  readonly limits: OwnLimits
}

/** Why a merchant moves no money. */
export const MERCHANT_STOPS = ['merchant_suspended', 'live_not_activated'] as const

export type MerchantStop = (typeof MERCHANT_STOPS)[number]

export interface ApiKeyRow {
  readonly id: string
  readonly merchant_id: string
  readonly environment: Environment
  readonly scopes: readonly Scope[]
  readonly label: string
  readonly public_key: string
  /** SHA-256 of the secret, hex. */
  readonly secret_hash: string
  readonly created_at: string
  /** The member who made it; absent: an operator did. A key and its maker are one person. */
  readonly made_by?: string
}

/** Limits of an API key that has or had some. They outlive the key: what the key planned still counts. */
export interface KeyLimitRow {
  readonly key_id: string
  readonly merchant_id: string
  readonly limits: KeyLimits
}

/** Payout policy of one account. */
export interface PayoutPolicyRow {
  readonly account: AccountNumber
  readonly approval_above: Amount | null
}

/** When a key was used last, to the minute or so. */
export interface ApiKeyUse {
  readonly public_key: string
  /** RFC 3339. */
  readonly used_at: string
}

declare module '../state.ts' {
  interface State {
    readonly merchants: Merchants
  }
}

export class Merchants extends SnapshotTables {
  readonly #byAccount = new Map<AccountNumber, MerchantRow>()
  /** Of the accounts that move no money; nearly always empty. */
  readonly #stops = new Map<AccountNumber, MerchantStop>()
  readonly #keysByMerchant = new Map<string, Map<string, ApiKeyRow>>()

  /** Logos that customers of some merchant see, or that wait. */
  readonly logos = new LogoFiles()

  readonly merchants = new Table<MerchantRow>(
    this,
    'merchant',
    { boundedBy: 'sign-ups of each network, in http/server/server-limits.ts' },
    (merchant, before) => {
      this.logos.replace(logosOf(before), logosOf(merchant))
      if (merchant === undefined) return
      this.#byAccount.set(merchant.accounts.live, merchant)
      this.#byAccount.set(merchant.accounts.test, merchant)
      const stop = merchant.suspension === undefined ? null : 'merchant_suspended'
      this.#stop(merchant.accounts.test, stop)
      this.#stop(merchant.accounts.live, stop ?? (isActive(merchant) ? null : 'live_not_activated'))
    },
  )

  /** Keyed by public key. */
  readonly apiKeys: Table<ApiKeyRow>

  readonly #limitsByMerchant = new Map<string, Map<string, KeyLimitRow>>()
  readonly #approvalAbove = new Map<AccountNumber, Amount>()

  /** Keyed by id of the API key. */
  readonly keyLimits = new Table<KeyLimitRow>(
    this,
    'api_key_limit',
    { boundedBy: 'KEY_LIMITS_MAX rows of each merchant' },
    (row, before) => {
      const { key_id, merchant_id } = (row ?? before) as KeyLimitRow
      const rows = this.#limitsByMerchant.get(merchant_id) ?? new Map<string, KeyLimitRow>()
      if (row !== undefined) rows.set(key_id, row)
      else rows.delete(key_id)
      this.#limitsByMerchant.set(merchant_id, rows)
    },
  )

  /** Keyed by account. */
  readonly payoutPolicies = new Table<PayoutPolicyRow>(this, 'payout_policy', { boundedBy: 'one row of each account' }, (row) => {
    if (row === undefined) return
    if (row.approval_above === null) this.#approvalAbove.delete(row.account)
    else this.#approvalAbove.set(row.account, row.approval_above)
  })

  /** What each key has paid today. */
  readonly keyDays = new KeyDays()

  /** Keyed by public key; of keys that were used. */
  readonly keyUses = new Table<ApiKeyUse>(this, 'api_key_use', { boundedBy: 'one row of each API key' })

  constructor(shared: SharedState) {
    super()
    this.addSnapshotSource(this.keyDays)
    const bound = countedBy<ApiKeyRow>(shared, API_KEYS, ({ merchant_id }) => merchant_id)
    this.apiKeys = new Table(this, 'api_key', bound, (key, before) => {
      const merchantId = (key ?? before)?.merchant_id as string
      const keys = this.#keysByMerchant.get(merchantId) ?? new Map<string, ApiKeyRow>()
      if (key !== undefined) keys.set(key.id, key)
      else if (before !== undefined) keys.delete(before.id)
      this.#keysByMerchant.set(merchantId, keys)
    })
  }

  /** Grows with each change of a merchant or a key: what was read before is valid while it is the same. */
  get changes(): number {
    return this.merchants.changes + this.apiKeys.changes
  }

  byAccount(account: AccountNumber): MerchantRow | undefined {
    return this.#byAccount.get(account)
  }

  /** Returns the name that the merchant of the account had in the record; null for an account of no merchant. */
  nameAt(account: AccountNumber, sequence: number): string | null {
    const merchant = this.byAccount(account)
    if (merchant === undefined) return null
    return merchant.past_names?.find(({ until_sequence }) => sequence < until_sequence)?.name ?? merchant.name
  }

  /** Returns why the merchant's account moves no money; null when it does. Checked inside the turn. */
  stopOf(account: AccountNumber): MerchantStop | null {
    return this.#stops.size === 0 ? null : (this.#stops.get(account) ?? null)
  }

  isSuspended(account: AccountNumber): boolean {
    return this.stopOf(account) === 'merchant_suspended'
  }

  #stop(account: AccountNumber, stop: MerchantStop | null): void {
    if (stop === null) this.#stops.delete(account)
    else this.#stops.set(account, stop)
  }

  /** Returns the amount above which a payout of the account needs a second person; null: none does. */
  approvalAbove(account: AccountNumber): Amount | null {
    return this.#approvalAbove.size === 0 ? null : (this.#approvalAbove.get(account) ?? null)
  }

  /** Rows of revoked keys included. The order is that of their first limits, also after a restart: ids are UUIDs of version 7. */
  limitsOf(merchantId: string): KeyLimitRow[] {
    return [...(this.#limitsByMerchant.get(merchantId)?.values() ?? [])].sort((one, other) => (one.key_id < other.key_id ? -1 : 1))
  }

  /** The key as lists show it: without the hash of its secret. */
  listed({ id, environment, scopes, label, public_key, created_at }: ApiKeyRow): ListedApiKey {
    const { payout_max, day_max } = this.keyLimits.get(id)?.limits ?? NO_KEY_LIMITS
    const last_used_at = this.keyUses.get(public_key)?.used_at ?? null
    return { id, environment, scopes: [...scopes], label, limits: { payout_max, day_max }, public_key, created_at, last_used_at }
  }

  /** Returns the member who made the key, null for an operator; undefined where the merchant has no such key. */
  keyMaker(merchantId: string, keyId: string): string | null | undefined {
    const key = this.#keysByMerchant.get(merchantId)?.get(keyId)
    return key === undefined ? undefined : (key.made_by ?? null)
  }

  /** Oldest first. */
  keysOf(merchantId: string): ApiKeyRow[] {
    return [...(this.#keysByMerchant.get(merchantId)?.values() ?? [])]
  }
}

/** The time zone that the days of the merchant are in. */
export function timeZoneOf({ profile }: Pick<MerchantRow, 'profile'>): TimeZone {
  return profile?.time_zone ?? DEFAULT_TIME_ZONE
}

/** Whether the merchant may move live money, as far as its activation is concerned. */
export function isActive({ activation }: Pick<MerchantRow, 'activation'>): boolean {
  return activation === undefined || activation.state === 'active'
}
