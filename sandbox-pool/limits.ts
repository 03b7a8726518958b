// Every maximum of the sandbox, by name. At the limit a run fails with a sentence that names it; nothing grows.

/** Runs of one class that wait in the server until they may start. */
export const WAITING_MAX = 256
/** Runs of one class that have started; each holds a virtual machine. */
export const STARTED_MAX = 320
/** Of one merchant in one class. */
export const STARTED_PER_MERCHANT_MAX = 80
/** A merchant has at most one part in so many of what is free: many merchants that take all they may leave room for the next. */
export const FREE_SHARE = 2
/** How often a run that had no effect is begun again after its thread or the child was lost. */
export const BEGINNINGS_MAX = 3
/** How often a run is given to a child, when one after the other is lost before it begins. */
export const STARTINGS_MAX = 3

/** Run-seconds that a merchant's runs in the test environment and its trials may take at once, and regain a second. */
export const RUN_SECONDS_BURST = 800
export const RUN_SECONDS_PER_SECOND = 10
/** Merchants whose run-seconds are remembered; the oldest is forgotten. */
export const BUDGETS_MAX = 10_000

export const THREADS_MAX = 64
/** SANDBOX_THREADS is the number for live customers; the other classes have one for so many of these, and at least one. */
export const LIVE_THREADS_PER_THREAD = { live: 1, test: 2, trial: 4 } as const
/** When all threads of a class compute, it may have so many times as many. */
export const THREADS_STRETCH = 2
/** Idle threads of each class that are kept ready, 14 MB each: a thread takes some 80 ms of processor time to start. */
export const SPARE_THREADS = 1
/** A surplus idle thread ends after this time. */
export const THREAD_IDLE_MS = 30_000
/** A merchant whose code computed for so long in one step has threads apart from others for a while. */
export const HEAVY_STEP_MS = 100
export const HEAVY_FOR_MS = 600_000
export const HEAVY_MERCHANTS_MAX = 10_000

/** Machines that a thread makes before they are needed: two runs may arrive together, and a machine takes 2 ms and more. */
export const MACHINES_READY = 2
/** From the end of a run until its thread makes the next machine. */
export const REFILL_DELAY_MS = 5
/** Steps of runs on the stack of one thread at once, each with 4 MB of native stack. */
export const NESTED_STEPS_MAX = 4
export const THREAD_STACK_MB = 20
/** How often code that computes lets the other runs of its thread go first. */
export const SERVE_INTERVAL_MS = 5
/** What the machines of one merchant in one thread may hold. */
export const MERCHANT_MACHINE_BYTES_MAX = 192 * 1024 * 1024
/** What the machines of live customers may hold, and the machines of all others. */
export const POOL_MACHINE_BYTES_MAX = 512 * 1024 * 1024
/** A machine that nothing has run in. */
export const FRESH_MACHINE_BYTES = 2 * 1024 * 1024

/** For the caller, waiting included. */
export const RUN_WALL_MS = 10_000
/** Of a product's write for the check of its source. */
export const CHECK_WALL_MS = 8_000
/** So much a thread computes without a place, and so much of the time from then on; nearly all steps are over by then. */
export const LIGHT_COMPUTING_MS = 20
export const LIGHT_COMPUTING_SHARE = 0.25
/** So long it has a place to itself once it waited for one. */
export const PLACE_SHARE_MS = 100
/** Who is not live takes a place before live ones after waiting for so long. */
export const PLACE_PATIENCE_MS = 500
/** A place that nobody left or took again for so long is free: its thread was ended, or is where it cannot be asked. */
export const PLACE_LEASE_MS = 500
/** A run that its own thread could not end is ended with its thread this much later. */
export const THREAD_GRACE_MS = 250
/** One operation that takes more processor time without asking is ended with its thread where other merchants wait in it. */
export const STUCK_PROCESSOR_MS = 500
/** So much before the caller's deadline a run gives up by itself, so that its logs still arrive. */
export const REPORT_MARGIN_MS = 50
/** How often the clocks of running threads are read. */
export const WATCH_INTERVAL_MS = 50

/** Of JSON that goes in or comes out, and of the source. */
export const CROSSING_BYTES_MAX = 64 * 1024
export const VALUE_DEPTH_MAX = 32
/** What JavaScript may allocate inside one virtual machine. */
export const VM_HEAP_BYTES = 32 * 1024 * 1024
/** What the machine's memory may grow to, whoever allocates: 48 MB in pages of 64 KB. Its native parts do not count in the heap. */
export const VM_PAGES_MAX = 768
export const VM_STACK_BYTES = 256 * 1024
/** A machine that grew beyond this is collected before its thread does anything else. */
export const VM_LIGHT_BYTES = 6 * 1024 * 1024
/** JavaScript heap of a thread; the machines are outside of it. */
export const THREAD_HEAP_MB = 96

export const FETCHES_MAX = 10
/** Of a body, each way. */
export const FETCH_BODY_BYTES_MAX = 256 * 1024
export const FETCH_URL_LENGTH_MAX = 8 * 1024
export const FETCH_HEADERS_MAX = 64
/** Of all names and values together. */
export const FETCH_HEADERS_LENGTH_MAX = 16 * 1024
/** Of a fetch as JSON, in UTF-8: an escaped character takes six bytes, any other three at most. */
export const FETCH_JSON_BYTES_MAX = 6 * (FETCH_BODY_BYTES_MAX + FETCH_URL_LENGTH_MAX + FETCH_HEADERS_LENGTH_MAX) + 8 * 1024
export const TIMERS_MAX = 100
/** Larger requests of one thread share a rate: each costs the server time to read. */
export const SEND_BYTES_UNCOUNTED = 16 * 1024
export const SEND_BURST_BYTES = 3 * 1024 * 1024
export const SEND_BYTES_PER_SECOND = 1024 * 1024
/** Of larger requests that wait for their answer, in the server: of one merchant, and of all. */
export const UNDER_WAY_PER_MERCHANT_BYTES_MAX = 16 * 1024 * 1024
export const UNDER_WAY_BYTES_MAX = 128 * 1024 * 1024

export const LOG_LINES_MAX = 100
export const LOG_LINE_LENGTH_MAX = 1_000
export const LOG_LENGTH_MAX = 16 * 1024
export const ERROR_LENGTH_MAX = 1_000
/** A run hands its log lines over at its end, and in between no more often than this. */
export const LOG_INTERVAL_MS = 50

/** Of texts as JSON, in UTF-8, all characters escaped: the log lines of a run, its failure, the layers. */
export const LOG_JSON_BYTES_MAX = 6 * (LOG_LENGTH_MAX + LOG_LINE_LENGTH_MAX) + 3 * (LOG_LINES_MAX + 1) + 2
export const FAILURE_BYTES_MAX = 6 * 3 * ERROR_LENGTH_MAX + 256
export const READY_BYTES_MAX = 4 * 1024
/** One message of the child, with its head. */
export const FROM_CHILD_BYTES_MAX = FETCH_JSON_BYTES_MAX + 16
/** One message of the server, its scripts included. */
export const TO_CHILD_BYTES_MAX = 64 * 1024 * 1024
export const HEARTBEAT_MS = 500
/** Heartbeats without an answer until the child is killed. Counted, not timed: a stall of the parent is one at most. */
export const HEARTBEATS_MISSED_MAX = 10
/** From its start to its first word. */
export const CHILD_START_MS = 30_000
/** A child that lived shorter than this failed to start or is being attacked: the next one waits. */
export const CHILD_STABLE_MS = 10_000
export const RESPAWN_MIN_MS = 50
export const RESPAWN_MAX_MS = 5_000
/** Failures in a row after which runs are refused at once until a child is ready. */
export const RESPAWN_PATIENCE = 3
/** Between the caller's deadline and the child's message that the run is gone; longer than the heartbeats that may be missed. */
export const CANCEL_GRACE_MS = 10_000
/** What is kept of the child's standard error, for its obituary. */
export const COMPLAINT_LENGTH_MAX = 2_000

/** Nice value of the child, above the server's. */
export const CHILD_NICE = 5
/** Nice values of threads, above the child's: its main thread must keep deadlines while they compute. */
export const THREAD_NICE = { live: 1, test: 2, trial: 14 } as const
/** Of a thread whose code computed for long in one step. */
export const COMPUTING_NICE = 10
/** Processor time of one step, counted from its first interrupt, after which its thread has that nice value. */
export const STEP_PROCESSOR_MS = 15
export const NICE_MAX = 19
/** RLIMIT_DATA: without threads it uses 190 MB, and twice what the machines may hold; a thread has a heap, a stack, a machine that grows. */
export const CHILD_DATA_BYTES = (512 + 2 * 512) * 1024 * 1024
export const THREAD_DATA_BYTES = 160 * 1024 * 1024
/** Nobody's: in the range that systemd hands out to programs that have no user of their own. */
export const CHILD_UID = 61_999
