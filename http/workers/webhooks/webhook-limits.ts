// Every maximum of webhook delivery, by name. What an endpoint may keep open is in engine/domain/webhook/webhook-limits.ts.

/** Attempts under way at places that answer, over all of them. */
export const SLOTS_MAX = 384
/** The same for places that failed or hung last time: they can never take the others' slots. */
export const FAILING_SLOTS_MAX = 128
/** How much of either one merchant's endpoints may have together: sixteen that hang leave three quarters to others. */
export const OWNER_SHARE = 0.25
/** Attempts under way at one place: from here on one more with each good answer, half with each bad one. */
export const LANE_START = 4
export const LANE_MIN = 2
export const LANE_MAX = 64
/** An answer that took longer counts as a bad one. */
export const SLOW_ANSWER_MS = 5_000
/** Failing places without work that are remembered as such. */
export const FAILING_LANES_MAX = 10_000
/** When nothing can be written down, attempts wait this long for the disk. */
export const DISK_PAUSE_MS = 1_000
/** What is under way at a stop gets this long; what is not recorded by then is attempted again after the next start. */
export const STOP_WAIT_MS = 1_500

/** Open deliveries that one query answers after a start. */
export const DELIVERIES_PER_READ = 1000
