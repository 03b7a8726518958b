// The second factor of dashboard users: secrets are sealed at rest, recovery codes are stored as keyed hashes. Whether a code was
// used before is decided in the turn.
import { createHmac } from 'node:crypto'
import type { CommandOf, EngineApi, IdempotencyKey, SecondFactor } from '../../../engine/api.ts'
import { assert } from '../../../engine/kernel/assert.ts'
import type { Seal } from '../../crypto/seal.ts'
import { newRecoveryCodes, newTotpSecret, recoveryText, totpStep } from './totp.ts'

/** Field name that secrets are sealed for. */
const FIELD = 'totp'

export interface SecondFactorParts {
  readonly engine: Pick<EngineApi, 'query'>
  readonly seal: Pick<Seal, 'seal' | 'open'>
  /** HMAC keys of recovery codes, oldest first: one of each root key. */
  readonly recoveryKeys: readonly Buffer[]
}

/** A confirmed enrolment: the command, and the codes that the user sees once. */
export interface ConfirmedEnrolment {
  readonly command: CommandOf<'EnableTotp'>
  readonly recoveryCodes: readonly string[]
}

export class SecondFactors {
  readonly #parts: SecondFactorParts

  constructor(parts: SecondFactorParts) {
    this.#parts = parts
  }

  /** Returns whether the user must send a code at login. */
  isActive(userId: string): boolean {
    return this.#parts.engine.query('dashboardUsers.totp', { id: userId })?.is_active === true
  }

  /** Returns how many recovery codes are left. */
  recoveryLeft(userId: string): number {
    return this.#parts.engine.query('dashboardUsers.totp', { id: userId })?.recovery.length ?? 0
  }

  /** Returns the secret of an enrolment that was not confirmed; null without one. */
  pendingSecret(userId: string): string | null {
    const totp = this.#parts.engine.query('dashboardUsers.totp', { id: userId })
    return totp === null || totp.is_active ? null : this.#parts.seal.open(FIELD, totp.sealed_secret)
  }

  /** Returns what was sent, for the decision; null where nothing was. */
  read(userId: string, sent = ''): SecondFactor | null {
    const typed = sent.replaceAll(/\s/g, '')
    if (typed === '') return null
    const totp = this.#parts.engine.query('dashboardUsers.totp', { id: userId })
    if (totp === null) return { kind: 'wrong' }
    const recovery = recoveryText(typed)
    if (recovery !== null) return { kind: 'recovery', hash: this.#hashAmong(totp.recovery, userId, recovery) }
    const step = totpStep(this.#parts.seal.open(FIELD, totp.sealed_secret), typed, this.#nowMs())
    return step === null ? { kind: 'wrong' } : { kind: 'step', step }
  }

  enrol(userId: string): { readonly secret: string; readonly command: CommandOf<'EnrolTotp'> } {
    const secret = newTotpSecret()
    return { secret, command: { type: 'EnrolTotp', userId, sealedSecret: this.#parts.seal.seal(FIELD, secret) } }
  }

  /**
   * Returns the command that makes the enrolment active, or the error code. The code of a replay is of an earlier time and is not
   * checked: the engine answers the stored result of the key.
   */
  confirm(userId: string, code: string, key: IdempotencyKey | null): ConfirmedEnrolment | 'totp_not_enrolled' | 'totp_incorrect' {
    if (key !== null && this.#parts.engine.query('results.known', key) !== null) return replayed(userId)
    const totp = this.#parts.engine.query('dashboardUsers.totp', { id: userId })
    if (totp === null) return 'totp_not_enrolled'
    const sealedSecret = totp.sealed_secret
    const step = totpStep(this.#parts.seal.open(FIELD, sealedSecret), code.replaceAll(/\s/g, ''), this.#nowMs())
    if (step === null) return 'totp_incorrect'
    const { codes: recoveryCodes, hashes: recovery } = this.newRecovery(userId)
    return { command: { type: 'EnableTotp', userId, sealedSecret, step, recovery }, recoveryCodes }
  }

  /** Returns new recovery codes, and their keyed hashes. */
  newRecovery(userId: string): { readonly codes: readonly string[]; readonly hashes: readonly string[] } {
    const codes = newRecoveryCodes()
    return { codes, hashes: codes.map((text) => this.#hash(userId, recoveryText(text) ?? '')) }
  }

  #hash(userId: string, code: string): string {
    return hashUnder(this.#parts.recoveryKeys.at(-1), userId, code)
  }

  /** Returns the hash under the key that the stored one was made under; for a wrong code that under the newest. */
  #hashAmong(stored: readonly string[], userId: string, code: string): string {
    const hashes = this.#parts.recoveryKeys.map((key) => hashUnder(key, userId, code))
    return hashes.find((hash) => stored.includes(hash)) ?? this.#hash(userId, code)
  }

  #nowMs(): number {
    return this.#parts.engine.query('engine.time', null)
  }
}

/** Enables nothing if it is decided: no enrolment has an empty secret. */
function replayed(userId: string): ConfirmedEnrolment {
  return { command: { type: 'EnableTotp', userId, sealedSecret: '', step: 0, recovery: [] }, recoveryCodes: [] }
}

function hashUnder(key: Buffer | undefined, userId: string, code: string): string {
  assert(key !== undefined, 'there is a root key')
  return createHmac('sha256', key).update(`${userId}\n${code}`).digest('base64url')
}
