// Every maximum of the HTTP server, by name. At the limit the server rejects or closes.
import type { Quota } from '../../engine/kernel/quota.ts'

/** `Retry-After` of 503, and of 429 where no other time is known. */
export const RETRY_AFTER_S = 1

/** Maximum within an hour, which is also the burst, narrowest width first (see `networksOf`). */
export interface NetworkRates {
  readonly ipv4: readonly [address: number, slash24: number, slash16: number]
  readonly ipv6: readonly [slash64: number, slash56: number, slash48: number, slash32: number]
}

/** Request line and headers together. An incomplete head may use this much per connection. */
export const HEAD_BYTES_MAX = 16 * 1024
/** Body of a route that names no maximum of its own. */
export const BODY_BYTES_MAX = 1024 * 1024
/** Body of a public or sign-in route, and of any page for callers without a session. */
export const PUBLIC_BODY_BYTES_MAX = 16 * 1024
/** Values of a JSON body: objects, lists and commas. 70 000 of them held the thread for 130 ms. */
export const BODY_VALUES_MAX = 1000
/** Values of a JSON body on public and sign-in routes. */
export const PUBLIC_BODY_VALUES_MAX = 256
/** Values of a batch or schedule of 500 lines, or of a product with 2 000 options: some 8 ms. */
export const LARGE_BODY_VALUES_MAX = 10_000
/** Body of a batch or a schedule: 500 lines with references and notes of full length fit. */
export const LINES_BODY_BYTES_MAX = 4 * 1024 * 1024
/** Body of a disbursement: 100 000 lines of 160 bytes. */
export const DISBURSEMENT_BODY_BYTES_MAX = 16 * 1024 * 1024
/** They are in memory. A merchant that no operator knows has room for 100 000 lines while few others come. */
export const DISBURSEMENT_LINES: Quota = {
  name: 'disbursement_lines',
  counts: 'lines of new disbursements that wait to be judged',
  countsFr: 'lignes de nouveaux versements de masse qui attendent leur vérification',
  holder: 'account',
  max: { live: 1_000_000, test: 1_000_000 },
  share: 200_000,
  ofFree: 1 / 2,
  atShare: 'refused',
  retryAfterS: RETRY_AFTER_S,
}
/** Values of 100 000 lines with all of their fields. */
export const DISBURSEMENT_VALUES_MAX = 1_000_000
/** Size from which a thread reads them: 1 000 lines. */
export const LARGE_FILE_BYTES = 64 * 1024
/** Body of a product: its two functions and its form fit with any escaping. */
export const PRODUCT_BODY_BYTES_MAX = 4 * 1024 * 1024
/** A whole disbursement fits, also sealed by another node. */
export const REQUEST_BODIES: Quota = {
  name: 'request_bodies',
  counts: 'bytes of incomplete request bodies',
  countsFr: 'octets de corps de requêtes incomplets',
  holder: 'account',
  max: { live: 128 * 1024 * 1024, test: 128 * 1024 * 1024 },
  share: 17 * 1024 * 1024,
  ofFree: 1 / 2,
  atShare: 'refused',
  retryAfterS: RETRY_AFTER_S,
}
/** Operators count as proven here: they have no account. */
export const ADDRESS_BODIES: Quota = {
  name: 'address_bodies',
  counts: 'bytes of incomplete request bodies of callers without an account',
  countsFr: 'octets de corps de requêtes incomplets d’appelants sans compte',
  holder: 'network',
  max: { both: 16 * 1024 * 1024 },
  share: 2 * 1024 * 1024,
  ofFree: 1 / 2,
  atShare: 'refused',
  retryAfterS: RETRY_AFTER_S,
}
/** Bytes of a rejected body that are still read, so that the client receives the response. */
export const DISCARDED_BYTES_MAX = 16 * 1024 * 1024
/** From head to last byte of a body. The native layer closes earlier below 16 KB/s. */
export const BODY_DEADLINE_MS = 60_000
/** Requests of test keys that a merchant can read back, and merchants that have some; the one that was quiet longest gives way. */
export const LOGGED_REQUESTS_PER_MERCHANT = 100
export const LOGGED_MERCHANTS_MAX = 500
export const LOGGED_PATH_LENGTH_MAX = 512
/** Idle time that responses announce. The native layer closes after 8 to 12 s. */
export const KEEP_ALIVE_S = 7
/** Open connections, streams included; further ones are closed. Lowered to the process's file limit. */
export const CONNECTIONS_MAX = 60_000
/** File descriptors kept for everything that is not a client: log, archive, outgoing calls. */
export const RESERVED_FILES = 256
/** Characters of a request id, printable ASCII. */
export const REQUEST_ID_LENGTH_MAX = 128
export const IDEMPOTENCY_KEY_LENGTH_MAX = 255
/** Characters of a decoded path placeholder; a longer one gets 404. */
export const PARAM_LENGTH_MAX = 512
/** Lines of a batch that count as one more request of the rate limit. */
export const BATCH_LINES_PER_REQUEST = 10
/** Time of one turn of the event loop for all work that takes longer than a payout (fair-work.ts). */
export const FAIR_WORK_MS = 1
/** Duration of reading in steps in one turn. A pause may follow, so that shorter turns would take too long in all. */
export const FAIR_STEPS_MS = 2
/** How such work goes on while short requests come. */
export interface Pace {
  /** Time that the loop is idle behind a slice of work, for each millisecond that it was busy since the slice began. */
  readonly idlePerBusy: number
  /** The longest such pause: where short requests fill the loop, the others still get a part of it. */
  readonly pauseMaxMs: number
}
export const WORK_PACE: Pace = { idlePerBusy: 2, pauseMaxMs: 20 }
/** At least 500 attempts a second beside payouts that fill the loop. */
export const WEBHOOK_PACE: Pace = { idlePerBusy: 4, pauseMaxMs: 20 }
/** Time for which a short request counts as one that may come again. */
export const SHORT_WORK_KEPT_MS = 1000
/** What a page of a list costs there: 0.6 ms, as the reading of a body of 20 KiB. */
export const LONG_ANSWER_COST = 20
/** Bodies above this size take their turn there: a payout has 200 bytes. */
export const FAIR_BODY_BYTES = 4 * 1024
/**
 * Bodies and answers up to this size are short ones, which long work rests for. Batches of 50 are on both sides of FAIR_BODY_BYTES: where the
 * smaller ones counted as short, the others waited for them 0.1 s each.
 */
export const SHORT_BYTES = 1024
/** Bodies above this size are rejected unread while their account pauses: see large-body-pauses.ts. */
export const LARGE_BODY_BYTES = 16 * 1024
export const LARGE_BODY_PAUSE_MS = 5_000
/** Pauses that are remembered; beyond, the oldest ends. */
export const LARGE_BODY_PAUSES_MAX = 10_000
/** Maximum age of the /metrics text: built at most once in this time. */
export const METRICS_TEXT_MS = 1000
/** /healthz answers 503 when the oldest append has waited this long. */
export const APPEND_WAIT_UNHEALTHY_MS = 2000
/** Maximum age of the /healthz response: the log's store is read at most once in this time. */
export const HEALTH_KEPT_MS = 200
/** Buckets of the rate limiter. At the limit, full buckets are dropped. */
export const RATE_BUCKETS_MAX = 100_000
/** Maximum wait of a shutdown for running requests. */
export const DRAIN_MAX_MS = 6_000
/** A shutdown that takes longer is ended by force; supervisors kill after 10 s. */
export const SHUTDOWN_MAX_MS = 9_000
/** A signal this soon after the first one counts as the same. */
export const REPEATED_SIGNAL_MS = 1_000
/** Interval at which a server started by npm checks that its parent process exists. */
export const PARENT_CHECK_MS = 500
/** Time for the last responses to leave before connections are closed. */
export const LINGER_MS = 500
/** libuv threads: the log's commit, the archive's commit, and two to spare. */
export const UV_THREADS_MIN = 4
/** Lifetime of a device cookie: a year, renewed by each login. */
export const REMEMBERED_BROWSER_S = 31_536_000
/** Wrong passwords per network and hour, and merchants that sign up from it. */
export const WRONG_PASSWORDS_PER_NETWORK: NetworkRates = { ipv4: [100, 400, 4_000], ipv6: [100, 200, 400, 4_000] }
export const SIGNUPS_PER_NETWORK: NetworkRates = { ipv4: [300, 1_200, 6_000], ipv6: [300, 600, 1_200, 6_000] }
/** Requests for a new password per network and hour, known address or not. */
export const RESETS_PER_NETWORK: NetworkRates = { ipv4: [20, 80, 400], ipv6: [20, 40, 80, 400] }
/** Invitations that one merchant may send in an hour, each an e-mail to an address of its choice. */
export const INVITATIONS_PER_HOUR = 30
/** One-time codes to live phones per network and hour. */
export const SENDS_PER_NETWORK: NetworkRates = { ipv4: [20, 400, 4_000], ipv6: [20, 60, 200, 4_000] }
/** Part of SMS_PER_MINUTE that one calling code may use where several are allowed. */
export const SENDS_PER_CALLING_CODE = 0.5
/** Codes for test phones. Nothing is sent, but they use memory and log. */
export const TEST_STARTS_PER_NETWORK: NetworkRates = { ipv4: [3_600, 7_200, 14_400], ipv6: [3_600, 7_200, 7_200, 14_400] }
export const TEST_STARTS_PER_MINUTE = 1_200
export const TEST_STARTS_BURST = 4_000
/** Test wallets by sign-up. They are never deleted. */
export const TEST_SIGNUPS_PER_NETWORK: NetworkRates = { ipv4: [600, 900, 1_800], ipv6: [600, 900, 900, 1_800] }
export const TEST_SIGNUPS_PER_MINUTE = 60
export const TEST_SIGNUPS_BURST = 2_000
/** Firebase ID tokens exchanged per network and hour. */
export const EXCHANGES_PER_NETWORK: NetworkRates = { ipv4: [60, 1_200, 12_000], ipv6: [60, 180, 600, 12_000] }
/** Wrong operator tokens per network and hour; beyond, the network is rejected. */
export const WRONG_OPERATOR_TOKENS_PER_NETWORK: NetworkRates = { ipv4: [100, 400, 1_000], ipv6: [100, 200, 400, 1_000] }
/** Wrong operator tokens at the form of the operator's pages, where tokens are pasted. */
export const WRONG_OPERATOR_LOGINS_PER_NETWORK: NetworkRates = { ipv4: [10, 40, 200], ipv6: [10, 20, 40, 200] }
/** Time until a rejected address may try one more token. */
export const WRONG_OPERATOR_TOKENS_WAIT_S = 36
/** Interval at which used API keys are recorded, and how many one record holds. */
export const KEY_USES_BEAT_MS = 60_000
export const KEY_USES_PER_RECORD_MAX = 1000
/** API keys that are kept decoded. Beyond, all are read again. */
export const KNOWN_KEYS_MAX = 100_000
/** Networks in each table of attempts, 100 bytes each. A full table drops the least recently seen one. */
export const COUNTED_NETWORKS_MAX = 100_000
/** Pairs of an account and an address where it signed in, 150 bytes each. Beyond, the one that was used longest ago is forgotten. */
export const KNOWN_ADDRESSES_MAX = 100_000
/** Stored characters of a `User-Agent`. */
export const USER_AGENT_LENGTH_MAX = 200
/** Cached verified access tokens, 300 bytes each. */
export const TOKENS_CACHED_MAX = 100_000
/** Charges of one payment link that one network (IPv4 /24, IPv6 /48) may make by its page, a minute; and networks that are counted. */
export const LINK_CHARGES_PER_MINUTE = 60
export const LINK_CHARGES_COUNTED_MAX = 100_000
/** Reports of the till per account: each reads every payment of its period. */
export const TILL_READS_PER_MINUTE = 60
/** Pushes of mandate requests to one wallet per hour: of one merchant, and of all. */
export const REQUEST_PUSHES_OF_MERCHANT_PER_HOUR = 5
export const REQUEST_PUSHES_PER_HOUR = 20
/** Rows of each of their counting tables, 100 bytes each. */
export const PUSH_COUNTS_MAX = 50_000
/** Messages that the development inbox keeps. */
export const INBOX_MAX = 500
/** Difference of a node's clock from PostgreSQL's: beyond the first a warning, beyond the second the node does not own the log. */
export const CLOCK_DIFFERENCE_WARN_MS = 2000
export const CLOCK_DIFFERENCE_MAX_MS = 10_000
/** Round trip beyond which a reading of PostgreSQL's clock is not used. */
export const CLOCK_READING_MAX_MS = 1000
/** Minimum interval of the warning about a node's clock, and of the one that the owner cannot be reached. */
export const NODE_WARN_MS = 60_000
/** Time without an answer to a probe after which a follower counts as cut off from the owner. A takeover is shorter. */
export const OWNER_UNREACHABLE_MS = 6000
/** Maximum time of a probe. */
export const OWNER_PROBE_MAX_MS = 3000
/** Maximum time from a complete request to its answer in a cluster; then 503. A slow lookup takes 10 s of it. */
export const ANSWER_WAIT_MAX_MS = 15_000
/** Time after which the owner asks a follower for a read that waits for records that are not durable. */
export const READ_ELSEWHERE_MS = 1000
/** Maximum wait for an owner of a write at another node, and the interval of its checks. */
export const OWNER_WAIT_MS = 5000
export const OWNER_RETRY_MS = 20
/** Requests that a node forwards at the same time, those that wait for an owner included, and the bytes of their bodies. */
export const FORWARDED_MAX = 20_000
export const FORWARDED_BYTES_MAX = 64 * 1024 * 1024
/** Used API keys in one request to the owner: the body of a public route holds 256 values. */
export const FORWARDED_KEYS_MAX = 200
/** Interval of the warning that the owner rejects the signatures of this node. */
export const BAD_SIGNATURE_WARNING_MS = 60_000
/** Time in which a stopping node of a cluster still answers on its open connections, and closes them one by one. */
export const RETIRE_MAX_MS = 2500
/** Interval at which an owner that hands over checks that its last batch is in the log. */
export const HAND_OVER_POLL_MS = 2
/** A follower that lags further behind is unhealthy. */
export const FOLLOWER_LAG_MAX_MS = 10_000
/** Durations of which percentiles are shown. */
export const RECENT_TIMES_MAX = 256
/** A node whose row of the status board is older counts as gone. */
export const NODE_GONE_MS = 10_000
/** Minimum interval between two log lines about requests that got 503 because no node owns the log. */
export const NO_OWNER_WARN_MS = 10_000
/** Maximum wait of a shutdown for the last row of the status board. */
export const LAST_STATUS_MAX_MS = 500

/** A session is recent for so long after its login: changes of the second factor then ask for no password. */
export const RECENT_LOGIN_MS = 10 * 60_000
