// Phones of wallets, as an operator's role sees them: support reads most digits masked, and asks for a whole number with a reason.
import type { OperatorWallet } from '../../../engine/contract/operator.ts'
import type { OperatorPrincipal } from '../../server/route.ts'

/** Characters that stay at the start, which is the calling code, and at the end. */
const FIRST = 4
const LAST = 2

export function maskedPhone(phone: string): string {
  return phone.slice(0, FIRST) + '•'.repeat(Math.max(0, phone.length - FIRST - LAST)) + phone.slice(-LAST)
}

export function seesMasked({ role }: Pick<OperatorPrincipal, 'role'>): boolean {
  return role === 'support'
}

/** Returns the wallet as the operator sees it. */
export function walletFor(operator: Pick<OperatorPrincipal, 'role'>, wallet: OperatorWallet): OperatorWallet {
  return seesMasked(operator) ? { ...wallet, phone: maskedPhone(wallet.phone) } : wallet
}
