// A server with what is open by default closed: no operators, no sign-up of merchants, /metrics by token. Each route of operators must
// answer 404 to every request.
import assert from 'node:assert/strict'
import type { Route } from '../../../http/server/route.ts'
import { TABLE } from '../../support/api-document.ts'
import { newEmail, PASSWORD } from '../../support/dashboard-callers.ts'
import { TestServer } from '../../support/server-fixture.ts'
import { bearer } from '../../support/wallet-callers.ts'
import type { AttemptSender } from './attempt-sender.ts'
import type { Attempt } from './route-attempt.ts'
import { documentedAnswers } from './route-fuzz.ts'

/** Address of documentation (RFC 5737): this machine needs no token. */
const STRANGER = { 'x-forwarded-for': '203.0.113.9' }
const METRICS_TOKEN = 'metrics-token-of-the-fuzzer'

/** Returns the documented answers that were seen. */
export async function walkClosed(sender: AttemptSender): Promise<readonly string[]> {
  const server = await TestServer.open({ settings: { OPERATOR_TOKEN: undefined, SIGNUP: 'closed', METRICS_TOKEN, PROXY_HOPS: '1' } })
  try {
    const { anybody, operator } = server
    for (const route of TABLE) {
      const expected = route.auth === 'operator' ? 404 : route.operationId === 'signUpMerchant' ? 403 : null
      if (expected === null) continue
      const check = ({ status, text }: { readonly status: number; readonly text: string }): void => assert.equal(status, expected, text)
      for (const client of [anybody, operator])
        await sender.send(`${route.operationId}, where it is closed`, route, client, attemptOn(route), check)
    }
    assert.equal((await anybody.with(STRANGER).get('/metrics')).status, 401)
    assert.equal((await bearer(anybody, METRICS_TOKEN).get('/metrics')).status, 200)
    return documentedAnswers(server).seen
  } finally {
    await server.close()
  }
}

function attemptOn({ method, path, operationId }: Route): Attempt {
  const json = operationId === 'signUpMerchant' ? { merchant_name: 'Boutique', email: newEmail(), password: PASSWORD } : {}
  const bytes = Buffer.from(JSON.stringify(json))
  const body = method === 'POST' || method === 'PUT' ? { bytes, contentType: 'application/json' } : null
  const absent = path.replaceAll(/\{\w+\}/g, '019aa0f8-1c00-7c01-8c4d-5e6f708192a3')
  return { method, path: absent, headers: {}, body, caller: 'stranger', isRight: false }
}
