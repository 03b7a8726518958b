// Maxima of slow hashes.

/** Threads for slow hashes of PINs and passwords. */
export const SCRYPT_THREADS_MAX = 4
/** Slow hashes that wait for a thread: 12 s of live work for one thread. */
export const SCRYPT_WAITING_MAX = { live: 128, remembered: 64, dashboard: 64, test: 256 } as const
