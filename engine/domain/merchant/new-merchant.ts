// A new merchant and the event that it begins with: the same whether an operator makes it or its owner signs up.
import type { Currency } from '../../kernel/currency.ts'
import { rfc3339 } from '../../kernel/time.ts'
import { type Context, event } from '../decision.ts'
import type { StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import type { ActivationChanged } from './merchant-evolve.ts'
import type { MerchantActivation, MerchantRow } from './merchant-state.ts'

/** Returns the currency that a new account is to have; null where the deployment does not keep it. `named`: absent for the default. */
export function keptCurrency(named: string | undefined, { currencies }: Pick<Context, 'currencies'>): Currency | null {
  return named === undefined ? currencies[0] : (currencies.find((kept) => kept === named) ?? null)
}

/** Its accounts are the next two; the event must be the only one of its record that opens any. */
export function merchantCreated(
  state: State,
  { name, email, currency }: Pick<MerchantRow, 'name' | 'email' | 'currency'>,
  context: Context,
): { readonly merchant: MerchantRow; readonly created: StoredEvent } {
  const live = state.accounts.next(currency)
  const merchant: MerchantRow = {
    id: context.newId(),
    name,
    email,
    currency,
    accounts: { live, test: live + 1 },
    created_at: rfc3339(context.timeMs),
  }
  return { merchant, created: event('merchant.created', 1, live, merchant) }
}

export const NO_ACTIVATION: MerchantActivation = { state: 'none', reason: null, requested_at: null, decided_at: null, details: null }

/** The event of a sign-up under approval: live money waits for an operator. It follows the creation in its record. */
export function activationRequired({ id, accounts }: MerchantRow): StoredEvent {
  const payload: ActivationChanged = { merchant_id: id, activation: NO_ACTIVATION }
  return event('merchant.activation_required', 1, accounts.live, payload)
}
