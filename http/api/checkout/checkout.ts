// Lookup of a charge by its token, for the checkout page, the public routes and the app.
import { checkoutOf, type EngineApi, logoUrl, type NamedCharge, type Wallet } from '../../../engine/api.ts'
import type { Checkout } from '../../../engine/contract/checkout.ts'
import type { Environment } from '../../../engine/kernel/environment.ts'
import { normalizeTag } from '../../../engine/kernel/tag.ts'
import { logosBase, type PublicAddress } from '../billers/logo-file.ts'

interface CheckoutParts {
  readonly engine: Pick<EngineApi, 'query'>
}

/** Returns null when no charge has the token. A charge past its expiry time is expired, even before its timer fires. */
export function foundCharge({ engine }: CheckoutParts, token: string): NamedCharge | null {
  return engine.query('charges.byToken', { token })
}

export function checkoutRecord(found: NamedCharge, address: PublicAddress): Checkout {
  const { charge, merchantName, merchantAddress: merchant_address, merchantLogo, state, payerFee: fee } = found
  const merchant_logo_url = logoUrl(merchantLogo, logosBase(address))
  return { ...checkoutOf(merchantName, { ...charge, state }), fee, merchant_address, merchant_logo_url }
}

/** The payer, as challenges and lookups name it. */
export interface Payer {
  /** `tag:awa` or `phone:+2250700000001`. */
  readonly identifier: string
  /** Null when no wallet of the charge's environment has the identifier. An answer must not reveal that. */
  readonly wallet: Wallet | null
}

/** Returns the payer of a typed identifier. Its format decides between tag and phone. */
export function payerOf({ engine }: CheckoutParts, environment: Environment, typed: string): Payer {
  if (typed.startsWith('+')) {
    const wallet = engine.query('wallets.byPhone', { phone: typed })
    const isHere = wallet !== null && engine.query('accounts.environment', { account: wallet.account }) === environment
    return { identifier: `phone:${typed}`, wallet: isHere ? wallet : null }
  }
  const tag = normalizeTag(typed) ?? ''
  return { identifier: `tag:${tag}`, wallet: engine.query('wallets.byTag', { environment, tag }) }
}
