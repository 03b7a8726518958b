// An engine fixture: memory log and archive, a loop, a disk and an archive thread that move only when the test moves
// them. What a test does not hold back goes through by itself in `settle`.
import assert from 'node:assert/strict'
import { Engine } from '../../engine/actor/engine.ts'
import type { EnginePorts } from '../../engine/actor/engine-ports.ts'
import type { Outcome, Reply } from '../../engine/actor/envelope.ts'
import type { Archive, DurableLog, LocalLogReader } from '../../engine/actor/ports.ts'
import { snapshotRows } from '../../engine/actor/snapshot.ts'
import type { ActingOperator, EngineApi } from '../../engine/api.ts'
import type { ErrorCode } from '../../engine/contract/errors.ts'
import type { Command } from '../../engine/domain/command.ts'
import type { LogBudgets } from '../../engine/domain/log-budget/log-budget-limits.ts'
import type { NounRegistry } from '../../engine/domain/noun-registry.ts'
import type { LogRecord } from '../../engine/domain/record.ts'
import type { State } from '../../engine/domain/state.ts'
import type { KeptCurrencies } from '../../engine/kernel/currency.ts'
import type { AccountNumber } from '../../engine/ledger/transaction.ts'
import { withQueries } from './engine-with-queries.ts'
import { ManualLoop, WaitingWork } from './manual-loop.ts'
import { MemoryArchive } from './memory-archive.ts'
import { MemoryLog } from './memory-log.ts'
import { plainOutcome } from './plain-outcome.ts'
import { Prng } from './prng.ts'
import { turnUntil } from './turn-until.ts'

export const START_MS = 1_790_000_000_000

/** A command on its way, and what came of it. */
export class Sent implements Reply {
  outcome: Outcome | null = null
  /** Refused at the door: nothing was queued. */
  refusal: ErrorCode | null = null
  readonly #onSettle: (() => void) | null

  constructor(onSettle: (() => void) | null = null) {
    this.#onSettle = onSettle
  }

  settle(outcome: Outcome): void {
    assert.equal(this.outcome, null, 'a reply is settled once')
    this.outcome = plainOutcome(outcome)
    this.#onSettle?.()
  }
}

export interface SendOptions {
  readonly mailbox?: AccountNumber
  readonly key?: string
  readonly scope?: string
  readonly fingerprint?: string
  readonly operator?: ActingOperator
  readonly onSettle?: () => void
}

export interface EngineFixtureParts {
  readonly log?: (soon: (run: () => void) => void) => DurableLog & LocalLogReader
  readonly archive?: (soon: (run: () => void) => void) => Archive
  readonly seed?: number
  readonly logBudgets?: LogBudgets
  readonly registry?: NounRegistry
  readonly currencies?: KeptCurrencies
}

export class EngineFixture {
  readonly loop: ManualLoop
  readonly disk = new WaitingWork()
  readonly archiveThread = new WaitingWork()
  readonly log: DurableLog & LocalLogReader
  archive: Archive
  readonly records: LogRecord[] = []
  readonly fatals: Error[] = []
  readonly #prng: Prng
  #options: Pick<EnginePorts, 'logBudgets' | 'registry' | 'currencies'>
  #engine: (Engine & EngineApi) | null = null

  private constructor(parts: EngineFixtureParts) {
    this.loop = new ManualLoop(START_MS)
    this.log = parts.log?.(this.disk.put) ?? new MemoryLog({ soon: this.disk.put })
    this.archive = parts.archive?.(this.archiveThread.put) ?? new MemoryArchive({ soon: this.archiveThread.put })
    this.#prng = new Prng(parts.seed ?? 1)
    const { logBudgets, registry, currencies } = parts
    this.#options = {
      ...(logBudgets === undefined ? {} : { logBudgets }),
      ...(registry === undefined ? {} : { registry }),
      ...(currencies === undefined ? {} : { currencies }),
    }
  }

  static async open(parts: EngineFixtureParts = {}): Promise<EngineFixture> {
    const fixture = new EngineFixture(parts)
    await fixture.start()
    return fixture
  }

  get engine(): Engine & EngineApi {
    assert.ok(this.#engine !== null, 'the engine runs')
    return this.#engine
  }

  get state(): State {
    return this.engine.state
  }

  /** The power goes: what the disk and the archive had not answered yet is lost, also what they were asked to write. */
  kill(): void {
    this.#engine = null
    this.loop.forgetAll()
    this.disk.forgetAll()
    this.archiveThread.runAll()
    this.loop.forgetAll()
  }

  /** Opens an engine on what log and archive hold now. The one before, if any, is as if killed. */
  async start(): Promise<void> {
    if (this.#engine !== null) this.kill()
    const ports: EnginePorts = {
      log: this.log,
      localLog: this.log,
      archive: this.archive,
      clock: this.loop,
      random: this.#prng,
      scheduler: this.loop,
      onFatal: (error) => this.fatals.push(error),
      onRecord: (record) => this.records.push(record),
      ...this.#options,
    }
    this.#engine = withQueries(await this.#until(Engine.open(ports)))
  }

  /** Another release, with its own nouns, on the same log and archive. */
  async upgrade(registry: NounRegistry): Promise<void> {
    await this.close()
    this.#options = { ...this.#options, registry }
    await this.start()
  }

  /** The same log with an empty archive, as if it had been deleted. */
  async startWithoutArchive(): Promise<void> {
    this.kill()
    this.archive = new MemoryArchive({ soon: this.archiveThread.put })
    await this.start()
  }

  async close(): Promise<void> {
    await this.#until(this.engine.close())
  }

  send(command: Command, options: SendOptions = {}): Sent {
    const { mailbox = mailboxOf(command), key, scope = String(mailbox), fingerprint = JSON.stringify(command) } = options
    const sent = new Sent(options.onSettle ?? null)
    const idempotency = key === undefined ? null : { scope, key, fingerprint }
    const by = options.operator === undefined ? {} : { operator: options.operator }
    sent.refusal = this.engine.submit({ command, mailbox, idempotency, ...by }, sent)
    return sent
  }

  /** Sends, lets everything through, and answers the outcome. */
  do(command: Command, options: SendOptions = {}): Outcome {
    const sent = this.send(command, options)
    assert.equal(sent.refusal, null)
    this.settle()
    assert.ok(sent.outcome !== null, 'the command has its outcome')
    return sent.outcome
  }

  /** Lets everything through that waits now. */
  settle(): void {
    do {
      this.loop.turn()
      this.disk.runAll()
      this.archiveThread.runAll()
    } while (this.loop.soonCount + this.disk.count + this.archiveThread.count > 0)
  }

  rows(): Map<string, string> {
    return stateRows(this.state)
  }

  #until<Value>(promise: Promise<Value>): Promise<Value> {
    return turnUntil(promise, () => {
      this.settle()
      this.loop.advance(1)
    })
  }
}

/** Everything that a snapshot of the state would hold. */
export function stateRows(state: State): Map<string, string> {
  return new Map(Array.from(snapshotRows(state), ({ key, value }): [string, string] => [key, value]).sort())
}

function mailboxOf(command: Command): AccountNumber {
  return command.type === 'CreatePayout' ? command.merchant : 0
}
