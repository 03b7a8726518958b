// The snapshot of live state: rows of text by key, with a digest over all rows that does not depend on their order.
import type { LoadedSnapshot, SnapshotRow } from '../../engine/actor/ports.ts'
import type { ArchiveStore } from './store.ts'

/** Log position and time of a snapshot, with the digest of its rows. */
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

/** 64-bit variant of cyrb53 (bryc, public domain) with both halves kept. Stored digests depend on it, so it never changes. */
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

/** Sum of the rows' 64-bit hashes modulo 2^64, in two halves. A row can be subtracted again. Detects damage, not forgery. */
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

/** Writes the rows to the stored snapshot, within a transaction. `before` is null if the stored rows are invalid. */
export function applyRows(
  store: ArchiveStore,
  before: SnapshotPoint | null,
  rows: readonly SnapshotRow[],
): { rowCount: number; digest: string } {
  const digest = new RowsDigest(before?.digest)
  let rowCount = before?.rowCount ?? 0
  for (const { key, value } of rows) {
    const old = store.snapshot.get(key)
    if (old !== undefined) {
      digest.take(key, old)
      rowCount--
    }
    if (value === null) {
      if (old !== undefined) store.remove(store.snapshot, key)
      continue
    }
    digest.add(key, value)
    rowCount++
    store.put(store.snapshot, key, value)
  }
  return { rowCount, digest: digest.toString() }
}

/** Returns all rows, or null if they do not match the digest of the point. */
export function readSnapshot(store: ArchiveStore, point: SnapshotPoint): LoadedSnapshot | null {
  const digest = new RowsDigest()
  const rows: FullRow[] = []
  for (const { key, value } of store.snapshot.getRange({})) {
    digest.add(key, value)
    rows.push({ key, value })
  }
  if (rows.length !== point.rowCount || digest.toString() !== point.digest) return null
  return { sequence: point.sequence, timeMs: point.timeMs, batchHash: point.batchHash, rows }
}
