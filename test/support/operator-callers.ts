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

export async function newOperator(server: TestServer, role: OperatorRole, name = `Fatou ${role}`): Promise<NamedOperator> {
  const answer = await server.operator.post<{ id: string; token: string }>('/v1/operator/operators', { name, email: newEmail(), role })
  assert.equal(answer.status, 201, answer.text)
  const { id, token } = answer.body
  return { id, name, token, client: server.anybody.with({ authorization: `Bearer ${token}` }) }
}
