// Maxima of the pages for development.

/** Maximum number of messages on the page. The inbox stores more. */
export const INBOX_SHOWN_MAX = 50
/** Maximum number of open inbox pages. One more ends the updates of the oldest. */
export const INBOX_STREAMS_MAX = 8
/** Maximum size of a form. */
export const FORM_BYTES_MAX = 16 * 1024
/** Maximum number of test wallets that the phone proposes, and of rows that it reads to find them. */
export const WALLETS_PROPOSED_MAX = 20
export const WALLETS_LOOKED_AT_MAX = 1000
/** Maximum number of statement lines on the phone. */
export const STATEMENT_SHOWN_MAX = 10
