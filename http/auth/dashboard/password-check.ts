// The only check of a dashboard password: network limit, account lock, comparison, count of wrong ones. Existing and
// unknown accounts take the same steps and time, and lock alike. A remembered browser has its own count. No other
// file reads the password.
import { createHmac } from 'node:crypto'
import { type DashboardUserRow, type EngineApi, type Outcome, PASSWORD_ATTEMPTS_MAX } from '../../../engine/api.ts'
import { errorValue } from '../../../engine/contract/errors.ts'
import type { TimeMs } from '../../../engine/kernel/time.ts'
import type { ScryptThreads } from '../../crypto/scrypt-threads.ts'
import { type HashOrder, type Peppers, SlowHash } from '../../crypto/slow-hash.ts'
import { NetworkLimit } from '../../server/network-limit.ts'
import { statusOf } from '../../server/outcome-status.ts'
import type { Call, SessionPrincipal } from '../../server/route.ts'
import { COUNTED_NETWORKS_MAX, WRONG_PASSWORDS_PER_NETWORK } from '../../server/server-limits.ts'
import type { DeviceCookies } from './device-cookies.ts'
import { KnownAddresses } from './known-addresses.ts'
import { RunningGuesses } from './running-guesses.ts'
import { CROWDED } from './sign-in-outcome.ts'

export type PasswordVerdict =
  /** Right. `generation` of the user identifies the password, for commands that must fail after a change. */
  | { readonly isRight: true; readonly user: DashboardUserRow; readonly countKey: string }
  /** Wrong, locked, or too many attempts at once: the response. */
  | { readonly isRight: false; readonly status: number; readonly body: string; readonly retryAfterS: number | null }

/** Base-2 logarithm of scrypt's N: 97 ms and 32 MB. */
const LOG2_COST = 15
/** For passwords of 96 random bits, which no list of guesses has: 3 ms. */
const LOG2_COST_RANDOM = 10

/** Hash that stands in for an unknown user: it takes as long as any other and never matches. */
const NO_USER_HASH = `scrypt:v1:${LOG2_COST}:${'A'.repeat(22)}:${'A'.repeat(43)}`

export interface PasswordCall extends Pick<Call, 'remoteAddress' | 'browser'> {
  /** Session of a signed-in user. */
  readonly session?: Pick<SessionPrincipal, 'user'>
}

export interface PasswordParts {
  readonly engine: Pick<EngineApi, 'query' | 'submit'>
  readonly threads: ScryptThreads
  readonly devices: DeviceCookies
  readonly peppers: Peppers
  /** HMAC key for the counts of e-mail addresses. */
  readonly countKey: Buffer
  /** False when the disk is nearly full. Passwords are then not checked, because a failure could not be recorded. */
  readonly canWrite: () => boolean
}

export class PasswordChecks {
  readonly #parts: PasswordParts
  readonly #hash: SlowHash
  readonly #perNetwork = new NetworkLimit(WRONG_PASSWORDS_PER_NETWORK, COUNTED_NETWORKS_MAX)
  readonly #known = new KnownAddresses()
  readonly #guesses = new RunningGuesses()

  constructor(parts: PasswordParts) {
    this.#parts = parts
    this.#hash = new SlowHash(parts.peppers, parts.threads)
  }

  /** Returns the hash of a new password; null when too many hashes wait. */
  hash(password: string, order: HashOrder): Promise<string | null> {
    return this.#hash.hash(password.normalize('NFC'), { ...order, log2Cost: LOG2_COST })
  }

  /** Returns the hash of a password of at least 96 random bits; null when too many hashes wait. */
  hashRandom(password: string, order: HashOrder): Promise<string | null> {
    return this.#hash.hash(password, { ...order, log2Cost: LOG2_COST_RANDOM })
  }

  /**
   * Checks and counts a password; `email` is in lower case. Concurrent attempts are limited to the remaining ones, so
   * that parallel requests gain no extra attempts.
   */
  async verify(call: PasswordCall, email: string, password: string): Promise<PasswordVerdict> {
    const { engine, canWrite } = this.#parts
    const user = engine.query('dashboardUsers.byEmail', { email })
    const owner = this.#ownCount(call, user)
    const key = createHmac('sha256', this.#parts.countKey).update(`${email}${owner}`).digest('base64url')
    const count = engine.query('dashboardUsers.passwordCount', { countKey: key })
    const lockedMs = count.locked_until_ms - this.#nowMs()
    if (lockedMs > 0) return locked(lockedMs)
    if (count.failures + this.#guesses.uncounted(key, count.failures) >= PASSWORD_ATTEMPTS_MAX) return tooMany(1)
    if (!canWrite()) return BUSY
    const address = call.remoteAddress
    const waitS = owner === '' ? this.#perNetwork.take(address, this.#nowMs()) : 0
    if (waitS > 0) return tooMany(waitS)
    const guess = this.#guesses.begin(key)
    try {
      const matches = await this.#matches(password, user?.password_hash ?? NO_USER_HASH, this.#order(user, owner, address))
      const isWrong = matches === false || (matches === true && user === null)
      if (isWrong) {
        this.#guesses.markWrong(key, guess, engine.query('dashboardUsers.passwordCount', { countKey: key }).failures)
        return await this.#countWrong(key)
      }
      if (owner === '') this.#perNetwork.giveBack(address, this.#nowMs())
      if (matches === null || user === null) return { isRight: false, ...CROWDED }
      this.#known.add(user.id, address)
      return { isRight: true, user, countKey: key }
    } finally {
      this.#guesses.end(key, guess)
    }
  }

  /**
   * Keyboards of different systems write an accented letter as one code point or as two (RFC 8265, section 4.2). New hashes are of the
   * composed form; older ones are of what was typed. A password in ASCII has one form.
   */
  async #matches(password: string, stored: string, order: HashOrder): Promise<boolean | null> {
    let matches: boolean | null = false
    for (const form of new Set([password.normalize('NFC'), password, password.normalize('NFD')])) {
      if (matches === false) matches = await this.#hash.matches(form, stored, order)
    }
    return matches
  }

  /**
   * Callers that the account knows take turns by account. All others take turns by network: one that guesses
   * from many of them goes behind the account's own people.
   */
  #order(user: DashboardUserRow | null, owner: string, address: string): HashOrder {
    const isKnown = user !== null && (owner !== '' || this.#known.has(user.id, address))
    return isKnown ? { queue: 'remembered', address: user.id } : { queue: 'dashboard', address }
  }

  /** Returns the suffix of the count key. A session or a remembered browser has its own count; all others share one. */
  #ownCount({ browser, session }: PasswordCall, user: DashboardUserRow | null): string {
    if (user === null) return ''
    const nonce = this.#parts.devices.nonceOf(browser.cookie, user.id)
    if (nonce !== null) return `\nbrowser ${nonce}`
    return session?.user.id === user.id ? '\nsession' : ''
  }

  async #countWrong(countKey: string): Promise<PasswordVerdict> {
    const { engine } = this.#parts
    const command = { type: 'CountWrongPassword', countKey } as const
    const outcome = await new Promise<Outcome | null>((resolve) => {
      const envelope = { command, mailbox: engine.query('accounts.settlement', { environment: 'live' }), idempotency: null }
      if (engine.submit(envelope, { settle: resolve }) !== null) resolve(null)
    })
    if (outcome === null) return BUSY
    if (outcome.kind !== 'rate_limited') return { isRight: false, status: statusOf(outcome.kind), body: outcome.body, retryAfterS: null }
    return locked(engine.query('dashboardUsers.passwordCount', { countKey }).locked_until_ms - this.#nowMs())
  }

  /** Returns where wrong passwords for the address are counted, from browsers that are not remembered. */
  countKeyOf(email: string): string {
    return createHmac('sha256', this.#parts.countKey).update(email).digest('base64url')
  }

  /** Counts a wrong second factor against the network, as a wrong password is. */
  blame(address: string): void {
    this.#perNetwork.take(address, this.#nowMs())
  }

  #nowMs(): TimeMs {
    return this.#parts.engine.query('engine.time', null)
  }
}

const BUSY: PasswordVerdict = { isRight: false, status: 503, body: errorValue('unavailable'), retryAfterS: 1 }

export function tooMany(retryAfterS: number): Extract<PasswordVerdict, { isRight: false }> {
  return { isRight: false, status: 429, body: errorValue('rate_limited'), retryAfterS }
}

function locked(remainingMs: number): PasswordVerdict {
  return tooMany(Math.max(1, Math.ceil(remainingMs / 1000)))
}
