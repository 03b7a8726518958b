// Makes index segments, and keeps the plain list of what is in them to compare with.
import assert from 'node:assert/strict'
import type { Archive, IndexSegment, SnapshotDelta } from '../../engine/actor/ports.ts'
import { readManifest, writeManifest } from '../../wal/archive/manifest.ts'
import { openStore } from '../../wal/archive/store.ts'

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

export function saveSnapshot(archive: Archive, delta: SnapshotDelta): Promise<void> {
  return new Promise((resolve, reject) => archive.saveSnapshot(delta, (error) => (error === null ? resolve() : reject(error))))
}

/** Gives a closed archive the index version of another release. */
export async function setIndexVersion(path: string, version: number): Promise<void> {
  const store = openStore(path)
  const manifest = readManifest(store)
  assert.ok(manifest !== null)
  store.transact(() => writeManifest(store, { ...manifest, version }))
  await store.close()
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

const ENTRIES_PER_NUMBERED = 700
const SHARED_HASHES = 50

/** The same for the same number: half of its entries under hashes that all segments share. Goes through sequence `number`. */
export function numberedSegment(number: number): IndexSegment {
  return segmentOf(
    number,
    Array.from({ length: ENTRIES_PER_NUMBERED }, (_, index) => {
      const high = index % 2 === 0 ? Math.imul(index % SHARED_HASHES, 0x9e3779b1) >>> 0 : Math.imul(number * 1000 + index, 0x85ebca6b) >>> 0
      return { high, low: index % 2, position: number * 4096 + index }
    }),
  )
}

/** Positions of one shared hash, newest first, over the segments 1 to `through`. */
export function sharedPositions(index: number, through: number): number[] {
  const found: number[] = []
  for (let number = 1; number <= through; number++) {
    for (let at = index; at < ENTRIES_PER_NUMBERED; at += SHARED_HASHES) found.push(number * 4096 + at)
  }
  return found.reverse()
}
