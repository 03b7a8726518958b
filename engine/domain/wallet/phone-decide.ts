// The phone of a wallet, shown to an operator whose role sees it masked. Each time stands in the audit trail with its reason.
import type { WalletPhone } from '../../contract/operator.ts'
import type { Environment } from '../../kernel/environment.ts'
import type { Context, Decision } from '../decision.ts'
import { walletSubject } from '../operator/audit-subject.ts'
import { operatorActed } from '../operator/operator-decide.ts'
import type { State } from '../state.ts'

export interface ShowPhone {
  readonly type: 'ShowPhone'
  readonly environment: Environment
  /** Normalized. */
  readonly tag: string
  readonly reason: string
}

export const SHOW_PHONE_REJECTIONS = ['wallet_not_found'] as const

/** Returns `ok` and the phone. Rejections: wallet_not_found. */
export function decideShowPhone(
  state: State,
  { environment, tag, reason }: ShowPhone,
  context: Context,
): Decision<(typeof SHOW_PHONE_REJECTIONS)[number]> {
  const wallet = state.wallets.byTag(environment, tag)
  if (wallet === undefined) return { refusal: 'wallet_not_found', param: 'tag' }
  const audit = operatorActed(context, {
    ...{ action: 'wallet.phone', target: `@${tag}`, subject: walletSubject(wallet), environment },
    details: { reason },
  })
  const shown: WalletPhone = { tag, phone: wallet.phone, environment }
  return { environment, events: [audit], transactions: [], frames: [], kind: 'ok', body: JSON.stringify(shown) }
}
