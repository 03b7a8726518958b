// Operators with a name and their clients.
import assert from 'node:assert/strict'
import type { OperatorRole } from '../../engine/contract/operator.ts'
import type { Client } from './client.ts'
import { newEmail } from './dashboard-callers.ts'
import type { TestServer } from './server-fixture.ts'

/** OPERATOR_DUAL_CONTROL of servers whose tests need it: more than other tests move. */
export const DUAL_CONTROL = 500_000_000_000

export interface NamedOperator {
  readonly id: string
  readonly name: string
  readonly token: string
  readonly client: Client
}

/** The administrator who approves the other operators of a server under dual control. */
const approvers = new WeakMap<TestServer, Promise<NamedOperator>>()

/** Returns an operator whose token opens: under dual control a second administrator has approved it. */
export async function newOperator(server: TestServer, role: OperatorRole, name = `Fatou ${role}`): Promise<NamedOperator> {
  const { operator, isWaiting } = await askOperator(server, role, name)
  if (isWaiting) {
    const { client } = await approverOf(server)
    const { status, text } = await client.post(`/v1/operator/operator-requests/${operator.id}/approve`, undefined)
    assert.equal(status, 200, text)
  } else if (role === 'admin' && !approvers.has(server)) approvers.set(server, Promise.resolve(operator))
  return operator
}

/** Returns the administrator of this file's tests; the first one of a server needs no approval. */
export function approverOf(server: TestServer): Promise<NamedOperator> {
  const found = approvers.get(server) ?? newOperator(server, 'admin', 'Awa admin')
  approvers.set(server, found)
  return found
}

/** Asks as the holder of OPERATOR_TOKEN. */
export async function askOperator(
  server: TestServer,
  role: OperatorRole,
  name = `Fatou ${role}`,
): Promise<{ readonly operator: NamedOperator; readonly isWaiting: boolean }> {
  const answer = await server.operator.post<{ id: string; token: string }>('/v1/operator/operators', { name, email: newEmail(), role })
  assert.ok(answer.status === 201 || answer.status === 202, answer.text)
  const { id, token } = answer.body
  const client = server.anybody.with({ authorization: `Bearer ${token}` })
  return { operator: { id, name, token, client }, isWaiting: answer.status === 202 }
}
