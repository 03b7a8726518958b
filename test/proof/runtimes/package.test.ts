// The package as it is published: built with its types, packed, installed without a network into a project of its own, compiled
// against and run.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import ts from 'typescript'
import { CLIENT_ROOT } from '../../../http/client/build/client-bundle.ts'
import { type KeyPair, keysOf } from '../../support/built-client.ts'
import { projectWithClient } from '../../support/packed-client.ts'
import type { TestServer } from '../../support/server-fixture.ts'
import { sharedProcess } from '../../support/shared-server.ts'
import { WALKED } from './walked.ts'

let folder: string
/** A project that has installed the package. */
let project: string
let server: TestServer
/** Of three merchants with money, made before the long steps: an idle connection to the server does not last over them. */
let keys: KeyPair
let keysOfExamples: KeyPair
let keysOfWalk: KeyPair

before(async () => {
  server = await sharedProcess()
  keys = await keysOf(server, await server.fundedMerchant(1_000_000))
  keysOfExamples = await keysOf(server, await server.fundedMerchant(1_000_000))
  keysOfWalk = await keysOf(server, await server.fundedMerchant(1_000_000))
  folder = mkdtempSync(join(tmpdir(), 'cauri-package-'))
  project = await projectWithClient(folder)
})

after(async () => {
  rmSync(folder, { recursive: true, force: true })
})

test('the tarball has the programs, their types, the licence and the README, and no dependency', () => {
  const installed = join(project, 'node_modules', '@cauri', 'node')
  assert.deepEqual(readdirSync(installed).sort(), ['README.md', 'dist', 'package.json'])
  const names = readdirSync(join(installed, 'dist'))
  for (const name of ['index.js', 'index.d.ts', 'api.d.ts', 'cjs', 'cli.js', 'LICENSE']) assert.ok(names.includes(name), name)
  assert.deepEqual(
    readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.')),
    ['@cauri'],
  )
})

test('the module for programs imports nothing but its own chunks, so that it runs on workers', () => {
  const installed = join(project, 'node_modules', '@cauri', 'node', 'dist')
  const imports = (name: string): string[] =>
    [...readFileSync(join(installed, name), 'utf8').matchAll(/(?:from|import)\s*\(?\s*["']([^"']+)["']/g)].map(([, from = '']) => from)
  const seen = new Set<string>()
  const waiting = ['index.js']
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (seen.has(name)) continue
    seen.add(name)
    for (const from of imports(name)) {
      assert.ok(from.startsWith('./') && !builtinModules.includes(from), `${name} imports ${from}`)
      waiting.push(from.slice(2))
    }
  }
})

const PROGRAM = `
import { ApiError, Cauri, type Charge, InsufficientBalanceError, type WebhookEvent, webhooks } from '@cauri/node'

const { BASE_URL = '', PUBLIC_KEY = '', SECRET_KEY = '' } = (globalThis as unknown as { process: { env: Record<string, string> } }).process.env
const cauri = new Cauri({ baseUrl: BASE_URL, publicKey: PUBLIC_KEY, secretKey: SECRET_KEY })

export function amountOf(event: WebhookEvent): number | null {
  switch (event.type) {
    case 'charge.succeeded':
      return event.data.amount
    case 'payout.paid':
      return event.data.recipient.length
    case 'batch.completed':
      return event.data.paid_amount
    default:
      return null
  }
}

await cauri.test.deposit({ amount: 1000 })
const { tag } = await cauri.test.createWallet('projet_' + Date.now().toString(36))
await cauri.test.deposit({ recipient: tag, amount: 500 })
const charge: Charge = await cauri.charges.create({ amount: 500, reference: 'CMD-1' })
const paid = await cauri.test.payCharge(charge.token, { payer_tag: tag })
const states: string[] = [paid.state]
for await (const row of cauri.charges.list({ state: 'paid' })) states.push(row.reference)
const payout = await cauri.payouts.create({ recipient: tag, amount: 100 })
states.push(payout.state)
const page = await cauri.payouts.list().page()
states.push(String(page.data[0]?.amount ?? 0))
try {
  await cauri.charges.refund('x'.repeat(32))
} catch (error) {
  if (error instanceof InsufficientBalanceError) throw error
  if (error instanceof ApiError && error.is('not_found')) states.push(error.code)
}
const body = JSON.stringify({ type: 'charge.succeeded', data: { amount: 7 } })
states.push(String(amountOf(await webhooks.verify(body, await webhooks.sign(body, 'whsec_x'), 'whsec_x'))))
console.log(states.join(' '))
`

/** Each line after a \`@ts-expect-error\` must not compile. */
const MISTAKES = `
import { Cauri, type WebhookEvent } from '@cauri/node'
declare const cauri: Cauri
declare const event: WebhookEvent
// @ts-expect-error: an amount is a number
cauri.payouts.create({ recipient: '@awa', amount: '5' })
// @ts-expect-error: a recipient is required
cauri.payouts.create({ amount: 5 })
// @ts-expect-error: there is no such filter
cauri.charges.list({ colour: 'red' })
// @ts-expect-error: there is no such state
cauri.charges.list({ state: 'lost' })
// @ts-expect-error: there is no such field
cauri.balance().then(({ total }) => total)
// @ts-expect-error: only a batch has a paid amount
export const amount = event.data.paid_amount
// @ts-expect-error: there is no such event
export const isThere = event.type === 'charge.lost'
`

/** A program in CommonJS, in the words of TypeScript for it. */
const COMMONJS = `
import cauri = require('@cauri/node')
declare const console: { log(text: string): void }
const body = JSON.stringify({ type: 'ping', data: { endpoint_id: 'x' } })
const code: cauri.ErrorCode = 'http_502'
cauri.webhooks
  .sign(body, 'whsec_x')
  .then((header) => cauri.webhooks.verify(body, header, 'whsec_x'))
  .then((event) => console.log(event.type + ' ' + typeof new cauri.Cauri({ baseUrl: 'https://a.example', publicKey: 'a', secretKey: 'b' }).payouts + ' ' + code))
`

const EXAMPLES = [...readFileSync(join(CLIENT_ROOT, 'README.md'), 'utf8').matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, text = '']) => text)
/** What an example without imports stands behind. */
const BEFORE = "import type { Cauri } from '@cauri/node'\ndeclare const cauri: Cauri\n"

test('a program, the examples of the README and the samples compile against the types, and mistakes do not', () => {
  const examples = EXAMPLES.map((text, index) => [`example-${index}.ts`, text.includes('import ') ? text : BEFORE + text] as const)
  const sources = [['program.ts', PROGRAM], ['mistakes.ts', MISTAKES], ['common.cts', COMMONJS], ...examples] as const
  for (const [name, text] of sources) writeFileSync(join(project, name), text)
  cpSync(join(CLIENT_ROOT, 'samples'), join(project, 'samples'), { recursive: true })
  const samples = ['shop', 'payroll', 'biller'].map((name) => join(project, 'samples', name, 'main.js'))
  const names = sources.map(([name]) => join(project, name))
  const program = ts.createProgram([...names, ...samples], {
    strict: true,
    // The samples are JavaScript: what they send and read is checked, their own functions have no types.
    checkJs: true,
    noImplicitAny: false,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    skipDefaultLibCheck: true,
    types: ['node'],
    typeRoots: [join(CLIENT_ROOT, '..', '..', 'node_modules', '@types')],
    outDir: join(project, 'out'),
  })
  const { diagnostics } = program.emit()
  const texts = [...ts.getPreEmitDiagnostics(program), ...diagnostics].map(({ file, start = 0, messageText }) => {
    const line = file?.getLineAndCharacterOfPosition(start).line ?? 0
    return `${file?.fileName.split('/').at(-1)}:${line + 1} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
  })
  assert.deepEqual(texts, [])
})

/** Names of types that runtimes share, and that the types of Node.js 18 have in a module only. */
const SHARED_NAMES = `
import type { webcrypto } from 'node:crypto'
declare global {
  type Crypto = webcrypto.Crypto
  type CryptoKey = webcrypto.CryptoKey
  type SubtleCrypto = webcrypto.SubtleCrypto
  type BodyInit = string | Uint8Array
  interface TextDecoder extends InstanceType<typeof import('node:util').TextDecoder> {}
  var crypto: webcrypto.Crypto | undefined
}
`

test('the client and the command use nothing that the types of Node.js 18 and its language do not have', () => {
  // A copy beside these types alone: in the repository a package asks for types of a later Node.js.
  const source = join(project, 'source')
  cpSync(join(CLIENT_ROOT, 'src'), source, { recursive: true })
  const installed = join(CLIENT_ROOT, '..', '..', 'node_modules')
  const types = join(project, 'node_modules', '@types')
  cpSync(join(installed, 'types-node-18'), join(types, 'node'), { recursive: true })
  cpSync(join(installed, '@types', 'papaparse'), join(types, 'papaparse'), { recursive: true })
  const shared = join(project, 'shared-names.ts')
  writeFileSync(shared, SHARED_NAMES)
  const options: ts.CompilerOptions = {
    ...{ strict: true, noEmit: true, skipLibCheck: true, allowImportingTsExtensions: true, noUncheckedIndexedAccess: true },
    ...{ exactOptionalPropertyTypes: true, target: ts.ScriptTarget.ES2022, lib: ['lib.es2022.d.ts'] },
    ...{ module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
    rootDirs: [source, join(project, 'node_modules', '@cauri', 'node', 'dist')],
    ...{ types: ['node'], typeRoots: [types] },
  }
  // One program: the last file shows that an error would be found.
  const newer = join(project, 'newer.ts')
  writeFileSync(
    newer,
    "export const address = URL.parse('/')\nexport const agent = navigator.userAgent\nexport const end = Promise.withResolvers<void>()\n",
  )
  const program = ts.createProgram([join(source, 'index.ts'), join(source, 'cli', 'main.ts'), shared, newer], options)
  const errors = ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
    return `${file?.fileName.split('/').at(-1)}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
  })
  assert.equal(errors.length, 3, errors.join('\n'))
  assert.ok(
    errors.every((text) => text.startsWith('newer.ts: ')),
    errors.join('\n'),
  )
})

test('the program runs against the server', () => {
  const env = { ...process.env, BASE_URL: server.process.baseUrl, PUBLIC_KEY: keys.publicKey, SECRET_KEY: keys.secretKey }
  const source = ts.transpileModule(PROGRAM, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022 },
  }).outputText
  writeFileSync(join(project, 'run.js'), source)
  const { stdout, stderr, status } = spawnSync(process.execPath, ['run.js'], { cwd: project, env, encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  assert.equal(stdout.trim(), 'paid CMD-1 paid 100 not_found 7')
})

test('a CommonJS program gets the same by require', () => {
  // Compiled by the test above.
  const { stdout, stderr, status } = spawnSync(process.execPath, ['common.cjs'], { cwd: join(project, 'out'), encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  assert.equal(stdout.trim(), 'ping object http_502')
  const names = (kind: string, code: string): string =>
    spawnSync(process.execPath, [`--input-type=${kind}`, '-e', code], { cwd: project, encoding: 'utf8' }).stdout
  const required = names('commonjs', "console.log(Object.keys(require('@cauri/node')).sort().join())")
  assert.equal(required, names('module', "console.log(Object.keys(await import('@cauri/node')).sort().join())"))
  assert.match(required, /Cauri,/)
})

test('the walk that npm run runtimes starts in other runtimes runs in this one', () => {
  for (const name of ['walk.mjs', 'program.mjs']) cpSync(join(import.meta.dirname, name), join(project, name))
  const env = { ...process.env, BASE_URL: server.process.baseUrl, PUBLIC_KEY: keysOfWalk.publicKey, SECRET_KEY: keysOfWalk.secretKey }
  const { stdout, stderr, status } = spawnSync(process.execPath, ['program.mjs'], { cwd: project, env, encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  assert.equal(stdout, WALKED)
})

test('the examples of payouts, lists and uploads run against the server, whose demo has the wallet', () => {
  const env = { ...process.env, CAURI_API_KEY: keysOfExamples.publicKey, CAURI_API_SECRET: keysOfExamples.secretKey }
  const runnable = EXAMPLES.filter((text) => /payouts\.create|charges\.list|batches\.upload/.test(text)).join('\n')
  const source = ts.transpileModule(runnable.replace('http://127.0.0.1:8080', server.process.baseUrl), {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022 },
  })
  writeFileSync(join(project, 'examples.js'), source.outputText)
  const { stdout, stderr, status } = spawnSync(process.execPath, ['examples.js'], { cwd: project, env, encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  // The upload pays what the payout before it paid, and warns of it.
  assert.equal(stdout, "paid undefined\n[ { line: 0, code: 'recently_paid' } ]\n1 lines, 5000 XOF\n")
})

test('the command is installed and prints its help', () => {
  const { stdout, status } = spawnSync(join(project, 'node_modules', '.bin', 'cauri'), ['help'], { cwd: project, encoding: 'utf8' })
  assert.equal(status, 0)
  assert.match(stdout, /^cauri: the merchant API/)
})
