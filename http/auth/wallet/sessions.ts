// What a device is given when it has signed in: an access token for the session that the engine has opened.
import type { Outcome } from '../../../engine/actor/envelope.ts'
import type { RefreshedSession, Session } from '../../../engine/contract/auth.ts'
import type { User } from '../../../engine/contract/me.ts'
import type { Wallet } from '../../../engine/domain/wallet/wallet-state.ts'
import { assert } from '../../../engine/kernel/assert.ts'
import { environmentOfPhone } from '../../../engine/kernel/environment.ts'
import type { AccountNumber } from '../../../engine/ledger/transaction.ts'
import type { House } from '../../app/house.ts'
import { answerRefusal } from '../../server/answer-refusal.ts'
import { later } from '../../server/later.ts'
import type { Call } from '../../server/route.ts'
import { ACCESS_TOKEN_LIFETIME_S, type SessionClaims, type TokenStamp } from './access-tokens.ts'

type SessionHouse = Pick<House, 'engine' | 'wallets'>

interface SessionSecret {
  readonly device_token: string
  readonly stamp: TokenStamp
}

/** What a new session's tokens are made of, as JSON text: kept with the key, so that a replay makes the same tokens. */
export function sessionSecret({ wallets }: SessionHouse, deviceToken: string): string {
  return JSON.stringify({ device_token: deviceToken, stamp: wallets.accessTokens.stamp() } satisfies SessionSecret)
}

/** Answers what came of CompleteSignup or CompleteLogin, the first time and to each replay. `secret` is of `sessionSecret`. */
export function answerSession(
  house: SessionHouse,
  call: Pick<Call, 'answer' | 'answerAs' | 'refuse' | 'fail'>,
  outcome: Outcome,
  secret: string,
): void {
  if (outcome.status !== 200) return answerRefusal(call, outcome)
  const { device_token, stamp } = JSON.parse(secret) as SessionSecret
  const { account, session_id } = JSON.parse(outcome.body) as { account: AccountNumber; session_id: string }
  const wallet = house.engine.state.wallets.byAccount(account)
  assert(wallet !== undefined, 'who signed in has a wallet')
  later(call, async () => {
    const accessToken = await house.wallets.accessTokens.issueStamped({ userId: wallet.id, sessionId: session_id }, stamp)
    if (accessToken === null) return call.refuse('unauthorized')
    call.answer(200, JSON.stringify({ ...tokensOf(accessToken, device_token), user: userOf(wallet) } satisfies Session))
  })
}

export async function refreshedSession({ wallets }: SessionHouse, claims: SessionClaims, deviceToken: string): Promise<RefreshedSession> {
  return tokensOf(await wallets.accessTokens.issue(claims), deviceToken)
}

function tokensOf(access_token: string, device_token: string): RefreshedSession {
  return { access_token, token_type: 'Bearer', expires_in: ACCESS_TOKEN_LIFETIME_S, device_token }
}

/** The wallet's owner as they see themselves: without account numbers. */
export function userOf({ id, phone, tag, family_name, given_name }: Wallet): User {
  return { id, phone, tag, family_name, given_name, environment: environmentOfPhone(phone) }
}
