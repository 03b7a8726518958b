// Maxima of the pages for development.

/** Maximum number of messages on the page. The inbox stores more. */
export const INBOX_SHOWN_MAX = 50
/** Maximum number of open inbox pages. One more ends the updates of the oldest. */
export const INBOX_STREAMS_MAX = 8
/** Maximum size of a form. */
export const FORM_BYTES_MAX = 16 * 1024
/** Maximum length of typed text that is shown again. The API accepts nothing longer in most fields. */
export const TYPED_LENGTH_MAX = 100
/** Maximum length of a part of an address, for example of a slug. */
export const PATH_PART_LENGTH_MAX = 128
/** Maximum number of test wallets that the phone proposes, and of rows that it reads to find them. */
export const WALLETS_PROPOSED_MAX = 20
export const WALLETS_LOOKED_AT_MAX = 1000
/** Maximum number of statement lines on the first screen, and on a page of the history. */
export const STATEMENT_SHOWN_MAX = 5
export const HISTORY_SHOWN_MAX = 20
/** Maximum number of billers and of mandates on a page. */
export const BILLERS_SHOWN_MAX = 50
export const MANDATES_SHOWN_MAX = 50
/** Maximum of play money that one form puts on a wallet. */
export const PLAY_MONEY_MAX = 1_000_000
