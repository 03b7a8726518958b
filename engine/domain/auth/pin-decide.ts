// What a PIN check counts for, and a new PIN. The check itself is made outside, slowly; here its result is counted, one
// at a time: a right PIN that comes while it is locked is refused like a wrong one, and no guess goes uncounted.
import type { TimeMs } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Accepted, type Context, type Decision, event, rejectedBy } from '../decision.ts'
import type { StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import type { PlannedFrame } from '../stream/stream-state.ts'
import { PIN_ATTEMPTS_MAX, PIN_LOCK_MAX_MS, PIN_LOCK_MS } from './auth-limits.ts'
import type { PinCounts } from './auth-state.ts'
import { revokedEvent } from './device-events.ts'

export interface RecordPinCheck {
  readonly type: 'RecordPinCheck'
  readonly account: AccountNumber
  readonly ok: boolean
  /** Of the hash that it was checked against. */
  readonly generation: number
  /** The registered device that showed its token or access token. It has a count of its own and passes locks that others caused. */
  readonly deviceId?: string
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

export const RECORD_PIN_CHECK_REJECTIONS = ['pin_locked', 'pin_incorrect'] as const

/**
 * Answers 200 for a right PIN, 401 pin_incorrect with `attempts_left` for a wrong one, 423 pin_locked for the one that
 * locks. Refuses, without counting: pin_locked. A right PIN resets the count of its own device alone; otherwise the owner's
 * sign-ins would give a stranger who guesses without a device new tries.
 */
export function decideRecordPinCheck(
  state: State,
  command: RecordPinCheck,
  context: Context,
): Decision<(typeof RECORD_PIN_CHECK_REJECTIONS)[number]> {
  const { account, ok, generation, deviceId } = command
  const isRegistered = deviceId !== undefined && state.auth.device(account, deviceId) !== undefined
  const device = isRegistered ? deviceId : null
  const counts = state.auth.pinCounts(account, device)
  if (counts.locked_until_ms > context.timeMs) return { refusal: 'pin_locked' }
  if (ok && generation === state.auth.pin(account).generation) {
    return accept(state, account, isClean(counts) ? [] : [countedEvent(account, device, { failures: 0, locks: 0, locked_until_ms: 0 })])
  }
  const failures = counts.failures + 1
  if (failures < PIN_ATTEMPTS_MAX) {
    const { locks, locked_until_ms } = counts
    const counted = accept(state, account, [countedEvent(account, device, { failures, locks, locked_until_ms })])
    return rejectedBy(counted, 'pin_incorrect', { attempts_left: PIN_ATTEMPTS_MAX - failures })
  }
  const lockedUntilMs = context.timeMs + Math.min(PIN_LOCK_MS * 2 ** counts.locks, PIN_LOCK_MAX_MS)
  const events = [countedEvent(account, device, { failures: 0, locks: counts.locks + 1, locked_until_ms: lockedUntilMs })]
  if (device !== null) events.push(lockedWithDevice(state, account, lockedUntilMs))
  return rejectedBy(accept(state, account, events), 'pin_locked')
}

/** A lock of a device locks what has no registered device too, without counting there. Other devices go on. */
function lockedWithDevice(state: State, account: AccountNumber, lockedUntilMs: TimeMs): StoredEvent {
  const { failures, locks, locked_until_ms } = state.auth.pin(account)
  return countedEvent(account, null, { failures, locks, locked_until_ms: Math.max(locked_until_ms, lockedUntilMs) })
}

export const CHANGE_PIN_REJECTIONS = ['pin_incorrect'] as const

/** Answers 200 `{ok: true}`. Refuses: pin_incorrect when the PIN was changed since it was checked. */
export function decideChangePin(state: State, command: ChangePin, context: Context): Decision<(typeof CHANGE_PIN_REJECTIONS)[number]> {
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
export function isClean({ failures, locks }: PinCounts): boolean {
  return failures === 0 && locks === 0
}

function countedEvent(account: AccountNumber, deviceId: string | null, counts: PinCounts): StoredEvent {
  if (deviceId === null) return event('pin.checked', 1, account, { account, ...counts })
  return event('device_pin.checked', 1, account, { account, device_id: deviceId, ...counts })
}

function accept(state: State, account: AccountNumber, events: readonly StoredEvent[]): Accepted {
  return { environment: state.accounts.environment(account), events, transactions: [], frames: [], kind: 'ok', body: '{"ok":true}' }
}
