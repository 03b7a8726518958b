// Every maximum of merchants, by name. At the limit we refuse.

/** Key pairs of one merchant, both environments together. */
export const API_KEYS_MAX = 100
