// Hostile use of the globals of Node.js: sizes, memory, time, values that lie, and the host functions behind them.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertOneChild, assertUnharmed } from '../support/hostile-sandbox.ts'
import { openStand } from '../support/sandbox-fixture.ts'

const stand = openStand({ threads: 4 })
after(() => stand.sandbox.close())

const BYTES = 'const bytes = (text) => new TextEncoder().encode(text)\n'

/** Bodies of asynchronous functions whose value is the error of the global. */
const REFUSED: Readonly<Record<string, readonly [body: string, error: RegExp]>> = {
  'a digest of 2 MB': ['return crypto.subtle.digest("SHA-256", new Uint8Array(2e6))', /^OperationError: the data is larger than 1 MB/],
  'PBKDF2 of a million rounds': [
    'const k = await crypto.subtle.importKey("raw", bytes("k"), "PBKDF2", false, ["deriveBits"]); return crypto.subtle.deriveBits({ name: "PBKDF2", hash: "SHA-256", salt: bytes("s"), iterations: 1e6 }, k, 256)',
    /^OperationError: PBKDF2: iterations times blocks/,
  ],
  'an RSA key to be generated': [
    'return crypto.subtle.generateKey({ name: "RSA-PSS", modulusLength: 16384, publicExponent: new Uint8Array([3]), hash: "SHA-256" }, true, ["sign"])',
    /^NotSupportedError/,
  ],
  'a text of a million characters to compare': ['return "x".repeat(1e6).localeCompare("y")', /^RangeError: more than 16384 characters/],
  'a list of 5 000 names': ['return new Intl.ListFormat("fr").format(Array(5000).fill("a"))', /^RangeError: more than/],
  'a locale of a megabyte': ['return (1).toLocaleString("fr-" + "x".repeat(1e6))', /^RangeError/],
  'random bytes by the megabyte': ['return crypto.getRandomValues(new Uint8Array(1e6))', /^QuotaExceededError/],
  'a Buffer of 2 GB': ['return Buffer.alloc(2 ** 31).length', /^RangeError/],
  'a Buffer of 100 MB': ['return Buffer.alloc(1e8).length', /out of memory|RangeError/],
  'options that throw': ['return (1).toLocaleString("fr", { get style() { throw new Error("mine") } })', /^mine/],
  'a locale that throws': [
    'return (1).toLocaleString({ toString() { throw new Error("mine") }, [Symbol.iterator]: undefined })',
    /^mine|^TypeError/,
  ],
  'an algorithm that throws': ['return crypto.subtle.digest({ get name() { throw new Error("mine") } }, bytes("a"))', /^mine/],
  'a clone that is deep': [
    'let a = []; for (let n = 0; n < 1e5; n++) a = [a]; return structuredClone(a).length',
    /recursion too deep|stack/,
  ],
  'a key of the prototype': ['return crypto.subtle.sign("HMAC", Object.create(CryptoKey.prototype), bytes("a"))', /^TypeError/],
  'a key made by its class': [
    'return new (crypto.subtle.constructor)() && new CryptoKey({}, { type: "secret" })',
    /^TypeError: Illegal constructor/,
  ],
  'a body of a form above the limit': [
    'const f = new FormData(); f.append("a", new Blob(["x".repeat(3e5)])); return fetch("https://a/", { method: "POST", body: f })',
    /^TypeError: fetch: the body is larger/,
  ],
  'a body of a stream above the limit': [
    'const body = new ReadableStream({ pull(c) { c.enqueue(new Uint8Array(65536)) } }); return fetch("https://a/", { method: "POST", duplex: "half", body })',
    /^TypeError: fetch: the body is larger/,
  ],
  'a module': ['return require("fs")', /^nothing can be required here: 'fs'/],
  'a module with a long name': ['return require("x".repeat(1e6))', /^nothing can be required here: 'x{100}'/],
  'node:crypto, with what there is instead': ['return require("node:crypto")', /required here: 'node:crypto'; use crypto\.subtle/],
}

for (const [name, [body, error]] of Object.entries(REFUSED)) {
  test(`a global refuses ${name}`, async () => {
    const failure = await stand.ownFailure(`${BYTES}async function lookup() { ${body} }`)
    assert.match(failure.error, error)
    assert.equal(failure.fault, 'code')
    await assertUnharmed(stand, 'm')
  })
}

const ENDED = /^(?:took longer than 2 s|one operation of the code took more than 0.5 s|out of memory|.*out of memory)/

const ENDLESS: Readonly<Record<string, string>> = {
  'derives keys': `const k = await crypto.subtle.importKey('raw', bytes('k'), 'PBKDF2', false, ['deriveBits'])
    for (;;) await crypto.subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-512', salt: bytes('s'), iterations: 2e5 }, k, 512)`,
  'makes keys': "for (;;) await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-521' }, true, ['sign', 'verify'])",
  'hashes without waiting': "for (;;) crypto.subtle.digest('SHA-512', new Uint8Array(1e5))",
  'formats dates in ever new ways': `for (let n = 0; ; n++) new Intl.DateTimeFormat('fr', { weekday: 'long', timeZone: ['UTC', 'Africa/Dakar'][n % 2], fractionalSecondDigits: 1 + n % 3, year: n % 5 ? 'numeric' : '2-digit', month: ['long', 'short', 'narrow'][n % 3], hour12: n % 2 === 0, day: n % 7 ? 'numeric' : '2-digit' }).format(n)`,
  'compares texts': "for (;;) 'é'.repeat(1000).localeCompare('e'.repeat(1000), 'fr')",
  'draws random numbers': 'for (;;) crypto.getRandomValues(new Uint8Array(65536))',
  'sets immediates': 'const next = () => setImmediate(next); next(); await new Promise(() => {})',
  ticks: 'const next = () => process.nextTick(next); next(); await new Promise(() => {})',
  'joins buffers': "let b = Buffer.from('x'); for (;;) b = Buffer.concat([b, b])",
  'clones what grows': 'let a = [1]; for (;;) a = structuredClone([a, a])',
  'fills a form': "const f = new FormData(); for (;;) f.append('a', 'x'.repeat(1000))",
  'joins blobs': "let b = new Blob(['x']); for (;;) b = new Blob([b, b])",
  'reads a stream without end': 'for await (const part of new ReadableStream({ pull(c) { c.enqueue(1) } })) if (part === 2) return',
  'fills a stream that is not read': 'new ReadableStream({ start(c) { for (;;) c.enqueue(new Uint8Array(1000)) } })',
  'passes a stream through streams': `let s = new ReadableStream({ pull(c) { c.enqueue('x') } }); for (let n = 0; n < 50; n++) s = s.pipeThrough(new TransformStream())
    for await (const part of s) if (part === 2) return`,
  'makes signals': 'const all = []; for (;;) all.push(new AbortController())',
}

test('code that uses a global without end is ended', { concurrency: 4 }, async (t) => {
  const endings = Object.entries(ENDLESS).map(([name, body]) =>
    t.test(`code that ${name}`, async () => {
      const source = `${BYTES}async function lookup() { ${body} }`
      let failure = await stand.failure(source, { merchantId: name, timeoutMs: 2_000 })
      // On a busy machine its time may be over before it begins: then it is run again.
      while (!failure.started) failure = await stand.failure(source, { merchantId: name, timeoutMs: 2_000 })
      assert.match(failure.error, ENDED)
      await assertUnharmed(stand, name)
    }),
  )
  await Promise.all(endings)
})

/** Replaces what the globals use, and then uses them. */
const POISON: Readonly<Record<string, string>> = {
  'conversions of bytes':
    'Uint8Array.fromBase64 = Uint8Array.fromHex = Uint8Array.prototype.toBase64 = Uint8Array.prototype.set = () => { throw new Error("poisoned") }',
  JSON: 'JSON.parse = JSON.stringify = () => "{\\"op\\":\\"generateKey\\"}"',
  'fields of every object':
    'for (const name of ["op", "hash", "key", "kind", "method", "options", "value", "error", "toJSON"]) Object.defineProperty(Object.prototype, name, { get() { return "poisoned" }, set() {}, configurable: true })',
  lists:
    'for (const name of ["push", "map", "filter", "join", Symbol.iterator]) Array.prototype[name] = () => { throw new Error("poisoned") }',
}

for (const [name, poison] of Object.entries(POISON)) {
  test(`code that replaces ${name} disturbs itself alone`, async () => {
    const source = `${BYTES}async function lookup() {
      const data = bytes('a')
      try { ${poison} } catch {}
      const tried = []
      for (const use of [() => crypto.subtle.digest('SHA-256', data), () => (1).toLocaleString('fr'), () => crypto.randomUUID(), () => Buffer.from('a').toString('base64'), () => new Blob(['a']).text(), () => new Response('a').body.getReader().read(), () => new Intl.PluralRules('fr').select(1)]) {
        try { await use(); tried[tried.length] = 1 } catch { tried[tried.length] = 0 }
      }
      return tried.length
    }`
    const result = await stand.run(source, { merchantId: name })
    if (!result.ok) assert.ok(['code', 'timeout'].includes(result.fault), result.error)
    await assertUnharmed(stand, name)
  })
}

test('the host functions answer code whose memory is full, or fail for it alone', async () => {
  const source = `async function lookup() {
    const all = []
    for (const make of [() => new Uint8Array(1e5), () => new Uint8Array(1e3), () => ({})]) try { for (;;) all.push(make()) } catch {}
    let tried = 0
    for (let n = 0; n < 60; n++, tried++) {
      for (const use of [() => (1).toLocaleString('fr'), () => crypto.randomUUID(), () => crypto.getRandomValues(new Uint8Array(6e4)), () => new Intl.DateTimeFormat('fr').formatToParts(0)]) try { use() } catch {}
      if (n % 20 === 19) all.length -= 1
    }
    return tried
  }`
  const result = await stand.run(source, { merchantId: 'full' })
  if (!result.ok) assert.ok(['code', 'timeout'].includes(result.fault), result.error)
  await assertUnharmed(stand, 'full')
})

test('no key and no random number is in the copied machine', async () => {
  const source = `function lookup() {
    return [Math.random(), crypto.randomUUID(), [...crypto.getRandomValues(new Uint8Array(8))].join()]
  }`
  const drawn = await Promise.all(
    Array.from({ length: 12 }, (_, n) => stand.value(source, { merchantId: `m${n % 3}` }) as Promise<string[]>),
  )
  assert.equal(new Set(drawn.flat()).size, 36)
})

test('code that takes the functions of the host from stack frames ends its own run at most', async () => {
  const source = `function lookup() {
    const found = new Set()
    Error.prepareStackTrace = (_, frames) => { for (const frame of frames) found.add(frame.getFunction()); return '' }
    const look = { toString() { void new Error().stack; return 'fr' }, get name() { void new Error().stack; return 'SHA-256' } }
    try { (1).toLocaleString(look) } catch {}
    crypto.subtle.digest(look, new Uint8Array(1)).catch(() => {})
    for (const stolen of found) for (const args of [[], ['{}'], [null], [{}], [-1], [1e9], ['{"op":"digest"}'], ['x'.repeat(1e6)]]) {
      try { Promise.resolve(stolen(...args)).catch(() => {}) } catch {}
    }
    return found.size
  }`
  // It may call itself, so it may take all its time.
  await stand.run(source, { merchantId: 'thief', timeoutMs: 2_000 })
  await assertUnharmed(stand, 'thief')
})

test('code that catches its end inside asynchronous functions loses its thread, and no other run waits for it', async () => {
  const source = `async function spin() { for (;;); }
  function lookup() { for (;;) spin().catch(() => {}) }`
  const result = await stand.run(source, { merchantId: 'spinner', timeoutMs: 1_000 })
  assert.deepEqual([result.ok, result.ok ? '' : result.fault], [false, 'timeout'])
  await assertUnharmed(stand, 'spinner')
})

test('no child was lost over any of this', () => assertOneChild(stand))
