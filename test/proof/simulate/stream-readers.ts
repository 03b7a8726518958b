// Readers of wallets' streams. A connected one gets the frames of each durable record; one that comes back reads the frames after the last
// one that it has, as from `Last-Event-ID`. Each must see every frame once, in order, with the same text each time.
import assert from 'node:assert/strict'
import type { LogRecord } from '../../../engine/domain/record.ts'
import { frameSlice, frameTexts } from '../../../engine/query/frame-queries.ts'
import type { Reads } from '../../../engine/query/reads.ts'
import type { Prng } from '../../support/prng.ts'

interface Reader {
  /** Id of the last frame that it got. */
  last: number
  isConnected: boolean
}

const RECORDS_PER_SLICE_MAX = 12

export class StreamReaders {
  readonly #readers = new Map<number, Reader>()
  /** Texts of all frames, by account, from the first. */
  readonly #texts = new Map<number, string[]>()
  returns = 0

  /** The engine publishes a record that is on disk. */
  publish(reads: Reads, record: LogRecord): void {
    for (const frame of record.frames) {
      const { account, id } = frame
      const [text = ''] = frameTexts(reads, { record, frames: [frame] })
      this.#keep(account, id, text)
      const reader = this.#readers.get(account)
      if (reader === undefined) this.#readers.set(account, { last: id, isConnected: true })
      else if (reader.isConnected) this.#see(reader, account, id)
    }
  }

  /** All connections end with the process, some of them without its last frames. */
  disconnect(prng: Prng): void {
    for (const reader of this.#readers.values()) {
      reader.isConnected = false
      reader.last = Math.max(0, reader.last - (prng.chance(0.3) ? prng.below(4) : 0))
    }
  }

  /** Some readers come back. */
  connect(reads: Reads, prng: Prng, share: number): void {
    for (const [account, reader] of this.#readers) {
      if (reader.isConnected || !prng.chance(share)) continue
      this.returns++
      const missed: { readonly id: number; readonly text: string }[] = []
      const recordsMax = 1 + prng.below(RECORDS_PER_SLICE_MAX)
      let belowId: number | null = null
      for (let below: Parameters<typeof frameSlice>[1]['below'] = null, isFirst = true; isFirst || below !== null; isFirst = false) {
        const { frames, next } = frameSlice(reads, { account, afterId: reader.last, belowId, below, recordsMax })
        missed.push(...frames)
        belowId = missed.at(-1)?.id ?? belowId
        below = next
      }
      for (const { id, text } of missed.reverse()) {
        this.#see(reader, account, id)
        this.#keep(account, id, text)
      }
      reader.isConnected = true
    }
  }

  /** At rest: a connected reader has every frame. `newest`: the last id by account, from the model. */
  compare(newest: (account: number) => number): void {
    for (const [account, { last, isConnected }] of this.#readers) {
      if (isConnected) assert.equal(last, newest(account), `a reader of account ${account} has every frame`)
    }
  }

  #see(reader: Reader, account: number, id: number): void {
    assert.equal(id, reader.last + 1, `a reader of account ${account} gets each frame once`)
    reader.last = id
  }

  #keep(account: number, id: number, text: string): void {
    const texts = this.#texts.get(account) ?? []
    this.#texts.set(account, texts)
    if (texts[id - 1] === undefined) texts[id - 1] = text
    else assert.equal(text, texts[id - 1], `frame ${id} of account ${account} reads the same each time`)
  }
}
