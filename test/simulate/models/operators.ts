// Operators in the model, and the requests for one that wait for a second administrator.
import assert from 'node:assert/strict'
import type { OperatorRole } from '../../../engine/contract/operator.ts'
import type { CreateOperator } from '../../../engine/domain/operator/operator-account-decide.ts'
import type { OperatorRequest } from '../../../engine/domain/operator/operator-state.ts'
import type { State } from '../../../engine/domain/state.ts'
import { type Entry, eventsOf, Machine, type NounModel, sameRows } from '../entry.ts'
import type { Moves } from '../moves.ts'

export interface ModelOperator {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly role: OperatorRole
}

export interface ModelOperatorRequest extends ModelOperator {
  readonly tokenHash: string
  /** Id of the operator who asked; null for the one of the settings. */
  readonly by: string | null
  state: 'waiting' | 'approved' | 'refused'
}

interface Created extends ModelOperator {
  readonly token_hash: string
}

type OperatorState = 'waiting' | 'active'

export class OperatorsModel implements NounModel {
  readonly operators = new Map<string, ModelOperator>()
  /** By id, which becomes the operator's; decided ones too. */
  readonly requests = new Map<string, ModelOperatorRequest>()
  readonly #machine: Machine<OperatorState>

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

  /** Dual control: rights over money or operators need two persons, but for the first administrator of an installation. */
  needsTwo({ isDualControlled, role }: Pick<CreateOperator, 'isDualControlled' | 'role'>, operatorId: string | null): boolean {
    if (isDualControlled !== true) return false
    if (role === 'finance') return true
    return role === 'admin' && (operatorId !== null || [...this.operators.values()].some((one) => one.role === 'admin'))
  }

  audit(entry: Entry): void {
    const { decided } = entry
    if (decided?.command.type === 'CreateOperator' && decided.code === null) {
      const type = this.needsTwo(decided.command, decided.operatorId) ? 'operator.requested' : 'operator.created'
      assert.equal(eventsOf(entry, type).length, 1, `a new operator leaves ${type}`)
    }
    for (const { payload } of eventsOf<OperatorRequest & { readonly token_hash: string }>(entry, 'operator.requested')) {
      const { id, name, email, role, token_hash, requested_by } = payload
      assert.equal(this.isTaken(email), false, 'an address belongs to one operator')
      this.requests.set(id, { id, name, email, role, tokenHash: token_hash, by: requested_by.id, state: 'waiting' })
    }
    for (const { payload } of eventsOf<OperatorRequest>(entry, 'operator.request_decided')) this.#decide(entry, payload)
    for (const { payload } of eventsOf<Created>(entry, 'operator.created')) this.#create(payload)
    for (const { payload } of eventsOf<{ readonly id: string }>(entry, 'operator.revoked')) {
      this.#machine.move(this.operators.has(payload.id) ? 'active' : undefined, 'revoked')
      this.operators.delete(payload.id)
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
    if (state === 'approved') assert.notEqual(decided_by?.id ?? null, request.by, 'another administrator approves')
    assert.equal(eventsOf(entry, 'operator.created').length, state === 'approved' ? 1 : 0, 'an approval alone makes an operator')
    request.state = state
  }

  /** One who waited has what was asked for, with the token that was given then. */
  #create({ id, name, email, role, token_hash }: Created): void {
    assert.equal(this.isTaken(email), false, 'an address belongs to one operator')
    const request = this.requests.get(id)
    if (request !== undefined) {
      assert.deepEqual([name, email, role, token_hash], [request.name, request.email, request.role, request.tokenHash], 'as was asked for')
    }
    this.operators.set(id, { id, name, email, role })
  }
}
