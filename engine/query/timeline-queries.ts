// Query for the timelines of a merchant and of a wallet: one list over the index keys of movements, requests, sessions and audit.
import type { Hit } from '../actor/index-hit.ts'
import type { PayoutFailureCode } from '../contract/errors.ts'
import type { OperatorName } from '../contract/operator.ts'
import type { PaymentReason, RefundedFor } from '../contract/payment-reason.ts'
import type { TimelineKind, TimelineQuery } from '../contract/timeline.ts'
import { deviceRegistrationsIndexKey } from '../domain/auth/auth-index-keys.ts'
import type { DeviceRow } from '../domain/auth/device-row.ts'
import type { BillRefunded } from '../domain/bill/bill-state.ts'
import { cashRequestsIndexKey } from '../domain/cash-request/cash-request-index-keys.ts'
import type { CashRequest } from '../domain/cash-request/cash-request-state.ts'
import { sessionsIndexKey } from '../domain/dashboard/dashboard-index-keys.ts'
import type { DashboardSessionRow } from '../domain/dashboard/dashboard-state.ts'
import { activationRequestsIndexKey } from '../domain/merchant/merchant-index-keys.ts'
import type { MerchantNameRequested } from '../domain/merchant/merchant-state.ts'
import type { OperatorAction } from '../domain/operator/operator-decide.ts'
import { auditOfSubjectIndexKey, isAbout } from '../domain/operator/operator-index-keys.ts'
import { payoutsIndexKeys } from '../domain/payout/payout-index-keys.ts'
import type { Payout } from '../domain/payout/payout-state.ts'
import { payloadOf, type StoredEvent } from '../domain/record.ts'
import { transactionsIndexKeys } from '../domain/record-index-keys.ts'
import type { Environment } from '../kernel/environment.ts'
import type { IndexKey } from '../kernel/index-key.ts'
import { sequenceOf } from '../kernel/position.ts'
import { rfc3339 } from '../kernel/time.ts'
import type { AccountNumber, Posting } from '../ledger/transaction.ts'
import { type ListPage, listPage, pageWindow } from './list-page.ts'
import type { Reads } from './reads.ts'
import { postingOf, transactionOf } from './transaction-search.ts'

export interface TimelineInput {
  readonly subject: { readonly kind: 'merchant'; readonly id: string } | { readonly kind: 'wallet'; readonly tag: string }
  readonly environment: Environment
  readonly query: TimelineQuery
}

/** A row without its words: `what` names them. */
export interface TimelineEntry {
  readonly at: string
  readonly kind: TimelineKind
  /** Type of the transaction, noun of the request (`payout`: one that failed), action of the operator, `dashboard` or `device`. */
  readonly what: string
  /** The other side of a movement: a wallet by its tag, a merchant by its name of then; absent for the service. */
  readonly other?: string
  /** Who signed in, the text of a note, or the reason of a decision. */
  readonly said?: string
  /** Why a payout failed. */
  readonly failed?: PayoutFailureCode
  /** Why a payment was refunded. */
  readonly why?: PaymentReason
  readonly amount?: number
  readonly currency?: string
  readonly reference?: string
  readonly operator?: OperatorName
  readonly transaction_id?: string
}

interface Subject {
  readonly kind: 'merchant' | 'wallet'
  /** Id of the merchant, tag of the wallet. */
  readonly name: string
  /** In the environment of the timeline. */
  readonly account: AccountNumber
  /** Account that sessions belong to. */
  readonly home: AccountNumber
}

/** Returns rows as JSON text of TimelineEntry. Null when the cursor belongs to another kind of list, `unknown` for an unknown subject. */
export function listTimeline(reads: Reads, input: TimelineInput): ListPage | null | 'unknown' {
  const { query, environment } = input
  const subject = subjectOf(reads, input)
  if (subject === null) return 'unknown'
  const { limit, cursor, type, from, to } = query
  const window = pageWindow({
    ...(limit === undefined ? {} : { limit }),
    ...(cursor === undefined ? {} : { cursor }),
    ...(from === undefined ? {} : { created_from: from }),
    ...(to === undefined ? {} : { created_to: to }),
  })
  if (window === null) return null
  const entry = (hit: Hit): TimelineEntry | null => {
    const found = entryOf(reads, hit, subject, environment)
    return found === null || (type !== undefined && found.kind !== type) ? null : found
  }
  const page = reads.history.page({ ...window, indexKeys: [indexKeysOf(subject, type)], keep: (hit) => entry(hit) !== null })
  return listPage(page, (hit) => JSON.stringify(entry(hit)))
}

function subjectOf({ state }: Reads, { subject, environment }: TimelineInput): Subject | null {
  if (subject.kind === 'wallet') {
    const wallet = state.wallets.byTag(environment, subject.tag)
    return wallet === undefined ? null : { kind: 'wallet', name: wallet.tag, account: wallet.account, home: wallet.account }
  }
  const merchant = state.merchants.merchants.get(subject.id)
  if (merchant === undefined) return null
  return { kind: 'merchant', name: merchant.id, account: merchant.accounts[environment], home: merchant.accounts.live }
}

function indexKeysOf({ kind, name, account, home }: Subject, type: TimelineKind | undefined): IndexKey[] {
  const audit = [auditOfSubjectIndexKey(kind, name)]
  const own =
    kind === 'wallet'
      ? []
      : [
          ...[cashRequestsIndexKey('top_up', account), cashRequestsIndexKey('withdrawal', account), activationRequestsIndexKey(home)],
          ...payoutsIndexKeys(account, { state: 'failed' }).flat(),
        ]
  const keys = {
    movement: transactionsIndexKeys(account),
    request: [...own, ...audit],
    decision: audit,
    session: [kind === 'wallet' ? deviceRegistrationsIndexKey(home) : sessionsIndexKey(home)],
    note: audit,
  } satisfies Record<TimelineKind, readonly IndexKey[]>
  return type === undefined ? [...keys.movement, ...keys.request, ...keys.session] : keys[type]
}

function entryOf(reads: Reads, hit: Hit, subject: Subject, environment: Environment): TimelineEntry | null {
  const { event } = hit
  const place = { at: rfc3339(hit.timeMs) }
  if (event.type === 'operator.acted') return auditEntry(place, payloadOf<OperatorAction>(event), subject, environment)
  const transaction = transactionOf(hit, subject.account)
  if (transaction !== null) {
    const posting = postingOf(transaction, subject.account)
    const amount = posting === undefined ? 0 : posting.credit === subject.account ? posting.amount : -posting.amount
    const { currency } = transaction
    return {
      ...place,
      kind: 'movement',
      what: transaction.type,
      ...otherSide(reads, hit, posting, subject),
      ...{ amount, currency },
      ...referred(transaction.reference),
      ...(transaction.type === 'refund' ? refundWords(event) : {}),
      transaction_id: transaction.id,
    }
  }
  return sessionEntry(reads, hit, place, subject) ?? requestEntry(hit, place, subject)
}

function otherSide({ state }: Reads, { position }: Hit, posting: Posting | undefined, { account }: Subject): { readonly other?: string } {
  if (posting === undefined) return {}
  const side = posting.credit === account ? posting.debit : posting.credit
  const wallet = state.wallets.byAccount(side)
  const other = wallet === undefined ? state.merchants.nameAt(side, sequenceOf(position)) : `@${wallet.tag}`
  return other === null ? {} : { other }
}

function refundWords(event: StoredEvent): Pick<TimelineEntry, 'why' | 'said'> {
  const { refund_reason, refund_text } =
    event.type === 'bill.refunded' ? payloadOf<BillRefunded>(event).refund : payloadOf<RefundedFor>(event)
  return {
    ...(refund_reason === undefined ? {} : { why: refund_reason }),
    ...(refund_text === undefined ? {} : { said: refund_text }),
  }
}

type At = Pick<TimelineEntry, 'at'>

function sessionEntry({ state }: Reads, { event }: Hit, place: At, { home }: Subject): TimelineEntry | null {
  if (event.account !== home) return null
  if (event.type === 'dashboard_session.opened') {
    const email = state.dashboard.users.get(payloadOf<DashboardSessionRow>(event).user_id)?.email
    return { ...place, kind: 'session', what: 'dashboard', ...(email === undefined ? {} : { said: email }) }
  }
  return event.type === 'device.registered' ? { ...place, kind: 'session', what: 'device', said: payloadOf<DeviceRow>(event).name } : null
}

function requestEntry({ event }: Hit, place: At, { account, home }: Subject): TimelineEntry | null {
  if (event.account === home && event.type === 'merchant.activation_requested') return { ...place, kind: 'request', what: 'activation' }
  if (event.account === home && event.type === 'merchant.name_requested') {
    const name = payloadOf<MerchantNameRequested>(event).name_change?.name
    return { ...place, kind: 'request', what: 'name', ...(name === undefined ? {} : { said: name }) }
  }
  if (event.account === home && event.type === 'merchant.logo_set') return { ...place, kind: 'request', what: 'logo' }
  if (event.account !== account) return null
  if (event.type === 'payout.failed') {
    const { amount, currency, reference, failure_code: failed } = payloadOf<Payout>(event)
    const money = { amount, currency, ...referred(reference) }
    return { ...place, kind: 'request', what: 'payout', ...money, ...(failed === undefined ? {} : { failed }) }
  }
  if (event.type !== 'top_up.requested' && event.type !== 'withdrawal.requested') return null
  const { amount, currency, reference } = payloadOf<CashRequest>(event)
  return { ...place, kind: 'request', what: event.type.split('.')[0] ?? '', amount, currency, ...referred(reference) }
}

function auditEntry(place: At, acted: OperatorAction, { kind, name }: Subject, wanted: Environment): TimelineEntry | null {
  const { action, environment, operator, details, amount, currency, reference = '' } = acted
  if (!isAbout(acted, kind, name) || (environment !== null && environment !== wanted)) return null
  const money = amount === undefined || currency === undefined ? {} : { amount, currency }
  const row = { ...place, what: action, operator, ...money, ...referred(reference) }
  const { text, reason } = details as { readonly text?: string; readonly reason?: string }
  const said = text ?? reason
  const is = action.endsWith('.note') ? 'note' : action.endsWith('.request') ? 'request' : 'decision'
  return { ...row, kind: is, ...(said === undefined ? {} : { said }) }
}

function referred(reference: string): { readonly reference?: string } {
  return reference === '' ? {} : { reference }
}
