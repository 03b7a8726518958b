// Step: the query by the schema of the route. A cursor is replaced by its place in the list.
import { because } from '../../../engine/contract/reasons.ts'
import { Fault } from '../body/validation.ts'
import { coreOf, NEXT, type Request, type StepResult } from '../request.ts'
import { idempotencyScope } from '../route-guards.ts'

const BAD_CURSOR = because('cursor')

export function query(request: Request): StepResult {
  const found = request.endpoint.check.query(request.queryText)
  if (found instanceof Fault) return found
  request.query = found
  return typeof found.cursor === 'string' ? openCursor(request, found, found.cursor) : NEXT
}

function openCursor(request: Request, found: Record<string, unknown>, cursor: string): StepResult {
  const place = coreOf(request).cursors.open(cursor, listName(request))
  if (place === null) return new Fault('invalid_parameter', 'cursor', BAD_CURSOR)
  found.cursor = place
  return NEXT
}

/** Returns the cursor that callers see for a place in this list under these filters. */
export function sealCursor(request: Request, place: string): string {
  return coreOf(request).cursors.seal(place, listName(request))
}

/** Returns what a cursor is bound to: list, path, caller and filters. The size of a page may change. */
function listName({ query: { cursor: _, limit: __, ...filters }, principal, endpoint, params }: Request): string {
  return JSON.stringify([endpoint.route.operationId, params, idempotencyScope(principal), Object.entries(filters).sort()])
}
