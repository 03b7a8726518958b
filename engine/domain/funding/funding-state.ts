// Movements of money that wait for a second operator. A decided one has no row; the log has it.
import type { Approval as ShapeApproval } from '../../contract/approval.ts'
import type { Immutable } from '../../contract/schema.ts'
import { SnapshotTables, Table } from '../../kernel/table.ts'

/** The whole document, as the API shows it and as version 2 of its events holds it. */
export type Approval = Immutable<ShapeApproval>

/** As live state and the log hold it: version 1 of the events has no `request_id`. */
export type StoredApproval = Omit<Approval, 'request_id'> & Partial<Pick<Approval, 'request_id'>>

export function wholeApproval({ id, state, kind, request_id = null, ...rest }: StoredApproval): Approval {
  return { id, state, kind, request_id, ...rest }
}

declare module '../state.ts' {
  interface State {
    readonly approvals: Approvals
  }
}

export class Approvals extends SnapshotTables {
  /** Id of the approval by the top-up or withdrawal that it would finish. */
  readonly #byRequest = new Map<string, string>()

  /** Keyed by id. */
  readonly waiting = new Table<StoredApproval>(this, 'approval', (row, before) => {
    if (before?.request_id) this.#byRequest.delete(before.request_id)
    if (row?.request_id) this.#byRequest.set(row.request_id, row.id)
  })

  /** Returns the id of the approval that a top-up or withdrawal waits for; null when none does. */
  waitingFor(requestId: string): string | null {
    return this.#byRequest.get(requestId) ?? null
  }
}
