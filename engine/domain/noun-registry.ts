// The modules of nouns as look-up tables: what decides a command, applies, indexes, unpacks or upcasts an event.
import { assert } from '../kernel/assert.ts'
import type { Quota } from '../kernel/quota.ts'
import type {
  CommandDefinition,
  Evolve,
  IndexEvent,
  NounModule,
  NounState,
  PackedForm,
  ReadDocument,
  TimerCommand,
  Upcast,
} from './noun-module.ts'
import { type StoredEvent, UpcastEvent } from './record.ts'
import { RECORD_INDEX_KEYS } from './record-index-keys.ts'

/** By type, then by version: joining both to one key for each event took a twentieth of what a line of a payout batch takes. */
type ByVersion<Entry> = ReadonlyMap<string, readonly (Entry | undefined)[]>

export class NounRegistry {
  readonly states: readonly NounState[]
  readonly quotas: readonly Quota[]
  readonly commands: ReadonlyMap<string, CommandDefinition>
  readonly appliers: ByVersion<Evolve | null>
  readonly indexers: ReadonlyMap<string, IndexEvent>
  readonly timers: ReadonlyMap<string, TimerCommand>
  readonly documents: ByVersion<ReadDocument>
  readonly packed: ByVersion<PackedForm>
  /** Of an old version: its payload as the newest version has it. */
  readonly upcasters: ByVersion<Upcast>
  readonly frames: readonly string[]
  readonly transactionTypes: readonly string[]

  /** Throws where two modules claim one name or number, an upcaster leads to no version, or a version of a packed event has no form. */
  constructor(nouns: readonly NounModule[]) {
    this.states = nouns.flatMap(({ state }) => state ?? [])
    this.quotas = nouns.flatMap(({ quotas }) => quotas)
    this.commands = merged(nouns.map(({ commands }) => commands))
    this.indexers = merged(nouns.map(({ indexed }) => indexed))
    this.timers = merged(nouns.map(({ timers }) => timers))
    this.appliers = byVersion(followed(merged(nouns.map(({ events }) => events)), merged(nouns.map(({ follows = {} }) => follows))))
    this.documents = byVersion(merged(nouns.map(({ documents = {} }) => documents)))
    this.packed = byVersion(merged(nouns.map(({ packed = {} }) => packed)))
    for (const [type, forms] of this.packed) {
      const isWhole = this.appliers.get(type)?.every((_, version) => forms[version] !== undefined) === true
      assert(isWhole, `${type} has a packed form in every version`)
    }
    this.upcasters = wholeUpcasts(byVersion(merged(nouns.map(({ upcasters = {} }) => upcasters))), this.appliers)
    this.frames = distinct(nouns.flatMap(({ frames }) => frames))
    this.transactionTypes = distinct(nouns.flatMap(({ transactionTypes }) => transactionTypes))
    distinct([RECORD_INDEX_KEYS, ...nouns.map(({ indexKeys }) => indexKeys)].flatMap((keys): number[] => Object.values(keys)))
  }

  /** Every event that comes out of the log passes here: one of an old version reads in the shape of the newest. */
  readable(event: StoredEvent): StoredEvent {
    const upcast = this.upcasters.get(event.type)?.[event.version]
    return upcast === undefined ? event : new UpcastEvent(event, upcast)
  }

  /** The events of a decision as readers get them: as they will be read from the log. */
  allReadable(events: readonly StoredEvent[]): readonly StoredEvent[] {
    // Decisions make the newest versions: nearly always the same array, without a copy.
    for (let index = 0; index < events.length; index++) {
      const event = events[index] as StoredEvent
      if (this.readable(event) !== event) return events.map((one) => this.readable(one))
    }
    return events
  }

  /** Every event that can be read, as `type@version`. */
  knownEvents(): string[] {
    return Array.from(this.appliers, ([type, versions]) =>
      versions.flatMap((apply, version) => (apply === undefined ? [] : `${type}@${version}`)),
    ).flat()
  }
}

function merged<Entry>(tables: readonly Readonly<Record<string, Entry>>[]): ReadonlyMap<string, Entry> {
  const entries = tables.flatMap((table) => Object.entries(table))
  distinct(entries.map(([key]) => key))
  return new Map(entries)
}

/** One function applies and follows: events that no other noun follows cost nothing more. */
function followed(appliers: ReadonlyMap<string, Evolve | null>, follows: ReadonlyMap<string, Evolve>): ReadonlyMap<string, Evolve | null> {
  const all = new Map(appliers)
  for (const [key, follow] of follows) {
    const apply = appliers.get(key)
    assert(apply !== undefined, `a noun has the event ${key}`)
    all.set(key, (state, payload, event, record) => {
      apply?.(state, payload, event, record)
      follow(state, payload, event, record)
    })
  }
  return all
}

function distinct<Value extends string | number>(values: readonly Value[]): readonly Value[] {
  const seen = new Set<Value>()
  for (const value of values) {
    assert(!seen.has(value), `only one noun has "${value}"`)
    seen.add(value)
  }
  return values
}

function byVersion<Entry>(table: ReadonlyMap<string, Entry>): ByVersion<Entry> {
  const versions = new Map<string, (Entry | undefined)[]>()
  for (const [typeAndVersion, entry] of table) {
    const [type, version] = typeAndVersion.split('@') as [string, string]
    const ofType = versions.get(type) ?? []
    ofType[Number(version)] = entry
    versions.set(type, ofType)
  }
  return versions
}

/** Each upcaster makes the next version; put together, each makes the newest. */
function wholeUpcasts(steps: ByVersion<Upcast>, appliers: ByVersion<Evolve | null>): ByVersion<Upcast> {
  const whole = new Map<string, (Upcast | undefined)[]>()
  for (const [type, ofType] of steps) {
    const newest = (appliers.get(type)?.length ?? 0) - 1
    const upcasts: (Upcast | undefined)[] = []
    for (let version = newest - 1; ofType[version] !== undefined; version--) {
      const step = ofType[version] as Upcast
      const rest = upcasts[version + 1]
      upcasts[version] = rest === undefined ? step : (payload) => rest(step(payload) as never)
    }
    const covered = upcasts.filter((upcast) => upcast !== undefined).length
    assert(covered === ofType.filter((step) => step !== undefined).length, `the upcasters of ${type} lead to its newest version`)
    whole.set(type, upcasts)
  }
  return whole
}
