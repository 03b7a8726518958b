// The fate of each line of a batch, in order, over balances that run along: what decides a batch, a run of a schedule
// and a dry run. Changes nothing.
import type { BatchLine } from '../../contract/batch-line.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import type { KeyAllowance } from '../merchant/key-allowance.ts'
import type { RecipientChecks } from '../recipient-check/recipient-checks.ts'
import type { AllowedMovement, MovementRules } from '../rules/movement-rules.ts'
import type { State } from '../state.ts'
import { failureOfPayer, judgedPayout } from './payout-decide.ts'
import type { PayoutFailure } from './payout-state.ts'

/** What judges the lines of one decision, in their order. */
export interface LineRules {
  readonly checks: RecipientChecks
  /** Of the key; null without limits. */
  readonly allowance: KeyAllowance | null
  readonly rules: MovementRules
  /** Deciding ends before the first line with one of these. */
  readonly stopsAt: ReadonlySet<PayoutFailure>
}

export interface DecidedFates {
  /** Of the lines from the first on. */
  readonly fates: (AllowedMovement | PayoutFailure)[]
  readonly stoppedBy: PayoutFailure | null
}

/**
 * Returns for each line its movement, or the failure. A line without enough balance or above a limit of its payer fails before its
 * recipient is looked at, and the next is still tried. `checks`, `allowance` and `rules` are those of the whole decision.
 */
export function decideLines(
  state: State,
  merchant: AccountNumber,
  lines: readonly BatchLine[],
  { checks, allowance, rules, stopsAt }: LineRules,
): DecidedFates {
  const fates: (AllowedMovement | PayoutFailure)[] = []
  const stop = state.merchants.stopOf(merchant)
  for (let index = 0; index < lines.length; index++) {
    const { fault, recipient, amount } = lines[index] as BatchLine
    const payerFailure = fault ?? stop ?? (amount === null ? 'invalid_amount' : failureOfPayer(merchant, amount, allowance, rules))
    if (payerFailure !== null && stopsAt.has(payerFailure)) return { fates, stoppedBy: payerFailure }
    if (payerFailure !== null || amount === null) {
      fates.push(payerFailure ?? 'invalid_amount')
      continue
    }
    const payee = checks.payeeOf(recipient)
    const account = payee === 'recipient_check_limited' ? paidAbove(lines, fates, recipient) : payee
    if (typeof account === 'string' && stopsAt.has(account)) return { fates, stoppedBy: account }
    const fate = typeof account === 'string' ? account : judgedPayout(rules, merchant, account, amount)
    fates.push(fate)
    if (typeof fate === 'string') continue
    rules.add(fate)
    allowance?.pay(amount)
  }
  return { fates, stoppedBy: null }
}

/** Beyond the budget, a recipient that a line above pays is one that the merchant has paid. */
function paidAbove(
  lines: readonly BatchLine[],
  fates: readonly (AllowedMovement | PayoutFailure)[],
  recipient: string,
): AccountNumber | 'recipient_check_limited' {
  for (let index = 0; index < fates.length; index++) {
    const fate = fates[index]
    if (typeof fate === 'object' && (lines[index] as BatchLine).recipient === recipient) return fate.posting.credit
  }
  return 'recipient_check_limited'
}
