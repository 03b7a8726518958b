// Quotas of what HTTP holds, with sizes that a test can fill; and the quota of one kind without an engine.
import type { EngineApi } from '../../engine/api.ts'
import type { Environment } from '../../engine/kernel/environment.ts'
import { type Quota, Quotas } from '../../engine/kernel/quota.ts'
import { HELD_QUOTAS } from '../../http/api/operator/served-quotas.ts'
import { AccountQuota } from '../../http/server/account-quota.ts'

export type QuotaChanges = Readonly<Record<string, Partial<Quota>>>

export function heldQuotasWith(changes: QuotaChanges = {}): Quotas {
  const quotas = new Quotas()
  quotas.declare(HELD_QUOTAS.map((quota) => ({ ...quota, ...changes[quota.name] })))
  return quotas
}

/** Every account is one of this environment that no operator knows. */
export function accountQuota(quota: Quota, quotas: Quotas = heldQuotasWith(), environment: Environment = 'live'): AccountQuota {
  const answers: Readonly<Record<string, unknown>> = { 'accounts.environment': environment, 'accounts.isProven': false }
  const query: EngineApi['query'] = (name) => answers[name] as never
  return new AccountQuota(quotas, quota, { engine: { query } })
}
