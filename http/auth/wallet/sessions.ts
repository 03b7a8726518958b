// Responses of a sign-in: access token and device token of the new session.
import type { AccountNumber, EngineApi, Outcome, Wallet } from '../../../engine/api.ts'
import type { RefreshedSession, Session } from '../../../engine/contract/auth.ts'
import type { User } from '../../../engine/contract/me.ts'
import { assert } from '../../../engine/kernel/assert.ts'
import { environmentOfPhone } from '../../../engine/kernel/environment.ts'
import { answerRefusal } from '../../server/answer-refusal.ts'
import { later } from '../../server/later.ts'
import type { Call } from '../../server/route.ts'
import { ACCESS_TOKEN_LIFETIME_S, type AccessTokens, type SessionClaims, type TokenStamp } from './access-tokens.ts'

export interface SessionParts {
  readonly engine: Pick<EngineApi, 'query'>
  readonly wallets: { readonly accessTokens: AccessTokens }
}

interface SessionSecret {
  readonly device_token: string
  readonly stamp: TokenStamp
}

/**
 * Returns the JSON text that a new session's tokens are made from. It is stored with the idempotency key, so that a
 * replay makes the same tokens.
 */
export function sessionSecret({ wallets }: SessionParts, deviceToken: string): string {
  return JSON.stringify({ device_token: deviceToken, stamp: wallets.accessTokens.stamp() } satisfies SessionSecret)
}

/** Answers the outcome of CompleteSignup or CompleteLogin, also for a replay. `secret` comes from `sessionSecret`. */
export function answerSession(
  parts: SessionParts,
  call: Pick<Call, 'answer' | 'answerAs' | 'refuse' | 'fail'>,
  outcome: Outcome,
  secret: string,
): void {
  if (outcome.kind !== 'ok') return answerRefusal(call, outcome)
  const { device_token, stamp } = JSON.parse(secret) as SessionSecret
  const { account, session_id } = JSON.parse(outcome.body) as { account: AccountNumber; session_id: string }
  const wallet = parts.engine.query('wallets.byAccount', { account })
  assert(wallet !== null, 'a session belongs to a wallet')
  later(call, async () => {
    const accessToken = await parts.wallets.accessTokens.issueStamped({ userId: wallet.id, sessionId: session_id }, stamp)
    if (accessToken === null) return call.refuse('unauthorized')
    call.answer(200, JSON.stringify({ ...tokensOf(accessToken, device_token), user: userOf(wallet) } satisfies Session))
  })
}

export async function refreshedSession({ wallets }: SessionParts, claims: SessionClaims, deviceToken: string): Promise<RefreshedSession> {
  return tokensOf(await wallets.accessTokens.issue(claims), deviceToken)
}

function tokensOf(access_token: string, device_token: string): RefreshedSession {
  return { access_token, token_type: 'Bearer', expires_in: ACCESS_TOKEN_LIFETIME_S, device_token }
}

/** Returns the wallet's owner as the API shows them, without account numbers. */
export function userOf({ id, phone, tag, family_name, given_name }: Wallet): User {
  return { id, phone, tag, family_name, given_name, environment: environmentOfPhone(phone) }
}
