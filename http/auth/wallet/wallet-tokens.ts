// Finds the principal of a bearer token: an access token of an open session, or the token of a sign-up or login step.
// A token of another kind is rejected.
import type { EngineApi } from '../../../engine/api.ts'
import { environmentOfPhone } from '../../../engine/kernel/environment.ts'
import { opaqueTokenHash } from '../../crypto/opaque-token.ts'
import type { LoginPrincipal, SignupPrincipal, WalletPrincipal } from '../../server/route.ts'
import { bearerToken } from '../operator/operator.ts'
import type { AccessTokens, KnownToken } from './access-tokens.ts'

export class WalletTokens {
  readonly #engine: Pick<EngineApi, 'query'>
  readonly #tokens: AccessTokens

  constructor(engine: Pick<EngineApi, 'query'>, tokens: AccessTokens) {
    this.#engine = engine
    this.#tokens = tokens
  }

  /** Verifies an unknown access token, so that `wallet` finds it; null when nothing must be awaited. */
  prepare(authorization: string): Promise<unknown> | null {
    const token = bearerToken(authorization)
    return token === null || this.#tokens.known(token) !== null ? null : this.#tokens.verify(token)
  }

  /** Returns the principal of an open session; null for any other token, revoked ones included. */
  wallet(authorization: string): WalletPrincipal | null {
    const token = bearerToken(authorization)
    const claims = token === null ? null : this.#tokens.known(token)
    return claims === null ? null : this.#walletOf(claims)
  }

  signup(authorization: string): SignupPrincipal | null {
    const token = bearerToken(authorization)
    const signup = token === null ? null : this.#engine.query('signups.byToken', { tokenHash: opaqueTokenHash(token) })
    return signup === null ? null : { kind: 'signup', tokenHash: signup.token_hash, environment: environmentOfPhone(signup.phone) }
  }

  login(authorization: string): LoginPrincipal | null {
    const token = bearerToken(authorization)
    const login = token === null ? null : this.#engine.query('logins.byToken', { tokenHash: opaqueTokenHash(token) })
    return login === null ? null : { kind: 'login', tokenHash: login.token_hash, account: login.account }
  }

  #walletOf({ sessionId, userId, expiresAtMs }: KnownToken): WalletPrincipal | null {
    const device = this.#engine.query('devices.ofSession', { sessionId })
    const wallet = device === null ? null : this.#engine.query('wallets.byAccount', { account: device.account })
    if (device === null || wallet === null || wallet.id !== userId) return null
    return { kind: 'wallet', wallet, account: wallet.account, environment: environmentOfPhone(wallet.phone), device, expiresAtMs }
  }
}
