// Authentication: finds the principal of a request, or the error code of its rejection. Order of the guards:
// authentication (401, or 404 for hidden routes), CSRF token of the session, scope, test-only rule (403).
import type { EngineApi } from '../../engine/api.ts'
import type { ErrorCode } from '../../engine/contract/errors.ts'
import { unreachable } from '../../engine/kernel/assert.ts'
import type { Environment } from '../../engine/kernel/environment.ts'
import { opaqueTokenHash } from '../crypto/opaque-token.ts'
import type { AuthRule, Call, Principal, PublicPrincipal, SessionPrincipal } from '../server/route.ts'
import type { Credentials } from '../server/server-context.ts'
import type { DashboardSessions } from './dashboard/dashboard-sessions.ts'
import { type DemoLock, NO_DEMO } from './demo-lock.ts'
import { ApiKeys } from './keys/api-keys.ts'
import { bearerToken, OperatorGuard } from './operator/operator.ts'
import type { WalletTokens } from './wallet/wallet-tokens.ts'

const PUBLIC: PublicPrincipal = { kind: 'public' }

export class Authenticator {
  readonly apiKeys: ApiKeys
  readonly #operator: OperatorGuard | null
  readonly #walletTokens: WalletTokens | null
  readonly #sessions: DashboardSessions | null

  /** Without `operatorToken` (null or empty) the operator's routes answer 404. */
  constructor(
    engine: Pick<EngineApi, 'query'>,
    operatorToken: string | null,
    walletTokens: WalletTokens | null = null,
    sessions: DashboardSessions | null = null,
    demo: Pick<DemoLock, 'isLocked'> = NO_DEMO,
  ) {
    this.apiKeys = new ApiKeys(engine, demo)
    this.#walletTokens = walletTokens
    this.#sessions = sessions
    this.#operator = operatorToken === null || operatorToken === '' ? null : new OperatorGuard(operatorToken, engine)
  }

  /**
   * Returns what must resolve before `authenticate`; null when nothing must. The caller stays unauthenticated until
   * then.
   */
  prepare(rule: AuthRule, credentials: Pick<Credentials, 'authorization'>): Promise<unknown> | null {
    return rule === 'wallet' || rule === 'stream' ? (this.#walletTokens?.prepare(credentials.authorization) ?? null) : null
  }

  /** First guard. Returns the principal, or the error code of the rejection. */
  authenticate(rule: AuthRule, credentials: Credentials, from: Pick<Call, 'remoteAddress'>): Principal | ErrorCode {
    switch (rule) {
      case 'public':
        return PUBLIC
      case 'key':
        return this.apiKeys.check(credentials.apiKey, credentials.apiSecret, credentials.apiSecretHash) ?? 'unauthorized'
      case 'key-or-session':
        // A request with a key is judged by its key. A cookie never replaces a wrong key.
        if (credentials.apiKey === '' && credentials.apiSecret === '') return this.#session(credentials)
        return this.apiKeys.check(credentials.apiKey, credentials.apiSecret, credentials.apiSecretHash) ?? 'unauthorized'
      case 'session':
        return this.#session(credentials)
      case 'operator':
        if (this.#operator === null) return 'not_found'
        return this.#operator.check(credentials.authorization, from.remoteAddress)
      case 'wallet':
        return this.#walletTokens?.wallet(credentials.authorization) ?? 'unauthorized'
      case 'stream':
        // A request without the header may have a ticket, which the handler checks.
        if (credentials.authorization === '') return PUBLIC
        return this.#walletTokens?.wallet(credentials.authorization) ?? 'unauthorized'
      case 'signup':
        return this.#walletTokens?.signup(credentials.authorization) ?? 'unauthorized'
      case 'login':
        return this.#walletTokens?.login(credentials.authorization) ?? 'unauthorized'
      default:
        return unreachable(rule)
    }
  }

  /** Returns the hash of the sent token, valid or not; null when there is none. */
  tokenHash(rule: AuthRule, { authorization, cookie }: Pick<Credentials, 'authorization' | 'cookie'>): string | null {
    const token = rule === 'session' ? (this.#sessions?.token(cookie) ?? null) : bearerToken(authorization)
    return token === null ? null : opaqueTokenHash(token)
  }

  #session({ cookie, environment }: Credentials): SessionPrincipal | ErrorCode {
    return this.#sessions?.check(cookie, sessionEnvironment(environment)) ?? 'unauthorized'
  }
}

/** Returns `live` when the header is missing. Other values were rejected before. */
function sessionEnvironment(header: string): Environment {
  return header === 'test' ? 'test' : 'live'
}
