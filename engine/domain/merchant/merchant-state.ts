// Merchants and their API keys. Secrets stand here as SHA-256 only.
import type { Activation } from '../../contract/activation.ts'
import type { Scope } from '../../contract/api-key.ts'
import type { OwnLimits } from '../../contract/merchant-limits.ts'
import type { Immutable } from '../../contract/schema.ts'
import type { Currency } from '../../kernel/amount.ts'
import type { Environment } from '../../kernel/environment.ts'
import { SnapshotTables, Table } from '../../kernel/table.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { countedBy } from '../quotas.ts'
import type { SharedState } from '../state.ts'
import { API_KEYS } from './merchant-limits.ts'

export type { Scope }

export interface MerchantRow {
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
  /** Limits that differ from the defaults; absent before the first. */
  readonly limits?: OwnLimits
}

export type MerchantActivation = Immutable<Activation>

export interface MerchantSuspension {
  readonly reason: string
  readonly suspended_at: string
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

  readonly merchants = new Table<MerchantRow>(
    this,
    'merchant',
    { boundedBy: 'sign-ups of each network, in http/server/server-limits.ts' },
    (merchant) => {
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

  /** Keyed by public key; of keys that were used. */
  readonly keyUses = new Table<ApiKeyUse>(this, 'api_key_use', { boundedBy: 'one row of each API key' })

  constructor(shared: SharedState) {
    super()
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

  /** Oldest first. */
  keysOf(merchantId: string): ApiKeyRow[] {
    return [...(this.#keysByMerchant.get(merchantId)?.values() ?? [])]
  }
}

/** Whether the merchant may move live money, as far as its activation is concerned. */
export function isActive({ activation }: Pick<MerchantRow, 'activation'>): boolean {
  return activation === undefined || activation.state === 'active'
}
