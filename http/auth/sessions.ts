// What a device is given when it has signed in: an access token for the session that the engine has opened.
import type { Outcome } from '../../engine/actor/envelope.ts'
import type { RefreshedSession, Session } from '../../engine/contract/auth.ts'
import type { User } from '../../engine/contract/me.ts'
import type { Wallet } from '../../engine/domain/wallet/state.ts'
import { assert } from '../../engine/kernel/assert.ts'
import { environmentOfPhone } from '../../engine/kernel/environment.ts'
import type { AccountNumber } from '../../engine/ledger/transaction.ts'
import type { House } from '../house.ts'
import type { Call } from '../route.ts'
import { ACCESS_TOKEN_LIFETIME_S, type SessionClaims } from './access-tokens.ts'
import { later } from './later.ts'
import { answerRefusal } from './otp-challenges.ts'

type SessionHouse = Pick<House, 'engine' | 'wallets'>

/** Answers what came of CompleteSignup or CompleteLogin; `deviceToken` leaves here for the only time. */
export function answerSession(
  house: SessionHouse,
  call: Pick<Call, 'answer' | 'answerAs' | 'fail'>,
  outcome: Outcome,
  deviceToken: string,
): void {
  if (outcome.status !== 200) return answerRefusal(call, outcome)
  const { account, session_id } = JSON.parse(outcome.body) as { account: AccountNumber; session_id: string }
  const wallet = house.engine.state.wallets.byAccount(account)
  assert(wallet !== undefined, 'who signed in has a wallet')
  later(call, async () => {
    const tokens = await refreshedSession(house, { userId: wallet.id, sessionId: session_id }, deviceToken)
    call.answer(200, JSON.stringify({ ...tokens, user: userOf(wallet) } satisfies Session))
  })
}

export async function refreshedSession({ wallets }: SessionHouse, claims: SessionClaims, deviceToken: string): Promise<RefreshedSession> {
  return {
    access_token: await wallets.accessTokens.issue(claims),
    token_type: 'Bearer',
    expires_in: ACCESS_TOKEN_LIFETIME_S,
    device_token: deviceToken,
  }
}

/** The wallet's owner as they see themselves: without account numbers. */
export function userOf({ id, phone, tag, family_name, given_name }: Wallet): User {
  return { id, phone, tag, family_name, given_name, environment: environmentOfPhone(phone) }
}
