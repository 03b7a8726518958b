// Keys that fifty clients send at once, around a kill and again after it: each request is answered with one body, and one of them paid.
import type { KeyAttempt } from '../cluster/key-history.ts'
import type { KillWrite } from './kill-writes.ts'
import type { Told } from './wire.ts'

/** Requests with one key at once. */
export const DUPLICATES = 50

export interface Flood {
  /** Resolves after so many answers as were asked for. */
  readonly answered: Promise<void>
  /** Resolves when no request is under way. */
  readonly all: Promise<void>
  readonly write: KillWrite
}

/** Sends a write once. Null without a clear answer. */
export type Attempt = (write: KillWrite) => Promise<Told | null>

export class KeyFloods {
  readonly #attempt: Attempt
  /** Requests of each key. */
  readonly #attempts = new Map<string, KeyAttempt[]>()
  /** Answers after kills. */
  duplicates = 0

  constructor(attempt: Attempt) {
    this.#attempt = attempt
  }

  /** Returns whether the key is of a flood. */
  add(key: string, attempt: KeyAttempt): boolean {
    const known = this.#attempts.get(key)
    known?.push(attempt)
    return known !== undefined
  }

  /** Sends the write many times at once. */
  flood(write: KillWrite, answers: number): Flood {
    this.#attempts.set(write.key ?? '', [])
    let count = 0
    let resolve: () => void = () => {}
    const answered = new Promise<void>((reached) => {
      resolve = reached
    })
    const send = async (): Promise<void> => {
      await this.#attempt(write)
      if (++count >= answers) resolve()
    }
    const all = Promise.all(Array.from({ length: DUPLICATES }, send)).then(() => {})
    return { answered, all, write }
  }

  /** Sends the write again as often. Returns the answer and when its first request was sent; null unless each was answered with 201. */
  async again(write: KillWrite): Promise<{ readonly told: Told; readonly startMs: number } | null> {
    const attempts = this.#attempts.get(write.key ?? '') ?? []
    const startMs = attempts.reduce((earliest, one) => Math.min(earliest, one.startMs), Number.POSITIVE_INFINITY)
    const all = await Promise.all(Array.from({ length: DUPLICATES }, () => this.#attempt(write)))
    const [told] = all
    if (all.some((one) => one?.status !== 201) || told === null || told === undefined) return null
    this.duplicates += all.length
    return { told, startMs }
  }

  /** Returns what is wrong in words: two bodies, or more than one execution. */
  faults(): string[] {
    return [...this.#attempts].flatMap(([key, attempts]) => {
      const answered = attempts.filter(({ body }) => body !== null)
      const bodies = new Set(answered.map(({ body }) => body)).size
      const executions = answered.filter(({ isReplay }) => !isReplay).length
      return bodies === 1 && executions <= 1 ? [] : [`the key ${key} has ${bodies} bodies and ${executions} executions`]
    })
  }
}
