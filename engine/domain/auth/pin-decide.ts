// What a PIN check counts for, and a new PIN. The check itself is made outside, slowly; here its result is counted, one
// at a time: a right PIN that comes while it is locked is refused like a wrong one, and no guess goes uncounted.
import { errorBody } from '../../contract/errors.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Accepted, type Context, type Decision, event } from '../decision.ts'
import type { StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import type { PlannedFrame } from '../stream/state.ts'
import { revokedEvent } from './device-events.ts'
import { PIN_ATTEMPTS_MAX, PIN_LOCK_MAX_MS, PIN_LOCK_MS } from './limits.ts'
import type { Pin } from './state.ts'

export interface RecordPinCheck {
  readonly type: 'RecordPinCheck'
  readonly account: AccountNumber
  readonly ok: boolean
  /** Of the hash that it was checked against. */
  readonly generation: number
}

/** Only after the right PIN. */
export interface ChangePin {
  readonly type: 'ChangePin'
  readonly account: AccountNumber
  readonly pinHash: string
  /** Of the PIN that was checked. */
  readonly generation: number
  /** Its sessions go on; those of all other devices end. */
  readonly deviceId: string
}

/**
 * Answers 200 for a right PIN, 401 pin_incorrect with `attempts_left` for a wrong one, 423 pin_locked for the one that
 * locks. Refuses, without counting: pin_locked.
 */
export function decideRecordPinCheck(state: State, command: RecordPinCheck, context: Context): Decision {
  const { account, ok, generation } = command
  const pin = state.auth.pin(account)
  if (pin.locked_until_ms > context.timeMs) return { refusal: 'pin_locked' }
  if (ok && generation === pin.generation) {
    const clean: Pin = { ...pin, failures: 0, locks: 0, locked_until_ms: 0 }
    return accept(state, account, isClean(pin) ? [] : [event('pin.checked', 1, account, countsOf(clean))])
  }
  const failures = pin.failures + 1
  if (failures < PIN_ATTEMPTS_MAX) {
    const checked = event('pin.checked', 1, account, countsOf({ ...pin, failures }))
    const body = errorBody('pin_incorrect', undefined, { attempts_left: PIN_ATTEMPTS_MAX - failures })
    return { ...accept(state, account, [checked]), status: 401, body }
  }
  const locked: Pin = {
    ...pin,
    failures: 0,
    locks: pin.locks + 1,
    locked_until_ms: context.timeMs + Math.min(PIN_LOCK_MS * 2 ** pin.locks, PIN_LOCK_MAX_MS),
  }
  const checked = event('pin.checked', 1, account, countsOf(locked))
  return { ...accept(state, account, [checked]), status: 423, body: errorBody('pin_locked') }
}

/** Answers 200 `{ok: true}`. Refuses: pin_incorrect when the PIN was changed since it was checked. */
export function decideChangePin(state: State, command: ChangePin, context: Context): Decision {
  const { account, pinHash, generation, deviceId } = command
  if (state.auth.pin(account).generation !== generation) return { refusal: 'pin_incorrect' }
  const others = state.auth.devicesOf(account).filter(({ id }) => id !== deviceId)
  const events = [
    event('pin.set', 1, account, { account, hash: pinHash, generation: generation + 1 }),
    ...others.map((device) => revokedEvent(device, 'pin_changed', context)),
  ]
  const frames = others.map((_device, index): PlannedFrame => ({ account, type: 'session.revoked', eventIndex: index + 1 }))
  return { ...accept(state, account, events), frames }
}

/** Nothing that a right PIN would have to reset. */
export function isClean({ failures, locks }: Pin): boolean {
  return failures === 0 && locks === 0
}

function countsOf({ account, failures, locks, locked_until_ms }: Pin): object {
  return { account, failures, locks, locked_until_ms }
}

function accept(state: State, account: AccountNumber, events: readonly StoredEvent[]): Accepted {
  return { environment: state.accounts.environment(account), events, transactions: [], frames: [], status: 200, body: '{"ok":true}' }
}
