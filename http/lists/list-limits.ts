// Every maximum of lists, by name.

/** Lines of an export between two looks at other requests: about 25 KB, 1 ms. */
export const CSV_LINES_PER_SLICE = 100
/** How long an export waits for a reader that takes nothing, before the connection goes. */
export const CSV_STALLED_MAX_MS = 30_000
/** Exports that run at once: each holds one slice, twice while it leaves. */
export const CSV_EXPORTS_PER_ACCOUNT_MAX = 4
export const CSV_EXPORTS_MAX = 256
/** Candidates that a page of documents reads before it ends early. */
export const CANDIDATES_MAX = 2048
