// Everything that live state holds, private members included, whether or not a snapshot or a `rows` method knows of it: a table
// that was forgotten there is seen here. Reads private members through the inspector, because nothing else can.
import assert from 'node:assert/strict'
import { Session } from 'node:inspector'
import type { State } from '../../../engine/domain/state.ts'

/** Members that two equal states may have differently, and why. */
const NOT_COMPARED: Readonly<Record<string, string>> = {
  ChangedRows: 'what the next snapshot writes',
  ChangedBlocks: 'what the next snapshot writes',
  NameCache: 'a cache of what the wallets say',
  DefinitionCache: 'a cache of what the log says',
  'Table.changes': 'counts changes since the start',
  'TimerQueue.#heap': 'has stale entries; the current timers are compared',
  'OldestFirst.#rest': 'how far the order was read',
  'OldestFirst.#ahead': 'how far the order was read',
  'RowsByOwner.#owners': 'their order is that in which they came; what each has is compared',
}

const HOST = '__whole_state'
/** Node.js 22 aborts when it collects garbage before it has sent a late answer of the inspector; 20 and 24 do not. */
const ABORTS_ON_LATE_ANSWERS = process.versions.node.startsWith('22.')
/** Their values may be arguments of one call. */
const OBJECTS_PER_CALL = 500
interface Host {
  objects: readonly object[]
  one: object | null
  found: unknown[]
}

/** Reads private members: their names once for each class, their values by one call for many objects of a class. */
class PrivateMembers {
  readonly #session = new Session()
  readonly #host: Host = { objects: [], one: null, found: [] }
  readonly #names = new Map<unknown, readonly string[]>()

  constructor() {
    this.#session.connect()
    Object.assign(globalThis, { [HOST]: this.#host })
  }

  /** Adds the members of each object, in the order of the objects, to `members`, which has a list for each of them. */
  read(objects: readonly object[], members: readonly [name: string, value: unknown][][]): void {
    const classes = new Map<unknown, number[]>()
    for (const [at, object] of objects.entries()) {
      const own = classes.get(object.constructor)
      if (own === undefined) classes.set(object.constructor, [at])
      else own.push(at)
    }
    for (const places of classes.values()) {
      const own = places.map((at) => objects[at] as object)
      const names = this.#namesOf(own[0] as object)
      for (const [index, values] of this.#valuesOf(own, names).entries()) {
        const list = members[places[index] as number]
        for (const [at, value] of values.entries()) list?.push([names[at] as string, value])
      }
    }
  }

  #namesOf(object: object): readonly string[] {
    const known = this.#names.get(object.constructor)
    if (known !== undefined) return known
    this.#host.one = object
    const { objectId } = this.#post('Runtime.evaluate', { expression: `globalThis.${HOST}.one`, objectGroup: HOST }).result
    const { privateProperties = [] } = this.#post('Runtime.getProperties', { objectId, ownProperties: true })
    // An accessor has no value of its own.
    const names = privateProperties.filter(({ value }) => value !== undefined).map(({ name }) => name)
    this.#post('Runtime.releaseObjectGroup', { objectGroup: HOST })
    this.#names.set(object.constructor, names)
    return names
  }

  #valuesOf(objects: readonly object[], names: readonly string[]): readonly (readonly unknown[])[] {
    if (names.length === 0) return objects.map(() => [])
    const found: (readonly unknown[])[] = []
    for (let from = 0; from < objects.length; from += OBJECTS_PER_CALL) {
      const values = this.#valuesOfSome(objects.slice(from, from + OBJECTS_PER_CALL), names)
      for (let at = 0; at < values.length; at += names.length) found.push(values.slice(at, at + names.length))
    }
    return found
  }

  /** The values of the first object, then those of the next. */
  #valuesOfSome(objects: readonly object[], names: readonly string[]): readonly unknown[] {
    return ABORTS_ON_LATE_ANSWERS ? this.#sentValues(objects, names) : this.#evaluatedValues(objects, names)
  }

  #evaluatedValues(objects: readonly object[], names: readonly string[]): readonly unknown[] {
    const host = `globalThis.${HOST}`
    Object.assign(this.#host, { objects, found: [] })
    const values = names.map((name) => `${host}.one.${name}`).join(', ')
    // `replMode` as the console of a debugger has it: private members may be read outside their class, though not within a function.
    // It runs at once and is answered later.
    const expression = `for (${host}.one of ${host}.objects) ${host}.found.push(${values})`
    this.#session.post('Runtime.evaluate', { expression, replMode: true })
    return this.#takeFound(objects.length * names.length)
  }

  /** Three times as dear as the evaluation; each call answers at once. */
  #sentValues(objects: readonly object[], names: readonly string[]): readonly unknown[] {
    this.#host.objects = objects
    const { objectId } = this.#post('Runtime.evaluate', { expression: `globalThis.${HOST}.objects`, objectGroup: HOST }).result
    const places = this.#post('Runtime.getProperties', { objectId, ownProperties: true }) as unknown as Places
    const values = places.result
      .filter(({ name }) => name !== 'length')
      .flatMap(({ value }) => {
        const own = this.#post('Runtime.getProperties', { objectId: value?.objectId, ownProperties: true }).privateProperties ?? []
        const byName = new Map(own.map((member) => [member.name, member.value]))
        return names.map((name) => argumentOf(byName.get(name)))
      })
    const functionDeclaration = `function (...values) { globalThis.${HOST}.found = values }`
    this.#post('Runtime.callFunctionOn', { objectId, functionDeclaration, arguments: values })
    this.#post('Runtime.releaseObjectGroup', { objectGroup: HOST })
    return this.#takeFound(objects.length * names.length)
  }

  #takeFound(count: number): readonly unknown[] {
    const { found } = this.#host
    assert.equal(found.length, count, 'each object has the private members of its class')
    Object.assign(this.#host, { objects: [], one: null, found: [] })
    return found
  }

  #post(method: string, parameters: object): Answer {
    let answer: Answer | null = null
    this.#session.post(method, parameters, (error, found) => {
      assert.equal(error, null)
      answer = found as Answer
    })
    assert.ok(answer !== null, 'the inspector answers at once')
    return answer
  }
}

interface RemoteValue {
  readonly objectId?: string
  readonly value?: unknown
  /** Of numbers that JSON lacks, and of large integers. */
  readonly unserializableValue?: string
}

interface Answer {
  readonly result: { readonly objectId?: string }
  readonly privateProperties?: readonly { readonly name: string; readonly value?: RemoteValue }[]
}

interface Places {
  readonly result: readonly { readonly name: string; readonly value?: RemoteValue }[]
}

function argumentOf(remote: RemoteValue | undefined): RemoteValue {
  assert.ok(remote !== undefined, 'each object has the private members of its class')
  const { objectId, unserializableValue, value } = remote
  if (objectId !== undefined) return { objectId }
  return unserializableValue === undefined ? { value } : { unserializableValue }
}

let members: PrivateMembers | null = null

/** One line for each value. */
export function wholeState(state: State): string[] {
  members ??= new PrivateMembers()
  const walk = new Walk(members)
  walk.run(state)
  return walk.lines
}

/** Throws with the first lines that differ. */
export function assertSameWhole(one: State, other: State, what: string): void {
  const [lines, others] = [wholeState(one), wholeState(other)]
  const missing = new Set(others)
  const extra = lines.filter((line) => !missing.delete(line)).sort()
  assert.deepEqual({ extra: extra.slice(0, 5), missing: [...missing].sort().slice(0, 5) }, { extra: [], missing: [] }, what)
}

/** Level by level, so that all objects of a class in one level are read at once. A line begins with its path, so none comes twice. */
class Walk {
  readonly lines: string[] = []
  readonly #members: PrivateMembers
  readonly #seen = new Set<unknown>()
  #next: [path: string, value: unknown][] = []
  #instances: [path: string, value: object][] = []

  constructor(privateMembers: PrivateMembers) {
    this.#members = privateMembers
  }

  run(state: State): void {
    for (let level: [string, unknown][] = [['state', state]]; level.length > 0; level = this.#next) {
      this.#next = []
      this.#instances = []
      for (const [path, value] of level) this.#visit(path, value)
      this.#visitInstances()
    }
  }

  #visit(path: string, value: unknown): void {
    if (typeof value === 'function') return
    if (typeof value !== 'object' || value === null) return this.#add(path, String(value))
    if (ArrayBuffer.isView(value)) return this.#add(path, trimmed(value as unknown as ArrayLike<number>))
    if (isJson(value)) return this.#add(path, JSON.stringify(value))
    if (this.#seen.has(value)) return
    this.#seen.add(value)
    const next = this.#next
    if (value instanceof Map) for (const [key, one] of value) next.push([`${path}[${String(key)}]`, one])
    else if (value instanceof Set) for (const one of value) next.push([`${path}{${JSON.stringify(one)}}`, true])
    else if (Array.isArray(value)) for (const [index, one] of value.entries()) next.push([`${path}[${index}]`, one])
    else if (!(value.constructor.name in NOT_COMPARED)) this.#instances.push([path, value])
  }

  #visitInstances(): void {
    const instances = this.#instances
    const found: [string, unknown][][] = instances.map(([, value]) => Object.entries(value))
    const withPrivate = instances.flatMap(([, value], at) => (value.constructor === Object ? [] : [at]))
    this.#members.read(
      withPrivate.map((at) => instances[at]?.[1] as object),
      withPrivate.map((at) => found[at] as [string, unknown][]),
    )
    for (const [at, [path, value]] of instances.entries()) {
      const { name } = value.constructor
      for (const [member, one] of found[at] ?? []) if (!(`${name}.${member}` in NOT_COMPARED)) this.#next.push([`${path}.${member}`, one])
    }
  }

  #add(path: string, text: string): void {
    this.lines.push(`${path} = ${text}`)
  }
}

/** Capacities may differ. */
function trimmed(values: ArrayLike<number>): string {
  let length = values.length
  while (length > 0 && values[length - 1] === 0) length--
  return Array.from({ length }, (_, index) => values[index]).join(' ')
}

function isJson(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'function'
  if (Array.isArray(value)) return value.every(isJson)
  if (value.constructor !== Object) return false
  for (const one of Object.values(value)) if (!isJson(one)) return false
  return true
}
