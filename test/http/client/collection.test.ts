// The collection for Postman and Bruno: it has each operation of the document, its bodies are valid, and the requests of a merchant
// reach their operations on the real server.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { collectionOf } from '../../../http/client/build/collection.ts'
import { documentOf } from '../../../http/client/build/document.ts'
import type { JsonObject } from '../../../http/openapi/openapi-schemas.ts'
import { DOCUMENT } from '../../support/api-document.ts'
import { keysOf } from '../../support/built-client.ts'
import { DocumentSchemas } from '../../support/json-schema.ts'
import type { TestServer } from '../../support/server-fixture.ts'
import { sharedServer } from '../../support/shared-server.ts'

interface Pair {
  readonly key: string
  readonly value: string
  readonly disabled?: boolean
}

interface Sent {
  readonly name: string
  readonly request: {
    readonly method: string
    readonly header: readonly Pair[]
    readonly url: {
      readonly raw: string
      readonly path: readonly string[]
      readonly query: readonly Pair[]
      readonly variable: readonly Pair[]
    }
    readonly body?: { readonly mode: string; readonly raw?: string }
  }
}

interface Collection {
  readonly info: { readonly name: string; readonly schema: string }
  readonly item: readonly { readonly name: string; readonly item: readonly Sent[] }[]
  readonly variable: readonly Pair[]
}

const collection = collectionOf(documentOf(() => true)) as unknown as Collection
const requests = collection.item.flatMap(({ item }) => item)
const pathOf = ({ request }: Sent): string => `/${request.url.path.join('/').replaceAll(/:(\w+)/g, '{$1}')}`

let server: TestServer
let variables: ReadonlyMap<string, string>

before(async () => {
  server = await sharedServer()
  const { publicKey, secretKey } = await keysOf(server, await server.fundedMerchant(1_000_000))
  variables = new Map([
    ['baseUrl', server.process.baseUrl],
    ['apiKey', publicKey],
    ['apiSecret', secretKey],
  ])
})

/** As Postman replaces variables. */
function filled(text: string): string {
  return text.replaceAll(/\{\{([\w$]+)\}\}/g, (_, name: string) => (name === '$guid' ? randomUUID() : (variables.get(name) ?? '')))
}

/** Sends a request of the collection; returns its status and the code of an error. */
async function send({ request }: Sent): Promise<string> {
  const { url, header, body } = request
  const path = url.path.map((part) => (part.startsWith(':') ? (url.variable.find(({ key }) => key === part.slice(1))?.value ?? '') : part))
  const query = url.query.filter(({ disabled }) => disabled !== true).map(({ key, value }) => `${key}=${encodeURIComponent(value)}`)
  const address = `${filled(url.raw.slice(0, url.raw.indexOf('}}') + 2))}/${path.map(encodeURIComponent).join('/')}?${query.join('&')}`
  const headers = header.filter(({ disabled }) => disabled !== true).map(({ key, value }): [string, string] => [key, filled(value)])
  const response = await fetch(address.replace(/\?$/, ''), {
    method: request.method,
    headers,
    ...(body?.raw === undefined ? {} : { body: body.raw }),
  })
  if (response.ok) {
    // A stream has no end.
    await response.body?.cancel()
    return String(response.status)
  }
  const { code } = (await response.json()) as { readonly code: string }
  return `${response.status} ${code}`
}

test('the collection has each operation of the document once, in the folder of its tag', () => {
  const written = collection.item.flatMap(({ name, item }) => item.map((sent) => `${name}: ${sent.request.method} ${pathOf(sent)}`))
  const paths = DOCUMENT.paths as unknown as Record<string, Record<string, { readonly tags: readonly string[] }>>
  const wanted = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { tags }]) => `${tags[0]}: ${method.toUpperCase()} ${path}`),
  )
  assert.deepEqual(written.sort(), wanted.sort())
  assert.ok(written.length > 180, `${written.length} requests`)
})

test('the collection defines each variable that its requests name', () => {
  const known = new Set(collection.variable.map(({ key }) => key))
  const named = [...JSON.stringify(collection.item).matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name)
  assert.deepEqual(
    [...new Set(named)].filter((name) => !known.has(name)),
    [],
  )
})

test('each body of the collection is valid for its operation', () => {
  const schemas = new DocumentSchemas(DOCUMENT)
  const paths = DOCUMENT.paths as Record<string, Record<string, { requestBody?: { content: Record<string, { schema: JsonObject }> } }>>
  const faults = requests.flatMap((sent) => {
    if (sent.request.body?.raw === undefined) return []
    const operation = paths[pathOf(sent)]?.[sent.request.method.toLowerCase()]
    const schema = operation?.requestBody?.content['application/json']?.schema
    assert.ok(schema !== undefined, sent.name)
    return schemas.faults(schema, JSON.parse(sent.request.body.raw)).map((fault) => `${sent.name}: ${fault}`)
  })
  assert.deepEqual(faults, [])
})

/** Answers to a request that is not well formed or has no credentials, and to bugs. Other rejections depend on the merchant's data. */
const MALFORMED = /^(?:401|405|406|415|5\d\d) |^400 (?:invalid_request|invalid_parameter|invalid_json|idempotency_key_\w+)$/

test('each request with an API key reaches its operation with its credentials, and is well formed', async () => {
  // The user of a collection chooses the file of a form.
  const keyed = requests.filter(({ request }) => request.header.some(({ key }) => key === 'X-Api-Key') && request.body?.mode !== 'formdata')
  assert.ok(keyed.length > 70, `${keyed.length} requests`)
  const answers = new Map<string, string>()
  for (const sent of keyed) answers.set(`${sent.request.method} ${pathOf(sent)}`, await send(sent))
  const wrong = [...answers].filter(([, answer]) => MALFORMED.test(answer))
  assert.deepEqual(wrong, [])
  assert.equal(answers.get('POST /v1/biz/payouts'), '201')
  assert.equal(answers.get('POST /v1/biz/charges'), '201')
  assert.equal(answers.get('GET /v1/biz/balance'), '200')
})

test('an option is no file name for the collection', () => {
  const root = join(import.meta.dirname, '..', '..', '..')
  const program = join(root, 'http', 'client', 'build', 'collection-main.ts')
  const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', program, '--help'], { cwd: root, encoding: 'utf8' })
  assert.deepEqual([status, stderr.trim()], [2, 'usage: npm run collection -- [<file>]'])
})
