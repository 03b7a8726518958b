// Every maximum of the dashboard's pages, by name.

/** Maximum page requests per second of one merchant, and burst size. Only scripts reach it. */
export const PAGES_PER_SECOND = 50
/** Maximum size of a form: 500 lines of a batch with references and notes. */
export const FORM_BYTES_MAX = 1024 * 1024
/** Maximum size of a product form: rows, JSON and two functions of 64 KB. Percent-decoding costs time before authentication. */
export const PRODUCT_FORM_BYTES_MAX = 2 * 1024 * 1024
/** Maximum number of lines that a page puts into a form again. */
export const CORRECTED_LINES_MAX = 5000
/** Maximum size of a file of contacts. */
export const CONTACT_FILE_BYTES_MAX = 4 * 1024 * 1024
/** Maximum number of rows in one CSV export. The file says when more exist. */
export const CSV_ROWS_MAX = 10_000
/** Maximum number of transactions that one view of the chart reads for an account. The next view continues from there. */
export const CHART_TRANSACTIONS_MAX = 20_000
/** Maximum number of finished days in the cache, 200 bytes each. */
export const CHART_DAYS_CACHED_MAX = 50_000
/** Maximum number of rows that the totals of a list add up: ten pages of the API. */
export const TOTALS_ROWS_MAX = 1000
/** Longest time in which one view adds up an exact total, where the reader asks for it. The next view continues from there. */
export const EXACT_TOTALS_MS = 10_000
/** Maximum number of exact totals that wait to be continued, one an account: some hundred bytes each. */
export const EXACT_TOTALS_KEPT_MAX = 1000
/** Maximum number of rows of a month's statement. */
export const STATEMENT_ROWS_MAX = 50_000
/** Maximum number of totals of an account that run at once. */
export const TOTALS_PER_ACCOUNT_MAX = 2
/** Maximum number of rows of each kind on the search page. The list of the kind has the others. */
export const FOUND_SHOWN_MAX = 5
/** Maximum number of newest rows of a list that a search by a part reads: ten pages of the API. */
export const PART_ROWS_MAX = 1000
/** Maximum number of such searches of an account that run at once. */
export const PART_SEARCHES_PER_ACCOUNT_MAX = 2
