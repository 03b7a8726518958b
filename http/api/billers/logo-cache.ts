// LRU cache of logo files. It exists because a read from the log blocks the event loop for a few milliseconds.

/** Maximum size of the cache: about 60 logos of maximum size, or 2 000 of usual size. */
const CACHE_BYTES_MAX = 32 * 1024 * 1024

export class LogoCache {
  /** Cached logos by name. The least recently used one comes first. */
  readonly #kept = new Map<string, Buffer>()
  #sizeBytes = 0

  /** Returns a logo. Names are content-addressed, so a cached logo is never stale. */
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
