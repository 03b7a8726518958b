// Queries for the quotas: their use for metrics, and with the largest holders for operators.
import type { QuotaReport, QuotaUseRow } from '../contract/quota.ts'
import type { PartFigures, Quota, QuotaHolder } from '../kernel/quota.ts'
import type { Reads } from './reads.ts'

export interface QuotaFigures extends PartFigures {
  readonly name: string
}

/** Use of a part of a quota outside of the engine, and a holder with the most. */
export interface OtherQuotaPart {
  readonly quota: Quota
  readonly part: PartFigures
  readonly holder: QuotaHolder | null
}

/** Returns the rows of each quota and part. Takes the same time for any number of rows; of commands, it looks at the accounts that wait. */
export function quotaFigures({ state, waitingUse }: Reads): QuotaFigures[] {
  return [...state.quotas.all(), waitingUse].flatMap(({ quota, figures }) => figures.map((part) => ({ name: quota.name, ...part })))
}

/** Returns the use of each quota and part, with a largest holder. Reads the holders of each quota: about 1 ms for 100 000. */
export function quotaReport({ state, waitingUse }: Reads, others: readonly OtherQuotaPart[]): QuotaReport {
  const own = [...state.quotas.all(), waitingUse].flatMap((use) =>
    use.figures.map((part) => ({ quota: use.quota, part, holder: use.largestHolder(part.part) })),
  )
  return { quotas: [...own, ...others].map((use) => reportRow(state, use)) }
}

function reportRow(state: Reads['state'], { quota, part: figures, holder }: OtherQuotaPart): QuotaUseRow {
  const { name, share, atShare } = quota
  const { part, rows, max, largest } = figures
  const largest_holder = holder === null ? null : holderOf(state, quota.holder, holder)
  return { name, part, rows, max, share, at_share: atShare, largest_rows: largest, largest_holder }
}

function holderOf(state: Reads['state'], kind: Quota['holder'], holder: QuotaHolder): NonNullable<QuotaUseRow['largest_holder']> {
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
