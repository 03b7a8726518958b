// The local copy's disk of a simulated node: batches arrive late and in order. What is not on it at a crash is lost.
import type { BatchToAppend, StoredBatch } from '../../../../engine/actor/ports.ts'
import type { CopyDisk } from '../../../../wal/cluster/local-copy.ts'
import { lastSequenceOf } from '../../../../wal/log-batches.ts'
import type { Prng } from '../../../support/prng.ts'
import type { SimMachine, SimProcess } from './sim-machine.ts'

const WRITE_MAX_MS = 5

/** Survives its processes. */
export class SimDisk {
  readonly #batches: StoredBatch[] = []

  /** The disk as one process uses it: a write that it has begun does not happen after its end. */
  openedBy(process: SimProcess, machine: SimMachine, prng: Prng): CopyDisk {
    const batches = this.#batches
    const durableSequence = (): number => {
      const last = batches.at(-1)
      return last === undefined ? 0 : lastSequenceOf(last)
    }
    return {
      partition: 0,
      get durableSequence() {
        return durableSequence()
      },
      batchAt: (sequence) =>
        sequence > durableSequence() ? null : (batches.findLast(({ firstSequence }) => firstSequence <= sequence) ?? null),
      read: async function* (from) {
        for (const batch of batches.filter((one) => lastSequenceOf(one) >= from)) yield batch
      },
      append: (written: readonly BatchToAppend[], done) => {
        const copies = written.map(({ expectedSequence, bytes }) => ({ firstSequence: expectedSequence, bytes: Uint8Array.from(bytes) }))
        machine.after(prng.below(WRITE_MAX_MS), process, 'disk', () => {
          batches.push(...copies)
          done(null)
        })
      },
    }
  }
}
