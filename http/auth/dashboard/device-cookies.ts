// Device cookies (OWASP): a signed cookie per user marks a browser that has logged in, and outlives the session. It
// grants no access. Wrong passwords with such a cookie are counted apart, so that an attacker who locks an e-mail
// address does not lock out its owner.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { TimeMs } from '../../../engine/kernel/time.ts'
import type { Header } from '../../server/route.ts'
import { REMEMBERED_BROWSER_S } from '../../server/server-limits.ts'
import { cookieValue } from './dashboard-sessions.ts'

export interface DeviceCookiesParts {
  readonly key: Buffer
  readonly now: () => TimeMs
  /** True when pages are served by https. */
  readonly isSecure: boolean
}

const NONCE_BYTES = 16
/** `v1.<nonce>.<expires, Unix seconds>.<signature>`. */
const FORM = /^v1\.([A-Za-z0-9_-]{22})\.([0-9]{1,12})\.([A-Za-z0-9_-]{43})$/

export class DeviceCookies {
  readonly #parts: DeviceCookiesParts

  constructor(parts: DeviceCookiesParts) {
    this.#parts = parts
  }

  /**
   * Returns the browser's name for this user; null without a cookie, and for one that belongs to another user, has
   * expired or is forged.
   */
  nonceOf(cookies: string, userId: string): string | null {
    const [, nonce, expiresS, signature] = FORM.exec(cookieValue(cookies, this.#name(userId)) ?? '') ?? []
    if (nonce === undefined || expiresS === undefined || signature === undefined) return null
    const expected = Buffer.from(this.#signature(userId, nonce, expiresS))
    if (!timingSafeEqual(Buffer.from(signature), expected)) return null
    return Number(expiresS) * 1000 > this.#parts.now() ? nonce : null
  }

  /** Returns the header that sets the device cookie. A browser keeps its name. */
  remember(cookies: string, userId: string): Header {
    const nonce = this.nonceOf(cookies, userId) ?? randomBytes(NONCE_BYTES).toString('base64url')
    const expiresS = String(Math.floor(this.#parts.now() / 1000) + REMEMBERED_BROWSER_S)
    const value = `v1.${nonce}.${expiresS}.${this.#signature(userId, nonce, expiresS)}`
    const secure = this.#parts.isSecure ? '; Secure' : ''
    return ['Set-Cookie', `${this.#name(userId)}=${value}; Path=/; Max-Age=${REMEMBERED_BROWSER_S}; HttpOnly; SameSite=Lax${secure}`]
  }

  /** Returns the cookie's name. It is unique per user, so that two users of one browser keep theirs. */
  #name(userId: string): string {
    const name = createHmac('sha256', this.#parts.key).update(`name\n${userId}`).digest('base64url').slice(0, 12)
    return `${this.#parts.isSecure ? '__Host-' : ''}device-${name}`
  }

  #signature(userId: string, nonce: string, expiresS: string): string {
    return createHmac('sha256', this.#parts.key).update(`${userId}\n${nonce}\n${expiresS}`).digest('base64url')
  }
}
