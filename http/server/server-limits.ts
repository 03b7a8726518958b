// Every maximum of the HTTP front, by name. At the limit we refuse or close, we do not grow.
import type { NetworkRates } from './network-limit.ts'

/** Request line and headers together. Half-arrived heads are kept up to this size for each connection. */
export const HEAD_BYTES_MAX = 16 * 1024
/** Body of a route that names no maximum of its own. */
export const BODY_BYTES_MAX = 1024 * 1024
/** Body of a public or sign-in route, and of any page for callers without a session. */
export const PUBLIC_BODY_BYTES_MAX = 16 * 1024
/** Values of a JSON body: objects, lists and commas. 70 000 of them held the thread for 130 ms. */
export const BODY_VALUES_MAX = 1000
/** The same on public and sign-in routes. */
export const PUBLIC_BODY_VALUES_MAX = 256
/** The same for a batch or a schedule of 500 lines, and for a product with 2 000 options: some 8 ms. */
export const LARGE_BODY_VALUES_MAX = 10_000
/** Body of a batch or a schedule: 500 lines with references and notes of full length fit. */
export const LINES_BODY_BYTES_MAX = 4 * 1024 * 1024
/** Body of a product: its two functions and its form fit, however they are escaped. */
export const PRODUCT_BODY_BYTES_MAX = 4 * 1024 * 1024
/** Bytes of half-arrived bodies over all connections; beyond, 503. */
export const BODIES_BYTES_MAX = 64 * 1024 * 1024
/** The part of them that callers may hold who have not shown who they are. */
export const STRANGERS_BODIES_BYTES_MAX = 16 * 1024 * 1024
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
/** A body of more bytes is refused unread while its account pauses on the route: see large-body-pauses.ts. */
export const LARGE_BODY_BYTES = 16 * 1024
export const LARGE_BODY_PAUSE_MS = 5_000
/** Pauses that are remembered; beyond, the oldest ends. */
export const LARGE_BODY_PAUSES_MAX = 10_000
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
/** How long a browser that has logged in is remembered: a year, renewed by each login. */
export const REMEMBERED_BROWSER_S = 31_536_000
/** Wrong passwords from one network within an hour, and merchants that sign up from it. */
export const WRONG_PASSWORDS_PER_NETWORK: NetworkRates = { ipv4: [100, 400, 4_000], ipv6: [100, 200, 400, 4_000] }
export const SIGNUPS_PER_NETWORK: NetworkRates = { ipv4: [300, 1_200, 6_000], ipv6: [300, 600, 1_200, 6_000] }
/** One-time codes to live phones asked for from one network within an hour. */
export const SENDS_PER_NETWORK: NetworkRates = { ipv4: [20, 400, 4_000], ipv6: [20, 60, 200, 4_000] }
/** Part of SMS_PER_MINUTE that one calling code may use where several are allowed. */
export const SENDS_PER_CALLING_CODE = 0.5
/** Codes for test phones, to which nothing is sent: they cost memory and log. */
export const TEST_STARTS_PER_NETWORK: NetworkRates = { ipv4: [3_600, 7_200, 14_400], ipv6: [3_600, 7_200, 7_200, 14_400] }
export const TEST_STARTS_PER_MINUTE = 1_200
export const TEST_STARTS_BURST = 4_000
/** Test wallets that a sign-up makes, which stay for good. */
export const TEST_SIGNUPS_PER_NETWORK: NetworkRates = { ipv4: [600, 900, 1_800], ipv6: [600, 900, 900, 1_800] }
export const TEST_SIGNUPS_PER_MINUTE = 60
export const TEST_SIGNUPS_BURST = 2_000
/** ID tokens of Firebase exchanged from one network within an hour. */
export const EXCHANGES_PER_NETWORK: NetworkRates = { ipv4: [60, 1_200, 12_000], ipv6: [60, 180, 600, 12_000] }
/** Wrong operator tokens from one network within an hour; then it is refused. */
export const WRONG_OPERATOR_TOKENS_PER_NETWORK: NetworkRates = { ipv4: [100, 400, 1_000], ipv6: [100, 200, 400, 1_000] }
/** The same at the form of the operator's desk, where tokens are pasted. */
export const WRONG_OPERATOR_LOGINS_PER_NETWORK: NetworkRates = { ipv4: [10, 40, 200], ipv6: [10, 20, 40, 200] }
/** Until an address that is refused may send one token more. */
export const WRONG_OPERATOR_TOKENS_WAIT_S = 36
/** How often it is noted which API keys were used, and how many of them one record holds. */
export const KEY_USES_BEAT_MS = 60_000
export const KEY_USES_PER_RECORD_MAX = 1000
/** Networks in each table of tries, 100 bytes each. In a full one the network that tried longest ago is dropped. */
export const COUNTED_NETWORKS_MAX = 100_000
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
/** A write at a node that does not own the log waits this long for an owner, and asks this often. */
export const OWNER_WAIT_MS = 5000
export const OWNER_RETRY_MS = 50
/** How often an owner that hands over looks whether its last batch is in the log. */
export const HAND_OVER_POLL_MS = 5
/** A follower that is further behind than this is not healthy. */
export const FOLLOWER_LAG_MAX_MS = 10_000
