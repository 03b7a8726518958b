// Every maximum of the engine, by name: at the limit we refuse, we do not grow.
import type { Quota } from './quota.ts'

/** Queued commands. One merchant at 30 000/s fills its share in a seventh of a second. */
export const WAITING_COMMANDS: Quota = {
  name: 'waiting_commands',
  counts: 'commands that wait for their turn',
  countsFr: 'commandes qui attendent leur tour',
  holder: 'account',
  max: { live: 32_768, test: 32_768 },
  share: 4096,
  atShare: 'refused',
  retryAfterS: 1,
}
/** Maximum lines of the turns of one burst, so that sockets are served in between: 512 payouts, or one batch of 500 lines. */
export const LINES_PER_BURST_MAX = 512
/** Duration after which no further turn joins a burst: 512 payouts take 6 ms and more. The clock has whole milliseconds, so it ends within two. */
export const BURST_MAX_MS = 1
/** Lines of a turn that may follow others in a burst: about 0.2 ms. */
export const SHORT_TURN_LINES_MAX = 50
/** Maximum of records in the log batch that fills while the one before it is flushed. At the limit turns wait. */
export const BATCH_RECORDS_MAX = 4096
/** Size at which that log batch is full: nine payout batches. A page reads one payout from each of twenty log batches. */
export const BATCH_BYTES_MAX = 1024 * 1024
/** Maximum of events of one command. */
export const EVENTS_MAX = 2048
/** Number of entries in one index segment in memory, 16 bytes each. */
export const SEGMENT_ENTRIES = 65_536
/** Maximum of segments that wait for the archive. At the limit turns wait. */
export const SEGMENTS_WAITING_MAX = 32
/** After this time the archive gets a segment even if it is not full. */
export const SEGMENT_AGE_MAX_MS = 1000
/** Records up to which a log batch waits for callers that were just answered: for more of them their turns take longer than a flush. */
export const GATHERED_RECORDS_MAX = 6
/** Turns of the event loop that such a batch waits, about 0.1 ms, and the maximum of batches that do not wait after one waited in vain. */
export const GATHERING_TURNS_MAX = 16
export const GATHERING_PAUSE_MAX = 64
/** Number of records between two snapshots. */
export const SNAPSHOT_RECORDS = 200_000
/** Maximum time between two snapshots. */
export const SNAPSHOT_AGE_MAX_MS = 60_000
/** Characters of a snapshot that one slice serializes, and those that each row counts for beside its text: below 1 ms. */
export const SNAPSHOT_CHARS_PER_SLICE = 64 * 1024
export const SNAPSHOT_CHARS_PER_ROW = 200
/** Maximum work of fired timers whose commands are not durable yet, in lines of a payout batch. Later timers stay in the heap. */
export const TIMER_WORK_UNDER_WAY_MAX = 1024
/** Work of a command beside its lines, in lines of a payout batch. */
export const COMMAND_WORK = 4
/** Entries of one Map: half of what V8 allows, so that removed entries never make it grow beyond. Further ones go to the next (large-map.ts). */
export const MAP_ENTRIES_MAX = 2 ** 23
/** Sets of two entries, of 32 bytes each, of a cache of names: 8 MiB. */
export const NAME_CACHE_SETS = 2 ** 17
/** Wallets from which on their names are cached. The rows of fewer are in the processor's caches anyway. */
export const NAMES_CACHED_FROM = 4096
/** Maximum balance of a wallet. It keeps every sum a safe integer. */
export const WALLET_BALANCE_MAX = 1_000_000_000_000_000
/** Maximum absolute balance of any account. */
export const ACCOUNT_BALANCE_MAX = 4_000_000_000_000_000
/** Maximum of lines in a payout batch or a schedule. */
export const BATCH_LINES_MAX = 500
