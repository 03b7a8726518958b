// Operations of the OpenAPI document that can move money: those with a command that has posted, or placed or ended a hold, in a golden file.
// Every event of a release is in a golden file, so a new kind of movement is in one too. The kill rounds must acknowledge each operation.
import { replayRecord } from '../../../engine/actor/turn.ts'
import { newState } from '../../../engine/domain/new-state.ts'
import type { Route } from '../../../http/server/route.ts'
import { goldenNames, goldenRecords, readGolden } from '../../engine/golden-file.ts'
import { TABLE } from '../../support/api-document.ts'

/** Returns the ids of the operations, in the order of the document. */
export function moneyOperations(): readonly string[] {
  const commands = moneyCommands()
  return TABLE.filter((route) => route.commands?.some((command) => commands.has(command))).map(({ operationId }) => operationId)
}

/** Returns the id of the operation that a POST to the path is; null for a page. */
export function postOperation(path: string): string | null {
  return PATTERNS.find(({ pattern }) => pattern.test(path))?.operationId ?? null
}

const PATTERNS = TABLE.filter(({ method }) => method === 'POST').map(patternOf)

function patternOf({ path, operationId }: Route): { readonly operationId: string; readonly pattern: RegExp } {
  return { operationId, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }
}

function moneyCommands(): ReadonlySet<string> {
  const commands = new Set<string>()
  for (const name of goldenNames()) {
    const state = newState()
    for (const record of goldenRecords(readGolden(name))) {
      const before = state.holds.table.size
      replayRecord(state, record)
      if (record.transactions.length > 0 || state.holds.table.size !== before) commands.add(record.command)
    }
  }
  return commands
}
