// Every maximum of calls to the gateways, by name. Lifetimes and waits are in engine/domain/message/message-limits.ts.

/** Active calls over all working gateways, and over all failing or slow ones. Each gateway has its own AIMD limit. */
export const GATEWAY_SLOTS_MAX = 256
export const GATEWAY_FAILING_SLOTS_MAX = 32
/** A slower answer counts as bad. */
export const GATEWAY_SLOW_ANSWER_MS = 5_000
/**
 * Pushes in memory whose first attempt is not recorded yet. Beyond, further ones stay in the log and are read when
 * there is room. A record's pushes are taken together.
 */
export const PUSHES_AHEAD_MAX = 512
/** Records read from the log at a time, so that payouts wait 2 ms at most. */
export const RECORDS_PER_READ = 100
/** Records without a recorded push after which progress is recorded: a start reads this many at most for nothing. */
export const PUSH_RECORDS_UNRECORDED_MAX = 50_000
/** Time over which results of pushes are gathered into one command. */
export const PUSH_RESULTS_GATHER_MS = 10
/** Interval of retries at a full mailbox, and while the disk is nearly full. */
export const RECORD_RETRY_MS = 200
/** Wait before another attempt of a push that has no room among the open messages. */
export const PUSH_WITHOUT_ROOM_WAIT_MS = 30_000
/** Open messages per query after a start. */
export const MESSAGES_PER_READ = 1_000
/** Maximum wait for active calls at a stop. Unrecorded ones repeat after the next start. */
export const GATEWAY_STOP_WAIT_MS = 1_500
/** Transactions that a daily summary reads at a time, and what a slice counts among other long work. */
export const NOTICE_TRANSACTIONS_PER_SLICE = 100
export const NOTICE_SLICE_COST = 30
/** Failed payouts that a daily summary counts; beyond, it says that there were more. */
export const FAILURES_COUNTED_MAX = 100
