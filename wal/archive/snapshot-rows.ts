// The image of live state: rows of text under their keys, with a digest over all of them that does not depend on order.
import type { LoadedSnapshot, SnapshotRow } from '../../engine/actor/ports.ts'
import type { ArchiveStore } from './store.ts'

/** As of when the image is, and the digest of its rows. */
export interface SnapshotPoint {
  readonly sequence: number
  readonly timeMs: number
  readonly batchHash: string
  readonly rowCount: number
  /** Hex. */
  readonly digest: string
}

type FullRow = SnapshotRow & { readonly value: string }

const rowHash = { high: 0, low: 0 }

/** 64 bits by cyrb53's two lanes (bryc, public domain), kept whole; a stored digest depends on it, so it never changes. */
function hashRow(key: string, value: string): { readonly high: number; readonly low: number } {
  let high = 0xdeadbeef ^ key.length
  let low = 0x41c6ce57 ^ key.length
  for (const text of [key, value]) {
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index)
      high = Math.imul(high ^ unit, 2654435761)
      low = Math.imul(low ^ unit, 1597334677)
    }
  }
  rowHash.high = (Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)) >>> 0
  rowHash.low = (Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(rowHash.high ^ (rowHash.high >>> 13), 3266489909)) >>> 0
  return rowHash
}

/** Sum of the rows' 64-bit hashes modulo 2^64, in two halves: a row can be taken out again. Finds damage, not forgery. */
export class RowsDigest {
  #high: number
  #low: number

  constructor(digest = '0'.repeat(16)) {
    this.#high = Number.parseInt(digest.slice(0, 8), 16)
    this.#low = Number.parseInt(digest.slice(8), 16)
  }

  add(key: string, value: string): void {
    const { high, low } = hashRow(key, value)
    const sum = this.#low + low
    this.#low = sum >>> 0
    this.#high = (this.#high + high + (sum > 0xffff_ffff ? 1 : 0)) >>> 0
  }

  take(key: string, value: string): void {
    const { high, low } = hashRow(key, value)
    const difference = this.#low - low
    this.#low = difference >>> 0
    this.#high = (this.#high - high - (difference < 0 ? 1 : 0)) >>> 0
  }

  toString(): string {
    return this.#high.toString(16).padStart(8, '0') + this.#low.toString(16).padStart(8, '0')
  }
}

/** Puts the rows into the stored image; within a transaction. `before` is null when what is stored counts for nothing. */
export function applyRows(
  store: ArchiveStore,
  before: SnapshotPoint | null,
  rows: readonly SnapshotRow[],
): { rowCount: number; digest: string } {
  const digest = new RowsDigest(before?.digest)
  let rowCount = before?.rowCount ?? 0
  for (const { key, value } of rows) {
    const old = store.image.get(key)
    if (old !== undefined) {
      digest.take(key, old)
      rowCount--
    }
    if (value === null) {
      if (old !== undefined) store.remove(store.image, key)
      continue
    }
    digest.add(key, value)
    rowCount++
    store.put(store.image, key, value)
  }
  return { rowCount, digest: digest.toString() }
}

/** All rows, or null when they are not those that the point was stored with. */
export function readSnapshot(store: ArchiveStore, point: SnapshotPoint): LoadedSnapshot | null {
  const digest = new RowsDigest()
  const rows: FullRow[] = []
  for (const { key, value } of store.image.getRange({})) {
    digest.add(key, value)
    rows.push({ key, value })
  }
  if (rows.length !== point.rowCount || digest.toString() !== point.digest) return null
  return { sequence: point.sequence, timeMs: point.timeMs, batchHash: point.batchHash, rows }
}
