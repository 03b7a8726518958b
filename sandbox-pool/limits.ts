// Every maximum of the sandbox, by name. At the limit a run fails with an error that names it.

/** Maximum of queued runs of one class. */
export const WAITING_MAX = 256
/** Maximum of started runs of one class. Each holds a virtual machine. */
export const STARTED_MAX = 320
/** Maximum of started runs of one merchant in one class. */
export const STARTED_PER_MERCHANT_MAX = 80
/** A merchant gets at most this fraction (1/n) of the free places, so that places remain for other merchants. */
export const FREE_SHARE = 2
/** Maximum of beginnings of a run without an effect, when its thread or the child is lost. */
export const BEGINNINGS_MAX = 3
/** Maximum of children that a run is sent to, when they are lost before it begins. */
export const STARTINGS_MAX = 3

/** Run-seconds that test and trial runs of a merchant may take in a burst. */
export const RUN_SECONDS_BURST = 800
/** Run-seconds that a merchant regains per second. */
export const RUN_SECONDS_PER_SECOND = 10
/** Maximum of merchants with stored run-seconds. Then the oldest is dropped. */
export const BUDGETS_MAX = 10_000

export const THREADS_MAX = 64
/** SANDBOX_THREADS is the number for live customers. The other classes have that number divided by these, at least one. */
export const LIVE_THREADS_PER_THREAD = { live: 1, test: 2, trial: 4 } as const
/** When all threads of a class compute, their number may grow by this factor. */
export const THREADS_STRETCH = 2
/** Idle threads of each class that are kept ready, 14 MB each: the start of a thread takes about 80 ms of processor time. */
export const SPARE_THREADS = 1
/** A surplus idle thread ends after this time. */
export const THREAD_IDLE_MS = 30_000
/** A merchant whose code computes this long in one step gets separate threads for HEAVY_FOR_MS. */
export const HEAVY_STEP_MS = 100
export const HEAVY_FOR_MS = 600_000
export const HEAVY_MERCHANTS_MAX = 10_000

/** Machines that a thread makes in advance: two runs may arrive together, and a machine takes at least 2 ms. */
export const MACHINES_READY = 2
/** Delay from the end of a run until its thread makes the next machine. */
export const REFILL_DELAY_MS = 5
/** Maximum of nested steps on the stack of one thread, each with 4 MB of native stack. */
export const NESTED_STEPS_MAX = 4
export const THREAD_STACK_MB = 20
/** Interval at which computing code yields to the other runs of its thread. */
export const SERVE_INTERVAL_MS = 5
/** Maximum memory of the machines of one merchant in one thread. */
export const MERCHANT_MACHINE_BYTES_MAX = 192 * 1024 * 1024
/** Maximum memory of the machines of live customers, and separately of all others. */
export const POOL_MACHINE_BYTES_MAX = 512 * 1024 * 1024
/** Memory of a machine before its first run. */
export const FRESH_MACHINE_BYTES = 2 * 1024 * 1024

/** Maximum time of a run for the caller, waiting included. */
export const RUN_WALL_MS = 10_000
/** Maximum time of the check of a product's source. */
export const CHECK_WALL_MS = 8_000
/** Time that a thread computes without a processor place; nearly all steps take less. */
export const LIGHT_COMPUTING_MS = 20
/** Share of time that it may compute without a place afterwards. */
export const LIGHT_COMPUTING_SHARE = 0.25
/** Time that a thread keeps a place while others wait. */
export const PLACE_SHARE_MS = 100
/** After this wait, a test or trial run takes a place before live runs. */
export const PLACE_PATIENCE_MS = 500
/** Lease of a place. It expires if the thread has ended or does not reach an interrupt. */
export const PLACE_LEASE_MS = 500
/** Grace time after the deadline, or after the end of a run whose code goes on; then the thread of the run is ended. */
export const THREAD_GRACE_MS = 250
/** Maximum processor time of one operation without an interrupt while other merchants wait in the thread. Then the thread is ended. */
export const STUCK_PROCESSOR_MS = 500
/** Time before the caller's deadline at which a run ends itself, so that its logs still arrive. */
export const REPORT_MARGIN_MS = 50
/** Interval at which the clocks of running threads are read. */
export const WATCH_INTERVAL_MS = 50

/** Maximum of JSON input and output, and of the source. */
export const CROSSING_BYTES_MAX = 64 * 1024
export const VALUE_DEPTH_MAX = 32
/** Maximum JavaScript heap of one virtual machine. */
export const VM_HEAP_BYTES = 32 * 1024 * 1024
/** Maximum memory of a machine, native parts included: 48 MB in pages of 64 KB. */
export const VM_PAGES_MAX = 768
export const VM_STACK_BYTES = 256 * 1024
/** After a machine larger than this, its thread collects garbage first. */
export const VM_LIGHT_BYTES = 6 * 1024 * 1024
/** JavaScript heap of a thread. It does not contain the machines. */
export const THREAD_HEAP_MB = 96

export const FETCHES_MAX = 10
/** Maximum of a request body and of a response body. */
export const FETCH_BODY_BYTES_MAX = 256 * 1024
export const FETCH_URL_LENGTH_MAX = 8 * 1024
export const FETCH_HEADERS_MAX = 64
/** Maximum of all names and values together. */
export const FETCH_HEADERS_LENGTH_MAX = 16 * 1024
/** Maximum of a fetch as JSON in UTF-8: an escaped character takes six bytes, any other at most three. */
export const FETCH_JSON_BYTES_MAX = 6 * (FETCH_BODY_BYTES_MAX + FETCH_URL_LENGTH_MAX + FETCH_HEADERS_LENGTH_MAX) + 8 * 1024
export const TIMERS_MAX = 100
/** Maximum of random bytes of one call, as in the Web Cryptography API. */
export const RANDOM_BYTES_MAX = 64 * 1024
/** Maximum of a crypto request: 1 MB of data as base64, with its key. */
export const CRYPTO_TEXT_LENGTH_MAX = 1_400 * 1024
/** Maximum of PBKDF2's iterations times its blocks: about 0.1 s of processor time. */
export const CRYPTO_ROUNDS_MAX = 200_000
export const CRYPTO_DERIVED_BYTES_MAX = 1_024
/** A signature by a key of 4 096 bits takes about 5 ms. */
export const CRYPTO_RSA_BITS_MAX = 4_096
/** Maximum of a key as DER or JWK: one of 4 096 bits has 2.4 KB or 3.2 KB. */
export const CRYPTO_KEY_BYTES_MAX = 3_400
/** Maximum of a question to `Intl`, as JSON. */
export const INTL_QUESTION_LENGTH_MAX = 16 * 1024
export const INTL_LIST_MAX = 1_000
/** Maximum of formatters that a thread keeps, up to 0.1 MB each. */
export const INTL_FORMATTERS_MAX = 32
/** Larger requests of one thread share a rate limit, because each costs the server time to read. */
export const SEND_BYTES_UNCOUNTED = 16 * 1024
export const SEND_BURST_BYTES = 3 * 1024 * 1024
export const SEND_BYTES_PER_SECOND = 1024 * 1024
/** Maximum of larger pending requests of one merchant, in the server. */
export const UNDER_WAY_PER_MERCHANT_BYTES_MAX = 16 * 1024 * 1024
/** Maximum of larger pending requests of all merchants. */
export const UNDER_WAY_BYTES_MAX = 128 * 1024 * 1024

export const LOG_LINES_MAX = 100
export const LOG_LINE_LENGTH_MAX = 1_000
export const LOG_LENGTH_MAX = 16 * 1024
export const ERROR_LENGTH_MAX = 1_000
/** Minimum interval between two messages with log lines of a run, except at its end. */
export const LOG_INTERVAL_MS = 50

/** Maxima of JSON texts in UTF-8 with all characters escaped: log lines of a run, its failure, the layers. */
export const LOG_JSON_BYTES_MAX = 6 * (LOG_LENGTH_MAX + LOG_LINE_LENGTH_MAX) + 3 * (LOG_LINES_MAX + 1) + 2
export const FAILURE_BYTES_MAX = 6 * 3 * ERROR_LENGTH_MAX + 256
export const READY_BYTES_MAX = 4 * 1024
/** Maximum of a message of the child, with its header. */
export const FROM_CHILD_BYTES_MAX = FETCH_JSON_BYTES_MAX + 16
/** Maximum of a message of the server, which may contain the scripts. */
export const TO_CHILD_BYTES_MAX = 64 * 1024 * 1024
export const HEARTBEAT_MS = 500
/**
 * Heartbeats without an answer until the child is killed. Counted instead of timed, so that a stall of the server counts once; while the
 * child waits for a processor none is counted.
 */
export const HEARTBEATS_MISSED_MAX = 10
/** Maximum time from the start of the child to its first message, without its waits for a processor. */
export const CHILD_START_MS = 30_000
/** The restart is delayed after a child that lived shorter than this: it failed to start or is attacked. */
export const CHILD_STABLE_MS = 10_000
export const RESPAWN_MIN_MS = 50
export const RESPAWN_MAX_MS = 5_000
/** Consecutive failures after which runs are rejected until a child is ready. */
export const RESPAWN_PATIENCE = 3
/** Maximum time from the caller's deadline to the child's `done`; longer than the allowed missed heartbeats. */
export const CANCEL_GRACE_MS = 10_000
/** Maximum of the child's standard error that is kept for its error message. */
export const COMPLAINT_LENGTH_MAX = 2_000

/** Nice value of the child, higher than the server's. */
export const CHILD_NICE = 5
/** Nice values of threads, higher than the child's: its main thread must keep deadlines while they compute. */
export const THREAD_NICE = { live: 1, test: 2, trial: 14 } as const
/** Nice value of a thread whose code computed for long in one step. */
export const COMPUTING_NICE = 10
/** Processor time of one step, from its first interrupt, after which its thread gets COMPUTING_NICE. */
export const STEP_PROCESSOR_MS = 15
/**
 * Processor time of one step after which its thread runs behind all others (idle-class.ts). Beside a full core such a thread got 0.7 %
 * of it in a measurement, and waited a second at a time; with COMPUTING_NICE it got 3 %. So live code has longer than the rest.
 */
export const IDLE_CLASS_AFTER_MS = { live: 100, test: 15, trial: 15 } as const
export const NICE_MAX = 19
/** RLIMIT_DATA of the child without threads: it uses 190 MB plus the machines of both pools. */
export const CHILD_DATA_BYTES = (512 + 2 * 512) * 1024 * 1024
/** RLIMIT_DATA per thread: its heap, its stack and a growing machine. */
export const THREAD_DATA_BYTES = 160 * 1024 * 1024
/** Unused user id, from systemd's range for dynamic users. */
export const CHILD_UID = 61_999
