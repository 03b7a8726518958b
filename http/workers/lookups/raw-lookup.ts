// What came back from a lookup: JSON and what was read from it, or why there is none.
import type { ReadAnswer } from './lookup-answer.ts'

/** `text` is JSON of any shape. */
interface RawAnswer {
  readonly kind: 'json'
  readonly text: string
  readonly read: ReadAnswer
}

export interface TransportFailure {
  readonly kind: 'failed'
  readonly code: 'lookup_unavailable' | 'lookup_timeout' | 'unavailable'
  /** Why, for the merchant. */
  readonly transportError: string
}

export type RawLookup = RawAnswer | TransportFailure
