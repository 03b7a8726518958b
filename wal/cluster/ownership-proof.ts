// Proofs that this node still owns the log: a node that was stopped and wakes up must answer nothing from its old state. A proof is an
// append that PostgreSQL confirmed, or a read of the owner row. Proofs are numbered when they begin. An answer needs one that began
// after its request arrived, so under load appends prove the ownership and the owner row is not read.
import { APPEND_PROOF_WAIT_MS } from '../limits.ts'

interface Waiter {
  readonly mark: number
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

export class OwnershipProof {
  readonly #read: () => Promise<void>
  #begun = 0
  #proven = 0
  /** Number of the append in progress; 0 without one. */
  #append = 0
  #isReading = false
  #timer: NodeJS.Timeout | null = null
  #waiters: Waiter[] = []

  /** `read` reads the owner row, and rejects unless this node owns the log. */
  constructor(read: () => Promise<void>) {
    this.#read = read
  }

  /** Returns the mark of a request that arrives now. */
  mark(): number {
    return this.#begun
  }

  /** Returns whether a proof that began after the mark was taken has succeeded. */
  isProven(mark: number): boolean {
    return this.#proven > mark
  }

  /** Resolves when `isProven`. Rejects when the owner row could not be read. */
  whenProven(mark: number): Promise<void> {
    if (this.isProven(mark)) return Promise.resolve()
    return new Promise((resolve, reject) => {
      this.#waiters.push({ mark, resolve, reject })
      this.plan()
    })
  }

  /** Resolves when those that wait now are served. */
  settled(): Promise<void> {
    if (this.#waiters.length === 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.#waiters.push({ mark: this.#begun, resolve, reject: () => resolve() })
      this.plan()
    })
  }

  beginAppend(): void {
    this.#append = ++this.#begun
  }

  /** Ends the append. Call `plan` when the next append had its chance to begin. */
  endAppend(isConfirmed: boolean): void {
    const number = this.#append
    this.#append = 0
    if (isConfirmed) this.#settle(number)
  }

  /** Begins a read if a waiter needs one: at once, or after APPEND_PROOF_WAIT_MS while appends may prove the same. */
  plan(): void {
    if (this.#waiters.length === 0 || this.#isReading) return
    if (this.#append === 0) this.#begin()
    else this.#timer ??= setTimeout(this.#begin, APPEND_PROOF_WAIT_MS)
  }

  readonly #begin = (): void => {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    if (this.#waiters.length === 0 || this.#isReading) return
    this.#isReading = true
    const number = ++this.#begun
    const end = (error: Error | null): void => {
      this.#isReading = false
      this.#settle(number, error)
      this.plan()
    }
    this.#read().then(() => end(null), end)
  }

  /** Settles those that a proof with this number serves. */
  #settle(number: number, error: Error | null = null): void {
    if (error === null) this.#proven = Math.max(this.#proven, number)
    const served = this.#waiters.filter(({ mark }) => mark < number)
    if (served.length === 0) return
    this.#waiters = this.#waiters.filter(({ mark }) => mark >= number)
    for (const { resolve, reject } of served) error === null ? resolve() : reject(error)
  }
}
