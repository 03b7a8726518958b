// Functions that the two sides of the virtual machine call on each other: strings and numbers only.

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
  /** Answers a question about locales, see host-intl.ts. Both are JSON texts. */
  readonly intl: (question: string) => string
  /** Performs an operation of the Web Cryptography API, see host-crypto.ts. Both are JSON texts. */
  readonly crypto: (request: string) => string
  /** Returns random bytes as base64. */
  readonly random: (sizeBytes: number) => string
}

export const CURVES = ['P-256', 'P-384', 'P-521'] as const

/** An asymmetric key that the host has read. */
export interface KeyWire {
  readonly type: 'private' | 'public'
  /** Base64: PKCS #8 or SubjectPublicKeyInfo. */
  readonly der: string
  readonly modulusLength: number
  readonly publicExponent: number
}

/** Called by the host. */
export interface GuestControls {
  /** Called once, before merchant code runs. */
  readonly start: () => void
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
