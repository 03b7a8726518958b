// Names in requests: each follows the one rule of names, on every route.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { Kind } from '@sinclair/typebox'
import type { Schema } from '../../../engine/contract/schema.ts'
import { TABLE } from '../../support/api-document.ts'
import type { Answer } from '../../support/client.ts'
import { signUp as openOwner } from '../../support/dashboard-callers.ts'
import { newKey, type TestServer } from '../../support/server-fixture.ts'
import { sharedServer } from '../../support/shared-server.ts'
import { bearer, newTestPhone, showCode } from '../../support/wallet-callers.ts'

/** Words for a file in a path, and names that a program made. */
const NO_NAME: ReadonlySet<string> = new Set([])
const NAME_FIELD = /(?:^|_)(?:name|label)$/

/** Returns paths of text fields that are names by their word and not by their schema. */
function loose(schema: Schema, path: string): string[] {
  const inner = [...Object.entries((schema.properties as Record<string, Schema> | undefined) ?? {})]
  const items = schema.items as Schema | undefined
  const found = inner.flatMap(([name, field]) => {
    const isText = field.type === 'string' && field.enum === undefined && field.const === undefined
    const own = NAME_FIELD.test(name) && isText && field[Kind] !== 'Name' ? [`${path}.${name}`] : []
    return [...own, ...loose(field, `${path}.${name}`)]
  })
  return items === undefined ? found : [...found, ...loose(items, `${path}.0`)]
}

describe('names in requests', () => {
  let server: TestServer

  before(async () => {
    server = await sharedServer()
  })

  it('each field of a body that is called a name or a label has the schema of names', () => {
    const found = TABLE.flatMap(({ operationId, body }) => (body === undefined ? [] : loose(body, operationId)))
    assert.deepEqual(
      found.filter((path) => !NO_NAME.has(path)),
      [],
    )
  })

  it('a name of blanks, hidden characters or mixed alphabets is refused, and the reason is named in both languages', async () => {
    const owner = await openOwner(server)
    const signup = bearer(server.anybody, await showCode(server.anybody, newTestPhone(), 'signup'))
    const merchant = await server.fundedMerchant(1000)
    const destination = { kind: 'bank', account: 'SN08SN0100152000048500003035' }
    const password = 'un long mot de passe'
    const key = { environment: 'test', scopes: [] }
    const routes: Readonly<Record<string, (name: string, headers: Record<string, string>) => Promise<Answer>>> = {
      merchant_name: (name, headers) =>
        server.anybody.post('/v1/dashboard/signup', { merchant_name: name, email: 'x@example.ci', password }, headers),
      name: (name, headers) => server.operator.post('/v1/operator/merchants', { name, email: 'x@example.ci' }, headers),
      family_name: (name, headers) => signup.post('/v1/auth/identity/set', { family_name: name, given_name: 'Awa' }, headers),
      given_name: (name, headers) => signup.post('/v1/auth/identity/set', { family_name: 'Diallo', given_name: name }, headers),
      'name of an operator': (name, headers) =>
        server.operator.post('/v1/operator/operators', { name, email: 'x@example.ci', role: 'support' }, headers),
      label: (name, headers) => owner.browser.post('/v1/dashboard/api-keys', { ...key, label: name }, headers),
      'destination.name': (name, headers) =>
        merchant.test.post('/v1/biz/withdrawals', { amount: 1, destination: { ...destination, name } }, { ...newKey(), ...headers }),
      display_name: (name, headers) =>
        merchant.test.request('PUT', '/v1/biz/biller', { json: { display_name: name, category: 'eau', short_desc: 'Eau' }, headers }),
    }
    for (const [field, send] of Object.entries(routes)) {
      for (const name of ['\u200b', 'Oran\u200bge', 'A\u202eb', '\u041erange']) {
        for (const language of ['fr', 'en']) {
          const { status, body } = await send(name, { 'accept-language': language })
          assert.deepEqual([status, body.code], [400, 'invalid_request'], `${field} ${JSON.stringify(name)}`)
          assert.equal(body.param, field.split(' of ')[0])
        }
      }
    }
  })
})
