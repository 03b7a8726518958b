// Makes index segments, and keeps the plain list of what is in them to compare with.
import type { Archive, ImageDelta, IndexSegment } from '../../engine/actor/ports.ts'

export interface Entry {
  readonly high: number
  readonly low: number
  readonly position: number
}

export function segmentOf(throughSequence: number, entries: readonly Entry[]): IndexSegment {
  return {
    throughSequence,
    count: entries.length,
    // Longer than `count`, as the engine's are.
    high: Uint32Array.from([...entries.map((entry) => entry.high), 0, 0]),
    low: Uint32Array.from([...entries.map((entry) => entry.low), 0, 0]),
    position: Float64Array.from([...entries.map((entry) => entry.position), 0, 0]),
  }
}

export function addSegment(archive: Archive, segment: IndexSegment): Promise<void> {
  return new Promise((resolve, reject) => archive.addSegment(segment, (error) => (error === null ? resolve() : reject(error))))
}

export function saveImage(archive: Archive, delta: ImageDelta): Promise<void> {
  return new Promise((resolve, reject) => archive.saveImage(delta, (error) => (error === null ? resolve() : reject(error))))
}

/** Every entry that was ever filed, searched the slow way. */
export class PlainIndex {
  readonly #entries: Entry[] = []

  add(entries: readonly Entry[]): void {
    this.#entries.push(...entries)
  }

  find(high: number, low: number, below: number, limit: number): number[] {
    const matching = this.#entries.filter((entry) => entry.high === high && entry.low === low && entry.position < below)
    const positions = [...new Set(matching.map((entry) => entry.position))]
    return positions.sort((one, other) => other - one).slice(0, limit)
  }
}

/** Resolves once `holds` answers true; fails the test by its timeout otherwise. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve))
}
