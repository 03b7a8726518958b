// Operators with a name and their clients.
import assert from 'node:assert/strict'
import type { OperatorRole } from '../../engine/contract/operator.ts'
import type { Client } from './client.ts'
import { newEmail } from './dashboard-callers.ts'
import { mailedOperatorToken } from './member-callers.ts'
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

/** Returns an operator whose token opens: under dual control another person has approved it, and the token came by e-mail. */
export async function newOperator(
  server: TestServer,
  role: OperatorRole,
  name = `Fatou ${role}`,
  tokenOf: (email: string) => Promise<string> = (email) => mailedOperatorToken(server, email),
): Promise<NamedOperator> {
  const asked = await askOperator(server, role, name)
  if ('operator' in asked) {
    if (role === 'admin' && !approvers.has(server)) approvers.set(server, Promise.resolve(asked.operator))
    return asked.operator
  }
  const { client } = await approverOf(server)
  const { status, text } = await client.post(`/v1/operator/operator-requests/${asked.id}/approve`, undefined)
  assert.equal(status, 200, text)
  return named(server, asked.id, name, await tokenOf(asked.email))
}

/** Returns the administrator of this file's tests; the first one of a server needs no approval. */
export function approverOf(server: TestServer): Promise<NamedOperator> {
  const found = approvers.get(server) ?? newOperator(server, 'admin', 'Awa admin')
  approvers.set(server, found)
  return found
}

/** Asks as the holder of OPERATOR_TOKEN: for an operator that is made at once, or one that waits. */
export async function askOperator(
  server: TestServer,
  role: OperatorRole,
  name = `Fatou ${role}`,
): Promise<{ readonly operator: NamedOperator } | { readonly id: string; readonly email: string }> {
  const email = newEmail()
  const answer = await server.operator.post<{ id: string; token?: string }>('/v1/operator/operators', { name, email, role })
  assert.ok(answer.status === 201 || answer.status === 202, answer.text)
  const { id, token } = answer.body
  return token === undefined ? { id, email } : { operator: named(server, id, name, token) }
}

/** Returns the id of a request for an operator that waits. */
export async function waitingOperator(server: TestServer, role: OperatorRole): Promise<string> {
  const asked = await askOperator(server, role)
  assert.ok('id' in asked, 'the operator waits for another person')
  return asked.id
}

function named(server: TestServer, id: string, name: string, token: string): NamedOperator {
  return { id, name, token, client: server.anybody.with({ authorization: `Bearer ${token}` }) }
}
