// The fate of each line of a batch, in order, over balances that run along: what decides a batch, a run of a schedule
// and a dry run. Changes nothing.
import type { BatchLine } from '../../contract/batch-line.ts'
import { type Amount, isAmount } from '../../kernel/amount.ts'
import { WALLET_BALANCE_MAX } from '../../kernel/limits.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import type { KeyAllowance } from '../merchant/key-allowance.ts'
import type { RecipientChecks } from '../recipient-check/recipient-checks.ts'
import type { State } from '../state.ts'
import { ceilingFailure, failureOfPayer } from './payout-decide.ts'
import type { PayoutFailure } from './payout-state.ts'

/**
 * Returns for each line the account of its recipient, or the failure. A line without enough balance fails before its recipient is
 * looked at, and the next is still tried. `checks` and `allowance` are those of the whole decision.
 */
export function decideLines(
  state: State,
  merchant: AccountNumber,
  lines: readonly BatchLine[],
  { checks, allowance }: { readonly checks: RecipientChecks; readonly allowance: KeyAllowance | null },
): (AccountNumber | PayoutFailure)[] {
  const { accounts } = state
  const asked = sumOf(lines)
  /** What this batch has given to wallets that it may bring to their ceiling; nearly always empty. */
  const given = new Map<AccountNumber, Amount>()
  const fates: (AccountNumber | PayoutFailure)[] = []
  let available = accounts.available(merchant)
  const stop = state.merchants.stopOf(merchant)
  for (let index = 0; index < lines.length; index++) {
    const { fault, recipient, amount } = lines[index] as BatchLine
    const payerFailure = fault ?? stop ?? (amount === null ? 'invalid_amount' : failureOfPayer(available, amount, allowance))
    if (payerFailure !== null || amount === null) {
      fates.push(payerFailure ?? 'invalid_amount')
      continue
    }
    const payee = checks.payeeOf(recipient)
    const account = payee === 'recipient_check_limited' ? paidAbove(lines, fates, recipient) : payee
    if (typeof account === 'string') {
      fates.push(account)
      continue
    }
    const balance = accounts.balance(account)
    const isNearCeiling = balance + asked > WALLET_BALANCE_MAX
    const before = isNearCeiling ? (given.get(account) ?? 0) : 0
    const failure = ceilingFailure(balance + before, amount)
    fates.push(failure ?? account)
    if (failure !== null) continue
    if (isNearCeiling) given.set(account, before + amount)
    available -= amount
    allowance?.pay(amount)
  }
  return fates
}

/** Beyond the budget, a recipient that a line above pays is one that the merchant has paid. */
function paidAbove(
  lines: readonly BatchLine[],
  fates: readonly (AccountNumber | PayoutFailure)[],
  recipient: string,
): AccountNumber | 'recipient_check_limited' {
  for (let index = 0; index < fates.length; index++) {
    const fate = fates[index]
    if (typeof fate === 'number' && (lines[index] as BatchLine).recipient === recipient) return fate
  }
  return 'recipient_check_limited'
}

function sumOf(lines: readonly BatchLine[]): Amount {
  let sum = 0
  for (let index = 0; index < lines.length; index++) {
    const { amount } = lines[index] as BatchLine
    if (isAmount(amount)) sum += amount
  }
  return sum
}
