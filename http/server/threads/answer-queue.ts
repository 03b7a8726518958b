// Answers that wait for room in the ring of a thread. They leave by the turns of their owners, part by part, so a small answer does not wait
// for large ones of others. Each owner has a share of what may wait; beyond it, its own answers are lost.
import { type Costing, FairTurns } from '../../../engine/kernel/fair-turns.ts'
import { costOfBytes, type WorkOwner } from '../fair-work.ts'
import { ANSWERS_WAITING_OWNER_BYTES_MAX, PART_BYTES } from './thread-limits.ts'

/** An answer that waits. */
export interface WaitingAnswer {
  readonly owner: WorkOwner
  readonly bytes: Uint8Array
  /** False once the client has left. */
  isWanted(): boolean
  /** Sends bytes `from` up to `to` of the answer. Returns false when the ring has no room for them. */
  send(from: number, to: number): boolean
}

interface Piece extends Costing {
  readonly answer: WaitingAnswer
  from: number
}

export class AnswerQueue {
  readonly #turns = new FairTurns<WorkOwner, Piece>()
  readonly #waitingBytes = new Map<WorkOwner, number>()
  /** A piece that found no room. */
  #next: Piece | null = null

  get isEmpty(): boolean {
    return this.#next === null && this.#turns.count === 0
  }

  /** Returns false, and takes nothing, when too much of the same owner waits. */
  add(answer: WaitingAnswer): boolean {
    const { owner, bytes } = answer
    const before = this.#waitingBytes.get(owner) ?? 0
    if (before > 0 && before + bytes.byteLength > ANSWERS_WAITING_OWNER_BYTES_MAX) return false
    this.#waitingBytes.set(owner, before + bytes.byteLength)
    this.#put(answer, 0)
    return true
  }

  /** Sends what the ring has room for. Returns true when nothing waits any more. */
  flush(): boolean {
    for (;;) {
      const piece = this.#next ?? this.#turns.take()
      this.#next = null
      if (piece === null) return true
      const { answer, from } = piece
      const size = answer.bytes.byteLength
      const to = Math.min(size, from + PART_BYTES)
      if (!answer.isWanted()) this.#sent(answer, size - from)
      else if (!answer.send(from, to)) {
        this.#next = piece
        return false
      } else {
        this.#sent(answer, to - from)
        if (to < size) this.#put(answer, to)
      }
    }
  }

  #put(answer: WaitingAnswer, from: number): void {
    const cost = costOfBytes(Math.min(PART_BYTES, answer.bytes.byteLength - from))
    this.#turns.put(answer.owner, { answer, from, cost })
  }

  #sent({ owner }: WaitingAnswer, bytes: number): void {
    const left = (this.#waitingBytes.get(owner) ?? 0) - bytes
    if (left > 0) this.#waitingBytes.set(owner, left)
    else this.#waitingBytes.delete(owner)
  }
}
