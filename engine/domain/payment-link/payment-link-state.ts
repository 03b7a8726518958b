// Payment links: an address that makes a charge each time a customer pays. Live state holds the active ones and the newest
// closed ones of each account, because their pages and each payment need them.
import type { PaymentLink as ShapePaymentLink } from '../../contract/payment-link.ts'
import type { Immutable } from '../../contract/schema.ts'
import type { RowCount } from '../../kernel/quota.ts'
import { SnapshotTables, Table } from '../../kernel/table.ts'
import { parseRfc3339, type TimeMs } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import type { SharedState } from '../state.ts'
import { ACTIVE_LINKS, CLOSED_LINKS } from './payment-link-limits.ts'

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
  /** Keyed by id. */
  readonly rows: Table<PaymentLinkRow>

  constructor({ quotas, accounts }: SharedState) {
    super()
    const uses = { active: quotas.counted(ACTIVE_LINKS), closed: quotas.counted(CLOSED_LINKS) }
    const bound: RowCount<PaymentLinkRow> = {
      useOf: ({ link }) => uses[link.state],
      partOf: ({ account }) => accounts.environment(account),
      holderOf: ({ account }) => account,
    }
    this.rows = new Table(this, 'payment_link', bound, (row, before) => this.#place(row, before))
  }

  #place(row: PaymentLinkRow | undefined, before: PaymentLinkRow | undefined): void {
    const { account, code, link } = (row ?? before) as PaymentLinkRow
    const own = this.#byAccount.get(account) ?? new Map<string, PaymentLinkRow>()
    if (row === undefined) {
      this.#byCode.delete(code)
      own.delete(link.id)
      if (own.size === 0) this.#byAccount.delete(account)
      return
    }
    this.#byCode.set(code, row)
    own.set(link.id, row)
    this.#byAccount.set(account, own)
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
