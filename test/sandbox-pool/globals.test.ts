// What honest code meets: the two forms of a source, the globals that were promised, errors with their line, the record.
import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { after, test } from 'node:test'
import type { FetchAnswer } from '../../sandbox-pool/fetch-broker.ts'
import { echoBroker, openStand } from '../support/sandbox-fixture.ts'

const BINARY = new Uint8Array([0xff, 0xfe, 0, 1])
const ANSWERS: Readonly<Record<string, FetchAnswer>> = {
  '/binary': { status: 200, headers: [], body: BINARY },
  '/bytes-of-text': { status: 200, headers: new Map([['x-a', 'b']]), body: Buffer.from('\ufeffé') },
  '/empty': { status: 204, headers: [], body: '' },
  '/404': { status: 404, headers: [['x-reason', 'none']], body: 'not here' },
  '/large': { status: 200, headers: [], body: 'x'.repeat(256 * 1024 + 1) },
  '/error': { error: 'the name was not found' },
}
const stand = openStand({
  broker: (request, signal) =>
    request.url.endsWith('/slow')
      ? new Promise(() => {})
      : Promise.resolve(ANSWERS[new URL(request.url).pathname] ?? echoBroker(request, signal)),
})
after(() => stand.sandbox.close())

const FORMS: Readonly<Record<string, string>> = {
  'a declaration': 'function lookup(args) { return args.n + 1 }',
  'an asynchronous declaration': 'async function lookup(args) { return args.n + 1 }',
  'a constant': 'const lookup = (args) => args.n + 1',
  'a property of the global object': 'globalThis.lookup = async ({ n }) => n + 1',
  'an exported declaration': 'export async function lookup(args) { return args.n + 1 }',
  'an exported constant': 'const one = 1\nexport const lookup = ({ n }) => n + one',
  'an export list': 'const f = ({ n }) => n + 1\nexport { f as lookup }',
  'a default export': 'export default async function lookup(args) { return args.n + 1 }',
  'a default export without a name': 'export default ({ n }) => n + 1',
  'a default export that has it': 'export default { lookup: ({ n }) => n + 1 }',
  'module.exports': 'module.exports = async ({ n }) => n + 1',
  'a list in module.exports': 'async function f({ n }) { return n + 1 }\nmodule.exports = { lookup: f }',
  'a property of exports': 'exports.lookup = ({ n }) => n + 1',
  'a script with names of its own for all that': 'const module = 1, exports = null\nfunction lookup({ n }) { return n + module }',
  'a module that waits at its top': 'const one = await Promise.resolve(1)\nexport const lookup = ({ n }) => n + one',
  'a script that speaks of exports': '// export it?\nconst text = "export const lookup"\nfunction lookup({ n }) { return n + 1 }',
  'a promise that is no native one': 'function lookup({ n }) { return { then(resolve) { resolve(n + 1) } } }',
}

for (const [form, source] of Object.entries(FORMS)) {
  test(`a source may be ${form}`, async () => {
    assert.equal(await stand.value(source, { argument: { n: 41 } }), 42)
    assert.deepEqual(await stand.sandbox.checkSource({ merchantId: 'm', entry: 'lookup', source }), { ok: true })
  })
}

test('onPaid may return nothing', async () => {
  assert.equal(
    await stand.value('async function onPaid(ctx) { console.log(ctx.amount) }', { entry: 'onPaid', argument: { amount: 5 } }),
    null,
  )
})

/** Evaluated inside; the awaited value comes back as JSON. */
const EXPRESSIONS: readonly (readonly [string, unknown])[] = [
  ['new URL("/b?c=d#e", "https://u:p@é.example:8443/a").href', 'https://u:p@xn--9ca.example:8443/b?c=d#e'],
  ['[...new URLSearchParams("a=1&b=%20&a=2")].join("|")', 'a,1|b, |a,2'],
  ['String(new URLSearchParams({ a: "é &", b: 1 }))', 'a=%C3%A9+%26&b=1'],
  ['String(new URLSearchParams([["a", "~*"], new Set(["b", "_.-"])]))', 'a=%7E*&b=_.-'],
  ['[...new URLSearchParams("?a=%C3%A9%zz+b&c&&=d")].join("|")', 'a,é%zz b|c,|,d'],
  ['new URLSearchParams("a=1&b=2&a=3").getAll("a").join() + new URLSearchParams("a").size', '1,31'],
  [
    '(() => { const p = new URLSearchParams("b=1&a=2&b=3"); p.set("b", 4); p.append("c", 5); p.delete("a"); p.sort(); return String(p) })()',
    'b=4&c=5',
  ],
  [
    '(() => { const u = new URL("https://a/?x=1"); const p = u.searchParams; p.set("y", "é ~"); return [u.href, p === u.searchParams] })()',
    ['https://a/?x=1&y=%C3%A9+%7E', true],
  ],
  [
    '(() => { const u = new URL("https://a/?x=1"); const p = u.searchParams; u.search = "?z=2"; return [p.get("x"), p.get("z"), String(u)] })()',
    [null, '2', 'https://a/?z=2'],
  ],
  ['(() => { const u = new URL("https://a/?x=1"); u.searchParams.delete("x"); return u.href })()', 'https://a/'],
  ['new Headers({ "X-A": "1", b: "2" }).get("x-a")', '1'],
  ['[...new Headers(new Map([["b", "1"], ["A", "2"]]))].join("|")', 'a,2|b,1'],
  ['new TextDecoder().decode(new TextEncoder().encode("é€😀"))', 'é€😀'],
  ['btoa("hé") + atob("aGk=")', 'aOk=hi'],
  ['/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(crypto.randomUUID())', true],
  ['crypto.randomUUID() !== crypto.randomUUID()', true],
  ['crypto.getRandomValues(new Uint8Array(16)).some((byte) => byte > 0)', true],
  ['crypto.subtle.digest("SHA-256", new TextEncoder().encode("a")).then(hex)', createHash('sha256').update('a').digest('hex')],
  ['mac("SHA-256").then(hex)', createHmac('sha256', 'key').update('text').digest('hex')],
  ['mac("SHA-512").then(hex)', createHmac('sha512', 'key').update('text').digest('hex')],
  ['new Promise((f) => { const t = setTimeout(f, 1, "never"); clearTimeout(t); setTimeout(f, 2, "a", "b") })', 'a'],
  ['new Promise((f) => { let n = 0; const t = setInterval((step) => { n += step; if (n === 6) { clearInterval(t); f(n) } }, 1, 2) })', 6],
  ['fetch("https://a/", { signal: AbortSignal.abort() }).catch((e) => [e.name, e.message])', ['AbortError', 'This operation was aborted']],
  ['fetch("https://a/slow", { signal: AbortSignal.timeout(5) }).catch((e) => e.name)', 'TimeoutError'],
  [
    '(() => { const c = new AbortController(); const p = fetch("https://a/slow", { signal: c.signal }); c.abort("mine"); return p.catch(String) })()',
    'mine',
  ],
  ['fetch("https://a/", { signal: AbortSignal.timeout(5000) }).then((r) => r.status)', 200],
  [
    '(() => { const c = new AbortController(), seen = []; const s = AbortSignal.any([c.signal]); s.onabort = (e) => seen.push(e.type); c.abort(); c.abort(); return [seen, s.aborted, s.reason.name] })()',
    [['abort'], true, 'AbortError'],
  ],
  ['fetch("https://a/", { signal: {} }).catch((e) => e.message)', 'fetch: signal must be an AbortSignal'],
  ['new Date(0).getHours() + new Date(2026, 0, 1).getTimezoneOffset()', 0],
  ['Math.abs(Date.now() - args.now) < 60000', true],
  ['typeof queueMicrotask', 'function'],
]
const PRELUDE = `const bytes = (text) => new TextEncoder().encode(text)
const hex = (buffer) => new Uint8Array(buffer).toHex()
const mac = async (hash) => {
  const key = await crypto.subtle.importKey('raw', bytes('key'), { name: 'HMAC', hash }, false, ['sign', 'verify'])
  const signed = await crypto.subtle.sign('HMAC', key, bytes('text'))
  if (!await crypto.subtle.verify('HMAC', key, signed, bytes('text'))) throw new Error('not verified')
  return signed
}
`

for (const [expression, then] of EXPRESSIONS) {
  test(`inside the sandbox ${expression.slice(0, 80)} gives its expected value`, async () => {
    const source = `${PRELUDE}async function lookup(args) { return await (${expression}) }`
    assert.deepEqual(await stand.value(source, { argument: { now: Date.now() } }), then)
  })
}

test('Math.random differs from machine to machine', async () => {
  const source = 'function lookup() { return [Math.random(), Math.random()] }'
  const drawn = (await Promise.all(['a', 'b', 'c', 'd'].map((merchantId) => stand.value(source, { merchantId })))).flat()
  assert.equal(new Set(drawn).size, 8)
})

test('fetch sends what it was given, and the run’s record shows it', async () => {
  const result = await stand.run(`async function lookup(args) {
    const response = await fetch(new URL('https://api.example:8443/v1/bills?q=é'), {
      method: 'post', headers: new Headers({ Authorization: 'Bearer x', 'X-Twice': 'a' }), body: JSON.stringify(args),
    })
    return [response.status, response.ok, response.url, response.headers.get('Content-Type'), await response.json(), response.bodyUsed]
  }`)
  assert.ok(result.ok, JSON.stringify(result))
  const [status, ok, url, type, heard, bodyUsed] = JSON.parse(result.value)
  assert.deepEqual([status, ok, url, type, bodyUsed], [200, true, 'https://api.example:8443/v1/bills?q=%C3%A9', 'application/json', true])
  assert.deepEqual(heard, {
    method: 'POST',
    url,
    headers: { authorization: 'Bearer x', 'content-type': 'text/plain;charset=UTF-8', 'x-twice': 'a' },
    body: '{}',
    withinMs: null,
  })
  assert.deepEqual(
    result.fetches.map(({ durationMs, ...rest }) => [rest, durationMs >= 0]),
    [[{ method: 'POST', host: 'api.example:8443', status: 200 }, true]],
  )
})

const BODIES: readonly (readonly [string, string, unknown])[] = [
  ['text of bytes, without its mark', 'fetch("https://a/bytes-of-text").then((r) => r.text())', 'é'],
  ['bytes that are no text', 'fetch("https://a/binary").then((r) => r.arrayBuffer()).then((b) => [...new Uint8Array(b)])', [...BINARY]],
  ['nothing', 'fetch("https://a/empty").then(async (r) => [r.status, r.ok, await r.text()])', [204, true, '']],
  [
    'a refusal',
    'fetch("https://a/404").then(async (r) => [r.status, r.ok, r.headers.get("x-reason"), await r.text()])',
    [404, false, 'none', 'not here'],
  ],
  [
    'a form',
    'fetch("https://a/", { method: "POST", body: new URLSearchParams({ a: "é" }) }).then((r) => r.json()).then((r) => [r.body, r.headers["content-type"]])',
    ['a=%C3%A9', 'application/x-www-form-urlencoded;charset=UTF-8'],
  ],
  [
    'bytes that are sent',
    'fetch("https://a/", { method: "PUT", body: new Uint8Array([1, 2, 3]).subarray(1) }).then((r) => r.json()).then((r) => r.body)',
    { type: 'Buffer', data: [2, 3] },
  ],
  ['an error of the broker', 'fetch("https://a/error").catch(String)', 'TypeError: fetch failed: the name was not found'],
  [
    'an answer that is too large',
    'fetch("https://a/large").catch((error) => error.message)',
    'fetch failed: the answer is larger than 256 KB',
  ],
  [
    'a body that is too large',
    'fetch("https://a/", { method: "POST", body: "x".repeat(262145) }).catch((error) => error.message)',
    'fetch: the body is larger than 262144 bytes',
  ],
  [
    'a body that grows too large as UTF-8',
    'fetch("https://a/", { method: "POST", body: "é".repeat(140000) }).catch((error) => error.message)',
    'fetch failed: the body is not readable or larger than 256 KB',
  ],
  ['a body of a GET', 'fetch("https://a/", { body: "x" }).catch((error) => error.message)', 'fetch: a GET has no body'],
  [
    'a redirect mode',
    'fetch("https://a/", { redirect: "manual" }).catch((error) => error.message)',
    'fetch: redirect can only be "follow"',
  ],
  ['no URL', 'fetch("nonsense").catch((error) => error.message)', 'fetch failed: the URL is not valid'],
  [
    'a method that is none',
    'fetch("https://a/", { method: "BREW" }).catch((error) => error.message)',
    'fetch failed: the method is none of GET, HEAD, POST, PUT, PATCH, DELETE',
  ],
  [
    'a body that is read twice',
    'fetch("https://a/").then(async (r) => { await r.text(); return r.text() }).catch((error) => error.message)',
    'the body was read before',
  ],
]

for (const [name, expression, then] of BODIES) {
  test(`fetch and ${name}`, async () => {
    assert.deepEqual(await stand.value(`async function lookup() { return await ${expression} }`), then)
  })
}

const ERRORS: readonly (readonly [string, string])[] = [
  ['function lookup(args) {\n\n  return args.a.b }', "TypeError: cannot read property 'b' of undefined (code.js:3)"],
  ['async function lookup(args) {\n  await null\n  await missing() }', 'ReferenceError: missing is not defined (code.js:3)'],
  ['export async function lookup() {\n  throw new Error("no such contract") }', 'no such contract (code.js:2)'],
  ['const x = 1;\nx();\nfunction lookup() {}', 'TypeError: not a function (code.js:2)'],
  ['function lookup() {\n\n  return 1 +* 2 }', "SyntaxError: unexpected token in expression: '*' (code.js:3)"],
  [
    'function lookup() {\n  return JSON.parse("{a") }',
    "SyntaxError: Expected property name or '}' in JSON at position 1 (line 1 column 2) (code.js:2)",
  ],
  ['function lookup() { throw "a text" }', 'threw a text'],
  ['function lookup() { throw null }', 'threw null'],
  ['function lookup() { throw { code: 7 } }', '{"code":7}'],
  ['function lookup() { return 10n }', 'TypeError: what it returned is no JSON: BigInt are forbidden in JSON.stringify'],
  ['function lookUp() {}', 'there is no function lookup: declare it in a script, or export it from a module'],
  ['export const other = 1', 'there is no function lookup: declare it in a script, or export it from a module'],
  ['import fs from "node:fs"\nexport const lookup = fs', "nothing can be imported here: 'node:fs'"],
  ['function lookup() { return import("node:fs") }', "nothing can be imported here: 'node:fs'"],
]

for (const [source, error] of ERRORS) {
  test(`the error is ${error}`, async () => {
    const failure = await stand.failure(source)
    assert.deepEqual([failure.error.replace(/ \(code\.js:1\)$/, ''), failure.fault], [error, 'code'])
  })
}

test('the log keeps what was said, also by a run that failed', async () => {
  const failure = await stand.failure(`function lookup() {
    console.log('a', 1, null, { b: [true] }, new TypeError('t'), undefined)
    console.warn('careful'); console.error('bad'); console.info('i'); console.debug('d')
    throw new Error('end') }`)
  assert.deepEqual(failure.logs, ['a 1 null {"b":[true]} TypeError: t undefined', 'warning: careful', 'error: bad', 'i', 'd'])
})

test('the log ends at 100 lines, and long lines are cut', async () => {
  const many = await stand.run('function lookup() { for (let i = 0; i < 5000; i++) console.log(i) }')
  assert.deepEqual([many.logs.length, many.logs[99], many.logs[100]], [101, '99', '(the rest of the log is left out)'])
  const long = await stand.run('function lookup() { for (let i = 0; i < 50; i++) console.log("x".repeat(1e6)) }')
  assert.equal(long.logs[0], 'x'.repeat(1_000))
  assert.ok(long.logs.join('').length < 18_000)
})

const REFUSED_SOURCES: readonly (readonly [string, string, number | null])[] = [
  ['function lookup( {', 'SyntaxError: invalid property name', 1],
  ['export const lookup = () => {}\nlet a = b c', "SyntaxError: expecting ';'", 2],
  ['\n\nnull.x\nfunction lookup() {}', "TypeError: cannot read property 'x' of null", 3],
  ['const lookup = 5', 'there is no function lookup: declare it in a script, or export it from a module', null],
  [
    'await fetch("https://a/")\nexport const lookup = () => {}',
    'TypeError: fetch failed: nothing is fetched while the source is checked',
    null,
  ],
  [
    'await new Promise(() => {})\nexport const lookup = () => {}',
    'lookup never ends: its promise waits for nothing that could happen',
    null,
  ],
  [`//${'x'.repeat(64 * 1024)}`, 'the source is larger than 64 KB', null],
]

for (const [source, message, line] of REFUSED_SOURCES) {
  test(`a check finds ${message}`, async () => {
    const check = await stand.sandbox.checkSource({ merchantId: 'm', entry: 'lookup', source })
    assert.deepEqual(check, { ok: false, fault: 'code', message, line })
  })
}

test('a check calls nothing and fetches nothing', async () => {
  const before = stand.requests.length
  const source = 'fetch("https://a/").catch(() => {})\nfunction onPaid() { throw new Error("called") }'
  assert.deepEqual(await stand.sandbox.checkSource({ merchantId: 'm', entry: 'onPaid', source }), { ok: true })
  assert.equal(stand.requests.length, before)
})
