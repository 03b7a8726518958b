// Queries for fees: the rules, what a movement costs now, and the fees of a period for the operator's report.
import type { Fee, FeeKind, FeeReportRow, FeeRules } from '../contract/fees.ts'
import { listedBiller } from '../domain/bill/payable.ts'
import { payloadOf } from '../domain/record.ts'
import { transactionsIndexKeys } from '../domain/record-index-keys.ts'
import { type FeeMoved, isFeeMoved } from '../domain/rules/fee-transactions.ts'
import { bearerOf, feeOf, payerFee, tariffOf } from '../domain/rules/fees.ts'
import type { Amount } from '../kernel/amount.ts'
import type { Currency } from '../kernel/currency.ts'
import type { Environment } from '../kernel/environment.ts'
import type { Position } from '../kernel/position.ts'
import type { TimeMs } from '../kernel/time.ts'
import type { AccountNumber } from '../ledger/transaction.ts'
import type { Reads } from './reads.ts'
import { type MovementsInput, movementOf } from './transaction-queries.ts'
import { transactionOf } from './transaction-search.ts'

export interface OfCurrency {
  readonly environment: Environment
  readonly currency: Currency
}

export function feeRules({ state }: Reads, { environment, currency }: OfCurrency): FeeRules {
  return state.rules.feesOf(environment, currency)
}

export interface FeeInput {
  readonly on: FeeKind
  /** The merchant, or the wallet that sends. */
  readonly account: AccountNumber
  readonly amount: Amount
}

/** Returns what a movement of the account costs by the rules as they are now. */
export function feeNow({ state }: Reads, { on, account, amount }: FeeInput): Fee {
  return { fee: feeOf(state, on, account, amount)?.amount ?? 0, borne_by: bearerOf(on, tariffOf(state, on, account)?.rule) }
}

export interface BillFeeInput {
  /** Wallet that pays. */
  readonly account: AccountNumber
  /** Slug of the biller. */
  readonly biller: string
  readonly amount: Amount
}

/** Returns what the payer of a bill bears; null for a biller that the wallet may not see. A fee of the merchant is not shown to it. */
export function billFeeNow({ state }: Reads, { account, biller: slug, amount }: BillFeeInput): Fee | null {
  const environment = state.accounts.environment(account)
  const biller = listedBiller(state, environment, slug)
  const merchant = biller === undefined ? undefined : state.merchants.merchants.get(biller.merchant_id)
  if (merchant === undefined) return null
  const payee = merchant.accounts[environment]
  const borne_by = bearerOf('bill', tariffOf(state, 'bill', payee)?.rule)
  return { fee: payerFee(feeOf(state, 'bill', payee, amount)), borne_by }
}

/** A fee that was taken, or with a negative amount one that a refund gave back. */
export type FeeMove = Omit<FeeReportRow, 'count' | 'day'> & { readonly atMs: TimeMs }

export interface FeeMovesPage {
  readonly moves: readonly FeeMove[]
  /** Position where the next page starts; null at the end. */
  readonly next: Position | null
}

export type FeeMovesInput = OfCurrency & Omit<MovementsInput, 'account'>

/** Returns the fees of a range of time, newest first. */
export function listFeeMoves(
  { state, history }: Reads,
  { environment, currency, fromMs, toMs, below, limit }: FeeMovesInput,
): FeeMovesPage {
  const { accounts, merchants } = state
  if (!accounts.keeps(currency)) return { moves: [], next: null }
  const account = accounts.own('fee', environment, currency)
  const { hits, next } = history.page({
    indexKeys: [(['fee', 'fee_refund'] as const).flatMap((type) => transactionsIndexKeys(account, { type }))],
    keep: (hit) => isFeeMoved(hit.event) && transactionOf(hit, account) !== null,
    createdFromMs: fromMs,
    createdToMs: toMs,
    limit,
    ...(below === null ? {} : { below }),
  })
  const moves = hits.map((hit): FeeMove => {
    const { plan, on } = payloadOf<FeeMoved>(hit.event)
    return {
      plan,
      on,
      merchant_id: merchants.byAccount(hit.event.account)?.id ?? null,
      amount: movementOf(hit, account).amount,
      atMs: hit.record.timeMs,
    }
  })
  return { moves, next }
}
