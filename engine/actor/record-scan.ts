// Replays a record from its bytes without decoding it: postings and frames are read as numbers, texts are skipped. Only
// for records whose events change no state beyond their postings, as those of payouts. It must read exactly the format
// that record-codec.ts describes; a log is checked by its checksums before.
import { addMerchantEvents, isMerchantEventType } from '../domain/merchant-events.ts'
import type { PackedForm } from '../domain/noun-module.ts'
import type { NounRegistry } from '../domain/noun-registry.ts'
import type { KeySpend } from '../domain/record.ts'
import type { State } from '../domain/state.ts'
import { assert } from '../kernel/assert.ts'
import { EVENTS_PER_RECORD_MAX } from '../kernel/position.ts'
import type { TimeMs } from '../kernel/time.ts'
import type { TransactionType } from '../ledger/transaction.ts'
import { CURRENCY_LENGTH, RecordBytes } from './record-bytes.ts'
import { OTHER_CURRENCY, replayCount, replayFrame, replayPosting } from './turn.ts'

const NUMBERS_PER_POSTING = 5
const NUMBERS_PER_FRAME = 2
const NUMBERS_PER_EVENT = 3
const NEWLINE = 0x0a
const BRACE = 0x7b

export class RecordScan {
  readonly #registry: NounRegistry
  readonly #head = new RecordBytes()
  #timeMs: TimeMs = 0
  #transactions = 0
  /** The event of the record that stands for others. */
  #packed: { readonly index: number; readonly form: PackedForm } | null = null
  /** Where the currency of each transaction stands, and where its postings begin among those of the record. */
  readonly #currencies: number[] = []
  /** Type of each transaction, and where its postings end. */
  readonly #types: TransactionType[] = []
  readonly #postingEnds: number[] = []
  /** The type that was read last: nearly always the next one too. */
  #lastType = ''
  /** Debit, credit, amount and both balances of each posting; account and id of each frame. */
  readonly #postings: number[] = []
  readonly #frames: number[] = []
  #spend: KeySpend | null = null
  /** Index, account and number of the events that a merchant sees. */
  readonly #merchantEvents: number[] = []

  constructor(registry: NounRegistry) {
    this.#registry = registry
  }

  /** Applies the record that begins at `from` and returns its time; null, without any effect, when it must be decoded. */
  replay(state: State, bytes: Buffer, from: number): TimeMs | null {
    if (!this.#read(bytes, from)) return null
    replayCount(state, this.#head.isTest ? 'test' : 'live', this.#transactions)
    const postings = this.#postings
    this.#checkCurrencies(state)
    for (let at = 0, transaction = 0; at < postings.length; at += NUMBERS_PER_POSTING) {
      while (at >= (this.#postingEnds[transaction] as number)) transaction++
      const posting = { debit: postings[at] as number, credit: postings[at + 1] as number, amount: postings[at + 2] as number }
      replayPosting(state, posting, postings[at + 3] as number, postings[at + 4] as number)
      state.rules.counters.count(this.#types[transaction] as TransactionType, posting, this.#timeMs)
    }
    const frames = this.#frames
    assert(frames.length / NUMBERS_PER_FRAME <= EVENTS_PER_RECORD_MAX, 'every frame of a record has a position')
    for (let at = 0; at < frames.length; at += NUMBERS_PER_FRAME) replayFrame(state, frames[at] as number, frames[at + 1] as number)
    if (this.#spend !== null) state.merchants.keyDays.count(this.#spend, postings[0] as number, this.#timeMs)
    const events = this.#merchantEvents
    for (let at = 0; at < events.length; at += NUMBERS_PER_EVENT)
      addMerchantEvents(state.webhooks, events[at + 1] as number, events[at + 2] as number)
    for (let at = 0; at < postings.length; at += NUMBERS_PER_POSTING) state.accounts.assertCovered(postings[at] as number)
    return this.#timeMs
  }

  #checkCurrencies({ accounts }: State): void {
    for (let at = 0; at < this.#currencies.length; at += 2) {
      const debit = this.#postings[this.#currencies[at + 1] as number] as number
      assert(this.#head.isText(this.#currencies[at] as number, accounts.currency(debit)), OTHER_CURRENCY)
    }
  }

  /** Reads the head: `[time,command,test,[transactions],[events],[frames],spend,…`. Returns false for a record that must be decoded. */
  #read(bytes: Buffer, from: number): boolean {
    const head = this.#head
    this.#postings.length = 0
    this.#currencies.length = 0
    this.#types.length = 0
    this.#postingEnds.length = 0
    this.#frames.length = 0
    this.#merchantEvents.length = 0
    this.#packed = null
    this.#timeMs = head.start(bytes, from)
    this.#readTransactions()
    head.at++
    if (!this.#readEvents()) return false
    head.at++
    this.#readFrames()
    head.at++
    this.#readSpend()
    this.#countPacked()
    return true
  }

  /** `[[id,type,currency,reference,event index,[postings]],…]` */
  #readTransactions(): void {
    const head = this.#head
    this.#transactions = 0
    while (head.isInArray()) {
      this.#transactions++
      head.at++
      head.skipId()
      head.at++
      this.#readType()
      this.#currencies.push(head.at + 1, this.#postings.length)
      head.at += 1 + CURRENCY_LENGTH + 1
      head.skipString()
      head.at++
      head.number()
      head.at++
      while (head.isInArray()) this.#postings.push(head.number())
      this.#postingEnds.push(this.#postings.length)
      head.at++
    }
  }

  #readType(): void {
    const head = this.#head
    const from = head.at
    head.skipString()
    if (!head.isText(from, this.#lastType)) this.#lastType = head.bytes.toString('latin1', from + 1, head.at - 1)
    this.#types.push(this.#lastType as TransactionType)
  }

  /** `[type,version,account,…]`. Returns false at an event that is applied. */
  #readEvents(): boolean {
    const head = this.#head
    for (let index = 0; head.isInArray(); index++) {
      const from = head.at + 1
      head.skipString()
      const type = head.bytes.toString('latin1', from, head.at - 1)
      head.at++
      const version = head.number()
      if (!isInert(this.#registry, type, version)) return false
      head.at++
      const account = head.number()
      // An event that an endpoint asked for is applied, so a record that has one is decoded.
      if (isMerchantEventType(type)) this.#merchantEvents.push(index, account, 1)
      const form = this.#registry.packed.get(type)?.[version]
      if (form !== undefined) this.#packed = { index, form }
    }
    return true
  }

  /** Counts the events of a packed one in its line: each event has one behind the head. */
  #countPacked(): void {
    const packed = this.#packed
    if (packed === null) return
    const { bytes, at } = this.#head
    let from = bytes.indexOf(NEWLINE, at) + 1
    for (let index = 0; index < packed.index; index++) from = bytes.indexOf(NEWLINE, from) + 1
    const text = bytes.subarray(from, bytes.indexOf(NEWLINE, from))
    const events = this.#merchantEvents
    for (let place = 0; place < events.length; place += NUMBERS_PER_EVENT) {
      if (events[place] === packed.index) events[place + 2] = packed.form.count(text)
    }
  }

  /** `[account,id,type,event index,…]` */
  #readFrames(): void {
    const head = this.#head
    while (head.isInArray()) {
      this.#frames.push(head.number())
      head.at++
      this.#frames.push(head.number())
      head.at++
      head.skipString()
      head.at++
      head.number()
    }
  }

  /** `{key:amount}` where an API key paid. */
  #readSpend(): void {
    const head = this.#head
    this.#spend = null
    if (head.bytes[head.at] !== BRACE) return
    const from = head.at++ + 2
    head.skipId()
    const keyId = head.bytes.toString('latin1', from, head.at - 1)
    head.at++
    this.#spend = { keyId, amount: head.number() }
  }
}

/** Whether the event, and those that it is packed for, change no state. */
function isInert({ appliers, packed }: NounRegistry, type: string, version: number): boolean {
  if (appliers.get(type)?.[version] !== null) return false
  const form = packed.get(type)?.[version]
  return form === undefined || form.types.every((inner) => appliers.get(inner)?.every((apply) => apply === null) === true)
}
