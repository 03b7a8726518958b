// Clients by generators of others: each model and each operation of the document is in them, and a TypeScript compiler finds a
// known type for every answer and field. Generators that are not installed are skipped with a text.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { DOCUMENT, TABLE } from '../../support/api-document.ts'
import { errorsOfProgram } from '../../support/compiled-types.ts'
import { filesBelow, type Generated, generate, MODELS, OPERATIONS, programMissing } from '../../support/generated-client.ts'

const HEY_API = join(import.meta.dirname, '..', '..', '..', 'node_modules', '@hey-api', 'openapi-ts', 'bin', 'index.cjs')

/** Asserts of types: a program that uses them compiles, or names what is wrong. */
const PRELUDE = `
import type * as api from './types.gen'
export * from './sdk.gen'
type Known<T> = unknown extends T ? never : T
type Unknowns<T> = { [K in keyof T]-?: unknown extends T[K] ? K : never }[keyof T]
type None<T extends never> = T
type Some<T> = [T] extends [never] ? never : true
`

/** Names of a group in the text of all files: \`filesBelow\` and one pattern with one group. */
function namesIn(files: readonly string[], pattern: RegExp): Set<string> {
  return new Set(files.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, name = '']) => name)))
}

const pascal = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`
const snake = (name: string): string => name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase()
const without = (wanted: readonly string[], there: ReadonlySet<string>): string[] => wanted.filter((name) => !there.has(name))

describe('a client by @hey-api/openapi-ts', { skip: existsSync(HEY_API) ? false : '@hey-api/openapi-ts is not installed: npm ci' }, () => {
  let client: Generated

  before(() => {
    const plugins = ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch']
    client = generate((document, folder) => [process.execPath, HEY_API, '-i', document, '-o', folder, '-s', '-p', ...plugins])
  })

  after(() => client?.remove())

  it('a client by @hey-api/openapi-ts has each model, each operation and each call that leaves the service', () => {
    const types = namesIn([join(client.folder, 'types.gen.ts')], /^export type (\w+)/gm)
    const functions = namesIn([join(client.folder, 'sdk.gen.ts')], /^export const (\w+)/gm)
    assert.deepEqual(without(MODELS, types), [])
    assert.deepEqual([...functions].sort(), [...OPERATIONS].sort())
    const calls = Object.values(DOCUMENT.webhooks as Record<string, { readonly post: { readonly operationId: string } }>)
    const payloads = calls.map(({ post }) => `${pascal(post.operationId)}WebhookPayload`)
    assert.deepEqual(without(payloads, types), [])
  })

  it('a client by @hey-api/openapi-ts compiles, and every answer and field is of a known type', () => {
    const { schemas } = DOCUMENT.components as { schemas: Record<string, { properties?: object; additionalProperties?: unknown }> }
    // Where other fields are allowed by name, any JSON may stand.
    const records = Object.entries(schemas).filter(([, { properties, additionalProperties }]) => {
      return properties !== undefined && additionalProperties !== true
    })
    const answers = TABLE.flatMap(({ operationId, responses }) =>
      responses.flatMap(({ status, schema }) => (schema === undefined ? [] : [`api.${pascal(operationId)}Responses[${status}]`])),
    )
    const lines = [
      ...records.map(([name], index) => `export type T${index} = None<Unknowns<api.${name}>>`),
      ...answers.map((answer, index) => `export const a${index}: Some<Known<${answer}>> = true`),
    ]
    assert.deepEqual(errorsOfProgram(client.folder, PRELUDE + lines.join('\n')), [])
    assert.equal(errorsOfProgram(client.folder, `${PRELUDE}export const wrong: Some<Known<unknown>> = true`).length, 1)
  })
})

/** Neither is in Debian or whole on npm. */
const WHY_NOT_PYTHON = 'openapi-python-client is not installed: it is on PyPI alone'
const WHY_NOT_JAVA =
  'openapi-generator-cli is not installed: its npm packages 1.x carry version 5, which does not read OpenAPI 3.1, and 2.x download the program'

describe('a client by openapi-python-client', { skip: programMissing('openapi-python-client') && WHY_NOT_PYTHON }, () => {
  it('a client by openapi-python-client has each model and each operation, and is valid Python', () => {
    const client = generate((document, folder) => [
      ...(['openapi-python-client', 'generate', '--path', document, '--output-path', folder] as const),
      ...['--meta', 'none', '--overwrite'],
    ])
    try {
      const files = filesBelow(client.folder)
      const operations = new Set(files.filter((file) => file.includes('/api/')).map((file) => basename(file, '.py')))
      assert.deepEqual(without(OPERATIONS.map(snake), operations), [])
      const { schemas } = DOCUMENT.components as { schemas: Record<string, { readonly anyOf?: unknown }> }
      // A union is written where it is used.
      const models = MODELS.filter((name) => schemas[name]?.anyOf === undefined)
      assert.deepEqual(
        without(
          models,
          namesIn(
            files.filter((file) => file.includes('/models/')),
            /^class (\w+)/gm,
          ),
        ),
        [],
      )
      const text = 'import sys\nfor path in sys.argv[1:]: compile(open(path, encoding="utf-8").read(), path, "exec")'
      generate(() => ['python3', '-c', text, ...files.filter((file) => file.endsWith('.py'))]).remove()
    } finally {
      client.remove()
    }
  })
})

describe('a client by openapi-generator', { skip: programMissing('openapi-generator-cli') && WHY_NOT_JAVA }, () => {
  it('a client by openapi-generator for Java has each model and each operation', () => {
    const client = generate((document, folder) => [
      ...(['openapi-generator-cli', 'generate', '-g', 'java', '-i', document, '-o', folder] as const),
      ...['--library', 'native', '--global-property', 'models,apis,modelDocs=false,modelTests=false,apiDocs=false,apiTests=false'],
    ])
    try {
      const files = filesBelow(client.folder)
      const methods = namesIn(files, /^ {2}public [\w<>.]+ (\w+)\(/gm)
      assert.deepEqual(without(OPERATIONS, methods), [])
    } finally {
      client.remove()
    }
  })
})
