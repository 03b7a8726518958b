// Which amounts a merchant has paid to which recipients within the last 72 hours, for a warning on batches. A table of two sizes
// beside live state: derived from records, never stored, and read by batches alone. An index look-up a line would read the archive and
// the log within the turn. Here a payout costs one write, and a line one read of memory.
import type { Amount } from '../../kernel/amount.ts'
import type { TimeMs } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import type { LogRecord, StoredEvent } from '../record.ts'
import type { PaidAmount } from './paid-amount.ts'
import { recipientOf } from './payout-index-keys.ts'

export const RECENTLY_PAID_MS = 72 * 3_600_000

/** Newest payouts of a merchant that are read from the log at its first batch after a start. */
export const RECENT_PAYOUTS_READ_MAX = 500

/** A million payouts in 16 MiB. Beyond it the oldest of a bucket gives way, and its warning is missing. */
const SLOTS = 2 ** 20
/** Slots until one of their buckets is full, after some hundred payouts: to zero 16 MiB takes longer than the rest of an engine's start. */
const FIRST_SLOTS = 2 ** 12
/** Slots of a bucket: a payout may stand in each of them. */
const WAYS = 4
/** Merchants whose payouts before the start were read. Forgotten together, they are read again. */
const MERCHANTS_KNOWN_MAX = 100_000

export class RecentPayouts {
  #marks = new Float64Array(FIRST_SLOTS)
  #times = new Float64Array(FIRST_SLOTS)
  readonly #known = new Set<AccountNumber>()
  /** Of the payout that was marked last. */
  #bucket = 0
  #mark = 0

  /** Adds the payouts of a record. */
  addRecord({ transactions, events, timeMs }: LogRecord): void {
    for (let at = 0; at < transactions.length; at++) {
      const transaction = transactions[at] as LogRecord['transactions'][number]
      if (transaction.type !== 'payout') continue
      const event = events[transaction.eventIndex] as StoredEvent
      const amount = transaction.postings[0]?.amount ?? 0
      this.#add(event.account, recipientOf(event), amount, timeMs)
    }
  }

  add({ merchant, recipient, amount }: PaidAmount, timeMs: TimeMs): void {
    this.#add(merchant, recipient, amount, timeMs)
  }

  /** Each payout of a turn comes here: without an object. */
  #add(merchant: AccountNumber, recipient: string, amount: Amount, timeMs: TimeMs): void {
    this.#find(merchant, recipient, amount)
    const first = this.#bucket * WAYS
    let oldest = first
    for (let slot = first; slot < first + WAYS; slot++) {
      if (this.#marks[slot] === this.#mark) {
        this.#times[slot] = Math.max(this.#times[slot] as TimeMs, timeMs)
        return
      }
      if ((this.#times[slot] as TimeMs) < (this.#times[oldest] as TimeMs)) oldest = slot
    }
    if (this.#marks[oldest] !== 0 && this.#marks.length < SLOTS) {
      this.#grow()
      this.#add(merchant, recipient, amount, timeMs)
      return
    }
    this.#marks[oldest] = this.#mark
    this.#times[oldest] = timeMs
  }

  #grow(): void {
    const [marks, times] = [this.#marks, this.#times]
    this.#marks = new Float64Array(SLOTS)
    this.#times = new Float64Array(SLOTS)
    for (let at = 0; at < marks.length; at++) {
      const mark = marks[at] as number
      if (mark === 0) continue
      let slot = ((mark - 1) % (SLOTS / WAYS)) * WAYS
      while (this.#marks[slot] !== 0) slot++
      this.#marks[slot] = mark
      this.#times[slot] = times[at] as TimeMs
    }
  }

  has({ merchant, recipient, amount }: PaidAmount, sinceMs: TimeMs): boolean {
    this.#find(merchant, recipient, amount)
    const first = this.#bucket * WAYS
    for (let slot = first; slot < first + WAYS; slot++) {
      if (this.#marks[slot] === this.#mark) return (this.#times[slot] as TimeMs) >= sinceMs
    }
    return false
  }

  /** Returns true once for a merchant: its payouts before the start are not in the table yet. */
  isNew(merchant: AccountNumber): boolean {
    if (this.#known.has(merchant)) return false
    if (this.#known.size >= MERCHANTS_KNOWN_MAX) this.#known.clear()
    this.#known.add(merchant)
    return true
  }

  /** Computes the mark, 52 bits of two hashes (FNV's step, then MurmurHash3's last steps), and the bucket, its last bits. */
  #find(merchant: AccountNumber, recipient: string, amount: Amount): void {
    let one = mixed(0x9747b28c, merchant)
    let other = mixed(0x3c6ef372, merchant)
    one = mixed(one, amount | 0)
    other = mixed(other, Math.floor(amount / 2 ** 32) ^ amount)
    for (let at = 0; at < recipient.length; at++) {
      const unit = recipient.charCodeAt(at)
      one = Math.imul(one ^ unit, 0x01000193)
      other = Math.imul(other ^ unit, 0x85ebca6b)
    }
    one = finished(one)
    other = finished(other)
    this.#bucket = (one >>> 12) & (this.#marks.length / WAYS - 1)
    this.#mark = (other >>> 0) * 2 ** 20 + (one >>> 12) + 1
  }
}

function mixed(hash: number, word: number): number {
  const scrambled = Math.imul(Math.imul(word, 0xcc9e2d51), 0x1b873593)
  const next = hash ^ scrambled
  return (Math.imul((next << 13) | (next >>> 19), 5) + 0xe6546b64) | 0
}

function finished(hash: number): number {
  const one = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  const two = Math.imul(one ^ (one >>> 13), 0xc2b2ae35)
  return two ^ (two >>> 16)
}
