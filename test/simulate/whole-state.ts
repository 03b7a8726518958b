// Everything that live state holds, private members included, whether or not a snapshot or a `rows` method knows of it: a table
// that was forgotten there is seen here. Reads private members through the inspector, because nothing else can.
import assert from 'node:assert/strict'
import { Session } from 'node:inspector'
import type { State } from '../../engine/domain/state.ts'

/** Members that two equal states may have differently, and why. */
const NOT_COMPARED: Readonly<Record<string, string>> = {
  ChangedRows: 'what the next snapshot writes',
  ChangedBlocks: 'what the next snapshot writes',
  NameCache: 'a cache of what the wallets say',
  DefinitionCache: 'a cache of what the log says',
  'Table.changes': 'counts changes since the start',
  'TimerQueue.#heap': 'has stale entries; the current timers are compared',
  'RowsByOwner.#owners': 'their order is that in which they came; what each has is compared',
}

const HOST = '__whole_state'
interface Host {
  target: unknown
  found: unknown[]
}

class PrivateMembers {
  readonly #session = new Session()
  readonly #host: Host = { target: null, found: [] }
  readonly #hostId: string

  constructor() {
    this.#session.connect()
    Object.assign(globalThis, { [HOST]: this.#host })
    this.#hostId = this.#evaluate(`globalThis.${HOST}`)
  }

  of(target: object): [name: string, value: unknown][] {
    this.#host.target = target
    const objectId = this.#evaluate(`globalThis.${HOST}.target`)
    let members: [string, unknown][] = []
    this.#session.post('Runtime.getProperties', { objectId, ownProperties: true }, (error, answer) => {
      assert.equal(error, null)
      const all = (answer as { readonly privateProperties?: readonly Private[] }).privateProperties ?? []
      members = all.flatMap(({ name, value }): [string, unknown][] => (value === undefined ? [] : [[name, this.#valueOf(value)]]))
    })
    this.#session.post('Runtime.releaseObjectGroup', { objectGroup: HOST })
    this.#host.target = null
    return members
  }

  #evaluate(expression: string): string {
    let objectId = ''
    this.#session.post(
      'Runtime.evaluate',
      { expression, objectGroup: expression.endsWith('target') ? HOST : 'host' },
      (error, { result }) => {
        assert.equal(error, null)
        objectId = result.objectId ?? ''
      },
    )
    assert.notEqual(objectId, '', 'the inspector answers at once')
    return objectId
  }

  #valueOf({ objectId, value, type }: Private['value'] & object): unknown {
    if (type === 'function') return () => {}
    if (objectId === undefined) return value
    this.#host.found.length = 0
    const functionDeclaration = 'function (value) { this.found.push(value) }'
    this.#session.post('Runtime.callFunctionOn', { objectId: this.#hostId, functionDeclaration, arguments: [{ objectId }] })
    assert.equal(this.#host.found.length, 1, 'the inspector answers at once')
    return this.#host.found[0]
  }
}

interface Private {
  readonly name: string
  readonly value?: { readonly objectId?: string; readonly value?: unknown; readonly type: string }
}

let members: PrivateMembers | null = null

/** One line for each value, sorted. */
export function wholeState(state: State): string[] {
  members ??= new PrivateMembers()
  const walk = new Walk(members)
  walk.visit('state', state)
  return walk.lines.sort()
}

/** Throws with the first lines that differ. */
export function assertSameWhole(one: State, other: State, what: string): void {
  const [lines, others] = [wholeState(one), wholeState(other)]
  const [set, otherSet] = [new Set(lines), new Set(others)]
  const extra = lines.filter((line) => !otherSet.has(line)).slice(0, 5)
  const missing = others.filter((line) => !set.has(line)).slice(0, 5)
  assert.deepEqual({ extra, missing }, { extra: [], missing: [] }, what)
  assert.equal(lines.length, others.length, what)
}

class Walk {
  readonly lines: string[] = []
  readonly #members: PrivateMembers
  readonly #seen = new Set<unknown>()

  constructor(privateMembers: PrivateMembers) {
    this.#members = privateMembers
  }

  visit(path: string, value: unknown): void {
    if (typeof value === 'function') return
    if (typeof value !== 'object' || value === null) return this.#add(path, String(value))
    if (ArrayBuffer.isView(value)) return this.#add(path, trimmed(value as unknown as ArrayLike<number>))
    if (isJson(value)) return this.#add(path, JSON.stringify(value))
    if (this.#seen.has(value)) return
    this.#seen.add(value)
    if (value instanceof Map) for (const [key, one] of value) this.visit(`${path}[${String(key)}]`, one)
    else if (value instanceof Set) for (const one of value) this.visit(`${path}{${JSON.stringify(one)}}`, true)
    else if (Array.isArray(value)) for (const [index, one] of value.entries()) this.visit(`${path}[${index}]`, one)
    else this.#visitMembers(path, value)
  }

  #visitMembers(path: string, value: object): void {
    const { name } = value.constructor
    if (name in NOT_COMPARED) return
    const all = [...Object.entries(value), ...(name === 'Object' ? [] : this.#members.of(value))]
    for (const [member, one] of all) if (!(`${name}.${member}` in NOT_COMPARED)) this.visit(`${path}.${member}`, one)
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
