// What the pages of rules share: the environment and the currency that a page is about, its tabs, and amounts that are typed in it.
import type { FeeRules } from '../../../engine/contract/fees.ts'
import type { LimitRules } from '../../../engine/contract/limits.ts'
import { type Currency, isCurrency } from '../../../engine/kernel/currency.ts'
import { ENVIRONMENTS, type Environment } from '../../../engine/kernel/environment.ts'
import { moneyInput, symbolOf, typedMoney } from '../../text/money.ts'
import { composed, type Text } from '../../text/text.ts'
import type { ApiAnswer } from '../shared/api-calls.ts'
import { formField } from '../shared/form-field.ts'
import { type Html, html } from '../shared/html.ts'
import { WORDS } from '../shared/shared-words.ts'
import type { Desk, DeskCall } from './desk.ts'
import { ENVIRONMENT_NAMES } from './operator-parts.ts'
import { RULES_WORDS } from './rules-words.ts'

/** Rules are of one environment and one currency. */
export interface Scope {
  readonly environment: Environment
  readonly currency: Currency
}

/** Longest amount that is typed, with blanks and the symbol. */
export const AMOUNT_LENGTH_MAX = 30

/** The scope of a page's query; the default where it names none that is kept. */
export function scopeOf({ currencies }: Pick<Desk, 'currencies'>, queryText: string): Scope {
  const query = new URLSearchParams(queryText)
  const currency = query.get('currency') ?? ''
  return {
    environment: query.get('environment') === 'test' ? 'test' : 'live',
    currency: isCurrency(currency) && currencies.includes(currency) ? currency : currencies[0],
  }
}

export function queryOf({ environment, currency }: Scope, more: Readonly<Record<string, string>> = {}): string {
  return new URLSearchParams({ environment, currency, ...more }).toString()
}

/** Renders the choice of environment, and of the currency where several are kept. */
export function scopeTabs(
  { currencies }: Pick<Desk, 'currencies'>,
  path: string,
  scope: Scope,
  more: Readonly<Record<string, string>> = {},
): Html {
  const tab = (to: Scope, words: Text | string, isHere: boolean): Html =>
    html`<a href="${path}?${queryOf(to, more)}"${isHere && html` aria-current="page"`}>${words}</a>`
  const environments = ENVIRONMENTS.map((name) => tab({ ...scope, environment: name }, ENVIRONMENT_NAMES[name], name === scope.environment))
  const kept = currencies.map((name) => tab({ ...scope, currency: name }, name, name === scope.currency))
  return html`<nav class="tabs" aria-label="${WORDS.environment}">${environments}</nav>
${kept.length > 1 && html`<nav class="tabs" aria-label="${RULES_WORDS.currency}">${kept}</nav>`}`
}

export function limitRulesOf({ engine }: Pick<Desk, 'engine'>, scope: Scope): LimitRules {
  return engine.query('rules.limits', scope)
}

export function feeRulesOf({ engine }: Pick<Desk, 'engine'>, scope: Scope): FeeRules {
  return engine.query('fees.rules', scope)
}

export interface AmountField {
  readonly name: string
  /** The name, where the page has one form with it. */
  readonly id?: string
  readonly label: Text
  readonly value: string
  readonly currency: Currency
  readonly hint?: Text
  readonly error?: Text | null
}

export function amountField({ name, id = name, label, value, currency, hint, error = null }: AmountField): Html {
  return formField({
    ...{
      name,
      id,
      label: composed`${label} (${symbolOf(currency)})`,
      value,
      error,
      maxLength: AMOUNT_LENGTH_MAX,
      inputMode: 'numeric',
      isRequired: false,
    },
    ...(hint === undefined ? {} : { hint }),
  })
}

/** Returns the amount of a field that may be empty: null for an empty one, undefined for what is no amount. */
export function typedLimit(typed: string, currency: Currency): number | null | undefined {
  return typed.trim() === '' ? null : (typedMoney(typed, currency) ?? undefined)
}

export function shownAmount(amount: number | null | undefined, currency: Currency): string {
  return amount === null || amount === undefined ? '' : moneyInput(amount, currency)
}

/** Goes back to a page, which says that the rules are saved, that another administrator must approve, or why not. */
export function sayChanged(desk: Desk, call: DeskCall, page: string, answer: ApiAnswer<unknown>): void {
  if (!answer.ok) return desk.redirectWith(call, page, answer.error.message)
  desk.redirectWith(call, page, answer.status === 202 ? RULES_WORDS.waits : RULES_WORDS.saved)
}
