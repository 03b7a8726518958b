// A file of the dashboard that is sent as it is read.
import { type Call, type Route, route } from '../../../server/route.ts'
import { type DashboardParts, PAGE, placeOf, type RowShape, type Visit, withVisit } from './dashboard-visit.ts'

export interface StreamRow extends RowShape {
  /** As of a page. */
  readonly needs: string
  /** Answers the call itself, which may take long. */
  answer(visit: Visit, call: Call): void
}

/** Returns the route of a file that is sent as it is read. */
export function streamRow(parts: DashboardParts, row: StreamRow): Route {
  const { path, operationId, summary, needs } = row
  const where = placeOf(path)
  return route({
    ...PAGE,
    ...where.shape,
    method: 'GET',
    operationId,
    summary,
    takesLong: true,
    responses: [{ status: 200, description: 'The file.', contentType: 'text/csv' }],
    handle: (call: Call) => withVisit(parts, call, { path: where.shape.path, root: where.root, needs }, (visit) => row.answer(visit, call)),
  })
}
