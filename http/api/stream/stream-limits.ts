// Every maximum and time of realtime streams, by name.

/** Frames that can be sent again. */
export const RING_MAX = 256
/** Streams of one wallet; with one more, the oldest ends. */
export const STREAMS_PER_WALLET_MAX = 8
/** Frames of one record that leave together: what a reader does not take stays in memory until it does, so it is little. */
export const FRAMES_PER_WRITE_MAX = 8
/** Writes of one turn of the loop: about 4 ms, then sockets and payouts have theirs. */
export const WRITES_PER_TURN_MAX = 256
/** Records that wait for their turn; beyond, all are written at once, and other work waits. */
export const RECORDS_WAITING_MAX = 8192
/** Between two comments that keep a quiet stream alive. */
export const HEARTBEAT_MS = 5_000
/** Heartbeats are spread over this many moments of the interval: 15 000 streams are 60 at a time, a millisecond's work. */
export const HEARTBEAT_SLOTS = 250
/** Frames that a stream missed while its reader took nothing; beyond, it is closed and resumes by id. */
export const BEHIND_BYTES_MAX = 64 * 1024
/** A reader that takes nothing for this long is closed; looked at with each heartbeat. */
export const STALLED_MAX_MS = 5_000
/** Frames that one reading of the log may bring: the ring, and as many that came since it was measured. */
export const FRAMES_READ_MAX = 2 * RING_MAX
/** Records read from the log between two looks at other work; a payment has two frames. */
export const RECORDS_PER_SLICE = 32
/** How long a ticket opens a stream. */
export const TICKET_LIFETIME_MS = 60_000
/** Tickets that one wallet may have open, and all together; with one more, the oldest goes. */
export const TICKETS_PER_WALLET_MAX = 16
export const TICKETS_MAX = 100_000
