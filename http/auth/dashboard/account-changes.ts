// Changes of a signed-in user that need the password once more: a new password, and the end of the second factor. A stolen
// session alone must never make one.
import type { CommandOf, EngineApi, Outcome } from '../../../engine/api.ts'
import { errorValue } from '../../../engine/contract/errors.ts'
import { parseRfc3339 } from '../../../engine/kernel/time.ts'
import type { SessionPrincipal } from '../../server/route.ts'
import { RECENT_LOGIN_MS } from '../../server/server-limits.ts'
import type { PasswordChecks } from './password-check.ts'
import { isWeakPassword } from './password-rules.ts'
import type { SecondFactors } from './second-factors.ts'
import { CROWDED, type NotOpened, notOpened, type SignInCall, UNAVAILABLE } from './sign-in-outcome.ts'

export interface AccountChangesParts {
  readonly engine: EngineApi
  readonly passwords: PasswordChecks
  readonly secondFactors: SecondFactors
}

const PASSWORD_REQUIRED: NotOpened = { status: 401, body: errorValue('password_required', 'password'), retryAfterS: null }

interface TotpPassword {
  readonly password: string
  readonly totp: string
}

/** New recovery codes that the user sees once, and the command that makes them valid. */
export interface RecoveryRenewal {
  readonly command: CommandOf<'RenewRecoveryCodes'>
  readonly codes: readonly string[]
}

interface PasswordChange {
  readonly password: string
  readonly newPassword: string
}

export class AccountChanges {
  readonly #parts: AccountChangesParts

  constructor(parts: AccountChangesParts) {
    this.#parts = parts
  }

  /** Returns whether turning the second factor on asks for the password: not just after the login. */
  needsPassword({ session }: Pick<SessionPrincipal, 'session'>): boolean {
    return this.#parts.engine.query('engine.time', null) - parseRfc3339(session.created_at) > RECENT_LOGIN_MS
  }

  /** Returns null when the change may go on, or the rejection: password_required, and those of a login. */
  async refusalOf(
    call: Pick<SignInCall, 'remoteAddress' | 'browser'>,
    principal: SessionPrincipal,
    password?: string,
  ): Promise<NotOpened | null> {
    if (password === undefined) return this.needsPassword(principal) ? PASSWORD_REQUIRED : null
    const { remoteAddress, browser } = call
    const verdict = await this.#parts.passwords.verify({ remoteAddress, browser, session: principal }, principal.user.email, password)
    return verdict.isRight ? null : verdict
  }

  /** Ends the second factor. The outcome is `{ok: true}`, or a rejection: those of login, and totp_not_enabled. */
  async disableTotp(call: SignInCall, principal: SessionPrincipal, { password, totp }: TotpPassword): Promise<NotOpened> {
    const checked = await this.#checked(call, principal, { password, totp })
    if ('status' in checked) return checked
    const outcome = await this.#submit(principal.account, { type: 'DisableTotp', ...checked }, call)
    return outcome === null ? UNAVAILABLE : notOpened(outcome)
  }

  /** Returns the command that replaces the recovery codes, with the new ones, or the rejection: those of a login. */
  async recoveryRenewal(call: SignInCall, principal: SessionPrincipal, typed: TotpPassword): Promise<RecoveryRenewal | NotOpened> {
    const checked = await this.#checked(call, principal, typed)
    if ('status' in checked) return checked
    const { codes, hashes: recovery } = this.#parts.secondFactors.newRecovery(principal.user.id)
    return { command: { type: 'RenewRecoveryCodes', ...checked, recovery }, codes }
  }

  /** Checks the password and reads the code, which the turn decides about. */
  async #checked(
    { remoteAddress, browser }: SignInCall,
    principal: SessionPrincipal,
    { password, totp }: TotpPassword,
  ): Promise<Omit<CommandOf<'DisableTotp'>, 'type'> | NotOpened> {
    const { passwords, secondFactors } = this.#parts
    const { id: userId, email } = principal.user
    const verdict = await passwords.verify({ remoteAddress, browser, session: principal }, email, password)
    if (!verdict.isRight) return verdict
    const { countKey, user } = verdict
    return { userId, generation: user.generation, countKey, secondFactor: secondFactors.read(userId, totp) ?? { kind: 'wrong' } }
  }

  /**
   * Changes the password and ends all other sessions of the user. The outcome is `{ok: true}`, or a rejection: those
   * of login, and weak_password.
   */
  async changePassword(call: SignInCall, principal: SessionPrincipal, { password, newPassword }: PasswordChange): Promise<NotOpened> {
    const { passwords } = this.#parts
    const { user, session, merchant, account } = principal
    if (isWeakPassword(newPassword, { email: user.email, merchantName: merchant.name })) {
      return { status: 400, body: errorValue('weak_password', 'new_password'), retryAfterS: null }
    }
    const { remoteAddress: address, browser } = call
    const verdict = await passwords.verify({ remoteAddress: address, browser, session: principal }, user.email, password)
    if (!verdict.isRight) return verdict
    const passwordHash = await passwords.hash(newPassword, { queue: 'remembered', address: user.id })
    if (passwordHash === null) return CROWDED
    const { countKey, user: checked } = verdict
    const command: CommandOf<'ChangePassword'> = {
      ...{ type: 'ChangePassword', userId: user.id, generation: checked.generation, countKey, passwordHash, sessionId: session.id },
    }
    const outcome = await this.#submit(account, command, call)
    return outcome === null ? UNAVAILABLE : notOpened(outcome)
  }

  #submit(
    mailbox: number,
    command: CommandOf<'ChangePassword'> | CommandOf<'DisableTotp'>,
    { idempotency, requestId }: Pick<SignInCall, 'idempotency' | 'requestId'>,
  ): Promise<Outcome | null> {
    return new Promise((resolve) => {
      if (this.#parts.engine.submit({ command, mailbox, idempotency, requestId }, { settle: resolve }) !== null) resolve(null)
    })
  }
}
