// Maxima of the pages for development.

/** Messages on the page; the inbox keeps more. */
export const INBOX_SHOWN_MAX = 50
/** Open pages of the inbox; with one more, the oldest is not told any more. */
export const INBOX_STREAMS_MAX = 8
/** Bytes of a form. */
export const FORM_BYTES_MAX = 16 * 1024
/** Test wallets that the phone proposes, and how many rows it looks at to find them. */
export const WALLETS_PROPOSED_MAX = 20
export const WALLETS_LOOKED_AT_MAX = 1000
/** Lines of the statement that the phone shows. */
export const STATEMENT_SHOWN_MAX = 10
