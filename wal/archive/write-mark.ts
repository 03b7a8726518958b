// Counts, in a file of the archive's folder, the consecutive processes that ended inside a write of the archive. LMDB aborts the process when
// a write meets some damaged pages, and the check of a start cannot read all of them: without the count each start would end the same way.
// The file is not flushed: it must outlive the process, not a power failure.
import { closeSync, constants, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { WRITES_UNTIL_SOUND } from '../limits.ts'

const NAME = 'unfinished-writes'
const OWNER_ONLY = 0o600

/** Returns how many processes in a row ended inside a write of the archive in the folder. */
export function unfinishedWrites(archivePath: string): number {
  try {
    const text = readFileSync(join(archivePath, NAME), 'latin1')
    return /^\d$/.test(text) ? Number(text) : 0
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw error
  }
}

/** Takes the mark of a write back that the exit of this process cuts off. An abort of LMDB runs no listener of 'exit', and stays counted. */
export function takeMarkBack(archivePath: string): void {
  try {
    writeFileSync(join(archivePath, NAME), '0', { flag: 'r+' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

export class WriteMark {
  readonly #archivePath: string
  /** Opened at the first write: most openers only read. */
  #file: number | null = null
  /** Processes before this one. */
  #before = 0
  #writes = 0

  constructor(archivePath: string) {
    this.#archivePath = archivePath
  }

  /** Runs a write of the archive. A process that ends meanwhile is counted by the next start. */
  during(write: () => void): void {
    const file = this.#file ?? this.#open()
    writeSync(file, String(this.#before + 1), 0)
    try {
      write()
    } finally {
      writeSync(file, '0', 0)
      if (++this.#writes === WRITES_UNTIL_SOUND) this.#before = 0
    }
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file)
    this.#file = null
  }

  #open(): number {
    this.#before = unfinishedWrites(this.#archivePath)
    const file = openSync(join(this.#archivePath, NAME), constants.O_WRONLY | constants.O_CREAT, OWNER_ONLY)
    this.#file = file
    return file
  }
}
