// A charge as the holder of its token sees it: on the checkout page, through the public routes, in the app.
import { checkoutOf, type EngineApi, type NamedCharge, type Wallet } from '../../../engine/api.ts'
import type { Checkout } from '../../../engine/contract/checkout.ts'
import type { Environment } from '../../../engine/kernel/environment.ts'
import { normalizeTag } from '../../../engine/kernel/tag.ts'

interface CheckoutParts {
  readonly engine: Pick<EngineApi, 'query'>
}

/** Null when no charge has the token. A charge past its time is expired here, whether its timer has fired or not. */
export function foundCharge({ engine }: CheckoutParts, token: string): NamedCharge | null {
  return engine.query('charges.byToken', { token })
}

export function checkoutRecord({ charge, merchantName, state }: NamedCharge): Checkout {
  return checkoutOf(merchantName, { ...charge, state })
}

/** What a payer typed, as challenges and look-ups have it. */
export interface Payer {
  /** `tag:awa` or `phone:+2250700000001`. */
  readonly identifier: string
  /** Null when no wallet of the charge's environment has it; an answer must not show that. */
  readonly wallet: Wallet | null
}

/** `typed` is a tag or a phone by its shape. */
export function payerOf({ engine }: CheckoutParts, environment: Environment, typed: string): Payer {
  if (typed.startsWith('+')) {
    const wallet = engine.query('wallets.byPhone', { phone: typed })
    const isHere = wallet !== null && engine.query('accounts.environment', { account: wallet.account }) === environment
    return { identifier: `phone:${typed}`, wallet: isHere ? wallet : null }
  }
  const tag = normalizeTag(typed) ?? ''
  return { identifier: `tag:${tag}`, wallet: engine.query('wallets.byTag', { environment, tag }) }
}
