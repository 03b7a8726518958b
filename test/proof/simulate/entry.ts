// What the models of the nouns see of each durable record, and what the clients are drawn from.
import assert from 'node:assert/strict'
import type { ErrorCode } from '../../../engine/contract/errors.ts'
import type { Command, CommandType } from '../../../engine/domain/command.ts'
import { type LogRecord, payloadOf, type StoredEvent } from '../../../engine/domain/record.ts'
import type { State } from '../../../engine/domain/state.ts'
import type { Prng } from '../../support/prng.ts'
import type { Decided } from './decisions.ts'
import type { Moves } from './moves.ts'

export interface Entry {
  readonly record: LogRecord
  /** Its events by type: the models ask for more than a hundred types, and most records have two or three events. */
  readonly events: ReadonlyMap<string, readonly PlacedEvent[]>
  /** What the client sent; null for timers, results of gateways, and requests without a key. */
  readonly command: Command | null
  /** The decision that made the record. */
  readonly decided: Decided | null
  /** Code of a stored rejection. */
  readonly code: string | null
  /** Frames that the models expect, as `account:type`. Each model adds its own. */
  readonly frames: string[]
  /** Merchant events that the models expect, as `account:type`. */
  readonly outbox: string[]
}

/** The naive model of one noun: plain maps, none of the engine's code. */
export interface NounModel {
  /** Throws where the record does what the model forbids. Called before the money of the record is moved in the model. */
  audit(entry: Entry): void
  /** Compares with live state at rest. */
  compare(state: State): void
}

/** Code by which the command must be rejected; null: it must be accepted. */
export type Verdict = (command: never, decided: Decided) => ErrorCode | null

export type Verdicts = {
  readonly [Type in CommandType]?: (command: Extract<Command, { readonly type: Type }>, decided: Decided) => ErrorCode | null
}

/** What a request is drawn from. */
export interface Drawing {
  readonly prng: Prng
  readonly nowMs: number
  /** A name that no other request has. */
  name(prefix: string): string
}

/** Null where the world lacks what the command needs. */
export type Draw = (drawing: Drawing) => Command | null

/** The code of the first row that holds; null where none does. */
export function firstCode(rows: readonly (readonly [holds: boolean, code: ErrorCode])[]): ErrorCode | null {
  return rows.find(([holds]) => holds)?.[1] ?? null
}

export class PlacedEvent {
  readonly event: StoredEvent

  constructor(event: StoredEvent) {
    this.event = event
  }

  get payload(): object {
    return payloadOf(this.event)
  }
}

interface TypedEvent<Payload> {
  readonly event: StoredEvent
  readonly payload: Payload
}

const NO_EVENTS: readonly never[] = []

export function eventsOf<Payload extends object>({ events }: Entry, type: string): readonly TypedEvent<Payload>[] {
  return (events.get(type) as readonly TypedEvent<Payload>[] | undefined) ?? NO_EVENTS
}

export function eventsByType({ events }: LogRecord): ReadonlyMap<string, readonly PlacedEvent[]> {
  const groups = new Map<string, PlacedEvent[]>()
  for (const event of events) {
    const group = groups.get(event.type)
    if (group === undefined) groups.set(event.type, [new PlacedEvent(event)])
    else group.push(new PlacedEvent(event))
  }
  return groups
}

/** The command of the type, where it is known. */
export function sent<Type extends Command['type']>({ command }: Entry, type: Type): Extract<Command, { readonly type: Type }> | null {
  return command?.type === type ? (command as Extract<Command, { readonly type: Type }>) : null
}

/** A state machine: from which states each move is allowed. */
export class Machine<Name extends string> {
  readonly #name: string
  readonly #moves: Readonly<Record<string, readonly Name[]>>
  readonly #seen: Moves

  constructor(name: string, moves: Readonly<Record<string, readonly Name[]>>, seen: Moves) {
    this.#name = name
    this.#moves = moves
    this.#seen = seen
    for (const [move, froms] of Object.entries(moves)) for (const from of froms) seen.declare(this.#cell(from, move))
  }

  move(from: Name | undefined, move: string): void {
    const froms = this.#moves[move]
    assert.ok(from !== undefined, `${this.#name}: ${move} of what does not exist`)
    assert.ok(froms?.includes(from), `${this.#name}: ${move} from ${from}`)
    this.#seen.made(this.#cell(from, move))
  }

  #cell(from: string, move: string): string {
    return `${this.#name}: ${from} → ${move}`
  }
}

/** The newest of a list are drawn most. */
export function recent<Item>(prng: Prng, items: readonly Item[]): Item | undefined {
  if (items.length === 0) return undefined
  const back = prng.chance(0.7) ? prng.below(Math.min(4, items.length)) : prng.below(items.length)
  return items[items.length - 1 - back]
}

export function sameRows(found: Iterable<string>, expected: Iterable<string>, what: string): void {
  assert.deepEqual([...found].sort(), [...expected].sort(), what)
}
