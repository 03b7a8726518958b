// Every maximum of the run log, by name. How long a run, its error and its log may be is the sandbox's business.

/** Maximum of runs of one product and environment in the list. Older runs stay in the log only. */
export const RUNS_SHOWN_MAX = 100
/** Of a host that was fetched from, in UTF-16 units: names have 253 at most, and a port may follow. */
export const FETCH_HOST_LENGTH_MAX = 260
/** What the runs of one merchant and environment may write into the log in a day (UTC), in UTF-16 units of JSON; beyond, they are kept without their lines and fetches. */
export const RUNS_WRITTEN_PER_DAY_MAX = 16 * 1024 * 1024
