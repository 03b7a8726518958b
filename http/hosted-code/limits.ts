// Every maximum of the server's side of hosted code, by name; those of a run stand in sandbox-pool/.

/** Of one fetch. */
export const REDIRECTS_MAX = 3
