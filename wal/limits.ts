// Every maximum of the log, the archive and the data folder, by name: at the limit we refuse, we do not grow.

/** Address space for the log, not memory and not disk: LMDB maps its file into it. */
export const LOG_MAP_BYTES = 2 ** 40
/** Address space for the archive. */
export const ARCHIVE_MAP_BYTES = 2 ** 40
/** Maximum time of an append. A normal append takes below a millisecond. */
export const APPEND_TIMEOUT_MS = 30_000
/** Interval of the check for a hung append. */
export const APPEND_WATCH_MS = 1000
/**
 * Size from which the log's data file is extended ahead of its pages, the step, and how far ahead. Beside steps of 2 MiB (7 ms each) 20
 * commits in five seconds took more than 3 ms, the longest 12; beside steps of 512 KiB (0.7 ms) four, as without any.
 */
export const GROWTH_FROM_BYTES = 1024 * 1024
export const GROWTH_STEP_BYTES = 512 * 1024
export const GROWTH_AHEAD_BYTES = 4 * 1024 * 1024
/** Committed bytes between two checks of the file's end. A check takes 15 µs. */
export const GROWTH_CHECK_BYTES = 128 * 1024
/**
 * Size from which a record has a batch of its own. LMDB's binding copies whole values: a page by reference, which reads one line from
 * each of twenty payout batches of 105 KB, took 1.4 ms where each came with its flush of 300 KB, and takes 1.0 (10^6 payouts). Batches of
 * small records stay whole: when all batches were cut at 60 KiB, a payout cost 4 % more.
 */
export const LARGE_RECORD_BYTES = 16 * 1024
/** Number of batches that `batchAt` caches. */
export const READ_CACHE_BATCHES = 8
/** Maximum size of a cached batch. */
export const READ_CACHE_BATCH_BYTES = 2 * 1024 * 1024
/**
 * Size above which a batch is cached at its second read. With 128 KiB the log batch of one payout batch, 105 to 117 KB, was copied to the
 * cache for nothing: a page by reference took 1.41 ms in the engine, then 1.09.
 */
export const READ_ONCE_BYTES = 64 * 1024
/** Bytes of batches that `read` reads before it yields to the event loop. */
export const READ_SLICE_BYTES = 2 * 1024 * 1024
/** Bounds of the reserve of free space, one percent of the disk. Below the reserve the log rejects appends. */
export const DISK_RESERVE_MIN_BYTES = 64 * 1024 * 1024
export const DISK_RESERVE_MAX_BYTES = 1024 * 1024 * 1024
export const DISK_RESERVE_SHARE = 0.01
/** Minimum interval between two reads of the disk's free space. */
export const DISK_PROBE_MS = 1000
/** Maximum memory of the Bloom filters of all runs: a share of the machine's memory, within bounds. Ten million payouts with keys take about 65 MB. */
export const FILTERS_MEMORY_SHARE = 1 / 16
export const FILTERS_MAX_BYTES_FROM = 256 * 1024 * 1024
export const FILTERS_MAX_BYTES_TO = 2 * 1024 * 1024 * 1024
/** Number of runs of one size class that are merged into one. */
export const MERGE_FAN_IN = 8
/** Segments that one transaction stores while the log is indexed at a start, each 1 MB: a sync for every segment took a third of the time. */
export const SEGMENTS_PER_TRANSACTION = 4
/** Maximum of segments that are left in memory then and stored after the start: below SEGMENTS_WAITING_MAX, at which turns wait. */
export const UNSTORED_SEGMENTS_MAX = 31
/** Semi-space of the archive's thread, see `archive/worker-heap.ts`. */
export const ARCHIVE_SEMI_SPACE_MB = 4
/** Number of runs above which merges are late: seven in each of five size classes, and those being merged. */
export const RUNS_MAX = 64
/** Number of runs above which merges do not pause: more than an index at rest has. */
export const RUNS_UNPAUSED = 56
/** Pause after a step of a merge, in times of the step: without it a large merge took a core from the engine for seconds. */
export const MERGE_PAUSE_SHARE = 3
/** Maximum pause: a step during which the machine or the process stood still must not stop merges for as long again. */
export const MERGE_PAUSE_MAX_MS = 500
/** Merge steps that a full segment waits for beyond RUNS_MAX: twice its own cost through all size classes. */
export const CATCH_UP_STEPS = 8
/** Processes in a row that ended inside a write of the archive, after which a start builds a new one. */
export const UNFINISHED_WRITES_MAX = 4
/** Writes of the archive after which a process no longer counts those before it: a merge repeats its steps after a crash. */
export const WRITES_UNTIL_SOUND = 10_000
/** Chunks that one transaction of a merge writes or deletes: a few milliseconds, so that segments do not wait long. */
export const MERGE_SLICE_CHUNKS = 128
export const DELETE_SLICE_CHUNKS = 512
/** Rows of a snapshot in one message to the worker, and the characters after which it is sent. */
export const SNAPSHOT_ROWS_PER_MESSAGE = 1000
export const SNAPSHOT_CHARS_PER_MESSAGE = 256 * 1024
/** Bytes at the end of the log that the check at start reads in full. `npm run verify` reads the whole log. */
export const CHECK_TAIL_BYTES = 16 * 1024 * 1024
/** Entries of the index that the check at start reads in full: about a second. */
export const CHECK_INDEX_ENTRIES = 50_000_000
/** Maximum of standard error that is kept of a checking process. */
export const CHILD_COMPLAINT_BYTES = 4096
/** Batches between two progress messages of a verification. */
export const WALK_PROGRESS_BATCHES = 10_000
/** Bytes of batches that a copy writes in one transaction. */
export const COPY_TRANSACTION_BYTES = 16 * 1024 * 1024
/** Maximum size of other files that a backup copies (keys, notes of operators). Larger files are skipped. */
export const COPY_FILE_MAX_BYTES = 1024 * 1024
/** Maximum time to connect to one PostgreSQL server. Then the next one is tried. */
export const POSTGRES_CONNECT_TIMEOUT_MS = 2000
/** Time that other hosts get to answer after the first one that takes writes. */
export const HOSTS_COMPARE_MS = 200
/** Maximum time of a statement; then its outcome is unknown. Commits wait while the synchronous standby is down. */
export const POSTGRES_STATEMENT_TIMEOUT_MS = 5000
/** Share of the statement timeout that a statement waits for a row lock. */
export const POSTGRES_LOCK_TIMEOUT_SHARE = 0.8
/** Pause between two attempts to read the outcome of an append. */
export const POSTGRES_RETRY_MS = 200
/** Interval of warnings while the outcome of an append is unknown. */
export const POSTGRES_WARN_MS = 10_000
/** Batches and bytes that one statement reads. A batch has at most about 4 MB, and a statement returns at least one. */
export const POSTGRES_READ_BATCHES = 512
export const POSTGRES_READ_BYTES = 4 * 1024 * 1024
/** Maximum time of a statement of the tools. */
export const POSTGRES_COPY_TIMEOUT_MS = 60_000
/** Bytes and batches that one transaction of a copy into PostgreSQL writes. A statement has at most 65 535 parameters. */
export const POSTGRES_COPY_BYTES = 4 * 1024 * 1024
export const POSTGRES_COPY_BATCHES = 1000
/** Attempts in a row to reach PostgreSQL again before a tool gives up. */
export const POSTGRES_READ_ATTEMPTS = 25
/** Time without a change of the owner row after which a copy takes the log for unused, and the interval of the check. */
export const POSTGRES_SILENCE_MS = 4000
export const POSTGRES_SILENCE_POLL_MS = 100
/** Minimum interval of the progress lines of a command. */
export const PROGRESS_MS = 1000
/** Maximum of acknowledged batches that wait in memory for the local copy's disk. At the limit the next batch waits. */
export const COPY_WAITING_MAX_BYTES = 64 * 1024 * 1024
/** Bytes that one transaction of the local copy writes. */
export const COPY_SLICE_BYTES = 8 * 1024 * 1024
/** Interval at which a follower polls the owner row, beside notifications. */
export const FOLLOW_POLL_MS = 500
/** Interval of those polls while a batch is visible that the owner has not confirmed. */
export const UNCONFIRMED_POLL_MS = 20
/** Time after which a follower confirms such a batch by a synchronous commit of its own. */
export const UNCONFIRMED_MAX_MS = 100
/** Time that a read at the owner waits for an append to prove the ownership. Then it reads the owner row. */
export const APPEND_PROOF_WAIT_MS = 20
/** Interval at which a former owner reads who the new one is. */
export const SUCCESSOR_POLL_MS = 20
/** Interval at which a follower checks the connection that it keeps ready for a takeover. */
export const READY_CHECK_MS = 5000
/** Interval of the owner's heartbeats. */
export const OWNER_HEARTBEAT_MS = 1000
/** Maximum time that a read waits for its barrier. Then the node cannot prove that its data is current. */
export const BARRIER_TIMEOUT_MS = 5000
/** Time without a report after which a process of the same name counts as ended, and the interval of the look at it. */
export const MEMBER_GONE_MS = 6000
export const MEMBER_LOOK_MS = 250
/** Interval at which a node writes its row of the status board. */
export const BOARD_INTERVAL_MS = 2000
/** Maximum time of a statement of the status board. */
export const BOARD_STATEMENT_TIMEOUT_MS = 2000
/** Number of other nodes that the board shows, those seen last. */
export const BOARD_NODES_MAX = 64
/** Days after which the row of a node that is gone is deleted. */
export const BOARD_KEPT_DAYS = 7
