// Every maximum of the server's side of hosted code, by name; those of a run stand in sandbox-pool/.

/** Of one fetch. */
export const REDIRECTS_MAX = 3
/** For whoever tries its fulfillment out, a free sandbox included. */
export const FULFILLMENT_TRIAL_MAX_MS = 10_000
