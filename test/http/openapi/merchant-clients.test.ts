// Clients for merchants, made from `/openapi.yaml?audience=merchant` by generators of others and compiled: each operation is in them.
// Generators and compilers that are not installed are skipped with a text.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { openapiDocument } from '../../../http/openapi/openapi.ts'
import { TABLE, TABLE_PARTS } from '../../support/api-document.ts'
import { errorsOfProgram } from '../../support/compiled-types.ts'
import { filesBelow, type Generated, generate, programMissing } from '../../support/generated-client.ts'

const DOCUMENT = openapiDocument(TABLE, TABLE_PARTS, 'merchant') as unknown as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>
}
const OPERATIONS = Object.values(DOCUMENT.paths).flatMap((verbs) => Object.values(verbs).flatMap(({ operationId }) => operationId ?? []))
const GENERATOR = 'openapi-generator-cli'
/** Its jar is on Maven, with a program around it on PyPI. */
const WHY_NOT = `${GENERATOR} is not installed: pip install ${GENERATOR}`

interface Language {
  readonly name: 'go' | 'java' | 'php'
  readonly more: readonly string[]
  /** The compiler, in the folder of the client. */
  readonly compile: (folder: string) => readonly (readonly [program: string, ...words: string[]])[]
  readonly compiler: string
  readonly file: RegExp
  /** With the name of each operation as its group. */
  readonly operation: RegExp
}

const LANGUAGES: readonly Language[] = [
  {
    ...{ name: 'go', more: [], compiler: 'go', file: /\.go$/, operation: /^func \(a \*\w+\) (\w+)\(ctx /gm },
    compile: () => [
      ['go', 'mod', 'tidy'],
      ['go', 'build', './...'],
    ],
  },
  {
    ...{ name: 'java', more: ['--library', 'native'], compiler: 'mvn', file: /\.java$/, operation: /^ {2}public [\w<>.]+ (\w+)\(/gm },
    compile: () => [['mvn', '-q', '-B', 'compile']],
  },
  {
    ...{ name: 'php', more: [], compiler: 'php', file: /\.php$/, operation: /^ {4}public function (\w+)\(/gm },
    compile: (folder) => filesBelow(folder).flatMap((file) => (file.endsWith('.php') ? [['php', '-l', file] as const] : [])),
  },
]

const lowerFirst = (name: string): string => `${name.charAt(0).toLowerCase()}${name.slice(1)}`

function namesIn(files: readonly string[], pattern: RegExp): Set<string> {
  return new Set(files.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, name = '']) => lowerFirst(name))))
}

function run([program, ...words]: readonly [string, ...string[]], cwd: string): void {
  const { status, stdout, stderr } = spawnSync(program, words, { cwd, encoding: 'utf8' })
  assert.equal(status, 0, `${program} ${words.join(' ')}: ${stdout}${stderr}`.slice(0, 4000))
}

for (const { name, more, compiler, compile, file, operation } of LANGUAGES) {
  const missing = (programMissing(GENERATOR) && WHY_NOT) || programMissing(compiler)
  it(`a client for merchants by openapi-generator in ${name} compiles, and has each operation`, { skip: missing }, () => {
    const parts = 'models,apis,supportingFiles,modelDocs=false,modelTests=false,apiDocs=false,apiTests=false'
    const client = generate(
      (document, folder) => [GENERATOR, 'generate', '-g', name, '-i', document, '-o', folder, ...more, '--global-property', parts],
      DOCUMENT,
    )
    try {
      const operations = namesIn(
        filesBelow(client.folder).filter((path) => file.test(path)),
        operation,
      )
      assert.deepEqual(
        OPERATIONS.filter((one) => !operations.has(one)),
        [],
      )
      for (const command of compile(client.folder)) run(command, client.folder)
    } finally {
      client.remove()
    }
  })
}

describe('a client for merchants by orval', { skip: programMissing('orval') }, () => {
  let client: Generated | null = null

  after(() => client?.remove())

  it('a client for merchants by orval compiles, and has each operation', () => {
    client = generate(
      (document, folder) => ['orval', '--input', document, '--output', join(folder, 'client.ts'), '--client', 'fetch'],
      DOCUMENT,
    )
    const operations = namesIn([join(client.folder, 'client.ts')], /^export const (\w+) = async/gm)
    assert.deepEqual(
      OPERATIONS.filter((one) => !operations.has(one)),
      [],
    )
    assert.deepEqual(errorsOfProgram(client.folder, "export * from './client'"), [])
  })
})
