// Every maximum of the log, the archive and the data folder, by name: at the limit we refuse, we do not grow.

/** Address space for the log, not memory and not disk: LMDB maps its file into it. */
export const LOG_MAP_BYTES = 2 ** 40
/** The same for the archive. */
export const ARCHIVE_MAP_BYTES = 2 ** 40
/** One append takes below a millisecond; a disk that does not answer for this long will not. */
export const APPEND_TIMEOUT_MS = 30_000
/** How often a hung append is looked for. */
export const APPEND_WATCH_MS = 1000
/** Batches that `batchAt` keeps, and the largest that it keeps. */
export const READ_CACHE_BATCHES = 8
export const READ_CACHE_BATCH_BYTES = 2 * 1024 * 1024
/** Bytes of batches that `read` takes before it lets the loop turn. */
export const READ_SLICE_BYTES = 2 * 1024 * 1024
/** Free space that is not ours: one percent of the disk within these bounds. Below it the log refuses to append. */
export const DISK_RESERVE_MIN_BYTES = 64 * 1024 * 1024
export const DISK_RESERVE_MAX_BYTES = 1024 * 1024 * 1024
export const DISK_RESERVE_SHARE = 0.01
/** The disk is asked for its free space at most this often. */
export const DISK_PROBE_MS = 1000
/**
 * Bloom filters of all runs in memory together; a run whose filter does not fit is asked on disk, for each new key. No single
 * filter is larger. Ten million payouts take some 70 MB of it.
 */
export const FILTERS_MAX_BYTES = 256 * 1024 * 1024
/** So many runs of one size are merged into one. */
export const MERGE_FAN_IN = 8
/** More runs than merges leave when they keep up: seven of each of five sizes, and those that are being merged. */
export const RUNS_MAX = 64
/** Beyond RUNS_MAX each full segment waits for so many steps of merges, twice what it costs them through all sizes. */
export const CATCH_UP_STEPS = 8
/** Chunks that one transaction of a merge writes, or deletes: a few milliseconds, so that segments do not wait long. */
export const MERGE_SLICE_CHUNKS = 256
export const DELETE_SLICE_CHUNKS = 1024
/** Rows of an image that go to the worker in one message. */
export const IMAGE_ROWS_PER_MESSAGE = 1000
/** Bytes at the end of the log that the check at start reads in full; the whole log is for `npm run verify`. */
export const CHECK_TAIL_BYTES = 16 * 1024 * 1024
/** What is kept of a checking process's complaints. */
export const CHILD_COMPLAINT_BYTES = 4096
/** Batches between two signs of life of a long walk. */
export const WALK_PROGRESS_BATCHES = 10_000
/** Bytes of batches that a copy writes in one transaction. */
export const COPY_TRANSACTION_BYTES = 16 * 1024 * 1024
/** Files beside log and archive that a backup takes along (keys, notes of the operator); larger ones are not ours. */
export const COPY_FILE_MAX_BYTES = 1024 * 1024
/** A PostgreSQL server that has not accepted a connection by then is passed over for the next one. */
export const POSTGRES_CONNECT_TIMEOUT_MS = 2000
/** A statement without an answer for this long has an unknown outcome. A synchronous standby that is away makes commits wait. */
export const POSTGRES_STATEMENT_TIMEOUT_MS = 5000
/** The share of it that a statement waits for the lock of a row. */
export const POSTGRES_LOCK_TIMEOUT_SHARE = 0.8
/** Pause between two attempts to learn the outcome of an append. */
export const POSTGRES_RETRY_MS = 200
/** While the outcome of an append stays unknown, a warning says so this often. */
export const POSTGRES_WARN_MS = 10_000
/** Batches that one statement reads, of at most some 4 MB each. */
export const POSTGRES_READ_BATCHES = 8
/** Bytes of acknowledged batches that wait in memory for the local copy's disk; beyond, the next append or batch waits for it. */
export const COPY_WAITING_MAX_BYTES = 64 * 1024 * 1024
/** Bytes that one transaction of the local copy writes. */
export const COPY_SLICE_BYTES = 8 * 1024 * 1024
/** A follower looks at the owner row this often, whether PostgreSQL notified it or not. */
export const FOLLOW_POLL_MS = 500
/** The owner shows that it lives this often. */
export const OWNER_BEAT_MS = 1000
/** A read waits this long for its barrier; then the node cannot say what is the newest. */
export const BARRIER_TIMEOUT_MS = 5000
