// Access tokens of wallets: JWTs with pinned algorithm, type, issuer and audience. A token names its session. Live
// state decides on every request whether the session is open.
import { hash } from 'node:crypto'
import { decodeProtectedHeader, errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import type { TimeMs } from '../../../engine/kernel/time.ts'
import { TOKENS_CACHED_MAX } from '../../server/server-limits.ts'
import type { SigningKeys, TokenKey } from './token-keys.ts'

export const ACCESS_TOKEN_LIFETIME_S = 3600

const ALGORITHM = 'HS256'
/** Token type of RFC 9068. A token of another type with the same key is rejected. */
const TYPE = 'at+jwt'
const ISSUER = 'cauri'
const AUDIENCE = 'cauri-wallet'
/** Maximum characters of a token; issued ones have about 350. */
const TOKEN_LENGTH_MAX = 1024

export interface SessionClaims {
  /** UUID of the user. */
  readonly userId: string
  /** Session of the device that received the token. */
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
  /** Verified tokens by SHA-256. A verification costs 0.1 ms and a turn through libuv's pool, a look-up 2 µs. */
  readonly #known = new Map<string, KnownToken>()

  constructor(keys: SigningKeys, now: () => TimeMs, cacheMax = TOKENS_CACHED_MAX) {
    this.#keys = keys
    this.#now = now
    this.#cacheMax = cacheMax
  }

  get cachedCount(): number {
    return this.#known.size
  }

  /** Returns a stamp, which makes tokens of equal claims differ. A stored stamp makes the same token again. */
  stamp(): TokenStamp {
    return { kid: this.#keys.signing().kid, issuedAtS: Math.floor(this.#now() / 1000) }
  }

  issue(claims: SessionClaims): Promise<string> {
    return this.#sign(claims, this.#keys.signing(), Math.floor(this.#now() / 1000))
  }

  /** Returns the same token for the same stamp, byte for byte; null when its key no longer exists. */
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

  /** Returns the claims of a token that was issued or verified before; null for any other, which may still be valid. */
  known(token: string): KnownToken | null {
    if (token.length > TOKEN_LENGTH_MAX) return null
    const name = nameOf(token)
    const claims = this.#known.get(name)
    if (claims === undefined) return null
    if (claims.expiresAtMs > this.#now()) return claims
    this.#known.delete(name)
    return null
  }

  /** Verifies the token and caches it when valid. The promise never rejects because of the token. */
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
        // Maximum age, even when the token claims more. A token from the future is rejected.
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

  /** Returns the key that the token names; null for an unknown name. Nothing else of the token selects it. */
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
      // A Map iterates oldest first. A dropped token is verified again at its next use.
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
