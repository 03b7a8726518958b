// What came back from a lookup before its shape is checked: JSON, or why there is none.

/** The answer before validation: `text` is JSON of any shape. */
interface RawAnswer {
  readonly kind: 'json'
  readonly text: string
  readonly value: unknown
}

export interface TransportFailure {
  readonly kind: 'failed'
  readonly code: 'lookup_unavailable' | 'lookup_timeout' | 'unavailable'
  /** Why, for the merchant. */
  readonly transportError: string
}

export type RawLookup = RawAnswer | TransportFailure
