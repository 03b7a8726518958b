// The statements of a node, carried out on the tables of a simulated PostgreSQL. Their texts are those of the sources: the conditions
// and assignments of the owner row are read from the text, so a text without its epoch check has none here either.
import { STAMP } from '../../../../wal/log/postgres-owner.ts'

export type Row = Readonly<Record<string, unknown>>

export interface Write {
  readonly table: string
  readonly key: string
  readonly row: Row
}

export type Tables = Map<string, Map<string, Row>>

/** What a statement does. It reads the tables when it has the lock of `lock`. */
export interface Statement {
  /** The one row that it locks; null for a statement that only reads. */
  readonly lock: string | null
  run(tables: Tables, timeline: number): Effect
}

export interface Effect {
  readonly rows: readonly Row[]
  readonly writes: readonly Write[]
  /** Payload of its notification; null without one. */
  readonly notification: string | null
}

type Values = readonly unknown[]

const SETTINGS: Row = {
  synchronous_commit: 'on',
  synchronous_standby_names: 'any',
  fsync: 'on',
  full_page_writes: 'on',
}
const UPDATE_OWNER = /update cauri\.owner set (.+?)\s+where (.+?)\s+returning/s
const NOT_CLOSED = /\s+and not exists \(select from cauri\.closed where partition = \$1\)/
const NOTHING: Effect = { rows: [], writes: [], notification: null }

/** Parts of the texts, the first that fits counts. */
const KNOWN: readonly (readonly [string, (text: string, values: Values) => Statement])[] = [
  ['update cauri.owner', updateOwner],
  ["partition || ' ' || $3::bigint", (text, values) => confirmation(text.includes('and epoch = $2'), values)],
  ['insert into cauri.alive', (text, values) => heartbeat(text.includes('and epoch = $2'), values)],
  ['insert into cauri.owner', (_, values) => makeOwner(values)],
  ['insert into cauri.node', (_, values) => joinNode(values)],
  ['insert into cauri.identity', (_, values) => keepIdentity(values)],
  ['select log_id', () => reading((tables) => all(tables, 'identity'))],
  ['from cauri.owner o left join', () => reading(ownerRows)],
  ['octet_length(batch)', (text, values) => reading((tables) => batches(tables, text.includes('coalesce'), values))],
  ['from cauri.closed', () => reading(() => [])],
  ['default_toast_compression', () => reading(() => [{ is_new: false, has_lz4: true }])],
  ['create schema', () => reading(() => [])],
  ['select tables from', () => reading(() => [{ tables: 0 }])],
  ['full_page_writes', () => reading(() => [SETTINGS])],
  ['pg_advisory_xact_lock', () => reading(() => [])],
]

/** Throws for a text that no node of the sources sends. */
export function statementOf(text: string, values: Values): Statement {
  const known = KNOWN.find(([part]) => text.includes(part))
  if (known !== undefined) return known[1](text, values)
  if (text === 'begin' || text === 'commit') return reading(() => [])
  throw new Error(`the simulated PostgreSQL does not know the statement: ${text}`)
}

export function putWrites(tables: Tables, writes: readonly Write[]): void {
  for (const { table, key, row } of writes) {
    const rows = tables.get(table) ?? new Map<string, Row>()
    tables.set(table, rows)
    rows.set(key, row)
  }
}

function reading(read: (tables: Tables, timeline: number) => readonly Row[]): Statement {
  return { lock: null, run: (tables, timeline) => ({ ...NOTHING, rows: read(tables, timeline) }) }
}

function all(tables: Tables, table: string): readonly Row[] {
  return [...(tables.get(table)?.values() ?? [])]
}

function owner(tables: Tables): Row | undefined {
  return all(tables, 'owner')[0]
}

function ownerRows(tables: Tables, timeline: number): readonly Row[] {
  const row = owner(tables)
  if (row === undefined) return []
  const [alive] = all(tables, 'alive')
  return [{ ...row, alive: alive?.beat ?? 0, confirmed: alive?.confirmed ?? 0, written_timeline: row.timeline, timeline }]
}

function makeOwner([partition, hash]: Values): Statement {
  return {
    lock: 'owner',
    run: (tables) => {
      if (owner(tables) !== undefined) return NOTHING
      const row = { partition, epoch: 0, last_sequence: 0, last_hash: hash, node: '', url: '', beat: 0, timeline: 0 }
      return { ...NOTHING, writes: [{ table: 'owner', key: '', row }] }
    },
  }
}

/** `update cauri.owner`, perhaps with an insert into the log in the same statement. */
function updateOwner(text: string, values: Values): Statement {
  const [, set = '', where = ''] = UPDATE_OWNER.exec(text) ?? []
  const isStamped = set.includes(STAMP)
  const run = (tables: Tables, timeline: number): Effect => {
    const before = owner(tables)
    if (before === undefined || !isMet(where, before, values)) return NOTHING
    const stamped = isStamped ? timeline : before.timeline
    const row = { ...assigned(set.replace(`, ${STAMP}`, ''), before, values), timeline: stamped }
    const writes: Write[] = [{ table: 'owner', key: '', row }]
    if (text.includes('insert into cauri.log')) {
      const [, epoch, last, , , record_count, batch] = values
      const sequence = Number(last) + 1
      writes.push({ table: 'log', key: String(sequence), row: { sequence, epoch, record_count, batch } })
    }
    return {
      rows: [{ ...row, alive: 0, confirmed: row.last_sequence, written_timeline: stamped, has_standby: true }],
      writes,
      notification: notificationOf(text, values),
    }
  }
  return { lock: 'owner', run }
}

function isMet(where: string, row: Row, values: Values): boolean {
  return where
    .replace(NOT_CLOSED, '')
    .split(/\s+and\s+/)
    .every((condition) => {
      const [, column, place] = /^(\w+) = \$(\d)$/.exec(condition) ?? []
      if (column !== undefined) return String(row[column]) === String(values[Number(place) - 1])
      // A planted bug: an epoch that is never wrong.
      if (condition === '$2::bigint > 0') return true
      throw new Error(`the simulated PostgreSQL does not know the condition: ${condition}`)
    })
}

function assigned(set: string, before: Row, values: Values): Row & { readonly last_sequence?: unknown } {
  const row: Record<string, unknown> = { ...before }
  for (const assignment of set.split(/,\s*/)) {
    const [, column = '', value = ''] = /^(\w+) = (.+)$/.exec(assignment) ?? []
    if (value === `${column} + 1`) row[column] = Number(before[column]) + 1
    else if (/^\$\d$/.test(value)) row[column] = values[Number(value.slice(1)) - 1]
    else if (value === "''") row[column] = ''
    else throw new Error(`the simulated PostgreSQL does not know the assignment: ${assignment}`)
  }
  return row
}

function heartbeat(isFenced: boolean, [partition, epoch, confirmed]: Values): Statement {
  return {
    lock: 'alive',
    run: (tables) => {
      if (isFenced && String(owner(tables)?.epoch) !== String(epoch)) return NOTHING
      const [before] = all(tables, 'alive')
      const greatest = Math.max(Number(before?.confirmed ?? 0), Number(confirmed))
      const row = { partition, epoch, confirmed: greatest, beat: Number(before?.beat ?? 0) + 1 }
      const notification = `${partition} ${confirmed} beat`
      return { rows: [{ has_standby: true }], writes: [{ table: 'alive', key: '', row }], notification }
    },
  }
}

/** A notification that the log is confirmed through a sequence. */
function confirmation(isFenced: boolean, [partition, epoch, confirmed]: Values): Statement {
  const run = (tables: Tables): Effect => {
    if (isFenced && String(owner(tables)?.epoch) !== String(epoch)) return NOTHING
    return { rows: [{ has_standby: true }], writes: [], notification: `${partition} ${confirmed}` }
  }
  return { lock: null, run }
}

/** Payload of a statement that changes the owner row. */
function notificationOf(text: string, [partition]: Values): string | null {
  const [, what] = /pg_notify\('cauri_log', \$1 \|\| ' (\w+)'\)/.exec(text) ?? []
  return what === undefined ? null : `${partition} ${what}`
}

function joinNode([, node, url]: Values): Statement {
  return {
    lock: `node ${node}`,
    run: (tables) => {
      const beat = Number(tables.get('node')?.get(String(node))?.beat ?? 0) + 1
      return { ...NOTHING, rows: [{ has_standby: true }], writes: [{ table: 'node', key: String(node), row: { node, url, beat } }] }
    },
  }
}

function keepIdentity([partition, log_id, key_check]: Values): Statement {
  return {
    lock: 'identity',
    run: (tables) => {
      if (all(tables, 'identity').length > 0) return NOTHING
      return { ...NOTHING, writes: [{ table: 'identity', key: '', row: { partition, log_id, key_check } }] }
    },
  }
}

/** `from`: begins with the batch that holds the sequence, else with the next one. */
function batches(tables: Tables, from: boolean, [, sequence, limit, through]: Values): readonly Row[] {
  const rows = all(tables, 'log').filter((row) => Number(row.sequence) <= Number(through))
  const above = from ? rows.findLastIndex((row) => Number(row.sequence) <= Number(sequence)) - 1 : -1
  return rows.filter((row, at) => (from ? at > above : Number(row.sequence) > Number(sequence))).slice(0, Number(limit))
}
