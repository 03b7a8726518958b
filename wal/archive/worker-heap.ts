// Heap of the archive's thread. The semi-spaces of 64 MB that `npm start` gives the engine would hold in this thread too: merges let them
// grow to 128 MB within an hour, and what is larger than a processor cache takes longer to fill. With 4 MB a batch line cost 4.5 µs
// of all threads instead of 4.8 (medians of three runs by turns: 292 000 and 274 000 lines/s).
import { setFlagsFromString } from 'node:v8'
import type { ResourceLimits } from 'node:worker_threads'
import { ARCHIVE_SEMI_SPACE_MB } from '../limits.ts'

/** V8 counts two semi-spaces, and the size of one more for large young objects. */
const SEMI_SPACES_OF_YOUNG_GENERATION = 3

/** Returns the limits of the thread. From this call on the process's flag holds for no new heap: V8 ignores such limits beside it. */
export function workerHeap(): ResourceLimits {
  // V8 reads the flag when it makes a heap, so this thread keeps what it has.
  setFlagsFromString('--max-semi-space-size=0')
  return { maxYoungGenerationSizeMb: SEMI_SPACES_OF_YOUNG_GENERATION * ARCHIVE_SEMI_SPACE_MB }
}
