// Reads that wait until this node has applied the log through a sequence.
import { LogError } from '../log/log-error.ts'

interface Waiter {
  readonly sequence: number
  readonly resolve: () => void
}

export class SequenceWaiters {
  readonly #timeoutMs: number
  #waiters: Waiter[] = []

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs
  }

  /** Resolves at `reach` of the sequence. Rejects after the timeout. */
  wait(sequence: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = (): void => {
        this.#waiters = this.#waiters.filter((other) => other !== waiter)
        reject(new LogError('log_unreachable', `The log is not confirmed through sequence ${sequence}.`))
      }
      const timer = setTimeout(late, this.#timeoutMs)
      const waiter: Waiter = {
        sequence,
        resolve: () => {
          clearTimeout(timer)
          resolve()
        },
      }
      this.#waiters.push(waiter)
    })
  }

  reach(sequence: number): void {
    if (this.#waiters.length === 0) return
    const due = this.#waiters.filter((waiter) => waiter.sequence <= sequence)
    if (due.length > 0) this.#waiters = this.#waiters.filter((waiter) => waiter.sequence > sequence)
    for (const { resolve } of due) resolve()
  }
}
