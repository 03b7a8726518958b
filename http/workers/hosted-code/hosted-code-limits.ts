// Every maximum of hosted code on the server's side, by name; those of a run are in sandbox-pool/.

/** Maximum redirects of one fetch. */
export const REDIRECTS_MAX = 3
/** Maximum time of a fulfillment trial, including the wait for a free sandbox. */
export const FULFILLMENT_TRIAL_MAX_MS = 10_000
