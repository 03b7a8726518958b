// Code that wants out: through constructors, prototypes, imports, errors, stack frames; and code that wants something of
// others: what a run before it left, what a run after it will find.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { assertOneChild, assertUnharmed } from '../support/hostile-sandbox.ts'
import { openStand } from '../support/sandbox-fixture.ts'

const stand = openStand({ threads: 2 })
after(() => stand.sandbox.close())

const OF_A_HOST = [
  '__dirname',
  '__filename',
  'Deno',
  'Bun',
  'WebAssembly',
  'Atomics',
  'os',
  'std',
  'bjson',
  'scriptArgs',
  'print',
  'navigator',
  'XMLHttpRequest',
  'Worker',
]

/** Expressions that lead to the function that makes functions, each from another place. */
const WAYS_OUT: Readonly<Record<string, string>> = {
  'the global object': 'this.constructor.constructor',
  'the argument': 'args.constructor.constructor',
  'a nested argument': 'args.list[0].constructor.constructor',
  fetch: 'fetch.constructor',
  console: 'console.log.constructor',
  'a global class': 'URLSearchParams.constructor',
  crypto: 'crypto.subtle.digest.constructor',
  'an asynchronous function': '(async () => {}).constructor',
  'a generator': '(function* () {}).constructor',
  'an error of the machine': '(() => { try { null.x } catch (error) { return error.constructor.constructor } })()',
  'an error of the host': '(await import("x").catch((error) => error)).constructor.constructor',
  'an error of a fetch': '(await fetch("nonsense").catch((error) => error)).constructor.constructor',
  'a response': '(await fetch("https://a/")).constructor.constructor',
  'a promise of the host': 'fetch("https://a/").constructor.constructor',
  'an exotic prototype': 'Reflect.getPrototypeOf(Reflect.getPrototypeOf(async function* () {}())).constructor.constructor',
}

for (const [name, way] of Object.entries(WAYS_OUT)) {
  test(`there is no way out by ${name}`, async () => {
    const probe = `return ${JSON.stringify(OF_A_HOST)}.filter((name) => name in globalThis || eval("typeof " + name) !== "undefined")`
    const source = `globalThis.lookup = async function (args) {
      const make = ${way}
      const made = make(${JSON.stringify(probe)})()
      const value = await (typeof made.next === 'function' ? made.next() : made)
      return 'value' in value ? (await value).value : value
    }`
    assert.deepEqual(await stand.value(source, { argument: { list: [{}] } }), [])
  })
}

test('the global object has what was promised and nothing else that JavaScript lacks', async () => {
  const source = 'function lookup() { return Object.getOwnPropertyNames(globalThis) }'
  const names = new Set((await stand.value(source)) as string[])
  for (const name of PROMISED) assert.ok(names.delete(name), `${name} is missing`)
  for (const name of ['lookup', 'InternalError', 'Crypto', 'CryptoKey', 'SubtleCrypto', 'DOMException']) names.delete(name)
  assert.deepEqual(
    [...names].filter((name) => !LANGUAGE.has(name)),
    [],
  )
})

const PROMISED = [
  ...['ReadableStream', 'ReadableStreamDefaultReader', 'ReadableStreamBYOBReader', 'ReadableStreamDefaultController'],
  ...['ReadableByteStreamController', 'ReadableStreamBYOBRequest', 'WritableStream', 'WritableStreamDefaultWriter'],
  ...['WritableStreamDefaultController', 'TransformStream', 'TransformStreamDefaultController', 'ByteLengthQueuingStrategy'],
  ...['CountQueuingStrategy', 'TextDecoderStream', 'TextEncoderStream'],
  ...['fetch', 'Headers', 'URL', 'URLSearchParams', 'TextEncoder', 'TextDecoder', 'atob', 'btoa', 'console', 'crypto'],
  ...[
    'setTimeout',
    'clearTimeout',
    'setInterval',
    'clearInterval',
    'queueMicrotask',
    'Event',
    'EventTarget',
    'AbortController',
    'AbortSignal',
    'module',
    'exports',
  ],
  ...['Request', 'Response', 'Blob', 'File', 'FormData', 'structuredClone', 'setImmediate', 'clearImmediate'],
  ...['Buffer', 'Intl', 'performance', 'process', 'global', 'self', 'require'],
]

/** ECMAScript as this Node has it in an empty context, and what it does not have yet. */
const LANGUAGE = new Set([
  ...(runInNewContext('Object.getOwnPropertyNames(globalThis)') as string[]),
  ...['AsyncDisposableStack', 'DisposableStack', 'Float16Array', 'Iterator', 'SuppressedError'],
])

const IMPORTS = [
  'fs',
  'node:fs',
  'child_process',
  './x.js',
  '/etc/passwd',
  'file:///etc/passwd',
  'https://a/x.js',
  'data:text/javascript,export default 1',
  'qjs:std',
  'qjs:os',
  'std',
  'os',
  'bjson',
]

test('nothing can be imported, by no name and in no way', async () => {
  const dynamic = `async function lookup() {
    const loaded = []
    for (const name of ${JSON.stringify(IMPORTS)}) await import(name).then(() => loaded.push(name), () => {})
    return loaded
  }`
  assert.deepEqual(await stand.value(dynamic), [])
  for (const name of IMPORTS) {
    for (const form of [`import * as x from ${JSON.stringify(name)}`, `export * from ${JSON.stringify(name)}`]) {
      const failure = await stand.failure(`${form}\nexport const lookup = () => 1`)
      assert.match(failure.error, /^nothing can be imported here: '/)
    }
  }
})

test('a name that is imported is a text, of any type before', async () => {
  const source = `async function lookup() {
    const evil = { toString() { throw new Error('mine') } }
    return [await import(evil).catch(String), await import(Symbol('s')).catch((e) => e.name), await import('x'.repeat(1e6)).catch((e) => e.message.length)]
  }`
  assert.deepEqual(await stand.value(source), ['Error: mine', 'TypeError', 132])
})

const PATHS = /(?:\/[\w.-]+){2,}|file:|node_modules|\.ts\b|child-entry|worker-entry/

const TRACES: Readonly<Record<string, string>> = {
  'an error': 'try { null.x } catch (error) { return error.stack }',
  'an error of an import': 'return import("x").catch((error) => error.stack + error.message)',
  'an error of the host': 'return fetch("nonsense").catch((error) => error.stack)',
  'an error of a global': 'try { new URL("::") } catch (error) { return error.stack }',
  'a deep error': 'try { (function deep() { deep() })() } catch (error) { return error.stack }',
  'its own frames': `Error.prepareStackTrace = (_, frames) => frames.map((frame) => frame.getFileName() + frame.getFunction())
    return String(new Error().stack)`,
}

for (const [name, body] of Object.entries(TRACES)) {
  test(`no path of this machine is in the trace of ${name}`, async () => {
    const text = await stand.value(`function lookup() { ${body} }`)
    assert.ok(typeof text === 'string' && text.length > 0)
    assert.doesNotMatch(text, PATHS)
  })
}

test('who takes the functions of the host from the frames can end its own run and no more', async () => {
  const source = `function lookup() {
    const found = new Set()
    Error.prepareStackTrace = (_, frames) => { for (const frame of frames) found.add(frame.getFunction()); return '' }
    const look = () => { void new Error().stack; return 'x' }
    console.log({ toJSON: look }); fetch({ toString: look }).catch(() => {}); new Error().stack
    return new Promise((resolve) => setTimeout(() => {
      look()
      for (const stolen of found) for (const args of [[], [null, 'x', '{}'], [1, '{"status":200}'], [{}], [() => 1, null, null]]) {
        try { Promise.resolve(stolen(...args)).catch(() => {}) } catch {}
        try { Promise.resolve(stolen.apply(null, args)).catch(() => {}) } catch {}
      }
      resolve(1)
    }, 1))
  }`
  await stand.run(source, { merchantId: 'thief' })
  await assertUnharmed(stand, 'thief')
})

test('the answer to a call comes to the run that asked', async () => {
  const ask = (name: string, count: number) => `async function lookup() {
    const answers = await Promise.all(Array.from({ length: ${count} }, (_, n) => fetch('https://a/${name}' + n).then((r) => r.json())))
    return answers.map(({ url }) => url)
  }`
  const runs = ['a', 'b', 'c', 'd'].map(async (name) => [name, await stand.value(ask(name, 10), { merchantId: name })] as const)
  for (const [name, urls] of await Promise.all(runs)) {
    assert.deepEqual(
      urls,
      Array.from({ length: 10 }, (_, n) => `https://a/${name}${n}`),
    )
  }
})

test('each run begins in a new machine, and its memory holds nothing of others', async () => {
  const secret = 'secret-of-somebody-else'
  await Promise.all(
    ['a', 'b'].map((merchantId) =>
      stand.value(`function lookup() { globalThis.kept = "${secret}".repeat(2e5); return 1 }`, { merchantId }),
    ),
  )
  const search = `function lookup() {
    const found = []
    const nothing = '00'.repeat(1e6)
    for (let n = 0; n < 5; n++) if (new Uint8Array(1e6).toHex() !== nothing) found.push(n)
    return [found, typeof kept]
  }`
  for (let round = 0; round < 3; round++) assert.deepEqual(await stand.value(search, { merchantId: `c${round}` }), [[], 'undefined'])
  await assertUnharmed(stand, 'c')
  assertOneChild(stand)
})
