// Everything that the dashboard's sign-in needs beside the engine, put together in one place, and its two ways in.
import type { Engine } from '../../engine/actor/engine.ts'
import type { Outcome } from '../../engine/actor/envelope.ts'
import { errorBody } from '../../engine/contract/errors.ts'
import type { NewDashboardSession } from '../../engine/domain/dashboard/decide.ts'
import type { DashboardSession, DashboardUser } from '../../engine/domain/dashboard/state.ts'
import { COUNTED_ADDRESSES_MAX, SIGNUPS_PER_ADDRESS, USER_AGENT_LENGTH_MAX } from '../limits.ts'
import type { Call, SessionPrincipal } from '../route.ts'
import { AddressLimit } from './address-limit.ts'
import { DashboardSessions } from './dashboard-sessions.ts'
import { derivedKey } from './derived-key.ts'
import { newOpaqueToken } from './opaque-token.ts'
import { PasswordChecks, tooMany } from './password-check.ts'
import { isWeakPassword } from './password-rules.ts'
import type { ScryptThreads } from './scrypt-threads.ts'

export interface DashboardAccessParts {
  readonly engine: Engine
  readonly masterKey: Uint8Array
  readonly threads: ScryptThreads
  readonly canWrite: () => boolean
  readonly isSecure: boolean
}

/** Somebody is in: the token goes into their cookie and nowhere else. */
export interface OpenedSession {
  readonly user: DashboardUser
  readonly session: DashboardSession
  readonly token: string
}

/** Why somebody is not: the answer to give. */
export interface NotOpened {
  readonly status: number
  readonly body: string
  readonly retryAfterS: number | null
}

/** What signing in reads of a request. */
export type SignInCall = Pick<Call, 'remoteAddress' | 'browser'>

export interface SignupForm {
  readonly merchantName: string
  readonly email: string
  readonly password: string
}

const UNAVAILABLE: NotOpened = { status: 503, body: errorBody('unavailable'), retryAfterS: 1 }

export class DashboardAccess {
  readonly sessions: DashboardSessions
  readonly #passwords: PasswordChecks
  readonly #engine: Engine
  readonly #signups = new AddressLimit(SIGNUPS_PER_ADDRESS, COUNTED_ADDRESSES_MAX)

  constructor({ engine, masterKey, threads, canWrite, isSecure }: DashboardAccessParts) {
    this.#engine = engine
    const { state } = engine
    this.sessions = new DashboardSessions({ state, now: () => engine.nowMs(), csrfKey: derivedKey(masterKey, 'csrf'), isSecure })
    const [pepper, countKey] = [derivedKey(masterKey, 'password-pepper'), derivedKey(masterKey, 'password-count')]
    this.#passwords = new PasswordChecks({ engine, threads, pepper, countKey, canWrite })
  }

  /** A new merchant with its first user, signed in. Not opened: weak_password, email_taken, rate_limited, unavailable. */
  async signUp(call: SignInCall, form: SignupForm): Promise<OpenedSession | NotOpened> {
    const { merchantName, password } = form
    const email = form.email.toLowerCase()
    const nowMs = this.#engine.nowMs()
    const waitS = this.#signups.waitS(call.remoteAddress, nowMs)
    if (waitS > 0) return tooMany(waitS)
    if (isWeakPassword(password, { email, merchantName })) {
      return { status: 400, body: errorBody('weak_password', 'password'), retryAfterS: null }
    }
    this.#signups.count(call.remoteAddress, nowMs)
    const passwordHash = await this.#passwords.hash(password)
    if (passwordHash === null) return UNAVAILABLE
    return this.#open(call, this.#engine.state.settlementAccount('live'), (session) => ({
      ...{ type: 'SignUpMerchant', merchantName, email, passwordHash, session },
    }))
  }

  /** Not opened: invalid_credentials, rate_limited, unavailable. */
  async logIn(call: SignInCall, email: string, password: string): Promise<OpenedSession | NotOpened> {
    const verdict = await this.#passwords.verify(call, email.toLowerCase(), password)
    if (!verdict.isRight) return verdict
    const { user, countKey } = verdict
    return this.#open(call, this.#engine.state.settlementAccount('live'), (session) => ({
      ...{ type: 'OpenDashboardSession', userId: user.id, generation: user.generation, countKey, session },
    }))
  }

  /** Ends all other sessions of the user. The outcome is `{ok: true}`, or why not: as login, and weak_password. */
  async changePassword(
    call: SignInCall,
    principal: SessionPrincipal,
    { password, newPassword }: { readonly password: string; readonly newPassword: string },
  ): Promise<NotOpened> {
    const { user, session, merchant, account } = principal
    if (isWeakPassword(newPassword, { email: user.email, merchantName: merchant.name })) {
      return { status: 400, body: errorBody('weak_password', 'new_password'), retryAfterS: null }
    }
    const verdict = await this.#passwords.verify(call, user.email, password)
    if (!verdict.isRight) return verdict
    const passwordHash = await this.#passwords.hash(newPassword)
    if (passwordHash === null) return UNAVAILABLE
    const { countKey, user: checked } = verdict
    const outcome = await this.#submit(account, {
      ...{ type: 'ChangePassword', userId: user.id, generation: checked.generation, countKey, passwordHash, sessionId: session.id },
    })
    return outcome === null ? UNAVAILABLE : { ...outcome, retryAfterS: outcome.status === 429 ? 1 : null }
  }

  async #open(
    call: SignInCall,
    mailbox: number,
    command: (session: NewDashboardSession) => OpeningCommand,
  ): Promise<OpenedSession | NotOpened> {
    const { token, hash } = newOpaqueToken('session')
    const outcome = await this.#submit(mailbox, command({ tokenHash: hash, userAgent: printable(call.browser.userAgent) }))
    if (outcome === null) return UNAVAILABLE
    const { status, body } = outcome
    if (status >= 300) return { status, body, retryAfterS: status === 429 ? 1 : null }
    const { dashboard } = this.#engine.state
    const session = dashboard.sessions.get(hash)
    const user = session === undefined ? undefined : dashboard.users.get(session.user_id)
    // Ended already, by a new password or by twenty newer sessions: before its cookie was even there.
    if (session === undefined || user === undefined) return { status: 401, body: errorBody('invalid_credentials'), retryAfterS: null }
    return { user, session, token }
  }

  #submit(mailbox: number, command: OpeningCommand | ChangeCommand): Promise<Outcome | null> {
    return new Promise((resolve) => {
      if (this.#engine.submit({ command, mailbox, idempotency: null }, { settle: resolve }) !== null) resolve(null)
    })
  }
}

type CommandOf<Type extends string> = Extract<Parameters<Engine['submit']>[0]['command'], { type: Type }>
type OpeningCommand = CommandOf<'SignUpMerchant'> | CommandOf<'OpenDashboardSession'>
type ChangeCommand = CommandOf<'ChangePassword'>

/** For a list that people read: one line, no longer than it says anything. */
function printable(userAgent: string): string {
  return userAgent.replaceAll(/[^ -~]/g, '').slice(0, USER_AGENT_LENGTH_MAX)
}
