// The step between a right password and the code of the second factor, on the pages: a sealed text in the form stands for the password
// that was checked, so that no page asks for it twice or sends it back. A new password ends it, as does its time.
import type { TimeMs } from '../../../engine/kernel/time.ts'
import { CursorSeal } from '../../crypto/cursor-seal.ts'

/** A checked password: whose, which one, and where wrong codes are counted. */
export interface CheckedPassword {
  readonly userId: string
  readonly generation: number
  readonly countKey: string
}

/** Time to open the authenticator app and to type its code. */
const LIFETIME_MS = 10 * 60_000
/** What the text is sealed for. */
const USE = 'login-step'
const LENGTH_MAX = 1024

export class LoginSteps {
  readonly #seal: CursorSeal

  /** `key` has 32 bytes and no other use. */
  constructor(key: Uint8Array) {
    this.#seal = new CursorSeal(key)
  }

  seal({ userId, generation, countKey }: CheckedPassword, nowMs: TimeMs): string {
    return this.#seal.seal([userId, generation, countKey, nowMs + LIFETIME_MS].join(' '), USE)
  }

  /** Returns null for a text that `seal` did not write, and for one whose time is over. */
  open(step: string, nowMs: TimeMs): CheckedPassword | null {
    const opened = step.length > LENGTH_MAX ? null : this.#seal.open(step, USE)
    if (opened === null) return null
    const [userId = '', generation, countKey = '', untilMs] = opened.split(' ')
    return Number(untilMs) > nowMs ? { userId, generation: Number(generation), countKey } : null
  }
}
