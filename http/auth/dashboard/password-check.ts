// The only check of a dashboard password: limit of the network, lock of the account, comparison, count of wrong ones.
// Accounts that exist and those that do not take the same steps and the same time, and are locked alike. A browser that is
// remembered has a count of its own. No other file sees the password.
import { createHmac } from 'node:crypto'
import { type DashboardUserRow, type EngineApi, type Outcome, PASSWORD_ATTEMPTS_MAX } from '../../../engine/api.ts'
import { errorBody } from '../../../engine/contract/errors.ts'
import type { TimeMs } from '../../../engine/kernel/time.ts'
import type { ScryptThreads } from '../../crypto/scrypt-threads.ts'
import { type HashOrder, SlowHash } from '../../crypto/slow-hash.ts'
import { NetworkLimit } from '../../server/network-limit.ts'
import { statusOf } from '../../server/outcome-status.ts'
import type { Call, SessionPrincipal } from '../../server/route.ts'
import { COUNTED_NETWORKS_MAX, WRONG_PASSWORDS_PER_NETWORK } from '../../server/server-limits.ts'
import type { DeviceCookies } from './device-cookies.ts'

export type PasswordVerdict =
  /** Right. The user's `generation` names the password that it was, for commands that must not outlive it. */
  | { readonly isRight: true; readonly user: DashboardUserRow; readonly countKey: string }
  /** Wrong, locked, or too many at once: the answer to give. */
  | { readonly isRight: false; readonly status: number; readonly body: string; readonly retryAfterS: number | null }

/** Base-2 logarithm of scrypt's N: 97 ms and 32 MB. */
const LOG2_COST = 15

/** Compared with where the e-mail address has no user: takes as long as any other hash and never matches. */
const NO_USER_HASH = `scrypt:v1:${LOG2_COST}:${'A'.repeat(22)}:${'A'.repeat(43)}`

export interface PasswordCall extends Pick<Call, 'remoteAddress' | 'browser'> {
  /** Of a user who is signed in. */
  readonly session?: Pick<SessionPrincipal, 'user'>
}

export interface PasswordParts {
  readonly engine: Pick<EngineApi, 'query' | 'submit'>
  readonly threads: ScryptThreads
  readonly devices: DeviceCookies
  readonly pepper: Buffer
  /** Key of the HMAC that e-mail addresses are counted under. */
  readonly countKey: Buffer
  /** False when the disk is nearly full: a password whose failure cannot be recorded is not checked. */
  readonly canWrite: () => boolean
}

export class PasswordChecks {
  readonly #parts: PasswordParts
  readonly #hash: SlowHash
  readonly #perNetwork = new NetworkLimit(WRONG_PASSWORDS_PER_NETWORK, COUNTED_NETWORKS_MAX)
  /** Guesses under way, by count key. */
  readonly #guesses = new Map<string, number>()

  constructor(parts: PasswordParts) {
    this.#parts = parts
    this.#hash = new SlowHash(parts.pepper, parts.threads)
  }

  /** What the state keeps of a new password; null when too many hashes wait. */
  hash(password: string, order: HashOrder): Promise<string | null> {
    return this.#hash.hash(password, { ...order, log2Cost: LOG2_COST })
  }

  /**
   * `email` is in lower case. No more guesses are under way at once than tries are left, so that a hundred requests at
   * the same moment try no more passwords than ten in a row do.
   */
  async verify(call: PasswordCall, email: string, password: string): Promise<PasswordVerdict> {
    const { engine, canWrite } = this.#parts
    const user = engine.query('dashboardUsers.byEmail', { email })
    const owner = this.#ownCount(call, user)
    const key = createHmac('sha256', this.#parts.countKey).update(`${email}${owner}`).digest('base64url')
    const count = engine.query('dashboardUsers.passwordCount', { countKey: key })
    const lockedMs = count.locked_until_ms - this.#nowMs()
    if (lockedMs > 0) return locked(lockedMs)
    const underWay = this.#guesses.get(key) ?? 0
    if (count.failures + underWay >= PASSWORD_ATTEMPTS_MAX) return tooMany(1)
    if (!canWrite()) return BUSY
    const address = call.remoteAddress
    const waitS = owner === '' ? this.#perNetwork.take(address, this.#nowMs()) : 0
    if (waitS > 0) return tooMany(waitS)
    this.#guesses.set(key, underWay + 1)
    try {
      const order = { queue: owner === '' ? 'dashboard' : 'remembered', address } as const
      const matches = await this.#hash.matches(password, user?.password_hash ?? NO_USER_HASH, order)
      const isWrong = matches === false || (matches === true && user === null)
      if (isWrong) return await this.#countWrong(key)
      if (owner === '') this.#perNetwork.giveBack(address, this.#nowMs())
      return matches === null || user === null ? BUSY : { isRight: true, user, countKey: key }
    } finally {
      const left = (this.#guesses.get(key) ?? 1) - 1
      if (left === 0) this.#guesses.delete(key)
      else this.#guesses.set(key, left)
    }
  }

  /** Suffix of the count key: a session or a remembered browser has a count of its own, all others share one. */
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

  #nowMs(): TimeMs {
    return this.#parts.engine.query('engine.time', null)
  }
}

const BUSY: PasswordVerdict = { isRight: false, status: 503, body: errorBody('unavailable'), retryAfterS: 1 }

export function tooMany(retryAfterS: number): Extract<PasswordVerdict, { isRight: false }> {
  return { isRight: false, status: 429, body: errorBody('rate_limited'), retryAfterS }
}

function locked(remainingMs: number): PasswordVerdict {
  return tooMany(Math.max(1, Math.ceil(remainingMs / 1000)))
}
