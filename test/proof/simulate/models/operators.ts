// Operators in the model, and the requests for one that wait for a second administrator.
import assert from 'node:assert/strict'
import type { OperatorRole } from '../../../../engine/contract/operator.ts'
import type { CreateOperator } from '../../../../engine/domain/operator/operator-account-decide.ts'
import type { OperatorRequest } from '../../../../engine/domain/operator/operator-state.ts'
import type { State } from '../../../../engine/domain/state.ts'
import { type Entry, eventsOf, Machine, type NounModel, sameRows } from '../entry.ts'
import type { Moves } from '../moves.ts'

export interface ModelOperator {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly role: OperatorRole
}

export interface ModelOperatorRequest extends ModelOperator {
  readonly kind: 'create' | 'revoke'
  readonly operatorId: string
  /** Id of the operator who asked; null for the one of the settings. */
  readonly by: string | null
  state: 'waiting' | 'approved' | 'refused'
}

type OperatorState = 'waiting' | 'active'

export class OperatorsModel implements NounModel {
  readonly operators = new Map<string, ModelOperator>()
  /** By id, which becomes a new operator's; decided ones too. */
  readonly requests = new Map<string, ModelOperatorRequest>()
  readonly #machine: Machine<OperatorState>
  #hadAdministrator = false

  constructor(seen: Moves) {
    this.#machine = new Machine<OperatorState>('operator', { approved: ['waiting'], refused: ['waiting'], revoked: ['active'] }, seen)
  }

  get waiting(): ModelOperatorRequest[] {
    return [...this.requests.values()].filter(({ state }) => state === 'waiting')
  }

  /** Whether an operator, or one who waits, has the address. */
  isTaken(email: string): boolean {
    return [...this.operators.values(), ...this.waiting].some((one) => one.email === email)
  }

  /** Dual control: rights over money or operators need two persons, but for the first administrator that ever was. */
  needsTwo({ isDualControlled, role }: Pick<CreateOperator, 'isDualControlled' | 'role'>, operatorId: string | null): boolean {
    if (isDualControlled !== true) return false
    if (role === 'finance') return true
    return role === 'admin' && (operatorId !== null || this.#hadAdministrator)
  }

  audit(entry: Entry): void {
    const { decided } = entry
    if (decided?.command.type === 'CreateOperator' && decided.code === null) {
      const type = this.needsTwo(decided.command, decided.operatorId) ? 'operator.requested' : 'operator.created'
      assert.equal(eventsOf(entry, type).length, 1, `a new operator leaves ${type}`)
    }
    for (const { payload } of eventsOf<OperatorRequest>(entry, 'operator.requested')) {
      const { id, kind, operator_id: operatorId, name, email, role, requested_by } = payload
      assert.equal(this.isTaken(email), kind === 'revoke', 'an address belongs to one operator')
      this.requests.set(id, { id, kind, operatorId, name, email, role, by: requested_by.id, state: 'waiting' })
    }
    for (const { payload } of eventsOf<OperatorRequest>(entry, 'operator.request_decided')) this.#decide(entry, payload)
    for (const { payload } of eventsOf<ModelOperator>(entry, 'operator.created')) this.#create(payload)
    for (const { payload } of eventsOf<{ readonly id: string }>(entry, 'operator.revoked')) {
      this.#machine.move(this.operators.has(payload.id) ? 'active' : undefined, 'revoked')
      this.operators.delete(payload.id)
      const left = this.waiting.filter(({ by, operatorId }) => by === payload.id || operatorId === payload.id)
      assert.deepEqual(left, [], 'what a revoked operator asked for is refused')
    }
  }

  compare({ operators }: State): void {
    const row = ({ id, name, email, role }: ModelOperator): string => `${id} ${name} ${email} ${role}`
    sameRows(Array.from(operators.operators.values(), row), Array.from(this.operators.values(), row), 'operators')
    sameRows(Array.from(operators.waiting.values(), row), this.waiting.map(row), 'operators who wait for a second administrator')
  }

  #decide(entry: Entry, { id, state, decided_by }: OperatorRequest): void {
    const request = this.requests.get(id)
    assert.ok(state !== 'waiting', 'a request for an operator is approved or refused')
    this.#machine.move(request?.state === 'waiting' ? 'waiting' : undefined, state)
    if (request === undefined) return
    const isNew = request.kind === 'create'
    if (state === 'approved') {
      assert.notEqual(decided_by?.id ?? null, request.by, 'another person approves')
      assert.equal(eventsOf(entry, isNew ? 'operator.created' : 'operator.revoked').length, 1, 'an approval makes or revokes an operator')
    } else assert.equal(eventsOf(entry, 'operator.created').length, 0, 'an approval alone makes an operator')
    request.state = state
  }

  /** One who waited has what was asked for. */
  #create({ id, name, email, role }: ModelOperator): void {
    assert.equal(this.isTaken(email), false, 'an address belongs to one operator')
    const request = this.requests.get(id)
    if (request !== undefined) assert.deepEqual([name, email, role], [request.name, request.email, request.role], 'as was asked for')
    if (role === 'admin') this.#hadAdministrator = true
    this.operators.set(id, { id, name, email, role })
  }
}
