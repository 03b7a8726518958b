// Runs inside the virtual machine: `Event` and `EventTarget` after the DOM standard (dom.spec.whatwg.org, section 2). A target has no
// parent here, so an event neither is captured nor bubbles.

type Listener = ((this: unknown, event: GuestEvent) => unknown) | { handleEvent(event: GuestEvent): unknown }

interface ListenerOptions {
  readonly capture?: unknown
  readonly once?: unknown
  readonly signal?: { readonly aborted: boolean; addEventListener(type: 'abort', listener: () => void): void }
}

interface Registered {
  readonly listener: Listener
  readonly isCapture: boolean
  readonly isOnce: boolean
  isRemoved: boolean
}

/** Key of what a target alone does with an event. Merchant code does not have it. */
const KEY = Symbol('key')

export class GuestEvent {
  static readonly NONE = 0
  static readonly CAPTURING_PHASE = 1
  static readonly AT_TARGET = 2
  static readonly BUBBLING_PHASE = 3
  readonly type: string
  readonly bubbles: boolean
  readonly cancelable: boolean
  readonly composed: boolean
  readonly isTrusted = false
  readonly timeStamp = performance.now()
  #target: GuestEventTarget | null = null
  #isPrevented = false
  #isStopped = false
  #isDispatched = false

  constructor(...given: readonly [type?: unknown, init?: Readonly<Record<string, unknown>>]) {
    if (given.length === 0) throw new TypeError('an Event has a type')
    const [type, { bubbles = false, cancelable = false, composed = false } = {}] = given
    this.type = `${type}`
    this.bubbles = Boolean(bubbles)
    this.cancelable = Boolean(cancelable)
    this.composed = Boolean(composed)
  }

  get target(): GuestEventTarget | null {
    return this.#target
  }

  get currentTarget(): GuestEventTarget | null {
    return this.#isDispatched ? this.#target : null
  }

  get eventPhase(): number {
    return this.#isDispatched ? GuestEvent.AT_TARGET : GuestEvent.NONE
  }

  get defaultPrevented(): boolean {
    return this.#isPrevented
  }

  preventDefault(): void {
    if (this.cancelable) this.#isPrevented = true
  }

  stopPropagation(): void {
    // There is no parent that it could reach.
  }

  stopImmediatePropagation(): void {
    this.#isStopped = true
  }

  composedPath(): GuestEventTarget[] {
    return this.#isDispatched && this.#target !== null ? [this.#target] : []
  }

  /** Calls the listeners in their order, until one of them stops it. */
  [KEY](target: GuestEventTarget, listeners: readonly Registered[], remove: (one: Registered) => void): void {
    if (this.#isDispatched) throw new DOMException('The event is being dispatched', 'InvalidStateError')
    this.#target = target
    this.#isDispatched = true
    for (const one of listeners) {
      if (this.#isStopped) break
      if (one.isRemoved) continue
      if (one.isOnce) remove(one)
      callListener(one.listener, target, this)
    }
    this.#isDispatched = false
    this.#isStopped = false
  }
}

export class GuestEventTarget {
  readonly #listeners = new Map<string, Registered[]>()

  addEventListener(type: unknown, listener: Listener | null, options?: boolean | ListenerOptions): void {
    if (listener === null || listener === undefined) return
    if (typeof listener !== 'function' && typeof listener !== 'object') throw new TypeError('a listener is a function or an object')
    const { once = false, signal } = typeof options === 'object' && options !== null ? options : {}
    if (signal?.aborted === true) return
    const isCapture = isCaptureOf(options)
    const name = `${type}`
    const listeners = this.#listeners.get(name) ?? []
    if (listeners.some((one) => one.listener === listener && one.isCapture === isCapture)) return
    // A dispatch goes over the list as it was.
    this.#listeners.set(name, [...listeners, { listener, isCapture, isOnce: Boolean(once), isRemoved: false }])
    signal?.addEventListener('abort', () => this.removeEventListener(name, listener, isCapture))
  }

  removeEventListener(type: unknown, listener: Listener | null, options?: boolean | ListenerOptions): void {
    const isCapture = isCaptureOf(options)
    const found = this.#listeners.get(`${type}`)?.find((one) => one.listener === listener && one.isCapture === isCapture)
    if (found !== undefined) this.#remove(`${type}`, found)
  }

  /** Returns false when a listener prevented the default. Errors of listeners are ignored. */
  dispatchEvent(event: GuestEvent): boolean {
    if (!(event instanceof GuestEvent)) throw new TypeError('dispatchEvent takes an Event')
    event[KEY](this, this.#listeners.get(event.type) ?? [], (one) => this.#remove(event.type, one))
    return !event.defaultPrevented
  }

  #remove(type: string, one: Registered): void {
    one.isRemoved = true
    const rest = (this.#listeners.get(type) ?? []).filter((other) => other !== one)
    if (rest.length > 0) this.#listeners.set(type, rest)
    else this.#listeners.delete(type)
  }
}

/** Calls a listener. In a browser its error would be written to the console. */
export function callListener(listener: Listener, target: GuestEventTarget, event: GuestEvent): void {
  try {
    if (typeof listener === 'function') listener.call(target, event)
    else listener.handleEvent(event)
  } catch {
    // The other listeners are called all the same.
  }
}

function isCaptureOf(options: boolean | ListenerOptions | undefined): boolean {
  return typeof options === 'object' && options !== null ? Boolean(options.capture) : options === true
}
