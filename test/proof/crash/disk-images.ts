// Images of data files as a disk may leave them after a power failure: everything that was flushed is there, and of what was written
// since then any part may be missing, torn at a sector, or there without what was written before it.
import type { Prng } from '../../support/prng.ts'
import type { DiskEvent, DiskFlush, DiskWrite } from './system-calls.ts'

const SECTOR_BYTES = 512

export const STYLES = ['cut', 'torn', 'reordered', 'dropped'] as const
export type Style = (typeof STYLES)[number]

export interface DiskImage {
  readonly style: Style
  /** Line of the recording at which the power failed. */
  readonly at: number
  readonly files: ReadonlyMap<string, Buffer>
  /** Writes with a reference that were answered before. */
  readonly answered: number
  /** Writes that had not been flushed. */
  readonly pending: number
}

export interface ImageSource {
  /** Content of the files before the first event. */
  readonly before: ReadonlyMap<string, Buffer>
  readonly events: readonly DiskEvent[]
}

interface Placed extends DiskWrite {
  readonly offset: number
  /** Line from which on the write is on disk; infinite when it was never flushed. */
  readonly durableAt: number
}

export class DiskImages {
  readonly #before: ReadonlyMap<string, Buffer>
  readonly #writes: readonly Placed[]
  readonly #moments: readonly number[]
  readonly #answers: readonly { readonly reference: string; readonly startAt: number }[]

  /** `hasFlushes` false takes the flushes out of the recording: a control, whose images must show losses. */
  constructor({ before, events }: ImageSource, hasFlushes = true) {
    this.#before = before
    this.#answers = events.filter((event) => event.kind === 'answer')
    this.#writes = placed(before, events, hasFlushes)
    this.#moments = events.flatMap((event) => (event.kind === 'answer' ? [event.startAt] : [event.startAt, event.endAt])).sort(ascending)
  }

  /** References of all answered writes, in the order of their answers. */
  get references(): readonly string[] {
    return this.#answers.map(({ reference }) => reference)
  }

  image(prng: Prng, style: Style): DiskImage {
    const at = prng.pick(this.#moments)
    const begun = this.#writes.filter(({ startAt }) => startAt <= at)
    const pending = begun.filter(({ durableAt }) => durableAt > at)
    const durable = begun.filter(({ durableAt }) => durableAt <= at)
    const parts = [...durable.map(whole), ...survivors(pending, style, prng)]
    const files = new Map([...this.#before].map(([file, bytes]) => [file, withParts(bytes, parts, file)]))
    const answered = this.#answers.filter(({ startAt }) => startAt <= at).length
    return { style, at, files, answered, pending: pending.length }
  }
}

/** Bytes at an offset that reached the disk. */
interface Part {
  readonly file: string
  readonly offset: number
  readonly bytes: Buffer
}

function whole({ file, offset, bytes }: Placed): Part {
  return { file, offset, bytes }
}

/** What a power failure leaves of writes that were not flushed. */
function survivors(pending: readonly Placed[], style: Style, prng: Prng): Part[] {
  switch (style) {
    case 'dropped':
      return []
    case 'cut': {
      // In the order of the calls, up to any sector.
      const count = prng.below(pending.length + 1)
      const last = pending[count]
      return [...pending.slice(0, count).map(whole), ...(last === undefined ? [] : sectorsOf(last, prng, 'first'))]
    }
    case 'torn':
      return pending.flatMap((write) => sectorsOf(write, prng, 'any'))
    case 'reordered':
      return pending.filter(() => prng.chance(0.5)).map(whole)
  }
}

function sectorsOf({ file, offset, bytes }: Placed, prng: Prng, which: 'first' | 'any'): Part[] {
  const count = Math.ceil(bytes.length / SECTOR_BYTES)
  const kept = prng.below(count + 1)
  const parts: Part[] = []
  for (let sector = 0; sector < count; sector++) {
    if (which === 'first' ? sector >= kept : prng.chance(0.5)) continue
    const from = sector * SECTOR_BYTES
    parts.push({ file, offset: offset + from, bytes: bytes.subarray(from, from + SECTOR_BYTES) })
  }
  return parts
}

function withParts(before: Buffer, parts: readonly Part[], file: string): Buffer {
  const own = parts.filter((part) => part.file === file)
  const sizeBytes = own.reduce((size, { offset, bytes }) => Math.max(size, offset + bytes.length), before.length)
  const image = Buffer.alloc(sizeBytes)
  before.copy(image)
  for (const { offset, bytes } of own) bytes.copy(image, offset)
  return image
}

/** Gives each write its offset, and the line from which on it is on disk. */
function placed(before: ReadonlyMap<string, Buffer>, events: readonly DiskEvent[], hasFlushes: boolean): Placed[] {
  const sizes = new Map([...before].map(([file, bytes]) => [file, bytes.length]))
  const flushes = hasFlushes ? events.filter((event): event is DiskFlush => event.kind === 'flush') : []
  return events.flatMap((event) => {
    if (event.kind !== 'write') return []
    const size = sizes.get(event.file) ?? 0
    const offset = event.offset ?? size
    sizes.set(event.file, Math.max(size, offset + event.bytes.length))
    const flush = flushes.find(({ file, startAt }) => file === event.file && startAt >= event.endAt)
    const flushedAt = flush?.endAt ?? Number.POSITIVE_INFINITY
    return [{ ...event, offset, durableAt: event.isSync && hasFlushes ? Math.min(event.endAt, flushedAt) : flushedAt }]
  })
}

function ascending(one: number, other: number): number {
  return one - other
}
