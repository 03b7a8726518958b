// Every maximum and timeout of realtime streams, by name.
import type { Quota } from '../../../engine/kernel/quota.ts'

/** Maximum number of frames that a client can resume over. */
export const RING_MAX = 256
/** Maximum number of streams of one wallet. One more ends the oldest. */
export const STREAMS_PER_WALLET_MAX = 8
/** Maximum number of frames of one record in one write. Small, because a slow client keeps them in memory. */
export const FRAMES_PER_WRITE_MAX = 8
/** Maximum number of writes in one turn of the event loop, about 4 ms. Other work runs between two turns. */
export const WRITES_PER_TURN_MAX = 256
/** Maximum number of queued records. Beyond it all are written at once, and other work waits. */
export const RECORDS_WAITING_MAX = 8192
/** Interval of the comment lines that keep an idle stream open. */
export const HEARTBEAT_MS = 5_000
/** Number of slots in the heartbeat interval: 15 000 streams are 60 per slot, about a millisecond of work. */
export const HEARTBEAT_SLOTS = 250
/** Maximum size of the frames that a stalled stream has missed. Beyond it the stream is closed, and the client resumes by id. */
export const BEHIND_BYTES_MAX = 64 * 1024
/** Time after which a stalled stream is closed. Each heartbeat checks it. */
export const STALLED_MAX_MS = 5_000
/** Maximum number of frames of one read: the ring, and as many that arrive during the read. */
export const FRAMES_READ_MAX = 2 * RING_MAX
/** Records read from the log per slice. Other work runs between two slices; a payment has two frames. */
export const RECORDS_PER_SLICE = 32
/** Lifetime of a ticket. */
export const TICKET_LIFETIME_MS = 60_000
/** A ticket takes about 0.5 KB. */
export const STREAM_TICKETS: Quota = {
  name: 'stream_tickets',
  counts: 'unused tickets of wallet streams',
  countsFr: 'tickets de flux de portefeuilles non utilisés',
  holder: 'account',
  max: { live: 100_000, test: 100_000 },
  share: 16,
  atShare: 'oldest_gives_way',
  retryAfterS: 60,
}
/** Maximum number of streams of one merchant's account. One more ends the oldest. */
export const STREAMS_PER_MERCHANT_MAX = 16
/** Replays of the log that run at the same time for one merchant's account. One more is rejected. */
export const REPLAYS_PER_MERCHANT_MAX = 2
/** A replay holds a socket and reads 1 ms at a time in the turns of its account. */
export const STREAM_REPLAYS: Quota = {
  name: 'stream_replays',
  counts: 'replays of merchant streams that run',
  countsFr: 'relectures de flux de marchands en cours',
  holder: 'account',
  max: { live: 2000, test: 2000 },
  share: REPLAYS_PER_MERCHANT_MAX,
  atShare: 'refused',
  retryAfterS: 1,
}
/** Missed frames that are no replay: they are read at once, however many replays run. */
export const FEW_MISSED_MAX = 64
/** What a slice of a replay costs among the work of other callers (http/server/fair-work.ts): 64 events, about 1 ms. */
export const REPLAY_SLICE_COST = 30
/** Characters of frames that a merchant's stream may be behind: a payout batch of 500 lines is about 300 000. */
export const MERCHANT_BEHIND_LENGTH_MAX = 2_000_000
