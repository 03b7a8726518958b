// A large body that a thread of its route reads: what V8 makes of 100 000 lines, and copies while it collects garbage, held each payout up
// for up to 60 ms.
import type { AccountNumber } from '../../../engine/api.ts'
import type { Currency } from '../../../engine/kernel/currency.ts'

export interface LargeBody {
  /** Without parameters, in lower case. */
  readonly mediaType: string
  /** In memory of its own. The reader takes it: it is empty afterwards. */
  readonly bytes: Buffer
  /** Of the caller's account. */
  readonly currency: Currency
  /** Whose turn it takes. */
  readonly owner: AccountNumber | string
  /** For the fingerprint. */
  readonly method: string
  readonly target: string
}

/** What the schema of the body checks, or the bytes of a body that only the usual way can answer: a faulty one. */
export type LargeBodyRead = { readonly value: unknown; readonly fingerprint: string } | { readonly bytes: Buffer }

export type LargeBodyReader = (body: LargeBody) => Promise<LargeBodyRead>
