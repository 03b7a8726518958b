// Forms of a record's page that are one button: cancel, refund, confirm. The answer leads back to the page, which says what was done,
// or shows it again with the error.
import type { Route } from '../../../server/route.ts'
import type { ApiError } from '../../shared/api-calls.ts'
import { type DashboardParts, formRow, type Visit } from './dashboard-visit.ts'

export interface RecordMove {
  /** Path after `/dashboard/{environment}`. Its last part is the move. */
  readonly path: string
  /** The operation of the API, which takes the parameters of the path. */
  readonly operationId: string
  readonly body?: object
  /** Note of the page after success. */
  readonly note: string
  /** Returns the page after success. */
  done(visit: Visit): string
  /** Shows the page with the error. */
  again(visit: Visit, error: ApiError): Promise<void>
}

export function moveRow(parts: DashboardParts, { path, operationId, body, note, done, again }: RecordMove): Route {
  return formRow(parts, {
    path,
    operationId: `send${path.replaceAll(/\W+/g, '-')}`,
    needs: operationId,
    summary: path.split('/').at(-1) ?? '',
    fields: [],
    act: async (visit, { key }) => {
      const request = { params: visit.params, idempotencyKey: key, ...(body === undefined ? {} : { body }) }
      const answer = await visit.ask(operationId, request)
      if (answer.ok) visit.goTo(done(visit), note)
      else await again(visit, answer.error)
    },
  })
}
