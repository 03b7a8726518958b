// Dashboard sign-in: sign-up, login and links, with sessions, device cookies and password checks.

import type { CommandOf, DashboardSessionRow, DashboardUserRow, EngineApi, LinkRow, Outcome } from '../../../engine/api.ts'
import { errorValue } from '../../../engine/contract/errors.ts'
import { isSuccess } from '../../../engine/contract/outcome-kind.ts'
import { derivedKey, derivedKeys } from '../../crypto/derived-key.ts'
import { newOpaqueToken, opaqueTokenHash } from '../../crypto/opaque-token.ts'
import type { ScryptThreads } from '../../crypto/scrypt-threads.ts'
import type { RootKeys, Seal } from '../../crypto/seal.ts'
import type { KeptAnswers } from '../../server/kept-answers.ts'
import { NetworkLimit } from '../../server/network-limit.ts'
import type { Header } from '../../server/route.ts'
import { COUNTED_NETWORKS_MAX, RESETS_PER_NETWORK, SIGNUPS_PER_NETWORK, USER_AGENT_LENGTH_MAX } from '../../server/server-limits.ts'
import { acceptedLanguage } from '../../text/language.ts'
import { plainName } from '../../workers/gateways/merchant-name.ts'
import type { DemoLock } from '../demo-lock.ts'
import { AccountChanges } from './account-changes.ts'
import { AccountLinks } from './account-links.ts'
import { DashboardSessions } from './dashboard-sessions.ts'
import { DeviceCookies } from './device-cookies.ts'
import { type CheckedPassword, LoginSteps } from './login-step.ts'
import { PasswordChecks, tooMany } from './password-check.ts'
import { isWeakPassword } from './password-rules.ts'
import { SecondFactors } from './second-factors.ts'
import { CROWDED, type NotOpened, notOpened, type SignInCall, UNAVAILABLE } from './sign-in-outcome.ts'

export interface DashboardAccessParts {
  readonly engine: EngineApi
  readonly rootKeys: RootKeys
  readonly kept: Pick<KeptAnswers, 'withSecret' | 'secretOf'>
  readonly threads: ScryptThreads
  readonly canWrite: () => boolean
  readonly isSecure: boolean
  readonly context: {
    readonly seal: Pick<Seal, 'seal' | 'open'>
    /** Base URL of the dashboard, without a trailing slash. */
    readonly baseUrl: string
    /** The setting SIGNUP. */
    readonly signup: SignupSetting
    readonly demoLock: Pick<DemoLock, 'isLocked'>
  }
}

/** Who may sign up a merchant: everyone, everyone with an activation of live money by an operator, no one. */
export type SignupSetting = 'open' | 'approval' | 'closed'

/** A signed-in user. The token leaves in the cookie only. */
export interface OpenedSession {
  readonly user: DashboardUserRow
  readonly session: DashboardSessionRow
  readonly token: string
  /** True when an earlier request with the same key opened it. */
  readonly isReplay: boolean
  /** Cookies of the session and of the device. */
  readonly cookies: readonly Header[]
}

export interface SignupForm {
  readonly merchantName: string
  readonly email: string
  readonly password: string
  /** Absent: the default of the deployment. */
  readonly currency?: string
}

interface LinkPassword {
  readonly kind: LinkRow['kind']
  readonly tokenHash: string
  readonly password: string
}

const SIGNUP_CLOSED: NotOpened = { status: 403, body: errorValue('signup_closed'), retryAfterS: null }
const INVALID_TOKEN: NotOpened = { status: 400, body: errorValue('invalid_token', 'token'), retryAfterS: null }

const NO_SESSION: NotOpened = { status: 401, body: errorValue('invalid_credentials'), retryAfterS: null }
/** Response to a step that is no step, or whose time is over. */
const STEP_OVER: NotOpened = { status: 401, body: errorValue('unauthorized'), retryAfterS: null }
/** Response to the right password with a key whose session has ended. */
const SESSION_OVER: NotOpened = { status: 401, body: errorValue('unauthorized'), retryAfterS: null }

export class DashboardAccess {
  readonly sessions: DashboardSessions
  readonly secondFactors: SecondFactors
  readonly links: AccountLinks
  readonly changes: AccountChanges
  readonly #signup: () => SignupSetting
  readonly #demo: Pick<DemoLock, 'isLocked'>
  readonly #steps: LoginSteps
  readonly #devices: DeviceCookies
  readonly #passwords: PasswordChecks
  readonly #engine: EngineApi
  readonly #kept: DashboardAccessParts['kept']
  readonly #signups = new NetworkLimit(SIGNUPS_PER_NETWORK, COUNTED_NETWORKS_MAX)
  readonly #resets = new NetworkLimit(RESETS_PER_NETWORK, COUNTED_NETWORKS_MAX)

  constructor({ engine, rootKeys, kept, threads, canWrite, isSecure, context }: DashboardAccessParts) {
    const { seal } = context
    this.secondFactors = new SecondFactors({ engine, seal, recoveryKeys: derivedKeys(rootKeys, 'recovery-code') })
    this.links = new AccountLinks({ seal, baseUrl: () => context.baseUrl })
    this.#signup = () => context.signup
    this.#demo = context.demoLock
    this.#engine = engine
    this.#kept = kept
    this.#steps = new LoginSteps(derivedKey(rootKeys, 'login-step'))
    const now = (): number => engine.query('engine.time', null)
    this.sessions = new DashboardSessions({ engine, csrfKey: derivedKey(rootKeys, 'csrf'), isSecure, demo: context.demoLock })
    this.#devices = new DeviceCookies({ key: derivedKey(rootKeys, 'device-cookie'), now, isSecure })
    const [peppers, countKey] = [derivedKeys(rootKeys, 'password-pepper'), derivedKey(rootKeys, 'password-count')]
    this.#passwords = new PasswordChecks({ engine, threads, devices: this.#devices, peppers, countKey, canWrite })
    this.changes = new AccountChanges({ engine, passwords: this.#passwords, secondFactors: this.secondFactors })
  }

  /** Whether the setting SIGNUP lets merchants sign up. */
  get takesSignups(): boolean {
    return this.#signup() !== 'closed'
  }

  /**
   * Creates a merchant with its first user and signs the user in. Rejections: signup_closed, weak_password, email_taken,
   * rate_limited, unavailable.
   */
  async signUp(call: SignInCall, form: SignupForm): Promise<OpenedSession | NotOpened> {
    const { merchantName, password, currency } = form
    const email = form.email.toLowerCase()
    const { idempotency } = call
    const isKnown = idempotency !== null && this.#engine.query('results.known', idempotency) !== null
    if (this.#signup() === 'closed' && !isKnown) return SIGNUP_CLOSED
    const needsActivation = this.#signup() === 'approval'
    const passwordHash = isKnown ? '' : await this.#newPasswordHash(call, { merchantName, email, password })
    if (typeof passwordHash !== 'string') return passwordHash
    const confirmation = this.links.confirmation(email, plainName(merchantName), acceptedLanguage(call.browser.acceptLanguage))
    const opened = await this.#open(call, this.#mailbox, (session) => ({
      ...{ type: 'SignUpMerchant', merchantName, email, passwordHash, session, confirmation, needsActivation },
      ...(currency === undefined ? {} : { currency }),
    }))
    return opened.isReplay === true && 'token' in opened ? this.#replayed(call, email, password, opened) : opened
  }

  /** Opens the session of a known key. It checks the password, because the fingerprint does not cover it. */
  async #replayed(call: SignInCall, email: string, password: string, opened: OpenedSession): Promise<OpenedSession | NotOpened> {
    const verdict = await this.#passwords.verify(call, email, password)
    if (verdict.isRight) return opened
    return verdict.status === 401 ? { status: 409, body: errorValue('email_taken', 'email'), retryAfterS: null } : verdict
  }

  /** Returns the password hash of a new user, or the rejection. */
  async #newPasswordHash(call: SignInCall, { merchantName, email, password }: SignupForm): Promise<string | NotOpened> {
    if (isWeakPassword(password, { email, merchantName })) {
      return { status: 400, body: errorValue('weak_password', 'password'), retryAfterS: null }
    }
    const address = call.remoteAddress
    const waitS = this.#signups.take(address, this.#engine.query('engine.time', null))
    if (waitS > 0) return tooMany(waitS)
    return (await this.#passwords.hash(password, { queue: 'dashboard', address })) ?? CROWDED
  }

  /** Signs a user in. Rejections: invalid_credentials, totp_required, totp_incorrect, rate_limited, unavailable. */
  async logIn(call: SignInCall, email: string, password: string, totp?: string): Promise<OpenedSession | NotOpened> {
    const verdict = await this.#passwords.verify(call, email.toLowerCase(), password)
    if (!verdict.isRight) return verdict
    const { user, countKey } = verdict
    return this.#logInChecked(call, { userId: user.id, generation: user.generation, countKey }, totp)
  }

  /** Signs a user in with a code, after the step that an earlier login answered. Rejections: those of `logIn`. */
  async logInByStep(call: SignInCall, step: string, totp: string): Promise<OpenedSession | NotOpened> {
    const checked = this.#steps.open(step, this.#nowMs())
    return checked === null ? STEP_OVER : this.#logInChecked(call, checked, totp)
  }

  async #logInChecked(call: SignInCall, checked: CheckedPassword, totp?: string): Promise<OpenedSession | NotOpened> {
    const { userId } = checked
    const merchantId = this.#engine.query('dashboardUsers.byId', { id: userId })?.merchant_id
    if (merchantId === undefined || this.#demo.isLocked(merchantId)) return NO_SESSION
    const secondFactor = this.secondFactors.read(userId, totp)
    const isNewDevice = this.#devices.nonceOf(call.browser.cookie, userId) === null
    const opened = await this.#open(call, this.#mailbox, (session) => {
      return { type: 'OpenDashboardSession', ...checked, session: { ...session, isNewDevice }, secondFactor }
    })
    if ('token' in opened || opened.status !== 401) return opened
    if (secondFactor !== null) this.#passwords.blame(call.remoteAddress)
    const { code } = JSON.parse(opened.body) as { readonly code: string }
    return code.startsWith('totp_') ? { ...opened, step: this.#steps.seal(checked, this.#nowMs()) } : opened
  }

  /** Returns whether a link of this kind still works. */
  isOpenLink(kind: LinkRow['kind'], token: string): boolean {
    return this.#engine.query('dashboardLinks.byToken', { tokenHash: opaqueTokenHash(token), kind }) !== null
  }

  #nowMs(): number {
    return this.#engine.query('engine.time', null)
  }

  /**
   * Makes the invited user and signs it in. Rejections: invalid_token, weak_password, email_taken, rate_limited,
   * unavailable.
   */
  async acceptInvitation(call: SignInCall, token: string, password: string): Promise<OpenedSession | NotOpened> {
    const { idempotency } = call
    const tokenHash = opaqueTokenHash(token)
    const isKnown = idempotency !== null && this.#engine.query('results.known', idempotency) !== null
    const passwordHash = isKnown ? '' : await this.#linkPasswordHash(call, { kind: 'invitation', tokenHash, password })
    if (typeof passwordHash !== 'string') return passwordHash
    const opened = await this.#open(call, this.#mailbox, (session) => ({ type: 'AcceptInvitation', tokenHash, passwordHash, session }))
    return opened.isReplay === true && 'token' in opened ? this.#replayed(call, opened.user.email, password, opened) : opened
  }

  /** Returns the hash of a password of at least 96 random bits; null when too many are hashed. */
  randomPasswordHash(password: string, address: string): Promise<string | null> {
    return this.#passwords.hashRandom(password, { queue: 'dashboard', address })
  }

  /** Returns seconds until the network may ask for a new password again; 0 when it may now. */
  resetWaitS(address: string): number {
    return this.#resets.take(address, this.#engine.query('engine.time', null))
  }

  /** Returns the command that sets the new password, or the rejection: invalid_token, weak_password, rate_limited, unavailable. */
  async passwordReset(call: SignInCall, token: string, password: string): Promise<CommandOf<'ResetPassword'> | NotOpened> {
    const tokenHash = opaqueTokenHash(token)
    const link = this.#engine.query('dashboardLinks.byToken', { tokenHash, kind: 'reset' })
    const passwordHash = await this.#linkPasswordHash(call, { kind: 'reset', tokenHash, password })
    if (typeof passwordHash !== 'string' || link === null) return typeof passwordHash === 'string' ? INVALID_TOKEN : passwordHash
    return { type: 'ResetPassword', tokenHash, passwordHash, countKey: this.#passwords.countKeyOf(link.email) }
  }

  /** Returns the hash of a password that is set by a link, or the rejection. */
  async #linkPasswordHash(call: SignInCall, { kind, tokenHash, password }: LinkPassword): Promise<string | NotOpened> {
    const link = this.#engine.query('dashboardLinks.byToken', { tokenHash, kind })
    const merchant = link === null ? null : this.#engine.query('merchants.byId', { id: link.merchant_id })
    if (link === null || merchant === null) return INVALID_TOKEN
    if (isWeakPassword(password, { email: link.email, merchantName: merchant.name })) {
      return { status: 400, body: errorValue('weak_password', 'password'), retryAfterS: null }
    }
    return (await this.#passwords.hash(password, { queue: 'dashboard', address: call.remoteAddress })) ?? CROWDED
  }

  async #open(
    call: SignInCall,
    mailbox: number,
    command: (session: OpeningCommand['session']) => OpeningCommand,
  ): Promise<OpenedSession | NotOpened> {
    const { token, hash } = newOpaqueToken('session')
    const key = call.idempotency === null ? null : this.#kept.withSecret(call.idempotency, token)
    const opening = command({ tokenHash: hash, userAgent: printable(call.browser.userAgent) })
    const outcome = await this.#submit(mailbox, opening, { idempotency: key, requestId: call.requestId })
    if (outcome === null) return UNAVAILABLE
    if (!isSuccess(outcome.kind)) return notOpened(outcome)
    const isReplay = outcome.replayed
    const opened = isReplay ? this.#kept.secretOf(outcome) : token
    const session = this.#engine.query('dashboardSessions.byToken', { tokenHash: opaqueTokenHash(opened) })
    const user = session === null ? null : this.#engine.query('dashboardUsers.byId', { id: session.user_id })
    // The session has ended: by a new password, by twenty newer sessions, or since the key's first response.
    if (session === null || user === null) return isReplay ? SESSION_OVER : NO_SESSION
    const cookies = [this.sessions.opened(opened, session), this.#devices.remember(call.browser.cookie, user.id)]
    return { user, session, token: opened, cookies, isReplay }
  }

  /** Mailbox of commands of callers without an account. */
  get #mailbox(): number {
    return this.#engine.query('accounts.settlement', { environment: 'live' })
  }

  #submit(
    mailbox: number,
    command: OpeningCommand,
    { idempotency, requestId }: Pick<SignInCall, 'idempotency' | 'requestId'>,
  ): Promise<Outcome | null> {
    return new Promise((resolve) => {
      if (this.#engine.submit({ command, mailbox, idempotency, requestId }, { settle: resolve }) !== null) resolve(null)
    })
  }
}

type OpeningCommand = CommandOf<'SignUpMerchant'> | CommandOf<'OpenDashboardSession'> | CommandOf<'AcceptInvitation'>

/** Returns the `User-Agent` for the list of sessions: printable ASCII, truncated. */
function printable(userAgent: string): string {
  return userAgent.replaceAll(/[^ -~]/g, '').slice(0, USER_AGENT_LENGTH_MAX)
}
