// Raw response of a lookup: JSON and its parsed form, or why there is none.
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
  /** Failure, as text for the merchant. */
  readonly transportError: string
}

export type RawLookup = RawAnswer | TransportFailure
