// What must hold in a simulated cluster, checked while it runs: one history for all nodes and PostgreSQL, nothing acknowledged lost, no key
// executed twice, one owner per epoch, reads and answers in an order that one machine could give.
import assert from 'node:assert/strict'
import type { Outcome } from '../../../engine/actor/envelope.ts'
import type { LocalLogReader, StoredBatch } from '../../../engine/actor/ports.ts'
import { hashBatch } from '../../../engine/actor/record-codec.ts'
import type { PostgresBatch } from '../../../wal/log/postgres-batches.ts'
import { Auditor } from '../../engine/simulator/auditor.ts'
import type { Request } from '../../engine/simulator/requests.ts'
import type { SimServer } from './sim-server.ts'

export class ClusterAudit {
  readonly auditor = new Auditor()
  readonly #batches: StoredBatch[] = []
  readonly #hashes = new Map<number, string>()
  #through = 0
  readonly #owners = new Map<number, string>()
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

  takeBatch({ firstSequence, recordCount, bytes }: PostgresBatch): void {
    const known = this.#hashes.get(firstSequence)
    const hash = hashBatch(bytes)
    if (known !== undefined) return assert.equal(hash, known, `all nodes have the same batch at sequence ${firstSequence}`)
    assert.equal(firstSequence, this.#through + 1, 'a batch that is new continues the history')
    this.#hashes.set(firstSequence, hash)
    this.#batches.push({ firstSequence, bytes: Uint8Array.from(bytes) })
    this.#through += recordCount
    this.auditor.catchUp(this.log)
    this.#balances.set(
      this.#through,
      this.auditor.books.holders.map(({ balance }) => balance),
    )
  }

  takeOwner(process: string, epoch: number): void {
    const known = this.#owners.get(epoch)
    assert.ok(known === undefined || known === process, `epoch ${epoch} has one owner: ${known} and ${process}`)
    this.#owners.set(epoch, process)
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
    this.auditor.told({ ...request, outcome: null }, outcome)
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
