// Runs inside the virtual machine: `AbortController` and `AbortSignal` after the DOM standard (dom.spec.whatwg.org, section
// 3). Code limits its calls with them.

import { uncurry } from './bytes.ts'
import { callListener, GuestEvent, GuestEventTarget } from './event-target.ts'

type Listener = Parameters<typeof callListener>[0]

/** Key that creates and fires a signal. Merchant code does not have it. */
const KEY = Symbol('key')
const dispatch = uncurry(GuestEventTarget.prototype.dispatchEvent)

export class Signal extends GuestEventTarget {
  #aborted = false
  #reason: unknown
  onabort: Listener | null = null

  constructor(key?: unknown) {
    super()
    if (key !== KEY) throw new TypeError('a signal comes from an AbortController')
  }

  static abort(reason: unknown = aborted()): Signal {
    const signal = new Signal(KEY)
    signal[KEY](reason)
    return signal
  }

  static timeout(delayMs: number): Signal {
    const signal = new Signal(KEY)
    setTimeout(() => signal[KEY](new DOMException('The operation was aborted due to timeout', 'TimeoutError')), delayMs)
    return signal
  }

  static any(signals: Iterable<Signal>): Signal {
    const any = new Signal(KEY)
    for (const signal of signals) {
      if (signal.aborted) any[KEY](signal.reason)
      else signal.addEventListener('abort', () => any[KEY](signal.reason))
    }
    return any
  }

  get aborted(): boolean {
    return this.#aborted
  }

  get reason(): unknown {
    return this.#reason
  }

  throwIfAborted(): void {
    if (this.#aborted) throw this.#reason
  }

  /** Fires the signal once. Errors of listeners are ignored. */
  [KEY](reason: unknown): void {
    if (this.#aborted) return
    this.#aborted = true
    this.#reason = reason
    const event = new GuestEvent('abort')
    dispatch(this, event)
    if (this.onabort !== null) callListener(this.onabort, this, event)
  }
}

export class Controller {
  readonly signal = new Signal(KEY)

  abort(reason: unknown = aborted()): void {
    this.signal[KEY](reason)
  }
}

function aborted(): DOMException {
  return new DOMException('This operation was aborted', 'AbortError')
}
