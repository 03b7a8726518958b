// Every maximum of the engine, by name: at the limit we refuse, we do not grow.

/** Commands that wait for one account. One merchant at 30 000/s fills it in a seventh of a second. */
export const MAILBOX_MAX = 4096
/** Commands that wait over all accounts. */
export const MAILBOXES_MAX = 32_768
/** Turns of one burst, so that sockets are served in between: about 5 ms of payouts. */
export const TURNS_PER_BURST_MAX = 512
/** Events of one burst: two batches of 500 lines end it, or sockets would wait for 512 of them. */
export const EVENTS_PER_BURST_MAX = 1024
/** What the gathering batch may hold while the batch before it flushes; then turns wait. */
export const BATCH_RECORDS_MAX = 4096
export const BATCH_BYTES_MAX = 8 * 1024 * 1024
/** Events of one command. */
export const EVENTS_MAX = 2048
/** Entries of one index segment in memory, 16 bytes each. */
export const SEGMENT_ENTRIES = 65_536
/** Segments that may wait for the archive; beyond, turns wait for it. */
export const SEGMENTS_WAITING_MAX = 16
/** A segment that is not full is handed over after this time all the same. */
export const SEGMENT_AGE_MAX_MS = 1000
/** Records between two images, and the longest time between two. */
export const IMAGE_RECORDS = 200_000
export const IMAGE_AGE_MAX_MS = 60_000
/** Rows of an image serialized in one slice. */
export const IMAGE_ROWS_PER_SLICE = 500
/** Work of timers that have fired and whose commands are not durable yet, in lines of a batch; the next ones wait in their book. */
export const TIMER_WORK_UNDER_WAY_MAX = 1024
/** What a command costs beside the lines that it pays. */
export const COMMAND_WORK = 4
/** A wallet may hold this much at most; keeps every sum a safe integer. */
export const WALLET_BALANCE_MAX = 1_000_000_000_000_000
/** No account goes beyond this, either way. */
export const ACCOUNT_BALANCE_MAX = 4_000_000_000_000_000
/** Lines of a batch or a schedule. */
export const BATCH_LINES_MAX = 500
