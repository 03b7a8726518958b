// What requests about bills and the runs of their code must come to.
import type { Verdict, Verdicts } from '../entry.ts'
import { ACCOUNT_MAX, type Environment, WALLET_MAX } from '../models/accounts.ts'
import type { ModelBiller } from '../models/billers.ts'
import type { ModelBill } from '../models/bills.ts'
import type { Models } from '../models.ts'

type Code = ReturnType<Verdict>

interface Payable {
  readonly biller: ModelBiller
  /** The merchant's account in the payer's environment. */
  readonly account: number
}

function payable(models: Models, environment: Environment, slug: string, product: string): Payable | 'biller_not_found' | Code {
  const { accounts, billers } = models
  const biller = billers.billers.get(slug)
  if (biller === undefined || biller.state !== 'published' || (environment === 'live' && !biller.isLive)) return 'biller_not_found'
  const state = biller.products.get(product)?.state
  if (state === undefined) return 'product_not_found'
  if (state === 'inactive') return 'product_inactive'
  const account = accounts.merchant(biller.merchantId)?.[environment] ?? -1
  return accounts.stopOf(account) ?? { biller, account }
}

interface Choice {
  readonly payer: number
  readonly biller: string
  readonly product: string
  readonly quoteId: string | null
  readonly packageId: string | null
  readonly amount: number | null
}

function quoted(models: Models, { quoteId, payer, biller, product, amount }: Choice, timeMs: number): number | Code {
  if (quoteId === null) return 'invalid_request'
  const quote = models.bills.quotes.get(quoteId)
  if (quote === undefined || quote.payer !== payer || quote.biller !== biller || quote.product !== product) return 'not_found'
  if (quote.isUsed) return 'quote_used'
  if (quote.expiresMs <= timeMs) return 'quote_expired'
  return amount !== null && amount !== quote.amount ? 'invalid_request' : quote.amount
}

/** The amount of the bill, by the mode of each of the three products that the simulated billers have. */
function amountOf(models: Models, choice: Choice, timeMs: number): number | Code {
  const { product, quoteId, packageId, amount } = choice
  if (quoteId !== null && product !== 'facture') return 'invalid_request'
  if (packageId !== null && product !== 'pass') return 'invalid_request'
  if (product === 'facture') return quoted(models, choice, timeMs)
  if (product === 'don') return amount ?? 'invalid_form_values'
  if (packageId === null) return 'invalid_request'
  if (packageId !== 'jour') return 'package_not_found'
  return amount !== null && amount !== 500 ? 'invalid_request' : 500
}

function afterwards({ accounts, bills, fees }: Models) {
  const found = ({ merchant, position }: { readonly merchant: number; readonly position: number }): ModelBill | undefined => {
    const bill = bills.at(position)
    return bill?.merchant === merchant ? bill : undefined
  }
  return {
    RedeliverBill: (command) => {
      const bill = found(command)
      if (bill === undefined) return 'not_found'
      if (bill.isRefunded) return 'bill_already_refunded'
      if (bill.code === 'running') return 'fulfillment_running'
      return bill.code === 'succeeded' && !command.force ? 'already_fulfilled' : null
    },
    RefundBill: (command) => {
      const bill = found(command)
      if (bill === undefined) return 'not_found'
      const stop = accounts.stopOf(bill.merchant)
      if (stop !== null) return stop
      if (bill.isRefunded) return 'bill_already_refunded'
      if (accounts.account(bill.payer).balance + bill.amount + fees.backToPayer(bill.fee) > WALLET_MAX) return 'recipient_limit_exceeded'
      return accounts.available(bill.merchant) + fees.backToMerchant(bill.fee) < bill.amount ? 'funds_paid_out' : null
    },
  } satisfies Verdicts
}

export const billVerdicts = (models: Models) => {
  const { accounts, bills } = models
  const runs = ({ merchant, chargeId }: { readonly merchant: number; readonly chargeId: string }, codes: readonly ModelBill['code'][]) => {
    const bill = bills.bills.get(chargeId)
    return bill !== undefined && bill.merchant === merchant && codes.includes(bill.code) ? bill : null
  }
  const isReturnable = (command: Parameters<typeof runs>[0]): boolean => {
    const bill = runs(command, ['running'])
    return bill !== null && !bill.isRefunded && !bill.hasCalled
  }
  return {
    ...afterwards(models),
    CreateQuote: ({ payer, biller, product }): Code => {
      if (accounts.walletAt(payer)?.block === 'blocked') return 'wallet_blocked'
      const found = payable(models, accounts.account(payer).environment, biller, product)
      return typeof found === 'string' ? found : null
    },
    PayBill: (command, { timeMs }) => {
      const { payer, biller, product } = command
      if (accounts.walletAt(payer)?.block === 'blocked') return 'wallet_blocked'
      const found = payable(models, accounts.account(payer).environment, biller, product)
      if (typeof found === 'string' || found === null) return found
      const amount = amountOf(models, command, timeMs)
      if (typeof amount !== 'number') return amount
      if (models.fees.isShort('bill', payer, found.account, amount)) return 'insufficient_balance'
      return accounts.account(found.account).balance + amount > ACCOUNT_MAX ? 'recipient_limit_exceeded' : null
    },
    StartFulfillment: (command) => (runs(command, ['waiting']) === null ? 'not_found' : null),
    MarkFulfillmentCall: (command) => (isReturnable(command) ? null : 'not_found'),
    ReturnFulfillment: (command) => (isReturnable(command) ? null : 'not_found'),
    EndFulfillment: (command) => (runs(command, ['waiting', 'running']) === null ? 'not_found' : null),
  } satisfies Verdicts
}
