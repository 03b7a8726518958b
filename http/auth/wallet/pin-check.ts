// The only check of a PIN: lock, comparison, count of wrong ones. Payments, sign-in and PIN changes all use it. No other
// file sees the PIN.
import {
  type AccountNumber,
  type CommandOf,
  type EngineApi,
  type IdempotencyKey,
  type Outcome,
  PIN_ATTEMPTS_MAX,
  type QueryAnswer,
} from '../../../engine/api.ts'
import { errorBody } from '../../../engine/contract/errors.ts'
import { later } from '../../server/later.ts'
import { statusOf } from '../../server/outcome-status.ts'
import type { Call } from '../../server/route.ts'
import type { PinHasher } from './pin-hasher.ts'

/** Result of a PIN check. */
export type PinVerdict =
  /** Right. `generation` names the PIN that it was, for commands that must not outlive it. */
  | { readonly isRight: true; readonly generation: number }
  /** Wrong, locked, or too many at once: the answer to give. */
  | { readonly isRight: false; readonly status: number; readonly body: string; readonly retryAfterS: number | null }

/** A PIN that a request shows. */
export interface PinUse {
  readonly account: AccountNumber
  readonly pin: string
  /** The registered device that showed its token. Absent: that of the call's access token, if it has one. */
  readonly deviceId?: string
  /** Of the request; its stored result is given again without looking at the PIN. Absent: the call's own. */
  readonly idempotency?: IdempotencyKey | null
}

/** Where a PIN comes from. */
export interface PinWay {
  /** The registered device that has shown its token: it has a count of its own. */
  readonly deviceId?: string | undefined
  /** Address of the caller: networks wait for a hash in turn. */
  readonly address?: string
}

type PinEngine = Pick<EngineApi, 'query' | 'submit'>

type RecordPinCheck = CommandOf<'RecordPinCheck'>

type PinCounts = QueryAnswer<'pins.counts'>

/** A guess that is being checked or counted, and how many requests wait for it. */
interface Guess {
  /** Null: too many hashes wait. */
  readonly result: Promise<boolean | null>
  users: number
}

const TOO_MANY: PinVerdict = { isRight: false, status: 429, body: errorBody('rate_limited'), retryAfterS: 1 }
const BUSY: PinVerdict = { isRight: false, status: 503, body: errorBody('unavailable'), retryAfterS: 1 }

export class PinChecks {
  readonly #engine: PinEngine
  readonly #hasher: PinHasher
  readonly #canWrite: () => boolean
  /** Guesses under way, by account and device. */
  readonly #guesses = new Map<string, Map<string, Guess>>()

  /** `canWrite` is false when the disk is nearly full: a PIN whose failure cannot be recorded is not checked. */
  constructor(engine: PinEngine, hasher: PinHasher, canWrite: () => boolean) {
    this.#canWrite = canWrite
    this.#engine = engine
    this.#hasher = hasher
  }

  /**
   * Runs `next` after the right PIN, and answers the call otherwise. A key that has its result is not asked for the PIN
   * again and counts nothing: `next` runs at once, and the engine answers what is stored. The answer does not show whether
   * the PIN was right, because fingerprints leave secrets out (`secretFields` of the route).
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
   * Checks and counts the PIN. No more different guesses are under way at once than tries are left, so that a hundred
   * requests at the same moment try no more PINs than five in a row do; equal guesses share one hash. A registered device has
   * a count of its own: wrong PINs from elsewhere do not lock it.
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
        ? BUSY
        : await this.#count({ account, ok, generation: row.generation, ...(deviceId === undefined ? {} : { deviceId }) })
    } finally {
      guess.users--
      if (guess.users === 0) guesses.delete(name)
      if (guesses.size === 0) this.#guesses.delete(counted)
    }
  }

  /** A right PIN with nothing to reset leaves no record: most do. */
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

  /** Of any request: a stored result is given again whichever PIN the request has. */
  #hasResult({ scope, key }: IdempotencyKey): boolean {
    return this.#engine.query('results.known', { scope, key, fingerprint: null }) !== null
  }

  #counts(account: AccountNumber, deviceId: string | null): PinCounts {
    return this.#engine.query('pins.counts', { account, deviceId })
  }

  /** Milliseconds until the lock ends; 0 or less without a lock. */
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
  return { isRight: false, status: 423, body: errorBody('pin_locked'), retryAfterS: Math.max(1, Math.ceil(remainingMs / 1000)) }
}
