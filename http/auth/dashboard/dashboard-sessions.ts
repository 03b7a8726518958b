// Dashboard sessions: the cookie that carries the token, the principal of a session, and its CSRF token. A session
// ends when its row of live state is deleted.
import { createHmac } from 'node:crypto'
import type { DashboardSessionRow, EngineApi } from '../../../engine/api.ts'
import { SCOPES } from '../../../engine/contract/api-key.ts'
import { assert } from '../../../engine/kernel/assert.ts'
import type { Environment } from '../../../engine/kernel/environment.ts'
import { opaqueTokenHash } from '../../crypto/opaque-token.ts'
import type { Header, SessionPrincipal } from '../../server/route.ts'
import type { DemoLock } from '../demo-lock.ts'

const TOKEN = /^session_[A-Za-z0-9_-]{43}$/

export interface DashboardSessionsParts {
  readonly engine: Pick<EngineApi, 'query'>
  readonly csrfKey: Buffer
  /** True when pages are served by https. The cookie is then Secure, and a sub-domain cannot replace it. */
  readonly isSecure: boolean
  readonly demo: Pick<DemoLock, 'isLocked'>
}

export class DashboardSessions {
  readonly #parts: DashboardSessionsParts
  readonly #cookieName: string

  constructor(parts: DashboardSessionsParts) {
    this.#parts = parts
    this.#cookieName = parts.isSecure ? '__Host-session' : 'session'
  }

  /** Returns the principal of an open session; null without one. `cookies` is the `Cookie` header. */
  check(cookies: string, environment: Environment): SessionPrincipal | null {
    const token = this.token(cookies)
    if (token === null) return null
    const { engine } = this.#parts
    const session = engine.query('dashboardSessions.byToken', { tokenHash: opaqueTokenHash(token) })
    if (session === null || session.expires_at_ms <= engine.query('engine.time', null)) return null
    const principal = this.principal(session, environment)
    return this.#parts.demo.isLocked(principal.merchant.id) ? null : principal
  }

  /** Returns the token in the cookie, valid or not; null without one. */
  token(cookies: string): string | null {
    const token = cookieValue(cookies, this.#cookieName)
    return token === null || !TOKEN.test(token) ? null : token
  }

  /** Returns the principal of an open session. */
  principal(session: DashboardSessionRow, environment: Environment): SessionPrincipal {
    const { engine } = this.#parts
    const user = engine.query('dashboardUsers.byId', { id: session.user_id })
    const merchant = user === null ? null : engine.query('merchants.byId', { id: user.merchant_id })
    assert(user !== null && merchant !== null, 'a session belongs to a user of a merchant')
    const csrfToken = this.#csrfToken(session)
    return {
      ...{ kind: 'merchant', merchant, environment, account: merchant.accounts[environment], scopes: SCOPES },
      ...{ user, role: user.role ?? 'owner', session, csrfToken, caller: { kind: 'member', id: user.id, name: user.email } },
    }
  }

  /** Returns the CSRF token. It is derived from the session's id, so it is not stored. */
  #csrfToken({ id }: Pick<DashboardSessionRow, 'id'>): string {
    return createHmac('sha256', this.#parts.csrfKey).update(id).digest('base64url')
  }

  /**
   * Returns the header that sets the cookie for the session's lifetime. SameSite=Lax: links from other sites arrive
   * signed in, forms do not.
   */
  opened(token: string, { expires_at_ms }: Pick<DashboardSessionRow, 'expires_at_ms'>): Header {
    const maxAgeS = Math.max(0, Math.floor((expires_at_ms - this.#parts.engine.query('engine.time', null)) / 1000))
    return ['Set-Cookie', this.#cookie(token, maxAgeS)]
  }

  /** Returns the header that clears the cookie. */
  closed(): Header {
    return ['Set-Cookie', this.#cookie('', 0)]
  }

  #cookie(value: string, maxAgeS: number): string {
    const secure = this.#parts.isSecure ? '; Secure' : ''
    return `${this.#cookieName}=${value}; Path=/; Max-Age=${maxAgeS}; HttpOnly; SameSite=Lax${secure}`
  }
}

/**
 * Returns the cookie's value; null when missing or repeated, because the second may belong to another site (RFC 6265,
 * section 8.6).
 */
export function cookieValue(cookies: string, name: string): string | null {
  if (cookies === '') return null
  const values = cookies
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
  return values.length === 1 ? (values[0] as string).slice(name.length + 1) : null
}
