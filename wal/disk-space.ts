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
    const share = this.#current().totalBytes * DISK_RESERVE_SHARE
    return Math.min(Math.max(share, DISK_RESERVE_MIN_BYTES), DISK_RESERVE_MAX_BYTES)
  }

  /** Whether the log may grow. Also true if the file system does not report its size. */
  hasRoom(): boolean {
    if (this.#current().totalBytes === 0) return true
    return this.freeBytes() >= this.reserveBytes()
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

function statfsProbe(path: string): DiskFigures {
  const { bavail, blocks, bsize } = statfsSync(path)
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
}
