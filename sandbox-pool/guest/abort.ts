// Runs inside the virtual machine: `AbortController` and `AbortSignal` after the DOM standard (dom.spec.whatwg.org, section
// 3), with the `abort` event only. Code limits its calls with them.

type Listener = ((this: Signal, event: AbortEvent) => unknown) | { handleEvent(event: AbortEvent): unknown }

interface AbortEvent {
  readonly type: 'abort'
  readonly target: Signal
}

/** Key that creates and fires a signal. Merchant code does not have it. */
const KEY = Symbol('key')

export class Signal {
  #aborted = false
  #reason: unknown
  readonly #listeners = new Set<Listener>()
  onabort: Listener | null = null

  constructor(key?: unknown) {
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

  addEventListener(type: unknown, listener: Listener | null): void {
    if (type === 'abort' && listener !== null && !this.#aborted) this.#listeners.add(listener)
  }

  removeEventListener(type: unknown, listener: Listener): void {
    if (type === 'abort') this.#listeners.delete(listener)
  }

  /** Fires the signal once. Errors of listeners are ignored. */
  [KEY](reason: unknown): void {
    if (this.#aborted) return
    this.#aborted = true
    this.#reason = reason
    const listeners = this.onabort === null ? [...this.#listeners] : [...this.#listeners, this.onabort]
    this.#listeners.clear()
    const event: AbortEvent = { type: 'abort', target: this }
    for (const listener of listeners) {
      try {
        if (typeof listener === 'function') listener.call(this, event)
        else listener.handleEvent(event)
      } catch {
        // In a browser it would be written to the console.
      }
    }
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
