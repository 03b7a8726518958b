// A charge as whoever holds its token sees it: on the checkout page, through the public routes, in the app.
import type { Checkout } from '../../../engine/contract/checkout.ts'
import { type FoundCharge, findCharge } from '../../../engine/domain/charge/charge-versions.ts'
import type { Wallet } from '../../../engine/domain/wallet/wallet-state.ts'
import type { Environment } from '../../../engine/kernel/environment.ts'
import { normalizeTag } from '../../../engine/kernel/tag.ts'
import type { House } from '../../app/house.ts'
import { checkoutOf } from './checkout-record.ts'

type CheckoutHouse = Pick<House, 'engine'>

/** Null when nothing goes by that token. A charge past its time is expired here, whether its timer has fired or not. */
export function foundCharge({ engine }: CheckoutHouse, token: string): FoundCharge | null {
  return findCharge(engine.state, token, { past: engine.history, timeMs: engine.nowMs() })
}

export function checkoutRecord({ engine }: CheckoutHouse, { charge, account, state }: FoundCharge): Checkout {
  return checkoutOf(engine.state, account, { ...charge, state })
}

/** What a payer typed, as challenges and look-ups have it. */
export interface Payer {
  /** `tag:awa` or `phone:+2250700000001`. */
  readonly identifier: string
  /** Null when it leads to nobody in the charge's environment; whoever asks must not be told. */
  readonly wallet: Wallet | null
}

/** `typed` is a tag or a phone by its shape. */
export function payerOf({ engine }: CheckoutHouse, environment: Environment, typed: string): Payer {
  const { wallets, accounts } = engine.state
  if (typed.startsWith('+')) {
    const wallet = wallets.byPhone(typed)
    const isHere = wallet !== undefined && accounts.environment(wallet.account) === environment
    return { identifier: `phone:${typed}`, wallet: isHere ? wallet : null }
  }
  const tag = normalizeTag(typed) ?? ''
  return { identifier: `tag:${tag}`, wallet: wallets.byTag(environment, tag) ?? null }
}
