// Notes of operators on a merchant or a wallet. A note is an entry of the audit trail.
import type { Environment } from '../../kernel/environment.ts'
import type { Context, Decision } from '../decision.ts'
import { payloadOf } from '../record.ts'
import type { State } from '../state.ts'
import { merchantSubject, walletSubject } from './audit-subject.ts'
import { type Act, type OperatorAction, operatorActed } from './operator-decide.ts'

export interface AddNote {
  readonly type: 'AddNote'
  readonly target: { readonly merchantId: string } | { readonly tag: string }
  readonly environment: Environment
  readonly text: string
}

export const ADD_NOTE_REJECTIONS = ['not_found', 'wallet_not_found'] as const

/** Returns `created` and the note. Rejections: not_found, wallet_not_found. */
export function decideAddNote(
  state: State,
  { target, environment, text }: AddNote,
  context: Context,
): Decision<(typeof ADD_NOTE_REJECTIONS)[number]> {
  const about = aboutTarget(state, target, environment)
  if (typeof about === 'string') return { refusal: about }
  const noted = operatorActed(context, { ...about, environment, details: { text } })
  const { id, created_at: at, operator } = payloadOf<OperatorAction>(noted)
  const body = JSON.stringify({ id, at, kind: 'note', summary: text, operator })
  return { environment, events: [noted], transactions: [], frames: [], kind: 'created', body }
}

function aboutTarget(
  { merchants, wallets }: State,
  target: AddNote['target'],
  environment: Environment,
): Pick<Act, 'action' | 'target' | 'subject'> | (typeof ADD_NOTE_REJECTIONS)[number] {
  if ('tag' in target) {
    const wallet = wallets.byTag(environment, target.tag)
    return wallet === undefined ? 'wallet_not_found' : { action: 'wallet.note', target: `@${wallet.tag}`, subject: walletSubject(wallet) }
  }
  const merchant = merchants.merchants.get(target.merchantId)
  return merchant === undefined ? 'not_found' : { action: 'merchant.note', target: merchant.id, subject: merchantSubject(merchant) }
}
