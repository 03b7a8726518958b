// How much memory the Bloom filters of the index may take. A run without a filter is searched on disk for each new key, in the engine's
// thread: with one of eight large runs unfiltered a payout cost 36 µs instead of 28, and pages in no cache stopped the thread for 0.2 to
// 0.5 s at a time, in a soak for 2.7 s (22 500 payouts/s, 70 million in the index). So the bound grows with the machine.
import { totalmem } from 'node:os'
import { FILTERS_MAX_BYTES_FROM, FILTERS_MAX_BYTES_TO, FILTERS_MEMORY_SHARE } from '../limits.ts'

/** Maximum memory of the filters of all runs, and of one filter. */
export const FILTERS_MAX_BYTES = filtersMaxBytes(memoryBytes(totalmem(), process.constrainedMemory()))

/** Returns the maximum for a machine with so much memory, in bytes. */
export function filtersMaxBytes(memory: number): number {
  return Math.min(Math.max(Math.floor(memory * FILTERS_MEMORY_SHARE), FILTERS_MAX_BYTES_FROM), FILTERS_MAX_BYTES_TO)
}

/** Returns the memory of the machine, or of the container where that has less. `allowed` is 0 or huge without a container's limit. */
export function memoryBytes(machine: number, allowed: number): number {
  return allowed > 0 ? Math.min(allowed, machine) : machine
}
