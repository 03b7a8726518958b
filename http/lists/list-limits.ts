// Every maximum of lists, by name.
import type { Quota } from '../../engine/kernel/quota.ts'

/** Lines of an export per turn of the event loop: about 25 KB, 1 ms. */
export const CSV_LINES_PER_SLICE = 100
/** Payments and refunds of charges that one slice of a till reads, and that a whole till reads at most. */
export const TILL_MOVES_PER_SLICE = 100
export const TILL_MOVES_MAX = 200_000
/** Fees of one slice of the operator's report, and the maximum of a period. */
export const FEES_PER_SLICE = 100
export const FEES_REPORTED_MAX = 1_000_000
/** Wallets that one slice of an operator's search reads. */
export const WALLETS_PER_SLICE = 2_000
/** What a slice of a list or an export costs among the work of other callers (http/server/fair-work.ts): about 1 ms. */
export const SLICE_COST = 30
/** Maximum wait for a stalled reader before the connection is closed. */
export const CSV_STALLED_MAX_MS = 30_000
/** Each holds one slice, twice while it is sent. */
export const CSV_EXPORTS: Quota = {
  name: 'csv_exports',
  counts: 'CSV exports that run',
  countsFr: 'exports CSV en cours',
  holder: 'account',
  max: { live: 256, test: 256 },
  share: 4,
  atShare: 'refused',
  retryAfterS: 1,
}
/** Candidates that a page of documents reads before it ends early. */
export const CANDIDATES_MAX = 2048
/** Candidates that a page of searched batches reads: each has up to 500 lines, 0.3 ms. */
export const BATCH_CANDIDATES_MAX = 256
/** Candidates that one slice of an export of documents reads: each is read by itself, about 4 ms for all. */
export const CSV_CANDIDATES_MAX = 256
