// Every maximum of merchants, by name. Commands that exceed one are rejected.

/** Key pairs of one merchant, both environments together. */
export const API_KEYS_MAX = 100
