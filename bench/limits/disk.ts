// Speed of the disk: sequential appends with fdatasync, with the bytes of a log batch. No durable answer can be faster, so latencies
// are compared with it.
import { closeSync, fdatasyncSync, openSync, statfsSync, unlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { encodeHistogram, newHistogram, type Percentiles, percentilesOf, recordMs } from '../load/histogram.ts'

const TMPFS_MAGIC = 0x01021994
const WARMUP_WRITES = 20

/** Appends `bytes` repeatedly to a new file in `folder` for `seconds`. */
export function measureFlush(folder: string, bytes: number, seconds: number): Percentiles {
  const path = join(folder, 'flush.bin')
  const file = openSync(path, 'w')
  const block = Buffer.alloc(bytes, 0xa5)
  const histogram = newHistogram()
  try {
    for (let write = 0; write < WARMUP_WRITES; write++) appendDurably(file, block)
    const endMs = performance.now() + seconds * 1000
    for (let startMs = performance.now(); startMs < endMs; ) {
      appendDurably(file, block)
      const nowMs = performance.now()
      recordMs(histogram, nowMs - startMs)
      startMs = nowMs
    }
  } finally {
    closeSync(file)
    unlinkSync(path)
  }
  return percentilesOf([encodeHistogram(histogram)])
}

function appendDurably(file: number, block: Buffer): void {
  writeSync(file, block)
  fdatasyncSync(file)
}

/** Whether the folder is in memory only, where a flush has no meaning. */
export function isInMemory(folder: string): boolean {
  return statfsSync(folder).type === TMPFS_MAGIC
}
