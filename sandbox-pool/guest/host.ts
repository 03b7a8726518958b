// Functions that the two sides of the virtual machine call on each other: strings and numbers only, and no return values.

/** Called by the guest. Merchant code that obtains one of these can only disturb or end its own run. */
export interface GuestHost {
  /** JSON text of what the function returned. */
  readonly done: (value: string) => void
  /** JSON text of an ErrorText. */
  readonly failed: (error: string) => void
  readonly missing: () => void
  readonly log: (line: string) => void
  /** JSON text of a FetchWire. */
  readonly fetch: (id: number, request: string) => void
  readonly startTimer: (id: number, delayMs: number) => void
  readonly stopTimer: (id: number) => void
}

/** Called by the host. */
export interface GuestControls {
  /** Calls the function with the argument. Null: only checks that the function exists. `loaded`: the function, or the promise of its module. */
  readonly begin: (loaded: unknown, moduleExport: string | null, argument: string | null) => void
  /** JSON text of an AnswerWire. */
  readonly answer: (id: number, answer: string) => void
  readonly fire: (id: number) => void
  /** JSON text of an ErrorText. */
  readonly describe: (error: unknown) => string
}

/** Parts of an error that leave the machine. */
export interface ErrorText {
  readonly name: string
  readonly message: string
  readonly stack: string
}

export type HeaderPairs = readonly (readonly [string, string])[]

export type BodyWire = { readonly text: string } | { readonly base64: string } | null

export interface FetchWire {
  readonly method: string
  readonly url: string
  readonly headers: HeaderPairs
  readonly body: BodyWire
}

export type AnswerWire =
  | {
      readonly status: number
      readonly url: string
      readonly redirected: boolean
      readonly headers: HeaderPairs
      readonly body: BodyWire
    }
  | { readonly error: string }
