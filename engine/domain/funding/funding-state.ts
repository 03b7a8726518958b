// Movements of money that wait for a second operator. A decided one has no row; the log has it.
import type { Approval as ShapeApproval } from '../../contract/approval.ts'
import type { Immutable } from '../../contract/schema.ts'
import { SnapshotTables, Table } from '../../kernel/table.ts'

/** The whole document, as the API shows it. */
export type Approval = Immutable<ShapeApproval>

declare module '../state.ts' {
  interface State {
    readonly approvals: Approvals
  }
}

export class Approvals extends SnapshotTables {
  /** Keyed by id. */
  readonly waiting = new Table<Approval>(this, 'approval')
}
