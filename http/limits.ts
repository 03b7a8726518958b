// Every maximum of the HTTP front, by name. At the limit we refuse or close, we do not grow.

/** Request line and headers together. Half-arrived heads are kept up to this size for each connection. */
export const HEAD_BYTES_MAX = 16 * 1024
/** Body of a route that names no maximum of its own. */
export const BODY_BYTES_MAX = 1024 * 1024
/** Body of a batch or a schedule: 500 lines with references and notes of full length fit. */
export const LINES_BODY_BYTES_MAX = 4 * 1024 * 1024
/** Body of a product: its two functions and its form fit, however they are escaped. */
export const PRODUCT_BODY_BYTES_MAX = 4 * 1024 * 1024
/** Bytes of half-arrived bodies over all connections; beyond, 503. */
export const BODIES_BYTES_MAX = 64 * 1024 * 1024
/** A body that is refused but has no end in sight is read away up to here, so that the refusal can be heard. */
export const DISCARDED_BYTES_MAX = 16 * 1024 * 1024
/** From head to last byte of a body. Below 16 KB/s the native layer closes earlier. */
export const BODY_DEADLINE_MS = 60_000
/** What answers announce as the time that an idle connection may be used again; the native layer closes it after 8 to 12 s. */
export const KEEP_ALIVE_S = 7
/** Open connections; new ones beyond are closed. Streams count. Lowered to what the process may open. */
export const CONNECTIONS_MAX = 60_000
/** File descriptors kept for everything that is not a client: log, archive, outgoing calls. */
export const RESERVED_FILES = 256
/** Printable ASCII. */
export const REQUEST_ID_LENGTH_MAX = 128
export const IDEMPOTENCY_KEY_LENGTH_MAX = 255
/** Decoded path placeholders longer than this lead to nothing. */
export const PARAM_LENGTH_MAX = 512
/** Calls of check-recipient of one merchant in one environment. */
export const RECIPIENT_CHECKS_PER_MINUTE = 600
/** What 503 says. */
export const RETRY_AFTER_S = 1
/** How old the text of /metrics may be: it is made at most once in this time. */
export const METRICS_TEXT_MS = 1000
/** From this wait of the oldest append on, /healthz answers 503. */
export const APPEND_WAIT_UNHEALTHY_MS = 2000
/** How old the answer of /healthz may be: the log's store is read at most once in this time. */
export const HEALTH_KEPT_MS = 200
/** Buckets of the rate limiter; when reached, the ones that are full again go. */
export const RATE_BUCKETS_MAX = 100_000
/** How long a shutdown waits for answers that are under way. */
export const DRAIN_MAX_MS = 6_000
/** A shutdown that takes longer is ended by force; supervisors kill after 10 s. */
export const SHUTDOWN_MAX_MS = 9_000
/** A signal this soon after the first one is the same request to stop. */
export const REPEATED_SIGNAL_MS = 1_000
/** How often a server that npm started looks whether its parent process is still there. */
export const PARENT_CHECK_MS = 500
/** Answers that are on their way out get this long after the last one was given, before connections are closed. */
export const LINGER_MS = 500
/** libuv threads: the log's commit, the archive's commit, and two to spare. */
export const UV_THREADS_MIN = 4
/** Threads for slow hashes of PINs and passwords. */
export const SCRYPT_THREADS_MAX = 4
/** Slow hashes that wait for a thread: 12 s of live work on one. */
export const SCRYPT_WAITING_MAX = { live: 128, dashboard: 64, test: 256 } as const
/** Wrong passwords from one address within an hour, and merchants that sign up from it; then it has to wait. */
export const WRONG_PASSWORDS_PER_ADDRESS = 100
/** Wrong operator tokens of one address within an hour; then it is refused for WRONG_OPERATOR_TOKENS_WAIT_S at least. */
export const WRONG_OPERATOR_TOKENS_PER_ADDRESS = 100
/** Until an address that is refused may send one token more. */
export const WRONG_OPERATOR_TOKENS_WAIT_S = 36
export const SIGNUPS_PER_ADDRESS = 300
/** How often it is noted which API keys were used, and how many of them one record holds. */
export const KEY_USES_BEAT_MS = 60_000
export const KEY_USES_PER_RECORD_MAX = 1000
/** Addresses whose tries are counted. */
export const COUNTED_ADDRESSES_MAX = 20_000
/** Of what a browser calls itself, as much is kept. */
export const USER_AGENT_LENGTH_MAX = 200
/** Access tokens that were verified and need not be again: 300 bytes each. */
export const TOKENS_CACHED_MAX = 100_000
/** Messages to one gateway: under way, and waiting. */
export const GATEWAY_CONCURRENCY_MAX = 8
export const GATEWAY_WAITING_MAX = 10_000
/** Pushes of mandate requests to one wallet within an hour: of one merchant, and of all. */
export const REQUEST_PUSHES_OF_MERCHANT_PER_HOUR = 5
export const REQUEST_PUSHES_PER_HOUR = 20
/** Rows of each table that counts them: 100 bytes each. */
export const PUSH_COUNTS_MAX = 50_000
/** Messages that the development inbox keeps. */
export const INBOX_MAX = 500
