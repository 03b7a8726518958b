// What every change of the operator's rules leaves behind: one event with the rule as it is from then on.
import type { MerchantRule } from '../../contract/limits.ts'
import type { PlainReason } from '../../contract/reasons.ts'
import type { Immutable } from '../../contract/schema.ts'
import type { Environment } from '../../kernel/environment.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Accepted, type Decision, event } from '../decision.ts'
import type { StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import type { FeeRulesChange, LimitRulesChange } from './rules-state.ts'

/** The payload of `rules.changed`: the rule as it is from then on, with the account that it is about. */
export type RulesChanged =
  | LimitRulesChange
  | FeeRulesChange
  | { readonly kind: 'fee_plan'; readonly account: AccountNumber; readonly plan: string | null }
  | { readonly kind: 'wallet_tier'; readonly account: AccountNumber; readonly tier: string | null }
  | { readonly kind: 'merchant_limits'; readonly account: AccountNumber; readonly limits: Immutable<Partial<MerchantRule>> }

export const RULE_CHANGE_REJECTIONS = ['not_found', 'wallet_not_found', 'invalid_request'] as const

export type RuleChangeRejection = (typeof RULE_CHANGE_REJECTIONS)[number]

export function rulesChanged(state: State, environment: Environment, payload: RulesChanged): StoredEvent {
  return event('rules.changed', 1, state.settlementAccount(environment), payload)
}

export function invalid(param: string, reason: PlainReason): Decision<'invalid_request'> {
  return { refusal: 'invalid_request', param, reason }
}

export function changed(environment: Environment, events: readonly StoredEvent[], answer: object): Accepted {
  return { environment, events, transactions: [], frames: [], kind: 'ok', body: JSON.stringify(answer) }
}
