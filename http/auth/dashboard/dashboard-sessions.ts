// Sessions of the dashboard: the cookie that carries the token, the principal of a session, and its CSRF token. A session
// is a row of live state and ends with its row.
import { createHmac } from 'node:crypto'
import type { DashboardSessionRow, EngineApi } from '../../../engine/api.ts'
import { SCOPES } from '../../../engine/contract/api-key.ts'
import { assert } from '../../../engine/kernel/assert.ts'
import type { Environment } from '../../../engine/kernel/environment.ts'
import { opaqueTokenHash } from '../../crypto/opaque-token.ts'
import type { Header, SessionPrincipal } from '../../server/route.ts'

const TOKEN = /^session_[A-Za-z0-9_-]{43}$/

export interface DashboardSessionsParts {
  readonly engine: Pick<EngineApi, 'query'>
  readonly csrfKey: Buffer
  /** Pages are reached by https: the cookie says so, and no sub-domain can put another in its place. */
  readonly isSecure: boolean
}

export class DashboardSessions {
  readonly #parts: DashboardSessionsParts
  readonly #cookieName: string

  constructor(parts: DashboardSessionsParts) {
    this.#parts = parts
    this.#cookieName = parts.isSecure ? '__Host-session' : 'session'
  }

  /** Null without a session, or with one that has ended. `cookies` is the `Cookie` header. */
  check(cookies: string, environment: Environment): SessionPrincipal | null {
    const token = this.token(cookies)
    if (token === null) return null
    const { engine } = this.#parts
    const session = engine.query('dashboardSessions.byToken', { tokenHash: opaqueTokenHash(token) })
    if (session === null || session.expires_at_ms <= engine.query('engine.time', null)) return null
    return this.principal(session, environment)
  }

  /** The token in the cookie, of an open session or not; null without one. */
  token(cookies: string): string | null {
    const token = cookieValue(cookies, this.#cookieName)
    return token === null || !TOKEN.test(token) ? null : token
  }

  /** The principal of an open session. */
  principal(session: DashboardSessionRow, environment: Environment): SessionPrincipal {
    const { engine } = this.#parts
    const user = engine.query('dashboardUsers.byId', { id: session.user_id })
    const merchant = user === null ? null : engine.query('merchants.byId', { id: user.merchant_id })
    assert(user !== null && merchant !== null, 'a session belongs to a user of a merchant')
    const csrfToken = this.#csrfToken(session)
    return {
      ...{ kind: 'merchant', merchant, environment, account: merchant.accounts[environment], scopes: SCOPES },
      ...{ user, session, csrfToken },
    }
  }

  /** Computed from the id of the session, so it is not stored. */
  #csrfToken({ id }: Pick<DashboardSessionRow, 'id'>): string {
    return createHmac('sha256', this.#parts.csrfKey).update(id).digest('base64url')
  }

  /** Puts the token into the browser, for as long as its session lasts. SameSite=Lax: links from elsewhere arrive signed in, forms do not. */
  opened(token: string, { expires_at_ms }: Pick<DashboardSessionRow, 'expires_at_ms'>): Header {
    const maxAgeS = Math.max(0, Math.floor((expires_at_ms - this.#parts.engine.query('engine.time', null)) / 1000))
    return ['Set-Cookie', this.#cookie(token, maxAgeS)]
  }

  /** Clears the cookie. */
  closed(): Header {
    return ['Set-Cookie', this.#cookie('', 0)]
  }

  #cookie(value: string, maxAgeS: number): string {
    const secure = this.#parts.isSecure ? '; Secure' : ''
    return `${this.#cookieName}=${value}; Path=/; Max-Age=${maxAgeS}; HttpOnly; SameSite=Lax${secure}`
  }
}

/** Null where the name is missing or there twice: the second cookie may be of another site (RFC 6265, section 8.6). */
export function cookieValue(cookies: string, name: string): string | null {
  if (cookies === '') return null
  const values = cookies
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
  return values.length === 1 ? (values[0] as string).slice(name.length + 1) : null
}
