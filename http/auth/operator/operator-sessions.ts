// Sessions of the operator's pages: the operator's token is exchanged for a session cookie with a lifetime. Sessions
// exist in memory only and end with the process. Wrong tokens are counted by network.
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { TimeMs } from '../../../engine/kernel/time.ts'
import { opaqueTokenHash } from '../../crypto/opaque-token.ts'
import { NetworkLimit } from '../../server/network-limit.ts'
import { COUNTED_NETWORKS_MAX, WRONG_OPERATOR_LOGINS_PER_NETWORK } from '../../server/server-limits.ts'
import { OperatorToken } from './operator.ts'

/** Maximum idle time of a session. */
export const IDLE_MAX_MS = 15 * 60_000
/** Maximum lifetime of a session. */
export const SESSION_MAX_MS = 4 * 3_600_000
/** Maximum open sessions; one more ends the oldest. */
const SESSIONS_MAX = 32

export interface OperatorSession {
  /** CSRF token of the session's forms. */
  readonly csrfToken: string
  /** Message about the last action for the next page; read once. */
  notice: string | null
}

interface Row extends OperatorSession {
  readonly openedMs: TimeMs
  seenMs: TimeMs
}

/** `limited`: too many wrong tokens from the network; nothing was compared. */
export type LogIn = { readonly id: string } | 'wrong' | 'limited'

const SESSION_ID = /^[A-Za-z0-9_-]{43}$/

export class OperatorSessions {
  readonly #token: OperatorToken
  readonly #now: () => TimeMs
  /** Sessions by SHA-256 of their id, oldest first. */
  readonly #rows = new Map<string, Row>()
  readonly #wrong = new NetworkLimit(WRONG_OPERATOR_LOGINS_PER_NETWORK, COUNTED_NETWORKS_MAX)

  constructor(token: string, now: () => TimeMs) {
    this.#token = new OperatorToken(token)
    this.#now = now
  }

  get count(): number {
    return this.#rows.size
  }

  logIn(token: string, address: string): LogIn {
    const nowMs = this.#now()
    if (this.#wrong.take(address, nowMs) > 0) return 'limited'
    if (!this.#token.matches(`Bearer ${token}`)) return 'wrong'
    this.#wrong.giveBack(address, nowMs)
    return { id: this.#open(nowMs) }
  }

  /** Returns the session of a cookie and renews its idle time; null for any other value. */
  find(id: string): OperatorSession | null {
    if (!SESSION_ID.test(id)) return null
    const key = opaqueTokenHash(id)
    const row = this.#rows.get(key)
    if (row === undefined) return null
    const nowMs = this.#now()
    if (nowMs - row.seenMs >= IDLE_MAX_MS || nowMs - row.openedMs >= SESSION_MAX_MS) {
      this.#rows.delete(key)
      return null
    }
    row.seenMs = nowMs
    return row
  }

  end(id: string): void {
    this.#rows.delete(opaqueTokenHash(id))
  }

  #open(nowMs: TimeMs): string {
    const [oldest] = this.#rows.keys()
    if (this.#rows.size >= SESSIONS_MAX && oldest !== undefined) this.#rows.delete(oldest)
    const id = randomBytes(32).toString('base64url')
    this.#rows.set(opaqueTokenHash(id), { csrfToken: randomBytes(24).toString('base64url'), notice: null, openedMs: nowMs, seenMs: nowMs })
    return id
  }
}

/** Compares in constant time. False for an empty or missing token. */
export function isFormToken(sent: string, { csrfToken }: OperatorSession): boolean {
  const [one, other] = [Buffer.from(sent), Buffer.from(csrfToken)]
  return one.length === other.length && timingSafeEqual(one, other)
}
