// Live state as it is reached from its own members, whether or not a snapshot holds them: finds a table that the snapshot lacks.
import assert from 'node:assert/strict'
import type { State } from '../../engine/domain/state.ts'

interface Rows {
  rows(): Iterable<[string, object]>
}

/** Throws with the rows that differ. Most states are equal, so rows are written as text only where they may differ. */
export function assertSameRows(one: State, other: State, what: string): void {
  if (!hasSameRows(one, other)) assert.deepEqual(walkedRows(one), walkedRows(other), what)
}

/** Each account, each row of each table, the timers and the counts. */
function walkedRows(state: State): Map<string, string> {
  const found: [string, string][] = [['counts', countsOf(state)]]
  for (let account = 0; account < state.accounts.count; account++) found.push([`account ${account}`, accountOf(state, account).join(' ')])
  for (const [name, table] of tablesOf(state)) for (const [key, row] of table.rows()) found.push([`${name} ${key}`, JSON.stringify(row)])
  return new Map(found.sort())
}

function countsOf({ accounts, timers, transactionCounts }: State): string {
  return `${accounts.count} accounts, ${timers.size} timers until ${timers.nextDueMs()}, ${JSON.stringify(transactionCounts)} transactions`
}

function accountOf({ accounts }: State, account: number): readonly (string | number)[] {
  return [accounts.kind(account), accounts.environment(account), accounts.balance(account), accounts.held(account)]
}

function tablesOf(state: State): [name: string, table: Rows][] {
  return Object.entries(state).flatMap(([part, value]: [string, unknown]) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
    const members = Object.entries(value).map(([name, member]: [string, unknown]): [string, unknown] => [`${part}.${name}`, member])
    return [[part, value] as [string, unknown], ...members].filter((member): member is [string, Rows] => hasRows(member[1]))
  })
}

function hasRows(value: unknown): value is Rows {
  return typeof value === 'object' && value !== null && 'rows' in value && typeof value.rows === 'function'
}

function hasSameRows(one: State, other: State): boolean {
  if (countsOf(one) !== countsOf(other)) return false
  for (let account = 0; account < one.accounts.count; account++) {
    if (!isSame(accountOf(one, account), accountOf(other, account))) return false
  }
  const [tables, others] = [tablesOf(one), tablesOf(other)]
  return (
    tables.length === others.length && tables.every(([name, table], at) => others[at]?.[0] === name && isSameTable(table, others[at][1]))
  )
}

function isSameTable(one: Rows, other: Rows): boolean {
  const rows = new Map(other.rows())
  let count = 0
  for (const [key, row] of one.rows()) {
    if (!isSame(row, rows.get(key))) return false
    count++
  }
  return count === rows.size
}

/** True where both have the same JSON text, members in the same order. False may be wrong: a member may be undefined, or absent. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one)) return Array.isArray(other) && one.length === other.length && one.every((value, at) => isSame(value, other[at]))
  if (one.constructor !== Object || other.constructor !== Object) return JSON.stringify(one) === JSON.stringify(other)
  const [names, otherNames] = [Object.keys(one), Object.keys(other)]
  if (names.length !== otherNames.length) return false
  for (let at = 0; at < names.length; at++) {
    const name = names[at] as keyof typeof one
    if (name !== otherNames[at] || !isSame(one[name], other[name])) return false
  }
  return true
}
