// Free space of the disk. The log never uses a reserve, so that operators can still work when they free space.
import { statfsSync } from 'node:fs'
import { DISK_PROBE_MS, DISK_RESERVE_MAX_BYTES, DISK_RESERVE_MIN_BYTES, DISK_RESERVE_SHARE } from './limits.ts'

export interface DiskFigures {
  readonly freeBytes: number
  readonly totalBytes: number
}

/** Reads the figures of a disk. Throws system errors. */
export type DiskProbe = (path: string) => DiskFigures

export class DiskSpace {
  readonly #path: string
  readonly #probe: DiskProbe
  #figures: DiskFigures = { freeBytes: 0, totalBytes: 0 }
  #askedMs = Number.NEGATIVE_INFINITY

  constructor(path: string, probe: DiskProbe = statfsProbe) {
    this.#path = path
    this.#probe = probe
  }

  /** Returns the bytes that an unprivileged process may still write, at most DISK_PROBE_MS old. */
  freeBytes(): number {
    return this.#current().freeBytes
  }

  /** Returns the bytes that stay free: one percent of the disk, within bounds. */
  reserveBytes(): number {
    return reserveOf(this.#current().totalBytes)
  }

  /** Whether the log may grow. Also true if the file system does not report its size. */
  hasRoom(): boolean {
    const { freeBytes, totalBytes } = this.#current()
    return totalBytes === 0 || freeBytes >= reserveOf(totalBytes)
  }

  #current(): DiskFigures {
    const nowMs = performance.now()
    if (nowMs - this.#askedMs >= DISK_PROBE_MS) {
      this.#figures = this.#probe(this.#path)
      this.#askedMs = nowMs
    }
    return this.#figures
  }
}

function reserveOf(totalBytes: number): number {
  return Math.min(Math.max(totalBytes * DISK_RESERVE_SHARE, DISK_RESERVE_MIN_BYTES), DISK_RESERVE_MAX_BYTES)
}

function statfsProbe(path: string): DiskFigures {
  const { bavail, blocks, bsize } = statfsSync(path)
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
}
