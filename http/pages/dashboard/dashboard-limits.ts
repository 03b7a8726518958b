// Every maximum of the dashboard's pages, by name.

/** Page requests a second of one merchant, and so many at once: people do not get there, scripts do. */
export const PAGES_PER_SECOND = 50
/** A form: 500 lines of a batch with references and notes fit. */
export const FORM_BYTES_MAX = 1024 * 1024
/** A form of a product: its form as rows and as JSON, and two functions of 64 KB. Percent signs cost time before anybody is known. */
export const PRODUCT_FORM_BYTES_MAX = 2 * 1024 * 1024
/** Lines of one file: they are paid as batches of 500, one after the other. */
export const BATCH_FILE_LINES_MAX = 5000
/** A file of lines with references and notes; what is left to pay travels with the page. */
export const BATCH_FILE_BYTES_MAX = 4 * 1024 * 1024
/** Lines of a check that are shown; beyond, those that would fail come first. */
export const BATCH_LINES_SHOWN_MAX = 500
/** Lines of a table that are put into one CSV file; where more exist the file says so. */
export const CSV_ROWS_MAX = 10_000
/** Transactions that the chart of the home page reads for one account and view; the next view goes on from there. */
export const CHART_TRANSACTIONS_MAX = 20_000
/** Finished days whose sums are remembered: 200 bytes each. */
export const CHART_DAYS_CACHED_MAX = 50_000
