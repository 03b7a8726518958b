// Queries for the quotas: their use for metrics, and with the largest holders for operators.
import type { QuotaReport, QuotaUseRow } from '../contract/quota.ts'
import type { PartFigures, QuotaHolder, QuotaUse } from '../kernel/quota.ts'
import type { Reads } from './reads.ts'

export interface QuotaFigures extends PartFigures {
  readonly name: string
}

/** Returns the rows of each quota and part. Takes the same time for any number of rows. */
export function quotaFigures({ state }: Reads): QuotaFigures[] {
  return state.quotas.all().flatMap(({ quota, figures }) => figures.map((part) => ({ name: quota.name, ...part })))
}

/** Returns the use of each quota and part, with a largest holder. Reads the holders of each quota: about 1 ms for 100 000. */
export function quotaReport({ state }: Reads): QuotaReport {
  return { quotas: state.quotas.all().flatMap((use) => use.figures.map((part) => reportRow(state, use, part))) }
}

function reportRow(state: Reads['state'], use: QuotaUse, { part, rows, max, largest }: PartFigures): QuotaUseRow {
  const { name, share, atShare } = use.quota
  const holder = use.largestHolder(part)
  const largest_holder = holder === null ? null : holderOf(state, use, holder)
  return { name, part, rows, max, share, at_share: atShare, largest_rows: largest, largest_holder }
}

function holderOf(state: Reads['state'], { quota }: QuotaUse, holder: QuotaHolder): NonNullable<QuotaUseRow['largest_holder']> {
  const kind = quota.holder
  const id = String(holder)
  switch (kind) {
    case 'account': {
      const account = Number(holder)
      const merchant = state.merchants.byAccount(account)
      if (merchant !== undefined) return { kind, id: merchant.id, name: merchant.name }
      return { kind, id: state.wallets.byAccount(account)?.tag ?? '', name: '' }
    }
    case 'merchant':
      return { kind, id, name: state.merchants.merchants.get(id)?.name ?? '' }
    case 'user':
      return { kind, id, name: state.dashboard.users.get(id)?.email ?? '' }
    case 'biller':
      return { kind, id, name: state.billers.profiles.get(id)?.display_name ?? '' }
    case 'network':
      // Networks are stored as keyed hashes, which say nothing to an operator.
      return { kind, id: '', name: '' }
  }
}
