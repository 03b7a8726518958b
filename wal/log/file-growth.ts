// Writes zeros at the end of the log's data file, ahead of LMDB's pages. A commit then overwrites allocated blocks, and its fdatasync waits
// for no file system journal. It must never write elsewhere than behind the last byte of the file: O_APPEND makes the kernel choose it.
import { close, closeSync, constants, fstatSync, openSync, write } from 'node:fs'
import { GROWTH_AHEAD_BYTES, GROWTH_CHECK_BYTES, GROWTH_FROM_BYTES, GROWTH_STEP_BYTES } from '../limits.ts'

const PAGE_BYTES = 4096
/** Pages that a commit writes beside its values: the path to the root and the free list. */
const PAGES_OF_A_COMMIT = 4

export class FileGrowth {
  readonly #path: string
  readonly #usedBytes: () => number
  /** Opened at the first growth. */
  #file: number | null = null
  /** Bytes committed since the last check. */
  #committedBytes = GROWTH_CHECK_BYTES
  #isWriting = false
  /** Set by `close` or by a failure. LMDB then extends the file itself, as each store without a FileGrowth does. */
  #ended = false

  /** `usedBytes` returns the end of the last page of the store. */
  constructor(path: string, usedBytes: () => number) {
    this.#path = path
    this.#usedBytes = usedBytes
  }

  /** Call it after each commit with the bytes of its values. Starts at most one write, in the background. */
  committed(sizeBytes: number): void {
    this.#committedBytes += sizeBytes + PAGES_OF_A_COMMIT * PAGE_BYTES
    if (this.#committedBytes < GROWTH_CHECK_BYTES || this.#isWriting || this.#ended) return
    this.#committedBytes = 0
    const usedBytes = this.#usedBytes()
    if (usedBytes >= GROWTH_FROM_BYTES) this.#growTo(usedBytes + GROWTH_AHEAD_BYTES)
  }

  /** Ends the growth. The file is closed after the write in progress. */
  close(): void {
    this.#ended = true
    if (this.#file === null || this.#isWriting) return
    closeSync(this.#file)
    this.#file = null
  }

  #growTo(sizeBytes: number): void {
    try {
      this.#file ??= openSync(this.#path, constants.O_WRONLY | constants.O_APPEND | constants.O_DSYNC)
      if (fstatSync(this.#file).size >= sizeBytes) return
    } catch {
      this.#ended = true
      return
    }
    const file = this.#file
    this.#isWriting = true
    // O_DSYNC: else the fdatasync of a later commit would have to write them.
    write(file, ZEROS, 0, ZEROS.length, null, (error) => {
      this.#isWriting = false
      if (error !== null) this.#ended = true
      if (!this.#ended) return
      this.#file = null
      close(file, () => {})
    })
  }
}

const ZEROS = Buffer.alloc(GROWTH_STEP_BYTES)
