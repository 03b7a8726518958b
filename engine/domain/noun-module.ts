// What a noun is to the engine. Each engine/domain/<noun>/index.ts exports one NounModule; registry.ts is the list of them.
import type { ErrorCode } from '../contract/errors.ts'
import type { RejectionKind } from '../contract/outcome-kind.ts'
import type { Environment } from '../kernel/environment.ts'
import type { Quota } from '../kernel/quota.ts'
import type { SnapshotTables } from '../kernel/table.ts'
import type { TimeMs } from '../kernel/time.ts'
import type { DueTimer } from '../kernel/timer-queue.ts'
import type { AccountNumber, Transaction, TransactionType } from '../ledger/transaction.ts'
import type { Context, Decision, Past } from './decision.ts'
import type { LogRecord, StoredEvent } from './record.ts'
import type { SharedState, State } from './state.ts'
import type { FrameType } from './stream/stream-state.ts'

export interface NounModule {
  /** Null for a noun whose records in the log are all there is. */
  readonly state: NounState | null
  /** One for each table of the noun that callers fill. */
  readonly quotas: readonly Quota[]
  /** By the name of the command, which is its `type`. */
  readonly commands: Readonly<Record<string, CommandDefinition>>
  readonly events: EventTable
  /** What the noun does with events of other nouns, as `type@version`, after their own appliers. */
  readonly follows?: Readonly<Record<string, Evolve>>
  /** Index keys of the noun by name. The numbers are in archives: add, never change, never reuse. */
  readonly indexKeys: Readonly<Record<string, number>>
  /** By type of event: under which index keys it is found. */
  readonly indexed: Readonly<Record<string, IndexEvent>>
  /** By kind of timer: the command that it becomes when it is due. */
  readonly timers: Readonly<Record<string, TimerCommand>>
  readonly frames: readonly FrameType[]
  readonly transactionTypes: readonly TransactionType[]
  /** Old versions of events, as `type@version`, and how their payload becomes that of the next version. */
  readonly upcasters?: Readonly<Record<string, Upcast>>
  /** Events whose text is not the document that they stand for, as `type@version`. */
  readonly documents?: Readonly<Record<string, ReadDocument>>
  /** Events that the log keeps shorter than they read, as `type@version`. */
  readonly packed?: Readonly<Record<string, PackedForm>>
}

/** The noun's part of live state. `name` is its member of `State`. */
export interface NounState {
  readonly name: string
  readonly create: (shared: SharedState) => SnapshotTables
}

export interface CommandDefinition {
  readonly decide: (state: State, command: never, context: Context) => Decision
  /** Every rejection that the decider can make: routes take their documented errors from here. */
  readonly rejections: readonly ErrorCode[]
  /** Kinds of its rejections that differ from the catalogue's. */
  readonly kinds?: Readonly<Partial<Record<ErrorCode, RejectionKind>>>
  readonly overBudget: OverBudget | ((command: never) => OverBudget)
  /** What its turn costs, in lines of a payout batch; absent: one. Accounts share the turns by it. */
  readonly lines?: (command: never, state: State) => number
}

/**
 * What becomes of a command whose account has written too much today. `rejected`. `rejected_unchanged`: rejected only when it
 * changes nothing, because it ends or protects something (a repeated cancellation is a record all the same, under a new key).
 * `counted`: not rejected: timers, results that must be kept, and what has a limit of its own.
 */
export type OverBudget = 'rejected' | 'rejected_unchanged' | 'counted'

/** Changes the state as the event says. Must not decide, fail or look at anything but its arguments. */
export type Evolve = (state: State, payload: never, event: StoredEvent, record: LogRecord) => void

/** As `type@version`. Null: the event changes no state beyond the postings of its record; its payload is not even parsed. */
export type EventTable = Readonly<Record<string, Evolve | null>>

/** Receives each index key of a record and the index of the event that it leads to. */
export interface IndexEntries {
  addEntry(kind: number, owner: number, value: string, eventIndex: number): void
  /** The same for an id that the record's turn made: it needs an entry only where its time does not find the record. */
  addId(kind: number, id: string, eventIndex: number): void
}

export type IndexEvent = (event: StoredEvent, index: number, entries: IndexEntries) => void

export type TimerCommand = (state: State, timer: DueTimer) => TimedCommand

export interface TimedCommand<Command extends { readonly type: string } = { readonly type: string }> {
  readonly command: Command
  readonly mailbox: AccountNumber
  /** What its turn costs, in lines of a payout batch; absent: nothing beside the turn. */
  readonly linesCount?: number
  /** True: while others pay, it waits for its place among the long turns (engine/actor/long-turns.ts). False where its noun has a pace. */
  readonly isPaced?: boolean
}

/** The payload of one version as the next version has it. Pure, and without anything but the payload. */
export type Upcast = (payload: never) => object

/** JSON text of the document as the event leaves it. */
export type ReadDocument = (event: StoredEvent, past: Pick<Past, 'eventAt'>) => string

/** A released form never changes: the next one gets a version of its own. */
export interface PackedForm {
  /** Types of the events that it stands for. */
  readonly types: readonly string[]
  /** Number of events that the text, given as its bytes, stands for. */
  readonly count: (bytes: Buffer) => number
  /** One packed event may stand for many. */
  readonly unpack: (text: string, context: PackedContext) => StoredEvent[]
  /** One of them without the others; null where the text, given as its bytes, has no such event. */
  readonly unpackOne: (bytes: Buffer, eventIndex: number, context: PackedOneContext) => StoredEvent | null
}

/** What of a record the short form leaves to the rest of it. */
export interface PackedContext {
  readonly account: AccountNumber
  readonly environment: Environment
  readonly timeMs: TimeMs
  readonly transactions: readonly Transaction[]
}

export interface PackedOneContext extends Omit<PackedContext, 'transactions'> {
  /** The transaction of the event; null where it has none. */
  transactionOf(eventIndex: number): Transaction | null
}
