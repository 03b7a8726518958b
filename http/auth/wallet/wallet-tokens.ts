// Whose bearer token it is: an access token of a session that goes on, or the token of one step of sign-up or login. A
// token of one kind is nothing at another's door.
import type { Engine } from '../../../engine/actor/engine.ts'
import { openLogin } from '../../../engine/domain/auth/device-decide.ts'
import { openSignup } from '../../../engine/domain/auth/signup-decide.ts'
import { environmentOfPhone } from '../../../engine/kernel/environment.ts'
import { opaqueTokenHash } from '../../crypto/opaque-token.ts'
import type { LoginPrincipal, SignupPrincipal, WalletPrincipal } from '../../server/route.ts'
import { bearerToken } from '../operator/operator.ts'
import type { AccessTokens, KnownToken } from './access-tokens.ts'

export class WalletTokens {
  readonly #engine: Pick<Engine, 'state' | 'nowMs'>
  readonly #tokens: AccessTokens

  constructor(engine: Pick<Engine, 'state' | 'nowMs'>, tokens: AccessTokens) {
    this.#engine = engine
    this.#tokens = tokens
  }

  /** Verifies an access token that was not seen before, so that `wallet` knows it; null when there is nothing to wait for. */
  prepare(authorization: string): Promise<unknown> | null {
    const token = bearerToken(authorization)
    return token === null || this.#tokens.known(token) !== null ? null : this.#tokens.verify(token)
  }

  /** Null for any token but that of a session that goes on: revoked, it is gone from the state. */
  wallet(authorization: string): WalletPrincipal | null {
    const token = bearerToken(authorization)
    const claims = token === null ? null : this.#tokens.known(token)
    return claims === null ? null : this.#walletOf(claims)
  }

  signup(authorization: string): SignupPrincipal | null {
    const token = bearerToken(authorization)
    const signup = token === null ? null : openSignup(this.#engine.state, opaqueTokenHash(token), this.#engine.nowMs())
    return signup === null ? null : { kind: 'signup', tokenHash: signup.token_hash, environment: environmentOfPhone(signup.phone) }
  }

  login(authorization: string): LoginPrincipal | null {
    const token = bearerToken(authorization)
    const login = token === null ? null : openLogin(this.#engine.state, opaqueTokenHash(token), this.#engine.nowMs())
    return login === null ? null : { kind: 'login', tokenHash: login.token_hash, account: login.account }
  }

  #walletOf({ sessionId, userId, expiresAtMs }: KnownToken): WalletPrincipal | null {
    const { auth, wallets } = this.#engine.state
    const device = auth.deviceOfSession(sessionId)
    const wallet = device === undefined ? undefined : wallets.byAccount(device.account)
    if (device === undefined || wallet === undefined || wallet.id !== userId) return null
    return { kind: 'wallet', wallet, account: wallet.account, environment: environmentOfPhone(wallet.phone), device, expiresAtMs }
  }
}
