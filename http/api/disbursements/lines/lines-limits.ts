// Maxima of the thread that reads large disbursements.

/** Lines of a block. The engine judges a block in a turn. */
export const DISBURSEMENT_LINES_PER_BLOCK = 512
/** Time without a body after which the thread ends: its heap is as large as the largest body made it. */
export const LINES_THREAD_IDLE_MS = 30_000
/** Its heap: a body of 16 MiB in small lines takes about 300 MB. */
export const LINES_THREAD_HEAP_MB = 1024
