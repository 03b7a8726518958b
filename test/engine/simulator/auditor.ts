// Watches the log from outside: works every durable record out again in the independent model, and compares what clients
// were answered with it. Finds a reply that left before its record was on disk, a lost or doubled one, a wrong balance.

import assert from 'node:assert/strict'
import type { Outcome } from '../../../engine/actor/envelope.ts'
import type { LocalLogReader } from '../../../engine/actor/ports.ts'
import { decodeBatch, GENESIS_HASH, hashBatch, readHeader } from '../../../engine/actor/record-codec.ts'
import type { OutcomeKind } from '../../../engine/contract/outcome-kind.ts'
import type { Charge } from '../../../engine/domain/charge/charge-state.ts'
import type { Command } from '../../../engine/domain/command.ts'
import type { Past } from '../../../engine/domain/decision.ts'
import { bodyOf } from '../../../engine/domain/documents.ts'
import type { LogRecord } from '../../../engine/domain/record.ts'
import type { State } from '../../../engine/domain/state.ts'
import { outcomeStatus } from '../../support/outcome-status.ts'
import { pastOf } from '../../support/past-of.ts'
import { BillBooks } from './bill-books.ts'
import { billVerdict, payloadField } from './bill-verdict.ts'
import { accepted, Books, type Move, type Verdict } from './books.ts'
import { ChargeBooks } from './charge-books.ts'
import type { Request } from './requests.ts'
import { WebhookBooks } from './webhook-books.ts'

/** A key keeps these; everything else may be tried again under it. */
const STORED: ReadonlySet<OutcomeKind> = new Set(['ok', 'created', 'accepted', 'insufficient_funds', 'conflict'])

export interface AuditedPayout {
  readonly id: string
  readonly merchant: number
  readonly recipient: string
  readonly reference: string
  readonly state: string
  readonly sequence: number
  readonly timeMs: number
}

interface KeyOwner {
  readonly fingerprint: string
  readonly kind: OutcomeKind
  readonly body: string
  readonly sequence: number
}

export class Auditor {
  readonly books = new Books()
  readonly charges = new ChargeBooks(this.books)
  readonly bills = new BillBooks(this.books)
  readonly webhooks = new WebhookBooks()
  readonly payouts: AuditedPayout[] = []
  readonly records: LogRecord[] = []
  readonly #past = pastOf(this.records)
  readonly #issued = new Map<string, Command>()
  readonly #owners = new Map<string, KeyOwner>()
  readonly #ids = new Set<string>()
  #hash: string = GENESIS_HASH

  get sequence(): number {
    return this.records.length
  }

  get hash(): string {
    return this.#hash
  }

  /** The client is about to send it. */
  issue({ envelope }: Request): void {
    const { idempotency, command } = envelope
    if (idempotency !== null) this.#issued.set(nameOf(idempotency), command)
  }

  /** Reads what is on disk and was not there before. */
  catchUp(log: LocalLogReader): void {
    while (this.sequence < log.durableSequence) {
      const batch = log.batchAt(this.sequence + 1)
      assert.ok(batch !== null)
      const bytes = Buffer.from(batch.bytes)
      assert.equal(readHeader(bytes).firstSequence, this.sequence + 1, 'batches follow each other')
      assert.equal(readHeader(bytes).previousHash, this.#hash, 'the chain holds')
      this.#hash = hashBatch(bytes)
      for (const record of decodeBatch(bytes)) this.#audit(record)
    }
  }

  /** What the client was answered at this moment; the log is caught up with. */
  told({ envelope, outcome: before }: Request, outcome: Outcome): void {
    const { idempotency } = envelope
    if (idempotency === null) return
    const owner = this.#owners.get(`${idempotency.scope}\n${idempotency.key}`)
    if (outcome.kind === 'unprocessable') {
      assert.ok(owner !== undefined && owner.fingerprint !== idempotency.fingerprint, 'the key has another request on disk')
      return
    }
    if (!STORED.has(outcome.kind)) {
      assert.ok(['invalid', 'forbidden', 'not_found'].includes(outcome.kind), `${outcome.kind} is nothing that these commands answer`)
      assert.ok(before === null || !STORED.has(before.kind), 'an answer stays as it was')
      return
    }
    assert.ok(owner !== undefined, 'the answer left after its record was on disk')
    assert.equal(owner.fingerprint, idempotency.fingerprint, 'the key has this request')
    assert.deepEqual([outcome.kind, outcome.body], [owner.kind, owner.body], 'the answer is what the log holds')
    if (before === null || !STORED.has(before.kind)) return
    assert.deepEqual(outcome, { kind: before.kind, body: before.body, replayed: true }, 'a replay is the same byte for byte')
  }

  /** The state with every durable record applied and no other. */
  compare(state: State): void {
    const { holders, transactions } = this.books
    assert.equal(state.accounts.count, holders.length)
    assert.deepEqual(state.transactionCounts, transactions)
    holders.forEach(({ kind, environment, balance, frames }, account) => {
      const { accounts } = state
      const found = [accounts.kind(account), accounts.environment(account), accounts.balance(account), state.frames.last(account)]
      assert.deepEqual(found, [kind, environment, balance, frames], `account ${account}`)
    })
  }

  #audit(record: LogRecord): void {
    assert.equal(record.sequence, this.sequence + 1)
    assert.ok(record.timeMs >= (this.records.at(-1)?.timeMs ?? 0), 'time never goes back')
    this.records.push(record)
    this.#claimKey(record)
    const command = this.#commandOf(record)
    const verdict = this.#verdict(record, command)
    const status = record.idempotency === null ? verdict.status : outcomeStatus(record.idempotency)
    assert.equal(status, verdict.status, `${record.command} at ${record.sequence}: ${verdict.code ?? 'accepted'}`)
    this.#auditMoney(record, verdict)
    const isPaid = command.type === 'PayCharge' && verdict.status === 200
    this.webhooks.audit(record, isPaid ? this.charges.webhookUrls(command.token) : [])
    this.#auditFrames(record, verdict)
    this.#auditPayouts(record, verdict)
  }

  #claimKey(record: LogRecord): void {
    const { idempotency } = record
    if (idempotency === null) return
    const name = `${idempotency.scope}\n${idempotency.key}`
    assert.equal(this.#owners.has(name), false, 'a key is decided once')
    const { fingerprint, kind } = idempotency
    this.#owners.set(name, { fingerprint, kind, body: bodyOf(record, this.#past), sequence: record.sequence })
  }

  #claimId(id: string): void {
    assert.equal(this.#ids.has(id), false, 'an id is given once')
    this.#ids.add(id)
  }

  #commandOf(record: LogRecord): Command {
    const command = record.idempotency === null ? commandOf(record) : this.#issued.get(nameOf(record.idempotency))
    assert.ok(command !== undefined, 'a client sent what the log holds')
    assert.equal(record.command, command.type)
    return command
  }

  #verdict(record: LogRecord, command: Command): Verdict {
    switch (command.type) {
      case 'CreateMerchant':
        return this.books.openMerchant(payloadField(record, 'id'))
      case 'CreateTestWallet':
        return this.books.openWallet('test', command.tag, record.events.length === 0 ? null : payloadField(record, 'phone'))
      case 'CreateWallet':
        return this.books.openWallet('live', command.tag, command.phone)
      case 'Deposit':
      case 'Withdraw':
        return this.#funding(command)
      case 'CreatePayout':
        return this.books.payouts(command.merchant, [{ ...command, fault: null }])
      case 'CreateBatch':
        return this.books.payouts(command.merchant, command.lines)
      case 'CreateTransfer':
        return this.books.transfer(command.sender, command.recipient, command.amount)
      case 'CreateCharge':
        return this.charges.create(command, record.timeMs)
      case 'PayCharge':
        return this.charges.pay(command.token, command.payer, record.timeMs)
      case 'CancelCharge':
        return this.charges.cancel(command.token, record.timeMs)
      case 'RefundCharge':
        return this.charges.refund(command.token)
      case 'ExpireCharge':
        return this.charges.expire(command.token, record.timeMs)
      case 'RecordDeliveries':
        return accepted(200)
      default:
        return billVerdict(this, record, command)
    }
  }

  #funding({ type, target, environment, amount }: Extract<Command, { type: 'Deposit' | 'Withdraw' }>): Verdict {
    const account =
      'tag' in target ? this.books.walletOf(environment, target.tag) : this.books.merchants.get(target.merchantId)?.[environment]
    assert.ok(account !== undefined, 'money went to or from an account that exists')
    return type === 'Deposit' ? this.books.deposit(account, amount) : this.books.withdraw(account, amount)
  }

  #auditMoney(record: LogRecord, { moves }: Verdict): void {
    const posted = record.transactions.flatMap(({ postings }) =>
      postings.map(({ debit, credit, amount, debitBalance, creditBalance }): Move => [debit, credit, amount, debitBalance, creditBalance]),
    )
    assert.deepEqual(posted, moves, 'the money moved as the model says')
    for (const { id } of record.transactions) {
      this.#claimId(id)
      this.books.transactions[record.environment]++
    }
  }

  #auditFrames(record: LogRecord, { frames }: Verdict): void {
    const expected = frames.map((account) => `${account}:${++this.books.holder(account).frames}`)
    const found = record.frames.map(({ account, id }) => `${account}:${id}`)
    assert.deepEqual(found, expected, 'streams have the frames that the model says')
  }

  #auditPayouts(record: LogRecord, verdict: Verdict): void {
    const payouts = record.events.filter(({ type }) => type.startsWith('payout.'))
    const codes: (string | null)[] = []
    for (const { text, account } of payouts) {
      const { id, recipient, reference, state, failure_code } = JSON.parse(text) as StoredPayout
      codes.push(failure_code ?? null)
      this.#claimId(id)
      this.payouts.push({ id, merchant: account, recipient, reference, state, sequence: record.sequence, timeMs: record.timeMs })
    }
    assert.deepEqual(codes, verdict.payouts, 'payouts end as the model says')
  }

  /** What the engine published of a record when it was durable is what a reader of the log finds. */
  compareLive(record: LogRecord): void {
    assert.equal(readable(record, this.#past), readable(this.records[record.sequence - 1], this.#past))
  }
}

/** Everything of a record, packed or not. */
function readable(record: LogRecord | undefined, past: Pick<Past, 'eventAt'>): string {
  assert.ok(record !== undefined)
  const events = record.events.map(({ type, version, account, text }) => ({ type, version, account, text }))
  const { sequence, timeMs, command, environment, transactions, frames, idempotency } = record
  const plainFrames = frames.map(({ account, id, type, eventIndex }) => ({ account, id, type, eventIndex }))
  return JSON.stringify({
    sequence,
    timeMs,
    command,
    environment,
    transactions,
    events,
    frames: plainFrames,
    idempotency,
    body: bodyOf(record, past),
  })
}

interface StoredPayout {
  readonly id: string
  readonly recipient: string
  readonly reference: string
  readonly state: string
  readonly failure_code?: string
}

/** Requests without a key leave no trace of the client: their command is read from what they made. */
function commandOf(record: LogRecord): Command | undefined {
  if (record.command === 'CreateMerchant') return { type: 'CreateMerchant', name: '', email: '', currency: 'XOF' }
  if (record.command === 'ExpireCharge')
    return { type: 'ExpireCharge', merchant: record.events[0]?.account ?? -1, token: payloadField(record, 'token') }
  if (record.command === 'CreateCharge') return createdCharge(record)
  if (record.command === 'RecordDeliveries') return { type: 'RecordDeliveries', environment: record.environment, results: [] }
  const tag = payloadField(record, 'tag')
  if (record.command === 'CreateTestWallet') return { type: 'CreateTestWallet', tag }
  if (record.command !== 'CreateWallet') return undefined
  return { type: 'CreateWallet', tag, phone: payloadField(record, 'phone'), familyName: '', givenName: '' }
}

function createdCharge(record: LogRecord): Command {
  const { token, amount, customer_tag, webhook_url } = JSON.parse(record.events[0]?.text ?? '{}') as Charge
  const texts = { reference: '', description: '', checkoutUrl: '', redirectUrl: '', webhookUrl: webhook_url, metadata: {} }
  return { type: 'CreateCharge', merchant: record.events[0]?.account ?? -1, token, amount, customerTag: customer_tag, ...texts }
}

function nameOf({ scope, key, fingerprint }: { readonly scope: string; readonly key: string; readonly fingerprint: string }): string {
  return [scope, key, fingerprint].join('\n')
}
