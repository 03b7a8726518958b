// LRU cache of logos, as bytes: reading one from the log blocks the event loop for a few milliseconds.

/** About 60 logos of full size, or 2 000 of usual ones. */
const CACHE_BYTES_MAX = 32 * 1024 * 1024

export class LogoCache {
  /** The one that was asked for longest ago comes first. */
  readonly #kept = new Map<string, Buffer>()
  #sizeBytes = 0

  /** A name stands for one content for ever, so what is kept is never wrong. */
  of(name: string, read: () => Buffer): Buffer {
    const kept = this.#kept.get(name)
    if (kept !== undefined) this.#kept.delete(name)
    const bytes = kept ?? read()
    this.#kept.set(name, bytes)
    if (kept === undefined) this.#shrink(bytes.length)
    return bytes
  }

  #shrink(addedBytes: number): void {
    this.#sizeBytes += addedBytes
    for (const [name, bytes] of this.#kept) {
      if (this.#sizeBytes <= CACHE_BYTES_MAX) return
      this.#kept.delete(name)
      this.#sizeBytes -= bytes.length
    }
  }
}
