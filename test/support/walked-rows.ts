// Live state as it is reached from its own members, whether or not a snapshot holds them: finds a table that the snapshot lacks.
import type { State } from '../../engine/domain/state.ts'

interface Rows {
  rows(): Iterable<[string, object]>
}

/** Each account, each row of each table, the timers and the counts. */
export function walkedRows(state: State): Map<string, string> {
  const { accounts, timers, transactionCounts } = state
  const found: [string, string][] = [
    ['timers', `${timers.size} ${timers.nextDueMs()}`],
    ['transactions', JSON.stringify(transactionCounts)],
  ]
  for (let account = 0; account < accounts.count; account++) {
    const row = [accounts.kind(account), accounts.environment(account), accounts.balance(account), accounts.held(account)]
    found.push([`account ${account}`, row.join(' ')])
  }
  for (const [name, table] of tablesOf(state)) for (const [key, row] of table.rows()) found.push([`${name} ${key}`, JSON.stringify(row)])
  return new Map(found.sort())
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
