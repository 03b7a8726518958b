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
    if (verdict !== 'unknown-key') return verdict
    await this.#refetch()
    const second = await this.#check(idToken)
    return second === 'unknown-key' ? 'invalid' : second
  }

  async #check(idToken: string): Promise<IdTokenVerdict | 'unknown-key'> {
    if (this.#keys === null) return 'unavailable'
    try {
      const { payload } = await jwtVerify(idToken, this.#keys, {
        algorithms: [ALGORITHM],
        issuer: this.#setting.issuer,
        audience: this.#setting.projectId,
        requiredClaims: ['sub', 'iat', 'exp', 'phone_number'],
        currentDate: new Date(this.#now()),
      })
      return this.#phoneOf(payload)
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey) return 'unknown-key'
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
        if (!isKeySet(json)) return
        this.#keys = createLocalJWKSet(json)
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

function isKeySet(json: unknown): json is JSONWebKeySet {
  return typeof json === 'object' && json !== null && Array.isArray((json as { keys?: unknown }).keys)
}
