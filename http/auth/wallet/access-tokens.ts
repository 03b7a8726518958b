// Access tokens of wallets: JWTs of one pinned algorithm, type, issuer and audience. A token says which session it is
// of; whether that session still is one, the state says on every request.
import { hash } from 'node:crypto'
import { decodeProtectedHeader, errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import type { TimeMs } from '../../../engine/kernel/time.ts'
import { TOKENS_CACHED_MAX } from '../../server/server-limits.ts'
import type { SigningKeys, TokenKey } from './token-keys.ts'

export const ACCESS_TOKEN_LIFETIME_S = 3600

const ALGORITHM = 'HS256'
/** RFC 9068: a token of another type, signed with the same key, is no access token. */
const TYPE = 'at+jwt'
const ISSUER = 'cauri'
const AUDIENCE = 'cauri-wallet'
/** Ours have about 350 characters; what is longer is not even looked at. */
const TOKEN_LENGTH_MAX = 1024

export interface SessionClaims {
  /** UUID of the user. */
  readonly userId: string
  /** Of the device that it was given to; see Device in the state. */
  readonly sessionId: string
}

export interface TokenStamp {
  readonly kid: string
  readonly issuedAtS: number
}

export interface KnownToken extends SessionClaims {
  readonly expiresAtMs: TimeMs
}

export class AccessTokens {
  readonly #keys: SigningKeys
  readonly #now: () => TimeMs
  readonly #cacheMax: number
  /** By SHA-256 of the token: a verification costs 0.1 ms and a turn through libuv's pool, a look-up 2 µs. */
  readonly #known = new Map<string, KnownToken>()

  constructor(keys: SigningKeys, now: () => TimeMs, cacheMax = TOKENS_CACHED_MAX) {
    this.#keys = keys
    this.#now = now
    this.#cacheMax = cacheMax
  }

  get cachedCount(): number {
    return this.#known.size
  }

  /** What makes a token of the same claims another one; made beforehand where the same token may have to be made again. */
  stamp(): TokenStamp {
    return { kid: this.#keys.signing().kid, issuedAtS: Math.floor(this.#now() / 1000) }
  }

  issue(claims: SessionClaims): Promise<string> {
    return this.#sign(claims, this.#keys.signing(), Math.floor(this.#now() / 1000))
  }

  /** The same token for the same stamp, byte for byte; null when it can no longer be good because its key is gone. */
  async issueStamped(claims: SessionClaims, { kid, issuedAtS }: TokenStamp): Promise<string | null> {
    const key = this.#keys.named(kid)
    return key === null ? null : this.#sign(claims, key, issuedAtS)
  }

  async #sign({ userId, sessionId }: SessionClaims, { kid, secret }: TokenKey, nowS: number): Promise<string> {
    const token = await new SignJWT({ sid: sessionId })
      .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setSubject(userId)
      .setIssuedAt(nowS)
      .setExpirationTime(nowS + ACCESS_TOKEN_LIFETIME_S)
      .sign(secret)
    this.#remember(token, { userId, sessionId, expiresAtMs: (nowS + ACCESS_TOKEN_LIFETIME_S) * 1000 })
    return token
  }

  /** The claims of a token that was issued or verified before; null for all others, which may still be good. */
  known(token: string): KnownToken | null {
    if (token.length > TOKEN_LENGTH_MAX) return null
    const name = nameOf(token)
    const claims = this.#known.get(name)
    if (claims === undefined) return null
    if (claims.expiresAtMs > this.#now()) return claims
    this.#known.delete(name)
    return null
  }

  /** Verifies the token, and caches it when it is valid. The promise is never rejected because of the token's content. */
  async verify(token: string): Promise<KnownToken | null> {
    if (token.length > TOKEN_LENGTH_MAX) return null
    const key = this.#keyOf(token)
    if (key === null) return null
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: [ALGORITHM],
        typ: TYPE,
        issuer: ISSUER,
        audience: AUDIENCE,
        requiredClaims: ['sub', 'sid', 'iat', 'exp'],
        // Maximum lifetime, whichever the token claims; a token from the future is refused.
        maxTokenAge: ACCESS_TOKEN_LIFETIME_S,
        currentDate: new Date(this.#now()),
      })
      const claims = sessionClaims(payload)
      if (claims !== null) this.#remember(token, claims)
      return claims
    } catch (error) {
      if (error instanceof errors.JOSEError) return null
      throw error
    }
  }

  /** Only the name of the key is read from the token; an unknown name is refused. */
  #keyOf(token: string): Uint8Array | null {
    try {
      const { alg, kid } = decodeProtectedHeader(token)
      return alg === ALGORITHM && kid !== undefined ? (this.#keys.named(kid)?.secret ?? null) : null
    } catch {
      // An unreadable token is not valid.
      return null
    }
  }

  #remember(token: string, claims: KnownToken): void {
    if (this.#known.size >= this.#cacheMax) {
      // The oldest of a Map comes first; who still uses it is verified once more.
      for (const oldest of this.#known.keys()) {
        this.#known.delete(oldest)
        break
      }
    }
    this.#known.set(nameOf(token), claims)
  }
}

function sessionClaims({ sub, sid, exp }: JWTPayload): KnownToken | null {
  if (typeof sub !== 'string' || typeof sid !== 'string' || typeof exp !== 'number') return null
  return { userId: sub, sessionId: sid, expiresAtMs: exp * 1000 }
}

function nameOf(token: string): string {
  return hash('sha256', token, 'base64')
}
