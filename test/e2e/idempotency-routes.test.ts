// Every POST of the API honours its Idempotency-Key: at once, with another body, after a crash. Rows are in
// test/support/.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Answer, Client } from '../support/client.ts'
import { MERCHANT_ROUTES } from '../support/keyed-merchant-routes.ts'
import { PERSON_ROUTES } from '../support/keyed-person-routes.ts'
import type { KeyedRequest } from '../support/keyed-request.ts'
import { KeyedWorldFixture } from '../support/keyed-world.ts'
import { newKey, type TestServer } from '../support/server-fixture.ts'

const KEYED_ROUTES = { ...PERSON_ROUTES, ...MERCHANT_ROUTES }

interface Sent {
  readonly request: KeyedRequest
  readonly key: { readonly 'idempotency-key': string }
  readonly first: Answer
}

interface DocumentOperation {
  readonly operationId: string
  readonly security?: readonly unknown[]
}

/** Their key counts for path and body: with another body it is another key. */
const PUBLIC = new Set([
  ...['startPhone', 'verifyPhone', 'exchangeFirebase', 'refreshSession', 'signUpMerchant', 'logInToDashboard', 'startCheckoutOtp'],
  ...['requestPasswordReset', 'resetPassword', 'confirmEmail', 'acceptInvitation'],
])
/** Tickets are in memory, and are over with the process. */
const IN_MEMORY = new Set(['createStreamTicket'])

const folder = mkdtempSync(join(tmpdir(), 'cauri-e2e-'))
const sent = new Map<string, Sent>()
let fixture: KeyedWorldFixture
let server: TestServer

before(async () => {
  fixture = await KeyedWorldFixture.open({ dataDir: folder })
  server = fixture.server
})

after(async () => {
  await fixture.close()
  rmSync(folder, { recursive: true, force: true })
})

function send({ client, path, json, form }: KeyedRequest, headers: Readonly<Record<string, string>>, anew?: Client): Promise<Answer> {
  const body = form ?? (json === undefined ? {} : { json })
  return (anew === undefined ? client : client.at(anew)).request('POST', path, { ...body, headers })
}

function assertReplay(first: Answer, again: Answer): void {
  assert.deepEqual([again.status, again.text], [first.status, first.text])
  assert.equal(again.headers['idempotent-replayed'], 'true')
}

async function postOperations(): Promise<string[]> {
  const { paths } = (await server.anybody.get<{ paths: Record<string, { post?: DocumentOperation }> }>('/openapi.json')).body
  return Object.values(paths).flatMap(({ post }) => (post === undefined ? [] : [post.operationId]))
}

it('every POST of the document has a row', async () => {
  const [operations, rows] = [new Set(await postOperations()), Object.keys(KEYED_ROUTES)]
  assert.deepEqual(
    { missing: [...operations].filter((name) => !rows.includes(name)), unknown: rows.filter((name) => !operations.has(name)) },
    { missing: [], unknown: [] },
  )
})

describe('the same key and body', () => {
  for (const [operation, prepare] of Object.entries(KEYED_ROUTES)) {
    it(`the same key and body give the same answer on ${operation}`, async () => {
      const request = await prepare(fixture.world)
      const key = newKey()
      const first = await send(request, key)
      assert.ok(first.status >= 200 && first.status < 300, `${first.status} ${first.text}`)
      assert.equal(first.headers['idempotent-replayed'], undefined)
      assertReplay(first, await send(request, key))
      sent.set(operation, { request, key, first })
    })
  }
})

describe('the same key with another body', () => {
  for (const operation of Object.keys(KEYED_ROUTES).filter((name) => !PUBLIC.has(name))) {
    it(`the same key with another body is refused on ${operation}`, async () => {
      const { request, key } = sent.get(operation) as Sent
      const { json, form, client, path } = request
      const body = form === undefined ? { json: otherJson(json ?? {}) } : otherForm(form)
      const refused = await client.request('POST', path, { ...body, headers: key })
      // A route that moves money and takes no amount refuses the unknown field before it looks at the key.
      const expected = refused.status === 400 ? [400, 'unknown_field', 'another'] : [422, 'idempotency_key_reused', undefined]
      assert.deepEqual([refused.status, refused.body.code, refused.body.param], expected, refused.text)
    })
  }
})

describe('after a crash', () => {
  before(async () => {
    server = await fixture.startAgain()
  })

  for (const operation of Object.keys(KEYED_ROUTES).filter((name) => !IN_MEMORY.has(name))) {
    it(`the key of ${operation} still has its answer`, async () => {
      const { request, key, first } = sent.get(operation) as Sent
      assertReplay(first, await send(request, key, server.anybody))
    })
  }
})

/** With the first amount one higher; without any, with an unknown field. */
function otherJson(json: unknown): unknown {
  let isOther = false
  const other: unknown = JSON.parse(JSON.stringify(json), (name, value: unknown) => {
    if (isOther || typeof value !== 'number' || !name.endsWith('amount')) return value
    isOther = true
    return value + 1
  })
  return isOther ? other : { ...(other as object), another: true }
}

/** The same picture with bytes behind it. */
function otherForm({ body, contentType }: NonNullable<KeyedRequest['form']>): NonNullable<KeyedRequest['form']> {
  const text = Buffer.from(body ?? '').toString('latin1')
  return {
    body: Buffer.from(text.replace('\r\n------', 'more\r\n------'), 'latin1'),
    ...(contentType === undefined ? {} : { contentType }),
  }
}
