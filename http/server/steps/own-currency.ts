// Step: a request that moves money and names a currency names that of its account.
import type { ObjectSchema, Schema } from '../../../engine/contract/schema.ts'
import type { Currency } from '../../../engine/kernel/currency.ts'
import { Fault } from '../body/validation.ts'
import { coreOf, NEXT, type Request, type StepResult } from '../request.ts'

export function ownCurrency(request: Request): StepResult {
  const { endpoint, body } = request
  if (typeof body !== 'object' || body === null || !endpoint.movesMoney) return NEXT
  const { currency, items } = body as NamedCurrencies
  const lines = Array.isArray(items) && hasStrictLines(endpoint.route.body) ? (items as readonly NamedCurrencies[]) : NO_LINES
  if (currency === undefined && lines.length === 0) return NEXT
  return judged(currency, lines, currencyOf(request))
}

/** On its own: a function with a closure makes a context at each call. */
function judged(currency: unknown, lines: readonly NamedCurrencies[], own: Currency | null): StepResult {
  if (own === null) return NEXT
  if (currency !== undefined && currency !== own) return new Fault('unsupported_currency', 'currency')
  const at = lines.findIndex((line) => line.currency !== undefined && line.currency !== own)
  return at < 0 ? NEXT : new Fault('unsupported_currency', `items.${at}.currency`)
}

interface NamedCurrencies {
  readonly currency?: unknown
  readonly items?: unknown
}

/** Lines of any JSON have verdicts of their own: none refuses the whole. */
function hasStrictLines(schema: Schema | undefined): boolean {
  const items = (schema as ObjectSchema | undefined)?.properties.items as { readonly items?: Schema } | undefined
  return items?.items?.type === 'object'
}

const NO_LINES: readonly NamedCurrencies[] = []

/** Returns null where there is no such account: the handler says so. */
function currencyOf(request: Request): Currency | null {
  const { principal, endpoint, call } = request
  const { route } = endpoint
  if (route.currencyOf !== undefined) return route.currencyOf(call)
  return 'account' in principal ? coreOf(request).engine.query('accounts.currency', { account: principal.account }) : null
}
