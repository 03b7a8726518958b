// Deciders that count a PIN check and change a PIN. The caller makes the slow check; its result is counted in a turn.
// While locked, a right PIN is rejected like a wrong one, and every guess is counted.
import type { TimeMs } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Accepted, type Context, type Decision, event, rejectedBy } from '../decision.ts'
import type { StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { plannedFrame } from '../stream/stream-frames.ts'
import { PIN_ATTEMPTS_MAX, PIN_LOCK_MAX_MS, PIN_LOCK_MS } from './auth-limits.ts'
import { revokedEvent } from './device-events.ts'
import type { PinCounts } from './sign-in-rows.ts'

export interface RecordPinCheck {
  readonly type: 'RecordPinCheck'
  readonly account: AccountNumber
  readonly ok: boolean
  /** Generation of the hash that was checked. */
  readonly generation: number
  /** The registered device that presented its token or access token. It has its own count and is not locked by others. */
  readonly deviceId?: string
}

/** The caller has checked the PIN. */
export interface ChangePin {
  readonly type: 'ChangePin'
  readonly account: AccountNumber
  readonly pinHash: string
  /** Generation of the PIN that was checked. */
  readonly generation: number
  /** Its sessions continue; those of all other devices end. */
  readonly deviceId: string
}

export const RECORD_PIN_CHECK_REJECTIONS = ['pin_locked', 'pin_incorrect'] as const

/**
 * Returns `ok` for a right PIN, pin_incorrect with `attempts_left` for a wrong one, pin_locked for the one that
 * locks. Rejections that are not counted: pin_locked. A right PIN resets only the count of its own device: otherwise
 * the owner's sign-ins would give new attempts to a guesser without a device.
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

/**
 * A device's lock also locks requests without a registered device, without counting there. Other devices are not
 * locked.
 */
function lockedWithDevice(state: State, account: AccountNumber, lockedUntilMs: TimeMs): StoredEvent {
  const { failures, locks, locked_until_ms } = state.auth.pin(account)
  return countedEvent(account, null, { failures, locks, locked_until_ms: Math.max(locked_until_ms, lockedUntilMs) })
}

export const CHANGE_PIN_REJECTIONS = ['pin_incorrect'] as const

/** Returns `ok` and `{ok: true}`. Rejections: pin_incorrect when the PIN was changed since it was checked. */
export function decideChangePin(state: State, command: ChangePin, context: Context): Decision<(typeof CHANGE_PIN_REJECTIONS)[number]> {
  const { account, pinHash, generation, deviceId } = command
  if (state.auth.pin(account).generation !== generation) return { refusal: 'pin_incorrect' }
  const others = state.auth.devicesOf(account).filter(({ id }) => id !== deviceId)
  const events = [
    event('pin.set', 1, account, { account, hash: pinHash, generation: generation + 1 }),
    ...others.map((device) => revokedEvent(device, 'pin_changed', context)),
  ]
  const frames = others.map((_device, index) => plannedFrame(account, 'session.revoked', index + 1))
  return { ...accept(state, account, events), frames }
}

/** Returns whether the counts have nothing that a right PIN would reset. */
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
