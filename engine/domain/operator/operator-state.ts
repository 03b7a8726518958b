// Operators with a name: who may act for the service, with which role. Their tokens stand here as hashes.
import type { OperatorRole, OperatorRequest as ShapeOperatorRequest } from '../../contract/operator.ts'
import type { Immutable } from '../../contract/schema.ts'
import { SnapshotTables, Table } from '../../kernel/table.ts'

/** The operator of a command, for the audit trail. */
export interface ActingOperator {
  /** Null for the token of the settings. */
  readonly id: string | null
  readonly name: string
}

export interface OperatorRow {
  readonly id: string
  readonly name: string
  /** In lower case; of one operator only. */
  readonly email: string
  readonly role: OperatorRole
  /** SHA-256 of the token. */
  readonly token_hash: string
  readonly created_by: ActingOperator
  readonly created_at: string
}

/**
 * A new operator or a revocation that another person decides about, as the API shows it and as `operator.requested` and
 * `operator.request_decided` hold it.
 */
export type OperatorRequest = Immutable<ShapeOperatorRequest>

/** The holder of the setting OPERATOR_TOKEN, and the operator of commands without one (demo data). */
export const ROOT_OPERATOR: ActingOperator = { id: null, name: 'OPERATOR_TOKEN' }

declare module '../state.ts' {
  interface State {
    readonly operators: Operators
  }
}

export class Operators extends SnapshotTables {
  readonly #byTokenHash = new Map<string, OperatorRow>()
  readonly #byEmail = new Map<string, OperatorRow>()

  /** Keyed by id. A revoked operator has no row. */
  readonly operators = new Table<OperatorRow>(this, 'operator', { boundedBy: 'OPERATORS_MAX; administrators make them' }, (row, before) => {
    if (before !== undefined) {
      this.#byTokenHash.delete(before.token_hash)
      this.#byEmail.delete(before.email)
    }
    if (row === undefined) return
    this.#byTokenHash.set(row.token_hash, row)
    this.#byEmail.set(row.email, row)
  })

  /** Keyed by id, which becomes the operator's. A decided one has no row. */
  readonly waiting = new Table<OperatorRequest>(this, 'operator_request', { boundedBy: 'OPERATOR_REQUESTS_MAX; administrators make them' })

  /** Returns whether an operator, or one who waits, has the address (in lower case). */
  isTaken(email: string): boolean {
    return this.#byEmail.has(email) || Array.from(this.waiting.values()).some((row) => row.email === email)
  }

  /** Returns whether a revocation of the operator waits. */
  isRevocationWaiting(operatorId: string): boolean {
    return Array.from(this.waiting.values()).some((row) => row.kind === 'revoke' && row.operator_id === operatorId)
  }

  hasAdministrator(): boolean {
    return Array.from(this.operators.values()).some(({ role }) => role === 'admin')
  }

  byTokenHash(tokenHash: string): OperatorRow | undefined {
    return this.#byTokenHash.get(tokenHash)
  }

  /** The address in lower case. */
  byEmail(email: string): OperatorRow | undefined {
    return this.#byEmail.get(email)
  }
}
