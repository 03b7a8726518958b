// Code that lies: results that are no JSON or attack their reader, and a language that was changed before the host uses
// it. What comes out is JSON of at most 64 KB and 32 deep, or a sentence.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertOneChild, assertUnharmed } from '../support/hostile-sandbox.ts'
import { openStand } from '../support/sandbox-fixture.ts'

const stand = openStand({ threads: 2 })
after(() => stand.sandbox.close())

/** The text that comes out, as it is. */
async function textOf(body: string): Promise<string> {
  const result = await stand.run(`function lookup(args) { ${body} }`)
  assert.ok(result.ok, result.ok ? '' : result.error)
  return result.value
}

const RESULTS: Readonly<Record<string, readonly [body: string, text: string]>> = {
  nothing: ['', 'null'],
  undefined: ['return undefined', 'null'],
  'a function': ['return () => 1', 'null'],
  'a symbol': ['return Symbol("s")', 'null'],
  NaN: ['return [NaN, -0, 1e400]', '[null,0,null]'],
  'a text that looks like JSON': ['return "{\\"a\\":1}"', '"{\\"a\\":1}"'],
  'half a character': ['return "\\ud800"', '"\\ud800"'],
  'line separators': ['return "\\u2028\\u2029"', '"\u2028\u2029"'],
  'a getter': ['return { get a() { return 1 } }', '{"a":1}'],
  'what toJSON says': ['return { toJSON: () => ({ ok: true }) }', '{"ok":true}'],
  'a proxy': ['return new Proxy({ a: 1 }, { get: (object, name) => (name === "a" ? 2 : undefined) })', '{"a":2}'],
  'a property named __proto__': ['return JSON.parse(\'{"__proto__":{"admin":true}}\')', '{"__proto__":{"admin":true}}'],
  'an object without a prototype': ['return Object.assign(Object.create(null), { a: 1 })', '{"a":1}'],
  'a map': ['return new Map([[1, 2]])', '{}'],
  bytes: ['return new Uint8Array([1, 2])', '{"0":1,"1":2}'],
  'a result of a then': ['return { then(done) { done({ a: 1 }) } }', '{"a":1}'],
  'a then that answers twice': ['return { then(done) { done(1); done(2); throw new Error("late") } }', '1'],
  'the largest text': ['return "x".repeat(64 * 1024 - 2)', JSON.stringify('x'.repeat(64 * 1024 - 2))],
  'as deep as may be': ['let all = 1; for (let n = 0; n < 32; n++) all = [all]; return all', `${'['.repeat(32)}1${']'.repeat(32)}`],
  'brackets in texts': ['return "[".repeat(100) + "\\"{"', JSON.stringify(`${'['.repeat(100)}"{`)],
}

for (const [name, [body, text]] of Object.entries(RESULTS)) {
  test(`a result comes out: ${name}`, async () => assert.equal(await textOf(body), text))
}

const NO_JSON = /^TypeError: what it returned is no JSON: /
const REFUSED: Readonly<Record<string, readonly [body: string, error: RegExp]>> = {
  'a circle': ['const all = {}; all.all = all; return all', NO_JSON],
  'a big integer': ['return { n: 1n }', NO_JSON],
  'a getter that throws': ['return { get a() { throw new Error("mine") } }', /no JSON: mine/],
  'toJSON that throws': ['return { toJSON() { throw null } }', NO_JSON],
  'an error without words': ['return { get a() { throw { get message() { throw 1 } } } }', /no JSON: \(unreadable\)/],
  'a revoked proxy': ['const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy', /./],
  'a then that throws': ['return { get then() { throw new Error("mine") } }', /^mine/],
  'a rejected promise': ['return Promise.reject({ get message() { return "mine" } })', /^mine/],
  'too large a text': ['return "x".repeat(64 * 1024)', /^returned more than 64 KB of JSON$/],
  'too many bytes in few characters': ['return "é".repeat(40000)', /^returned more than 64 KB of JSON$/],
  'a text far too large': ['return "x".repeat(10e6)', /^returned more than 64 KB of JSON$/],
  'too deep': ['let all = 1; for (let n = 0; n < 33; n++) all = [all]; return all', /^returned JSON that is nested more than 32 deep$/],
  'a very long error': ['throw new Error("x".repeat(10e6))', /^x{1000}(?: |$)/],
  'an error that lies about itself': ['throw { name: { toString: null }, message: Symbol("m"), stack: 5 }', /^\(unreadable\): Symbol\(m\)/],
}

for (const [name, [body, error]] of Object.entries(REFUSED)) {
  test(`a result does not come out: ${name}`, async () => {
    const failure = await stand.failure(`function lookup() { ${body} }`)
    assert.equal(failure.fault, 'code')
    assert.match(failure.error, error)
    assert.ok(failure.error.length < 3_000)
  })
}

/** What the host leans on, replaced; then the run does all that the host takes part in. */
const POISON: Readonly<Record<string, string>> = {
  JSON: 'JSON.stringify = JSON.parse = () => "{\\"poisoned\\":true}"; globalThis.JSON = null',
  'promises, then': 'Promise.prototype.then = function () { throw new Error("poisoned") }',
  'promises, constructor': 'Promise.prototype.constructor = function () { throw new Error("poisoned") }; globalThis.Promise = null',
  'promises, species': 'Object.defineProperty(Promise, Symbol.species, { get() { throw new Error("poisoned") } })',
  lists:
    'for (const name of ["push", "map", "join", "slice", "forEach", Symbol.iterator]) Array.prototype[name] = () => { throw new Error("poisoned") }',
  'indices of lists': 'Object.defineProperty(Array.prototype, 0, { set() { throw new Error("poisoned") }, configurable: true })',
  texts:
    'for (const name of ["slice", "toUpperCase", "toString", "split", "replace"]) String.prototype[name] = () => { throw new Error("poisoned") }; globalThis.String = null',
  functions: 'Function.prototype.call = Function.prototype.apply = Function.prototype.bind = () => { throw new Error("poisoned") }',
  'names on every object':
    'for (const name of ["type", "error", "url", "status", "headers", "body", "text", "base64", "method"]) Object.defineProperty(Object.prototype, name, { get() { return "poisoned" }, set() {}, configurable: true })',
  'toJSON of every object': 'Object.prototype.toJSON = () => "poisoned"',
  headers:
    'for (const name of ["get", "has", "set", "append", "forEach", "entries", Symbol.iterator]) Headers.prototype[name] = () => { throw new Error("poisoned") }',
  'everything that was promised':
    'for (const name of ["Headers", "URL", "URLSearchParams", "TextEncoder", "TextDecoder", "atob", "btoa"]) globalThis[name] = null',
  objects:
    'Object.defineProperty = Object.keys = Object.entries = Object.freeze = () => { throw new Error("poisoned") }; globalThis.Object = null',
  errors: 'globalThis.TypeError = globalThis.RangeError = globalThis.Error = null; Error.prepareStackTrace = () => { throw 1 }',
}

for (const [name, poison] of Object.entries(POISON)) {
  test(`the host is not fooled by other ${name}`, async () => {
    const source = `const NativePromise = Promise
    async function lookup(args) {
      try { ${poison} } catch {}
      console.log('logged')
      await new NativePromise((done) => setTimeout(done, 1))
      const response = await fetch('https://a/b', { method: 'POST', body: 'sent' })
      return { n: args.n, status: response.status }
    }`
    const before = stand.requests.length
    const result = await stand.run(source, { merchantId: name, argument: { n: 7 } })
    // It may have broken itself; what it may not do is send or answer what it did not say.
    if (result.ok) assert.ok([JSON.stringify({ n: 7, status: 200 }), '"poisoned"'].includes(result.value), result.value)
    // Without its own list of what waits it may wait for nothing, which counts as time that ran out.
    else assert.ok(['code', 'timeout'].includes(result.fault), result.error)
    for (const { url, method, body } of stand.requests.slice(before)) {
      assert.deepEqual({ url, method, body }, { url: 'https://a/b', method: 'POST', body: 'sent' })
    }
    await assertUnharmed(stand, name)
  })
}

test('the argument is a copy that no other run sees', async () => {
  const source = 'function lookup(args) { args.list.push(1); args.__proto__.x = 1; return args }'
  for (let round = 0; round < 3; round++) assert.deepEqual(await stand.value(source, { argument: { list: [] } }), { list: [1] })
})

test('names in the argument are names', async () => {
  const argument = JSON.parse('{"__proto__":{"admin":true},"constructor":1,"toString":"x","then":"y"}') as unknown
  const source = 'function lookup(args) { return [args.admin === undefined, Object.keys(args), args.then] }'
  assert.deepEqual(await stand.value(source, { argument }), [true, ['__proto__', 'constructor', 'toString', 'then'], 'y'])
})

test('no child was lost over any of this', () => assertOneChild(stand))
