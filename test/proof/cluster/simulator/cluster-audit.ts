// What must hold in a simulated cluster, checked while it runs: one history for all nodes and PostgreSQL, nothing acknowledged lost, no key
// executed twice, one owner per epoch, reads and answers in an order that one machine could give.
import assert from 'node:assert/strict'
import type { Engine } from '../../../../engine/actor/engine.ts'
import type { Outcome } from '../../../../engine/actor/envelope.ts'
import type { LocalLogReader, StoredBatch } from '../../../../engine/actor/ports.ts'
import { hashBatch } from '../../../../engine/actor/record-codec.ts'
import type { Command } from '../../../../engine/domain/command.ts'
import { eventIndexOf, type Position, sequenceOf } from '../../../../engine/kernel/position.ts'
import type { PostgresBatch } from '../../../../wal/log/postgres-batches.ts'
import { Auditor, type Request } from '../../simulate/auditor.ts'
import type { Decisions } from '../../simulate/decisions.ts'
import type { SimServer } from './sim-server.ts'

/** Fields of commands that hold the number of an account. */
const ACCOUNTS = ['merchant', 'sender', 'payer', 'customer', 'by', 'account'] as const

export class ClusterAudit {
  /** Judges what the owner of each batch decided before it. What a process without the ownership decides is void. */
  readonly auditor = new Auditor({ take: (sequence) => this.#deciding?.take(sequence) ?? [] })
  readonly #batches: StoredBatch[] = []
  readonly #hashes = new Map<number, string>()
  #through = 0
  readonly #owners = new Map<number, { readonly process: string; readonly decisions: Decisions }>()
  #deciding: Decisions | null = null
  readonly #balances = new Map<number, readonly number[]>()
  /** Last sequence that an answer has shown to a client. Each operation that begins later must show as much. */
  #shown = 0

  /** The history: each batch that some node took for acknowledged. */
  readonly log: LocalLogReader

  constructor() {
    const through = (): number => this.#through
    this.log = {
      get durableSequence() {
        return through()
      },
      batchAt: (sequence) => this.#batches.find(({ firstSequence }) => firstSequence === sequence) ?? null,
    }
  }

  get shown(): number {
    return this.#shown
  }

  get epochs(): number {
    return this.#owners.size
  }

  takeBatch({ firstSequence, recordCount, epoch, bytes }: PostgresBatch): void {
    const known = this.#hashes.get(firstSequence)
    const hash = hashBatch(bytes)
    if (known !== undefined) return assert.equal(hash, known, `all nodes have the same batch at sequence ${firstSequence}`)
    assert.equal(firstSequence, this.#through + 1, 'a batch that is new continues the history')
    this.#hashes.set(firstSequence, hash)
    this.#batches.push({ firstSequence, bytes: Uint8Array.from(bytes) })
    this.#through += recordCount
    this.#deciding = this.#owners.get(epoch)?.decisions ?? null
    this.auditor.catchUp(this.log)
    this.#balances.set(
      this.#through,
      this.auditor.models.accounts.accounts.map(({ balance }) => balance),
    )
  }

  takeOwner(process: string, epoch: number, decisions: Decisions): void {
    const known = this.#owners.get(epoch)?.process
    assert.ok(known === undefined || known === process, `epoch ${epoch} has one owner: ${known} and ${process}`)
    this.#owners.set(epoch, { process, decisions })
  }

  /** An answer reached its client. `since` is `shown` when its request began. */
  takeAnswer(since: number, sequence: number, what: string): void {
    assert.ok(sequence >= since, `${what} shows sequence ${sequence}, an earlier answer showed ${since}`)
    this.#shown = Math.max(this.#shown, sequence)
  }

  /** What a read has seen. Balances in the middle of a batch are not compared. */
  takeBalances(sequence: number, balances: readonly number[]): void {
    const expected = this.#balances.get(sequence)
    if (expected !== undefined) assert.deepEqual(balances, expected, `balances at sequence ${sequence}`)
  }

  /** Answers to the same request may overtake each other, so each is compared with the log, not with the one before. */
  takeOutcome(request: Request, outcome: Outcome): void {
    this.auditor.answered({ ...request, left: null }, outcome)
  }

  /**
   * Whether the accounts and positions of the command mean to the engine what they mean in the history. An engine that lost the
   * ownership may lack them, or have other records at their place.
   */
  isKnownTo(engine: Engine, command: Command): boolean {
    const fields = command as unknown as Readonly<Record<string, unknown>>
    const numbers = ACCOUNTS.map((name) => fields[name]).filter((value) => typeof value === 'number')
    const { position } = fields
    return (
      numbers.every((account) => this.#isSameAccount(engine, account)) &&
      (typeof position !== 'number' || this.#isSameEvent(engine, position))
    )
  }

  #isSameAccount({ state }: Engine, account: number): boolean {
    const { accounts } = this.auditor.models
    if (account >= state.accounts.count || state.accounts.kind(account) !== accounts.account(account).kind) return false
    const wallet = accounts.walletAt(account)
    if (wallet !== undefined) return state.wallets.byAccount(account)?.tag === wallet.tag
    return state.accounts.kind(account) !== 'merchant' || state.merchants.byAccount(account)?.id === accounts.merchantAt(account).id
  }

  #isSameEvent({ lastSequence, history }: Engine, position: Position): boolean {
    const sequence = sequenceOf(position)
    const index = eventIndexOf(position)
    const expected = this.auditor.records[sequence - 1]?.events[index]
    return sequence <= lastSequence && history.record(sequence).events[index]?.text === expected?.text
  }

  /** The server, which takes writes now, has all that was shown. */
  checkServer(server: SimServer): void {
    const rows = server.tables.get('log')
    for (const [sequence, hash] of this.#hashes) {
      const row = rows?.get(String(sequence))
      assert.ok(row !== undefined, `the batch at sequence ${sequence} is lost with the primary, although it was shown`)
      assert.equal(hashBatch(row.batch as Uint8Array), hash)
    }
  }
}
