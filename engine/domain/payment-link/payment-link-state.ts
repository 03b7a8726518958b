// Payment links: an address that makes a charge each time a customer pays. Live state holds every link, because its page
// and each payment need it. Their number is bounded.
import type { PaymentLink as ShapePaymentLink } from '../../contract/payment-link.ts'
import type { Immutable } from '../../contract/schema.ts'
import { SnapshotTables, Table } from '../../kernel/table.ts'
import { parseRfc3339, type TimeMs } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { countedByAccount } from '../quotas.ts'
import type { SharedState } from '../state.ts'
import { ACTIVE_LINKS } from './payment-link-limits.ts'

/** The link for its merchant, as its last event left it: a link past its time is closed, though its row is active. */
export type PaymentLink = Immutable<ShapePaymentLink>

export interface PaymentLinkRow {
  readonly account: AccountNumber
  /** Last part of the link's address. */
  readonly code: string
  readonly link: PaymentLink
}

declare module '../state.ts' {
  interface State {
    readonly paymentLinks: PaymentLinks
  }
}

export class PaymentLinks extends SnapshotTables {
  readonly #byCode = new Map<string, PaymentLinkRow>()
  readonly #byAccount = new Map<AccountNumber, Map<string, PaymentLinkRow>>()
  /** Keyed by id. Links are never deleted. */
  readonly rows: Table<PaymentLinkRow>

  constructor(shared: SharedState) {
    super()
    const bound = {
      ...countedByAccount<PaymentLinkRow>(shared, ACTIVE_LINKS),
      counts: ({ link }: PaymentLinkRow) => link.state === 'active',
    }
    this.rows = new Table(this, 'payment_link', bound, (row) => this.#place(row))
  }

  #place(row: PaymentLinkRow | undefined): void {
    if (row === undefined) return
    this.#byCode.set(row.code, row)
    const own = this.#byAccount.get(row.account) ?? new Map<string, PaymentLinkRow>()
    own.set(row.link.id, row)
    this.#byAccount.set(row.account, own)
  }

  byCode(code: string): PaymentLinkRow | undefined {
    return this.#byCode.get(code)
  }

  /** Returns the links of an account in any order. */
  of(account: AccountNumber): readonly PaymentLinkRow[] {
    return [...(this.#byAccount.get(account)?.values() ?? [])]
  }
}

/** Returns the link by the clock: closed from `expires_at` on. */
export function linkAt({ link }: Pick<PaymentLinkRow, 'link'>, nowMs: TimeMs): PaymentLink {
  const { state, expires_at } = link
  return state === 'active' && expires_at !== null && parseRfc3339(expires_at) <= nowMs
    ? { ...link, state: 'closed', closed_at: expires_at }
    : link
}

/** Returns whether the link takes a payment now. */
export function takesPayments(row: Pick<PaymentLinkRow, 'link'>, nowMs: TimeMs): boolean {
  return linkAt(row, nowMs).state === 'active'
}
