// Phone sign-in by Firebase: an ID token of the configured project, verified with the provider's published keys.
// Nothing in the token selects where the keys come from.
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose'
import type { TimeMs } from '../../../engine/kernel/time.ts'
import type { FetchJson } from '../../workers/gateways/json-calls.ts'

/** Issuer and keys of the ID tokens: FIREBASE_PROJECT_ID and its companions. */
export interface FirebaseSetting {
  readonly projectId: string
  readonly jwksUrl: string
  readonly issuer: string
}

export type IdTokenVerdict = { readonly phone: string } | 'invalid' | 'unavailable'

const ALGORITHM = 'RS256'
const ID_TOKEN_LENGTH_MAX = 8192
/** The provider changes its keys every few days and announces each before its first use. */
const KEYS_AGE_MAX_MS = 3_600_000
/** Minimum interval between two fetches of the keys for a token with an unknown key. */
const REFETCH_AFTER_MS = 30_000
/** The same interval while no keys were ever fetched. */
const FIRST_FETCH_AFTER_MS = 1_000
/** RFC 7518, section 3.3. */
const MODULUS_BITS_MIN = 2048
const PHONE = /^\+[1-9][0-9]{7,14}$/

type Resolve = ReturnType<typeof createLocalJWKSet>

export class FirebaseTokens {
  readonly #setting: FirebaseSetting
  readonly #fetchJson: FetchJson
  readonly #now: () => TimeMs
  #keys: Resolve | null = null
  #triedAtMs: TimeMs = Number.NEGATIVE_INFINITY
  #fetchedAtMs: TimeMs = Number.NEGATIVE_INFINITY
  #fetching: Promise<void> | null = null

  constructor(setting: FirebaseSetting, fetchJson: FetchJson, now: () => TimeMs) {
    this.#setting = setting
    this.#fetchJson = fetchJson
    this.#now = now
  }

  /** Verifies an ID token. `unavailable`: the provider's keys could not be fetched. */
  async verify(idToken: string): Promise<IdTokenVerdict> {
    if (idToken.length > ID_TOKEN_LENGTH_MAX) return 'invalid'
    if (this.#keys === null || this.#now() - this.#fetchedAtMs >= KEYS_AGE_MAX_MS) await this.#refetch()
    const verdict = await this.#check(idToken)
    if (verdict !== 'unknown-key' && verdict !== 'unusable-key') return verdict
    await this.#refetch()
    const second = await this.#check(idToken)
    if (second === 'unusable-key') return 'unavailable'
    return second === 'unknown-key' ? 'invalid' : second
  }

  async #check(idToken: string): Promise<IdTokenVerdict | 'unknown-key' | 'unusable-key'> {
    if (this.#keys === null) return 'unavailable'
    try {
      const { payload } = await jwtVerify(idToken, usableKey(this.#keys), {
        algorithms: [ALGORITHM],
        issuer: this.#setting.issuer,
        audience: this.#setting.projectId,
        requiredClaims: ['sub', 'iat', 'exp', 'phone_number'],
        currentDate: new Date(this.#now()),
      })
      return this.#phoneOf(payload)
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey) return 'unknown-key'
      if (error instanceof UnusableKey) return 'unusable-key'
      if (error instanceof errors.JOSEError) return 'invalid'
      throw error
    }
  }

  /** Checks the claims beyond those of every JWT: issued and signed in not in the future, a subject, a phone. */
  #phoneOf({ sub, iat, auth_time, phone_number }: JWTPayload): IdTokenVerdict {
    const nowS = this.#now() / 1000
    if (sub === undefined || sub === '' || iat === undefined || iat > nowS) return 'invalid'
    if (auth_time !== undefined && (typeof auth_time !== 'number' || auth_time > nowS)) return 'invalid'
    return typeof phone_number === 'string' && PHONE.test(phone_number) ? { phone: phone_number } : 'invalid'
  }

  /** Fetches the keys once for all waiting callers. After a failure the previous keys stay. */
  #refetch(): Promise<void> {
    if (this.#fetching !== null) return this.#fetching
    if (this.#now() - this.#triedAtMs < (this.#keys === null ? FIRST_FETCH_AFTER_MS : REFETCH_AFTER_MS)) return Promise.resolve()
    this.#triedAtMs = this.#now()
    this.#fetching = this.#fetchJson(this.#setting.jwksUrl).then(
      (json) => {
        this.#fetching = null
        const keys = keySet(json)
        if (keys === null) return
        this.#keys = keys
        this.#fetchedAtMs = this.#now()
      },
      () => {
        // The outgoing call has logged why; here there are just no newer keys.
        this.#fetching = null
      },
    )
    return this.#fetching
  }
}

/** Null for a document that is no key set. */
function keySet(json: unknown): Resolve | null {
  try {
    return createLocalJWKSet(json as JSONWebKeySet)
  } catch (error) {
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}

/** The provider publishes a key that no token can be verified by. */
class UnusableKey extends Error {}

/** The import of a malformed key, and the use of a short one, throw plain errors. */
function usableKey(keys: Resolve): (...from: Parameters<Resolve>) => ReturnType<Resolve> {
  return async (...from) => {
    const key = await keys(...from).catch((error: unknown) => {
      throw error instanceof errors.JOSEError ? error : new UnusableKey()
    })
    const { modulusLength = 0 } = key.algorithm as { readonly modulusLength?: number }
    if (modulusLength < MODULUS_BITS_MIN) throw new UnusableKey()
    return key
  }
}
