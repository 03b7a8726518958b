// Maxima of slow hashes and of root keys.

/** Threads for slow hashes of PINs and passwords. */
export const SCRYPT_THREADS_MAX = 4
/** Slow hashes that wait for a thread: 12 s of live work for one thread. */
export const SCRYPT_WAITING_MAX = { live: 128, remembered: 64, dashboard: 64, test: 256 } as const
/** Root keys of a log: one of the first start, one of each rotation of the master key. */
export const ROOT_KEYS_MAX = 100
