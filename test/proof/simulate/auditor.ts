// Reads the log from outside: gives each durable record to the models, and compares what clients were answered with it.
import assert from 'node:assert/strict'
import type { Envelope, Outcome } from '../../../engine/actor/envelope.ts'
import type { LocalLogReader } from '../../../engine/actor/ports.ts'
import { decodeBatch, GENESIS_HASH, hashBatch, readHeader } from '../../../engine/actor/record-codec.ts'
import type { OutcomeKind } from '../../../engine/contract/outcome-kind.ts'
import type { Command } from '../../../engine/domain/command.ts'
import type { Past } from '../../../engine/domain/decision.ts'
import { bodyOf } from '../../../engine/domain/documents.ts'
import type { LogRecord } from '../../../engine/domain/record.ts'
import type { Transaction } from '../../../engine/ledger/transaction.ts'
import { pastOf } from '../../support/past-of.ts'
import { isSame } from '../../support/walked-rows.ts'
import type { Decided, Decisions } from './decisions.ts'
import { type Entry, eventsByType } from './entry.ts'
import { mailboxOf } from './mailbox.ts'
import { auditAnswer } from './models/answers.ts'
import { Models } from './models.ts'
import { Judge } from './verdicts.ts'

/** A key keeps these; everything else may be tried again under it. */
const STORED: ReadonlySet<OutcomeKind> = new Set(['ok', 'created', 'accepted', 'insufficient_funds', 'conflict'])
const GOOD: ReadonlySet<OutcomeKind> = new Set(['ok', 'created', 'accepted'])

export interface Request {
  readonly envelope: Envelope
  /** As it arrived. */
  outcome: Outcome | null
  /** The first answer that the key keeps, as it left the engine. */
  left: Outcome | null
  /** An answer that the key keeps and that did not arrive. */
  lost: Outcome | null
}

export function newRequest(envelope: Envelope): Request {
  return { envelope, outcome: null, left: null, lost: null }
}

/** Whether the key of the request stands for this answer from now on. */
export function isKept({ kind }: Outcome): boolean {
  return STORED.has(kind)
}

interface KeyOwner {
  readonly sequence: number
  readonly fingerprint: string
  readonly kind: OutcomeKind
  readonly body: string
}

export class Auditor {
  readonly models = new Models()
  readonly #decisions: Pick<Decisions, 'take'>
  readonly #judge = new Judge(this.models)
  readonly records: LogRecord[] = []
  /** Moves of the state machines, by record. */
  readonly moves: (readonly string[])[] = []
  readonly #past: Pick<Past, 'eventAt'> = pastOf(this.records)
  readonly #issued = new Map<string, Command>()
  readonly #owners = new Map<string, KeyOwner>()
  readonly #ids = new Set<string>()
  readonly #onRecord: (record: LogRecord, code: string | null) => void
  /**
   * By command: its decisions, each with what its account had written on that day before it. A request that arrives twice is decided
   * again where its key keeps no answer, perhaps before the first answer leaves.
   */
  readonly #decided = new WeakMap<Command, { readonly written: number; readonly code: string | null }[]>()
  #hash: string = GENESIS_HASH
  #lastDecided: Decided | null = null

  constructor(decisions: Pick<Decisions, 'take'>, onRecord: (record: LogRecord, code: string | null) => void = () => {}) {
    this.#decisions = decisions
    this.#onRecord = onRecord
  }

  get sequence(): number {
    return this.records.length
  }

  get hash(): string {
    return this.#hash
  }

  /** The client is about to send it. */
  issue({ envelope: { idempotency, command } }: Request): void {
    if (idempotency !== null) this.#issued.set(nameOf(idempotency), command)
  }

  /** Returns the record of the request; 0 for none, or without a key. */
  sequenceOf({ envelope: { idempotency } }: Request): number {
    return idempotency === null ? 0 : (this.#owners.get(ownerOf(idempotency))?.sequence ?? 0)
  }

  /** Reads what is on disk and was not there before. */
  catchUp(log: LocalLogReader): void {
    while (this.sequence < log.durableSequence) {
      const batch = log.batchAt(this.sequence + 1)
      assert.ok(batch !== null)
      const bytes = Buffer.from(batch.bytes)
      const header = readHeader(bytes)
      assert.equal(header.firstSequence, this.sequence + 1, 'batches follow each other')
      assert.equal(header.previousHash, this.#hash, 'the chain holds')
      this.#hash = hashBatch(bytes)
      for (const record of decodeBatch(bytes)) this.#audit(record)
    }
    this.#judgeDecisions(this.sequence + 1)
  }

  /** What leaves the engine at this moment; the log is caught up with. */
  answered(request: Request, outcome: Outcome): void {
    const { left } = request
    const { idempotency } = request.envelope
    this.#auditBudget(request, outcome)
    if (idempotency === null) return
    const owner = this.#owners.get(ownerOf(idempotency))
    if (outcome.kind === 'unprocessable') {
      assert.ok(owner !== undefined && owner.fingerprint !== idempotency.fingerprint, 'the key has another request on disk')
      return
    }
    if (!STORED.has(outcome.kind)) {
      assert.equal(left, null, 'an answer stays as it was')
      return
    }
    assert.ok(owner !== undefined, 'the answer left after its record was on disk')
    assert.equal(owner.fingerprint, idempotency.fingerprint, 'the key has this request')
    assert.deepEqual([outcome.kind, outcome.body], [owner.kind, owner.body], 'the answer is what the log holds')
    if (left !== null) assert.equal(outcome.replayed, true, 'a request is carried out once')
    request.left ??= outcome
  }

  /** What the engine published of a record is what a reader of the log finds. */
  compareLive(record: LogRecord): void {
    const stored = this.records[record.sequence - 1]
    assert.ok(stored !== undefined, 'a record is published after it was on disk')
    if (!isSameRecord(record, stored)) assert.equal(readable(record), readable(stored))
  }

  /** The budget is checked after the decision, so a rejection for it has another code than the decision. */
  #auditBudget({ envelope: { command, mailbox } }: Request, { kind, body }: Outcome): void {
    const decided = this.#decided.get(command)
    if (decided === undefined || kind !== 'rate_limited') return
    const { code } = JSON.parse(body) as { readonly code: string }
    if (decided.some((one) => one.code === code)) return
    assert.equal(code, 'rate_limited', `${command.type} is rejected as it was decided`)
    const written = Math.max(...decided.map((one) => one.written))
    this.models.logBudget.assertOverBudget(mailbox, written, command)
  }

  #audit(record: LogRecord): void {
    const { sequence, timeMs, idempotency, transactions } = record
    const decided = this.#judgeDecisions(sequence)
    assert.equal(sequence, this.sequence + 1)
    assert.ok(timeMs >= (this.records.at(-1)?.timeMs ?? 0), 'time never goes back')
    this.records.push(record)
    const body = idempotency === null ? '' : bodyOf(record, this.#past)
    const isGood = idempotency === null || GOOD.has(idempotency.kind)
    if (idempotency !== null) {
      const name = ownerOf(idempotency)
      assert.equal(this.#owners.has(name), false, 'a key is decided once')
      this.#owners.set(name, { sequence, fingerprint: idempotency.fingerprint, kind: idempotency.kind, body })
    }
    const command = idempotency === null ? null : (this.#issued.get(nameOf(idempotency)) ?? null)
    assert.ok(idempotency === null || command?.type === record.command, 'a client sent what the log holds')
    for (const { id } of transactions) {
      assert.equal(this.#ids.has(id), false, 'an id is given once')
      this.#ids.add(id)
    }
    const code = isGood ? null : String((JSON.parse(body) as { readonly code?: string }).code)
    if (code !== null) assert.equal(transactions.length, 0, 'a refusal moves no money')
    this.#onRecord(record, code)
    try {
      const entry: Entry = { record, events: eventsByType(record), command, decided, code, frames: [], outbox: [] }
      auditAnswer(this.models.accounts, entry, body)
      this.models.audit(entry)
      this.moves.push(this.models.seen.take())
    } catch (error) {
      throw new Error(`record ${sequence}, ${record.command}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
    }
  }

  /** Everything that was decided after the records so far and up to this one. Returns the one of this record. */
  #judgeDecisions(sequence: number): Decided | null {
    let last = this.#lastDecided
    for (const decided of this.#decisions.take(sequence)) {
      const { command, code, timeMs } = decided
      this.#judge.judge(decided)
      const written = this.models.logBudget.writtenOn(mailboxOf(command), timeMs)
      this.#decided.set(command, [...(this.#decided.get(command) ?? []), { written, code }])
      last = decided
    }
    this.#lastDecided = last
    return last?.sequence === sequence ? last : null
  }
}

/** False may be wrong: then the texts decide. */
function isSameRecord(one: LogRecord, other: LogRecord): boolean {
  if (one.sequence !== other.sequence || one.timeMs !== other.timeMs || one.command !== other.command) return false
  if (one.environment !== other.environment || one.events.length !== other.events.length) return false
  for (const [at, { type, version, account, text }] of one.events.entries()) {
    const event = other.events[at]
    if (event?.text !== text || event.type !== type || event.version !== version || event.account !== account) return false
  }
  const { frames } = other
  const isFramed = one.frames.every(({ account, id, type, eventIndex }, at) => {
    const frame = frames[at]
    return frame?.id === id && frame.account === account && frame.type === type && frame.eventIndex === eventIndex
  })
  return isFramed && one.frames.length === frames.length && isSame(transactionsOf(one), other.transactions)
}

/** Everything of a record, packed or not. */
/** A live record holds transactions as they were planned, with more than the log has of them. */
function transactionsOf({ transactions }: Pick<LogRecord, 'transactions'>): readonly Transaction[] {
  return transactions.map(({ id, type, currency, reference, eventIndex, postings }) => ({
    ...{ id, type, currency, reference, eventIndex, postings },
  }))
}

function readable({ sequence, timeMs, command, environment, transactions, events, frames }: LogRecord): string {
  const plain = events.map(({ type, version, account, text }) => [type, version, account, text])
  const numbered = frames.map(({ account, id, type, eventIndex }) => [account, id, type, eventIndex])
  return JSON.stringify([sequence, timeMs, command, environment, transactionsOf({ transactions }), plain, numbered])
}

interface Key {
  readonly scope: string
  readonly key: string
  readonly fingerprint: string
}

function ownerOf({ scope, key }: Key): string {
  return `${scope}\n${key}`
}

function nameOf({ scope, key, fingerprint }: Key): string {
  return `${scope}\n${key}\n${fingerprint}`
}
