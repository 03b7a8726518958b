// Authentication: finds the principal of a request, or the error code that it is refused with. The order of the guards is
// authentication (401, or 404 for hidden routes), then the session's CSRF token, scope, and the test-only rule (403).
import type { EngineApi } from '../../engine/api.ts'
import type { ErrorCode } from '../../engine/contract/errors.ts'
import { unreachable } from '../../engine/kernel/assert.ts'
import type { Environment } from '../../engine/kernel/environment.ts'
import { opaqueTokenHash } from '../crypto/opaque-token.ts'
import type { AuthRule, Call, OperatorPrincipal, Principal, PublicPrincipal, SessionPrincipal } from '../server/route.ts'
import type { Credentials } from '../server/route-guards.ts'
import type { DashboardSessions } from './dashboard/dashboard-sessions.ts'
import { ApiKeys } from './keys/api-keys.ts'
import { bearerToken, OperatorGuard } from './operator/operator.ts'
import type { WalletTokens } from './wallet/wallet-tokens.ts'

const OPERATOR: OperatorPrincipal = { kind: 'operator' }
const PUBLIC: PublicPrincipal = { kind: 'public' }

export class Authenticator {
  readonly apiKeys: ApiKeys
  readonly #operator: OperatorGuard | null
  readonly #walletTokens: WalletTokens | null
  readonly #sessions: DashboardSessions | null

  /** Without a token (null or empty) the operator's routes do not exist. */
  constructor(
    engine: Pick<EngineApi, 'query'>,
    operatorToken: string | null,
    walletTokens: WalletTokens | null = null,
    sessions: DashboardSessions | null = null,
  ) {
    this.apiKeys = new ApiKeys(engine)
    this.#walletTokens = walletTokens
    this.#sessions = sessions
    this.#operator = operatorToken === null || operatorToken === '' ? null : new OperatorGuard(operatorToken)
  }

  /** What `authenticate` has to wait for with these credentials; null when there is nothing. The caller stays unknown until then. */
  prepare(rule: AuthRule, credentials: Pick<Credentials, 'authorization'>): Promise<unknown> | null {
    return rule === 'wallet' || rule === 'stream' ? (this.#walletTokens?.prepare(credentials.authorization) ?? null) : null
  }

  /** First guard. A string is the code to refuse with. */
  authenticate(rule: AuthRule, credentials: Credentials, from: Pick<Call, 'remoteAddress'>): Principal | ErrorCode {
    switch (rule) {
      case 'public':
        return PUBLIC
      case 'key':
        return this.apiKeys.check(credentials.apiKey, credentials.apiSecret) ?? 'unauthorized'
      case 'key-or-session':
        // Who shows a key means the key: a cookie that comes along takes no wrong one's place.
        if (credentials.apiKey === '' && credentials.apiSecret === '') return this.#session(credentials)
        return this.apiKeys.check(credentials.apiKey, credentials.apiSecret) ?? 'unauthorized'
      case 'session':
        return this.#session(credentials)
      case 'operator':
        if (this.#operator === null) return 'not_found'
        return this.#operator.refusal(credentials.authorization, from.remoteAddress) ?? OPERATOR
      case 'wallet':
        return this.#walletTokens?.wallet(credentials.authorization) ?? 'unauthorized'
      case 'stream':
        // Without a header it may still have a ticket, which its handler looks at.
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

  /** Hash of the token that was shown, whether it is good for anything or not; null where none was. */
  tokenHash(rule: AuthRule, { authorization, cookie }: Pick<Credentials, 'authorization' | 'cookie'>): string | null {
    const token = rule === 'session' ? (this.#sessions?.token(cookie) ?? null) : bearerToken(authorization)
    return token === null ? null : opaqueTokenHash(token)
  }

  #session({ cookie, environment }: Credentials): SessionPrincipal | ErrorCode {
    return this.#sessions?.check(cookie, sessionEnvironment(environment)) ?? 'unauthorized'
  }
}

/** `live` where the header is missing; the transport has refused what is neither. */
function sessionEnvironment(header: string): Environment {
  return header === 'test' ? 'test' : 'live'
}
