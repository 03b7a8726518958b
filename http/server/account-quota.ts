// Quotas of what HTTP holds for accounts: environment and standing of the account come from the engine, as for a table of the engine.
import type { AccountNumber, EngineApi } from '../../engine/api.ts'
import type { Environment } from '../../engine/kernel/environment.ts'
import type { Quota, Quotas, QuotaUse } from '../../engine/kernel/quota.ts'
import type { Call } from './route.ts'

export class AccountQuota {
  readonly #use: QuotaUse
  readonly #parts: { readonly engine: Pick<EngineApi, 'query'> }

  /** The engine is there when the first request comes. */
  constructor(quotas: Quotas, quota: Quota, parts: { readonly engine: Pick<EngineApi, 'query'> }) {
    this.#use = quotas.counted(quota)
    this.#parts = parts
  }

  /** Returns whether the account may have so many more. */
  hasRoom(account: AccountNumber, count = 1): boolean {
    const isProven = this.#parts.engine.query('accounts.isProven', { account })
    return this.#use.hasRoom(this.#partOf(account), account, isProven, count - 1)
  }

  /** Takes so many, or none and returns false. */
  take(account: AccountNumber, count = 1): boolean {
    if (!this.hasRoom(account, count)) return false
    this.change(account, count)
    return true
  }

  giveBack(account: AccountNumber, count = 1): void {
    this.change(account, -count)
  }

  /** Counts, also without room. */
  change(account: AccountNumber, change: number): void {
    this.#use.change(this.#partOf(account), account, change)
  }

  /** Answers an account that has no room. */
  refuse(call: Pick<Call, 'refuse'>): void {
    call.refuse('quota_exceeded', this.#use.quota.name)
  }

  #partOf(account: AccountNumber): Environment {
    return this.#parts.engine.query('accounts.environment', { account })
  }
}
