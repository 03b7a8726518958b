// Writes and deletes the chunks and filter parts of a run, within transactions of the worker, and digests them: LMDB has no checksums, and
// an entry that damage hides could be a key whose payment would be repeated.
import { crc32 } from 'node:zlib'
import { DELETE_SLICE_CHUNKS } from '../limits.ts'
import { PAGE_BYTES, PAGE_HEADER_BYTES } from './archive-page.ts'
import { BloomFilter, FILTER_BLOCK_BYTES, Probe } from './bloom-filter.ts'
import { FILTERS_MAX_BYTES } from './filter-memory.ts'
import { CHUNK_ENTRIES, chunkKey, encodeChunk } from './index-chunk.ts'
import type { SortedColumns } from './index-columns.ts'
import type { ArchiveStore } from './store.ts'

/** Bytes of a filter part: what a page holds, in whole filter blocks. */
const FILTER_PART_BYTES = Math.floor((PAGE_BYTES - PAGE_HEADER_BYTES) / FILTER_BLOCK_BYTES) * FILTER_BLOCK_BYTES

const probe = new Probe()

/** CRC-32 over the keys and values of a run: its chunks, then the parts of its filter. */
export class RunDigest {
  value = 0

  add(key: Uint8Array, value: Uint8Array): void {
    this.value = crc32(value, crc32(key, this.value))
  }
}

/** Returns the digest of what is stored of the run. Reads all of it. */
export function storedDigest(store: ArchiveStore, run: number): number {
  const digest = new RunDigest()
  const chunks = { start: chunkKey(run, 0, 0, 0), end: chunkKey(run + 1, 0, 0, 0) }
  for (const { key, value } of store.chunks.getRange(chunks)) digest.add(key, value)
  const parts = { start: partKey(run, 0), end: partKey(run + 1, 0) }
  for (const { key, value } of store.filters.getRange(parts)) digest.add(key, value)
  return digest.value
}

/** Writes sorted entries that all sort after the entries of the run. */
export function writeChunks(store: ArchiveStore, run: number, columns: SortedColumns, digest: RunDigest): void {
  for (let from = 0; from < columns.count; from += CHUNK_ENTRIES) {
    const to = Math.min(from + CHUNK_ENTRIES, columns.count)
    const key = chunkKey(run, columns.high[from] as number, columns.low[from] as number, columns.position[from] as number)
    const value = encodeChunk(columns, from, to)
    digest.add(key, value)
    store.put(store.chunks, key, value)
  }
}

/** Returns an empty filter for this number of hashes, null if it would be too large for memory. */
export function newFilter(hashes: number): BloomFilter | null {
  const filter = BloomFilter.sized(hashes)
  return filter.sizeBytes <= FILTERS_MAX_BYTES ? filter : null
}

/** Counts different hashes among sorted entries. `before` is the entry before them, if any. */
export function countHashes(columns: SortedColumns, before: { readonly high: number; readonly low: number } | null): number {
  let count = 0
  let high = before?.high ?? -1
  let low = before?.low ?? -1
  for (let index = 0; index < columns.count; index++) {
    if (columns.low[index] === low && columns.high[index] === high) continue
    high = columns.high[index] as number
    low = columns.low[index] as number
    count++
  }
  return count
}

export function addToFilter(filter: BloomFilter, columns: SortedColumns): void {
  for (let index = 0; index < columns.count; index++) {
    filter.add(probe.aim(columns.high[index] as number, columns.low[index] as number))
  }
}

export function filterPartCount(filter: BloomFilter): number {
  return Math.ceil(filter.sizeBytes / FILTER_PART_BYTES)
}

/** Writes the parts of the filter from `fromPart` up to but not including `toPart`. */
export function writeFilterParts(
  store: ArchiveStore,
  run: number,
  filter: BloomFilter,
  { fromPart, toPart }: { readonly fromPart: number; readonly toPart: number },
  digest: RunDigest,
): void {
  const { buffer, byteOffset, byteLength } = filter.words
  const bytes = Buffer.from(buffer, byteOffset, byteLength)
  for (let part = fromPart; part < toPart; part++) {
    const key = partKey(run, part)
    const value = bytes.subarray(part * FILTER_PART_BYTES, (part + 1) * FILTER_PART_BYTES)
    digest.add(key, value)
    store.put(store.filters, key, value)
  }
}

/** Returns the filter of the run, null when it has none or a larger one than `maxBytes`: that is not read. */
export function readFilter(store: ArchiveStore, run: number, maxBytes = Number.POSITIVE_INFINITY): BloomFilter | null {
  const range = { start: partKey(run, 0), end: partKey(run + 1, 0) }
  // A copy: lmdb marks the range as one to count.
  const parts = store.filters.getKeysCount({ ...range })
  let bytes: Uint8Array | null = null
  let at = 0
  for (const { value } of store.filters.getRange(range)) {
    // All parts but the last are as long as the first.
    if (bytes === null && parts * value.length > maxBytes + value.length) return null
    bytes ??= new Uint8Array(parts * value.length)
    bytes.set(value, at)
    at += value.length
  }
  return bytes === null ? null : new BloomFilter(new Uint32Array(bytes.buffer, 0, at / Uint32Array.BYTES_PER_ELEMENT))
}

/** Deletes a part of the run. Returns true when the run is deleted completely. */
export function deleteSlice(store: ArchiveStore, run: number): boolean {
  const chunkKeys = [
    ...store.chunks.getKeys({ start: chunkKey(run, 0, 0, 0), end: chunkKey(run + 1, 0, 0, 0), limit: DELETE_SLICE_CHUNKS }),
  ]
  for (const key of chunkKeys) store.remove(store.chunks, key)
  const room = DELETE_SLICE_CHUNKS - chunkKeys.length
  const filterKeys = [...store.filters.getKeys({ start: partKey(run, 0), end: partKey(run + 1, 0), limit: room })]
  for (const key of filterKeys) store.remove(store.filters, key)
  return chunkKeys.length + filterKeys.length < DELETE_SLICE_CHUNKS
}

function partKey(run: number, part: number): Buffer {
  const key = Buffer.allocUnsafe(8)
  key.writeUInt32BE(run, 0)
  key.writeUInt32BE(part, 4)
  return key
}
