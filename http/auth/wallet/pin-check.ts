// The only check of a PIN: lock, comparison, count of wrong ones. Payments, sign-in and PIN changes use it. No other
// file reads the PIN.
import {
  type AccountNumber,
  type CommandOf,
  type EngineApi,
  type IdempotencyKey,
  type Outcome,
  PIN_ATTEMPTS_MAX,
  type QueryAnswer,
} from '../../../engine/api.ts'
import { errorValue } from '../../../engine/contract/errors.ts'
import { later } from '../../server/later.ts'
import { statusOf } from '../../server/outcome-status.ts'
import type { Call } from '../../server/route.ts'
import type { PinHasher } from './pin-hasher.ts'

/** Result of a PIN check. */
export type PinVerdict =
  /** Right. `generation` identifies the PIN, for commands that must fail after a change. */
  | { readonly isRight: true; readonly generation: number }
  /** Wrong, locked, or too many attempts at once: the response. */
  | { readonly isRight: false; readonly status: number; readonly body: string; readonly retryAfterS: number | null }

/** A PIN sent by a request. */
export interface PinUse {
  readonly account: AccountNumber
  readonly pin: string
  /** The registered device that sent its token. Absent: the device of the call's access token, if any. */
  readonly deviceId?: string
  /** Key of the request. Its stored result is replayed without a PIN check. Absent: the call's own. */
  readonly idempotency?: IdempotencyKey | null
}

/** Origin of a PIN. */
export interface PinWay {
  /** The registered device that sent its token. It has its own count. */
  readonly deviceId?: string | undefined
  /** Address of the caller, for the fair queue of hashes. */
  readonly address?: string
}

type PinEngine = Pick<EngineApi, 'query' | 'submit'>

type RecordPinCheck = CommandOf<'RecordPinCheck'>

type PinCounts = QueryAnswer<'pins.counts'>

/** An attempt that is being checked or counted, and how many requests share it. */
interface Guess {
  /** Null when too many hashes wait. */
  readonly result: Promise<boolean | null>
  users: number
}

const TOO_MANY: PinVerdict = { isRight: false, status: 429, body: errorValue('rate_limited'), retryAfterS: 1 }
/** The caller's network has the most PINs in a full queue: it waits behind itself. */
const CROWDED: PinVerdict = { isRight: false, status: 429, body: errorValue('rate_limited'), retryAfterS: 1 }
const BUSY: PinVerdict = { isRight: false, status: 503, body: errorValue('unavailable'), retryAfterS: 1 }

export class PinChecks {
  readonly #engine: PinEngine
  readonly #hasher: PinHasher
  readonly #canWrite: () => boolean
  /** Running attempts by account and device. */
  readonly #guesses = new Map<string, Map<string, Guess>>()

  /**
   * `canWrite` is false when the disk is nearly full. PINs are then not checked, because a failure could not be
   * recorded.
   */
  constructor(engine: PinEngine, hasher: PinHasher, canWrite: () => boolean) {
    this.#canWrite = canWrite
    this.#engine = engine
    this.#hasher = hasher
  }

  /**
   * Runs `next` after the right PIN and answers the call otherwise. A key with a stored result skips the check and
   * counts nothing; the engine answers the stored result. The response does not reveal whether the PIN was right,
   * because fingerprints omit secrets (`secretFields`).
   */
  guard(call: Call, use: PinUse, next: (generation: number) => void): void {
    const idempotency = use.idempotency === undefined ? call.idempotency : use.idempotency
    if (idempotency !== null && this.#hasResult(idempotency)) {
      return next(this.#engine.query('pins.ofWallet', { account: use.account }).generation)
    }
    const { principal, remoteAddress: address } = call
    const deviceId = use.deviceId ?? (principal.kind === 'wallet' ? principal.device.id : undefined)
    later(call, async () => {
      const verdict = await this.verify(use.account, use.pin, { deviceId, address })
      if (verdict.isRight) next(verdict.generation)
      else answerVerdict(call, verdict)
    })
  }

  /**
   * Checks and counts the PIN. Concurrent attempts are limited to the remaining ones, so that parallel requests gain
   * no extra attempts. Equal attempts share one hash. A registered device has its own count, so wrong PINs from
   * elsewhere do not lock it.
   */
  async verify(account: AccountNumber, pin: string, { deviceId, address = '' }: PinWay = {}): Promise<PinVerdict> {
    const row = this.#engine.query('pins.ofWallet', { account })
    const counts = this.#counts(account, deviceId ?? null)
    const lockedMs = this.#lockedMs(counts)
    if (lockedMs > 0) return lockedVerdict(lockedMs)
    const counted = deviceId === undefined ? String(account) : `${account}:${deviceId}`
    const guesses = this.#guesses.get(counted) ?? new Map<string, Guess>()
    const name = this.#hasher.peppered(pin).toString('base64')
    let guess = guesses.get(name)
    if (!this.#canWrite()) return BUSY
    if (guess === undefined) {
      if (counts.failures + guesses.size >= PIN_ATTEMPTS_MAX) return TOO_MANY
      const environment = this.#engine.query('accounts.environment', { account })
      guess = { result: this.#hasher.matches(pin, row.hash, environment, address), users: 0 }
      guesses.set(name, guess)
      this.#guesses.set(counted, guesses)
    }
    guess.users++
    try {
      const ok = await guess.result
      return ok === null
        ? CROWDED
        : await this.#count({ account, ok, generation: row.generation, ...(deviceId === undefined ? {} : { deviceId }) })
    } finally {
      guess.users--
      if (guess.users === 0) guesses.delete(name)
      if (guesses.size === 0) this.#guesses.delete(counted)
    }
  }

  /** Records the result. A right PIN with nothing to reset needs no record. */
  async #count(check: Omit<RecordPinCheck, 'type'>): Promise<PinVerdict> {
    const { account, ok, generation, deviceId = null } = check
    const counts = this.#counts(account, deviceId)
    const isClean = counts.failures === 0 && counts.locks === 0 && this.#lockedMs(counts) <= 0
    if (ok && isClean && this.#engine.query('pins.ofWallet', { account }).generation === generation) return { isRight: true, generation }
    const outcome = await this.#record(check)
    if (outcome === null) return BUSY
    const { kind, body } = outcome
    if (kind === 'ok') return { isRight: true, generation }
    if (kind !== 'locked') return { isRight: false, status: statusOf(kind), body, retryAfterS: null }
    return lockedVerdict(this.#lockedMs(this.#counts(account, deviceId)))
  }

  /** Returns whether the key has a stored result, which is replayed with any PIN. */
  #hasResult({ scope, key }: IdempotencyKey): boolean {
    return this.#engine.query('results.known', { scope, key, fingerprint: null }) !== null
  }

  #counts(account: AccountNumber, deviceId: string | null): PinCounts {
    return this.#engine.query('pins.counts', { account, deviceId })
  }

  /** Returns the milliseconds until the lock ends; 0 or less without a lock. */
  #lockedMs({ locked_until_ms }: PinCounts): number {
    return locked_until_ms - this.#engine.query('engine.time', null)
  }

  #record(check: Omit<RecordPinCheck, 'type'>): Promise<Outcome | null> {
    return new Promise((resolve) => {
      const command: RecordPinCheck = { type: 'RecordPinCheck', ...check }
      const refusal = this.#engine.submit({ command, mailbox: check.account, idempotency: null }, { settle: resolve })
      if (refusal !== null) resolve(null)
    })
  }
}

export function answerVerdict(call: Pick<Call, 'answerAs'>, verdict: Extract<PinVerdict, { isRight: false }>): void {
  const { status, body, retryAfterS } = verdict
  call.answerAs(status, body, retryAfterS === null ? [] : [['Retry-After', String(retryAfterS)]])
}

function lockedVerdict(remainingMs: number): PinVerdict {
  return { isRight: false, status: 423, body: errorValue('pin_locked'), retryAfterS: Math.max(1, Math.ceil(remainingMs / 1000)) }
}
