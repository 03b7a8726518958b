// PINs in the model: of each wallet and of each registered device, guesses are counted and lock.
import assert from 'node:assert/strict'
import { type Entry, eventsOf, sent } from '../entry.ts'

export interface ModelPin {
  generation: number
  failures: number
  locks: number
  untilMs: number
}

/** What the engine's limits are meant to be, written down a second time. */
const [GUESSES, LOCK_MS, LOCK_MAX_MS] = [5, 15 * 60_000, 30 * 86_400_000]
const UNTRIED: ModelPin = { generation: 0, failures: 0, locks: 0, untilMs: 0 }

interface Counted {
  readonly account: number
  readonly device_id?: string
  readonly failures: number
  readonly locks: number
  readonly locked_until_ms: number
}

export class PinsModel {
  readonly pins = new Map<number, ModelPin>()
  readonly #ofDevices = new Map<string, ModelPin>()

  ofWallet(account: number): ModelPin {
    return this.pins.get(account) ?? UNTRIED
  }

  /** By account and id of the device. */
  ofDevice(key: string): ModelPin {
    return this.#ofDevices.get(key) ?? UNTRIED
  }

  forgetDevice(key: string): void {
    this.#ofDevices.delete(key)
  }

  audit(entry: Entry): void {
    for (const { payload } of eventsOf<{ readonly account: number; readonly generation: number }>(entry, 'pin.set')) {
      assert.equal(
        payload.generation,
        (this.pins.get(payload.account)?.generation ?? 0) + 1,
        'a PIN is changed from the one that was checked',
      )
      this.pins.set(payload.account, { generation: payload.generation, failures: 0, locks: 0, untilMs: 0 })
    }
    const onDevice = eventsOf<Counted>(entry, 'device_pin.checked')
    for (const { payload } of onDevice) {
      const key = `${payload.account}:${payload.device_id}`
      const counts = this.#ofDevices.get(key) ?? { ...UNTRIED }
      this.#ofDevices.set(key, this.#count(entry, counts, payload))
    }
    for (const { payload } of eventsOf<Counted>(entry, 'pin.checked')) {
      const pin = this.pins.get(payload.account) ?? { ...UNTRIED }
      this.pins.set(payload.account, pin)
      if (onDevice.length === 0) this.#count(entry, pin, payload)
      else pin.untilMs = Math.max(pin.untilMs, onDevice[0]?.payload.locked_until_ms ?? 0)
      assert.deepEqual(
        [payload.failures, payload.locks, payload.locked_until_ms],
        [pin.failures, pin.locks, pin.untilMs],
        'guesses of a PIN',
      )
    }
  }

  /** One guess: the last of a few locks, each time twice as long. A right one begins again. */
  #count(entry: Entry, counts: ModelPin, found: Counted): ModelPin {
    const { timeMs } = entry.record
    assert.ok(timeMs >= counts.untilMs, 'nothing is guessed while the PIN is locked')
    const isRight = found.failures === 0 && found.locks === 0
    const check = sent(entry, 'RecordPinCheck')
    if (check !== null) assert.ok(!isRight || check.ok, 'a wrong PIN is not right')
    const isLast = counts.failures + 1 >= GUESSES
    if (isRight) Object.assign(counts, { failures: 0, locks: 0, untilMs: 0 })
    else if (isLast)
      Object.assign(counts, { failures: 0, untilMs: timeMs + Math.min(LOCK_MS * 2 ** counts.locks, LOCK_MAX_MS), locks: counts.locks + 1 })
    else counts.failures++
    assert.deepEqual([found.failures, found.locks], [counts.failures, counts.locks], 'guesses are counted')
    if (isLast && !isRight) assert.equal(found.locked_until_ms, counts.untilMs, 'a lock is twice as long as the one before')
    return counts
  }
}
