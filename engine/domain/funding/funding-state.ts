// Dual control: movements of money that wait for a second operator, and what each operator moved alone today. A decided movement
// has no row; the log has it.
import type { Approval as ShapeApproval } from '../../contract/approval.ts'
import type { Immutable } from '../../contract/schema.ts'
import type { Amount } from '../../kernel/amount.ts'
import { SnapshotTables, Table } from '../../kernel/table.ts'
import { dayOf, type TimeMs } from '../../kernel/time.ts'
import type { PresentRules, RuleChange } from '../rules/rules-state.ts'

/** The document as the API shows it and as its events hold it. */
export type Approval = Immutable<Omit<ShapeApproval, 'change' | 'before'>> & {
  readonly change?: RuleChange
  /** What the change would replace. */
  readonly before?: PresentRules
}

/** The payload of `operator.counted`: live money that an operator moved without a second one. */
export interface OperatorCounted {
  /** Null for the holder of OPERATOR_TOKEN. */
  readonly operator_id: string | null
  readonly amount: Amount
}

interface MovedAlone {
  /** As `dayOf` counts. */
  readonly day: number
  readonly amount: Amount
}

/** Key of the row of the holder of OPERATOR_TOKEN. */
const ROOT = 'root'

declare module '../state.ts' {
  interface State {
    readonly approvals: Approvals
  }
}

export class Approvals extends SnapshotTables {
  /** Id of the approval by the top-up or withdrawal that it would finish. */
  readonly #byRequest = new Map<string, string>()

  /** Keyed by id. */
  readonly waiting = new Table<Approval>(this, 'approval', { boundedBy: 'APPROVALS_WAITING_MAX; operators make them' }, (row, before) => {
    if (before?.request_id) this.#byRequest.delete(before.request_id)
    if (row?.request_id) this.#byRequest.set(row.request_id, row.id)
  })

  /** Keyed by the operator's id. Rows of earlier days are removed when a day has its first one. */
  readonly movedAlone = new Table<MovedAlone>(this, 'operator_moved', { boundedBy: 'one row of each operator' })

  /** Returns what the operator moved without a second one on the day of `timeMs` (UTC). */
  movedAloneOn(operatorId: string | null, timeMs: TimeMs): Amount {
    const row = this.movedAlone.get(operatorId ?? ROOT)
    return row?.day === dayOf(timeMs) ? row.amount : 0
  }

  countMovedAlone({ operator_id, amount }: OperatorCounted, timeMs: TimeMs): void {
    const day = dayOf(timeMs)
    const earlier = Array.from(this.movedAlone.rows()).filter(([, row]) => row.day !== day)
    for (const [key] of earlier) this.movedAlone.delete(key)
    this.movedAlone.set(operator_id ?? ROOT, { day, amount: this.movedAloneOn(operator_id, timeMs) + amount })
  }

  /** Returns the id of the approval that a top-up or withdrawal waits for; null when none does. */
  waitingFor(requestId: string): string | null {
    return this.#byRequest.get(requestId) ?? null
  }
}
