// A body of another content type than JSON that is read as JSON would be: a file of payments, lines of JSON.

import type { Currency } from '../../../engine/kernel/currency.ts'

/** Reading in steps of about a millisecond: each runs in a turn of the caller. */
export type BodySteps<Value> = Generator<undefined, Value>

export interface BodyFile {
  /** Returns the value that the schema of the body checks, or a fault. `currency` is that of the caller's account. */
  readonly read: (bytes: Buffer, currency: Currency) => BodySteps<unknown>
  /** For the OpenAPI document. */
  readonly example: string
}
