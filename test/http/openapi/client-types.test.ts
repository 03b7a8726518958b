// A client is generated from the document, as its readers do it, and the compiler says what a program sees: every answer
// and every field has a type, and the rows of lists are records.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import ts from 'typescript'
import { DOCUMENT, TABLE } from '../../support/api-document.ts'

/** Asserts of types: a program that uses them compiles, or names what is wrong. */
const PRELUDE = `
import type { components, operations, webhooks } from './client.ts'
type Known<T> = unknown extends T ? never : T
type Unknowns<T> = { [K in keyof T]-?: unknown extends T[K] ? K : never }[keyof T]
type None<T extends never> = T
type Rows<T> = T extends { data: (infer Row)[]; has_more: boolean; next_cursor: string | null } ? Known<Row> : never
type Some<T> = [T] extends [never] ? never : true
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name]
`

const CLIENT = '/client.ts'
const PROGRAM = '/program.ts'
const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  types: [],
  lib: ['lib.es2022.d.ts'],
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
}

/** Parsed once: the client is large, and so are the types of the language. */
const sources = new Map<string, ts.SourceFile | undefined>()

/** The errors of a program that stands behind the prelude, as text. */
function errorsOf(program: string): string[] {
  sources.set(PROGRAM, ts.createSourceFile(PROGRAM, PRELUDE + program, ts.ScriptTarget.ES2022))
  const host = ts.createCompilerHost(OPTIONS)
  const { getSourceFile, fileExists } = host
  host.fileExists = (name) => sources.has(name) || fileExists(name)
  host.getSourceFile = (name, language) => {
    if (!sources.has(name)) sources.set(name, getSourceFile(name, language))
    return sources.get(name)
  }
  return ts.getPreEmitDiagnostics(ts.createProgram([PROGRAM], OPTIONS, host)).map(({ file, start = 0, messageText }) => {
    const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start).line
    return `${file?.text.split('\n')[line] ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
  })
}

const JSON_ANSWERS = TABLE.flatMap(({ operationId, responses }) =>
  responses.flatMap(({ status, schema, contentType }) =>
    schema === undefined || contentType !== undefined ? [] : [{ operationId, status, name: String(schema.$id ?? '') }],
  ),
)
const answer = (operationId: string, status: number): string =>
  `operations['${operationId}']['responses'][${status}]['content']['application/json']`

before(async () => {
  const client = astToString(await openapiTS(structuredClone(DOCUMENT) as unknown as OpenAPI3))
  sources.set(CLIENT, ts.createSourceFile(CLIENT, client, ts.ScriptTarget.ES2022))
})

test('the generated client compiles', () => {
  assert.deepEqual(errorsOf(''), [])
})

test('every answer is of a known type', () => {
  assert.ok(JSON_ANSWERS.length > 80, `${JSON_ANSWERS.length} answers`)
  const program = JSON_ANSWERS.map(
    ({ operationId, status }, index) => `export const a${index}: Some<Known<${answer(operationId, status)}>> = true`,
  )
  assert.deepEqual(errorsOf(program.join('\n')), [])
})

test('every list has rows of a known type, those that are CSV too', () => {
  const lists = JSON_ANSWERS.filter(({ name }) => name.endsWith('List'))
  assert.ok(lists.length > 15, `${lists.length} lists`)
  const program = lists.map(({ operationId, status }, index) => `export const a${index}: Some<Rows<${answer(operationId, status)}>> = true`)
  assert.deepEqual(errorsOf(program.join('\n')), [])
  const row = `export const paid = (row: Rows<${answer('listPayouts', 200)}>): number => (row.state === 'paid' ? row.amount : 0)`
  assert.deepEqual(errorsOf(row), [])
})

test('no component and no operation is dropped, and every field of every component is of a known type', () => {
  const { schemas } = DOCUMENT.components as { schemas: Record<string, { properties?: object; additionalProperties?: unknown }> }
  // Where other fields are allowed by name, any JSON may stand.
  const records = Object.entries(schemas).filter(([, schema]) => schema.properties !== undefined && schema.additionalProperties !== true)
  assert.ok(records.length > 100, `${records.length} records`)
  const program = [
    ...records.map(([name], index) => `export type T${index} = None<Unknowns<Schema<'${name}'>>>`),
    ...Object.keys(schemas).map((name, index) => `export const s${index}: Some<Known<Schema<'${name}'>>> = true`),
    ...TABLE.map(({ operationId }, index) => `export const o${index}: Some<Known<operations['${operationId}']>> = true`),
  ]
  assert.deepEqual(errorsOf(program.join('\n')), [])
})

test('every call that leaves the service has a body of a known type', () => {
  const program = Object.keys(DOCUMENT.webhooks as object).map(
    (name, index) =>
      `export const a${index}: Some<Known<NonNullable<webhooks['${name}']['post']['requestBody']>['content']['application/json']>> = true`,
  )
  assert.ok(program.length > 18, `${program.length} calls`)
  assert.deepEqual(errorsOf(program.join('\n')), [])
})

test('the asserts see what is wrong', () => {
  assert.equal(errorsOf('export const a: Some<Known<unknown>> = true').length, 1)
  assert.equal(errorsOf('export const a: Some<Rows<{ data: unknown[]; has_more: boolean; next_cursor: null }>> = true').length, 1)
  assert.equal(errorsOf('export type A = None<Unknowns<{ known: string; open?: unknown }>>').length, 1)
})
