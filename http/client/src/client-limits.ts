// Every maximum and timeout of the client, by name.

/** Time of one attempt of a request, its answer included. Runs of hosted code take up to 10 s. */
export const ATTEMPT_MAX_MS = 30_000
/** Attempts after the first one. */
export const RETRIES = 5
/** First wait of the backoff; each next one is twice as long. */
export const BACKOFF_BASE_MS = 250
export const BACKOFF_CEILING_MS = 8_000
/** A `Retry-After` that asks for more ends the call: its error has `retryAfterMs`. */
export const RETRY_AFTER_MAX_MS = 60_000
/** The server sends a comment every 5 s: a stream without a byte for this time is opened again. */
export const STREAM_IDLE_MAX_MS = 20_000
/** Characters of one frame of a stream: the report of a batch of 500 lines is about 300 000. */
export const FRAME_LENGTH_MAX = 8_000_000
/** Lines of one payout batch, by the server's limit. */
export const BATCH_LINES_MAX = 500
/** Size of a file of payments that the command reads: over a million lines. */
export const PAYMENT_FILE_BYTES_MAX = 64 * 1024 * 1024
/** Length of a run id: the number of the file still fits into an Idempotency-Key. */
export const RUN_ID_LENGTH_MAX = 200
/** Failed lines, and warnings, that the summary of an upload keeps; `onFile` gets all of them. */
export const LINES_KEPT_MAX = 10_000
/** Lines of an upload that later files are compared with for duplicates: about 10 MB of memory. */
export const LINES_COMPARED_MAX = 100_000
/** Rows of a page while a list is iterated, by the server's limit. */
export const PAGE_ROWS_MAX = 100
/** Seconds that the timestamp of a signature may differ from the clock. */
export const SIGNATURE_TOLERANCE_S = 300
/** Bytes of a webhook or lookup that a receiver reads: a report of 500 lines has about 300 000. */
export const RECEIVED_BYTES_MAX = 2 * 1024 * 1024
