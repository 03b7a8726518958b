// Every maximum of HTTP threads, by name.

/** HTTP threads of a process. */
export const HTTP_THREADS_MAX = 16
/** HTTP threads of a process whose setting is absent. */
const HTTP_THREADS_DEFAULT_MAX = 4
/** Cores for the engine's thread, and for the threads of log, archive and collector. */
const OTHER_CORES = 2

/**
 * Returns the default number of HTTP threads. None on two cores: there a payout takes 48 µs of all threads, and 77 with one HTTP
 * thread (measured side by side), so threads make room on further cores alone.
 */
export function defaultHttpThreads(cores: number): number {
  return Math.max(0, Math.min(cores - OTHER_CORES, HTTP_THREADS_DEFAULT_MAX))
}

/** Each ring in shared memory: two for a thread. A power of two. */
export const RING_BYTES = 2 * 1024 * 1024
/** A body, an answer or a chunk above this size is sent in several frames. */
export const PART_BYTES = 64 * 1024
/** Frames that the engine's thread takes from one thread in one turn of its event loop. */
export const FRAMES_PER_TURN_MAX = 256
/**
 * Bytes of answers of one account or address that wait for room in the ring of a slow thread. Beyond, that caller loses the connection of
 * each further one. A caller’s first one waits, however large.
 */
export const ANSWERS_WAITING_OWNER_BYTES_MAX = 8 * 1024 * 1024
/** Bytes of one stream that wait there. Beyond, the stream is closed, and its client resumes. */
export const STREAM_WAITING_BYTES_MAX = 4 * 1024 * 1024
/**
 * Bytes of bodies that wait in a thread for room in its ring. Their connections are paused, but the native layer first reads what
 * the kernel has: 20 MiB of one loopback connection. Beyond, connections are closed.
 */
export const BODIES_WAITING_BYTES_MAX = 64 * 1024 * 1024
/**
 * Bytes of requests that wait in a thread for room in its ring, in their order with bodies: the body of one caller fills a ring
 * in a millisecond. Beyond, requests get 503.
 */
export const REQUESTS_WAITING_BYTES_MAX = 16 * 1024 * 1024
/** Interval at which a side looks for room in a full ring. */
export const FULL_RING_RETRY_MS = 1
/** Heap of a thread. It holds no state, so it ends in order well before this size. */
export const THREAD_HEAP_MB_MAX = 256
/** V8 counts three semi-spaces: two, and the size of one more for large young objects. */
const SEMI_SPACES_OF_YOUNG_GENERATION = 3

/**
 * Returns the limit of a thread's young generation in MB, from the flags of the process; undefined without one. A thread does not read the
 * flag once the archive is open (`wal/archive/worker-heap.ts`).
 */
export function youngMbMax(flags: readonly string[]): number | undefined {
  const semiSpaceMb = flags.map((flag) => /^--max[-_]semi[-_]space[-_]size=(\d+)$/.exec(flag)?.[1]).findLast((value) => value !== undefined)
  return semiSpaceMb === undefined ? undefined : SEMI_SPACES_OF_YOUNG_GENERATION * Number(semiSpaceMb)
}
/** Heap at which a thread ends and is replaced. */
export const THREAD_HEAP_BYTES = 128 * 1024 * 1024
export const HEAP_CHECK_MS = 1_000
/** A thread that ends is replaced after this time. */
export const REPLACE_AFTER_MS = 50
/** Consecutive threads that ended before they listened. Beyond, the process stops. */
export const START_FAILURES_MAX = 5
/** Maximum wait for a thread that was asked to end. */
export const THREAD_END_MAX_MS = 2_000
/** Interval at which the number of open connections is read while a shutdown waits for them. */
export const CONNECTIONS_POLL_MS = 5
