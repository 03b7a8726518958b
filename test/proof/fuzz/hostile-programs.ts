// Programs for the sandbox: written ones, each hostile statement in several places of a program, and generated ones, which walk
// everything that they can reach and call it with values that it does not expect.
import { Prng } from '../../support/prng.ts'

/** Statements of a function that may return. Names that only a host has must stay unknown to them. */
const STATEMENTS: readonly string[] = [
  'for (;;);',
  'while (true) try { for (;;); } finally { continue }',
  'for (;;) await null;',
  'const next = () => queueMicrotask(next); next(); return new Promise(() => {})',
  'const next = () => Promise.resolve().then(next); next(); next(); return new Promise(() => {})',
  'const next = () => setTimeout(next, 0); next(); return new Promise(() => {})',
  'for (let n = 0; n < 1e5; n++) setInterval(() => {}, 0); return 1',
  'for (let n = 0; n < 1e6; n++) setTimeout(() => { for (;;); }, n); return 1',
  'const all = []; for (;;) all.push(new Array(1e5).fill({}))',
  'let text = "x"; for (;;) text += text',
  'const all = {}; for (let n = 0; ; n++) all["k" + n] = n',
  'const all = new Set(); for (;;) all.add(Symbol())',
  'return "x".repeat(2 ** 30 - 1)',
  'return new ArrayBuffer(2 ** 32)',
  'const buffer = new ArrayBuffer(8, { maxByteLength: 2 ** 28 }); const view = new Uint8Array(buffer); buffer.resize(0); view[4] = 1; return view.length',
  'const view = new Uint8Array(8); view.sort(() => { view.buffer.transfer?.(); return 1 }); return view.length',
  'const list = [3, 2, 1]; list.sort(() => { list.length = 0; return -1 }); return list',
  'const list = new Array(1e5); list.sort(() => { list.push(1); return 0 }); return list.length',
  'return [..."x".repeat(1e6)].map((x) => [x].concat(x)).flat(Infinity).length',
  'let n = 2n; for (;;) n **= 2n',
  'return /^(a+)+$/.test("a".repeat(60) + "b")',
  'return new RegExp("(".repeat(1e4) + ")".repeat(1e4))',
  'return "a".repeat(1e5).replace(/a*?a*?a*?b/g, "")',
  'const self = {}; self.self = self; return self',
  'return { toJSON() { return { toJSON() { for (;;); } } } }',
  'return { get a() { throw { get message() { throw this } } } }',
  'return new Proxy({}, { ownKeys() { for (;;); } })',
  'return new Proxy([], { get(list, name) { return name === "length" ? 2 ** 53 : list } })',
  'return { then(done) { done(this) } }',
  'return { then(done, failed) { done(1); failed(2); for (;;); } }',
  'throw { name: { toString() { for (;;); } }, message: 1 }',
  'throw new Proxy(new Error("x"), { get() { throw 1 } })',
  'Object.prototype.then = function (done) { done(1) }; return {}',
  'Object.prototype.toJSON = function () { return "mine" }; Array.prototype.toJSON = () => 2; return [1]',
  'JSON.stringify = () => "}{"; JSON.parse = () => { throw 1 }; return { a: 1 }',
  'Promise.prototype.then = () => { for (;;); }; return Promise.resolve(1)',
  'for (const name of Object.getOwnPropertyNames(globalThis)) try { delete globalThis[name] } catch {} return 1',
  'for (const name of Reflect.ownKeys(globalThis)) try { globalThis[name] = () => { for (;;); } } catch {} return fetch',
  'Object.setPrototypeOf(Object.prototype, new Proxy({}, { get() { throw 1 } })); return 1',
  'Error.prepareStackTrace = () => { for (;;); }; return new Error().stack',
  'Error.stackTraceLimit = Infinity; (function deep() { deep() })()',
  'console.log(new Proxy({}, { get() { for (;;); } })); return 1',
  'for (;;) console.log("x".repeat(1e5))',
  'for (;;) fetch("https://a/").catch(() => {})',
  'return Promise.all(Array.from({ length: 1e4 }, () => fetch("https://a/", { method: "POST", body: "x".repeat(1e5) })))',
  'return fetch({ toString() { return fetch("https://a/") } })',
  'return fetch("https://a/", { headers: new Proxy({}, { ownKeys() { return ["a\\r\\nb: c"] } }) })',
  'return await import("node:fs").catch((error) => error.stack)',
  'return (async () => {}).constructor("return this")().then((all) => Object.keys(all).length)',
  'return Function("return typeof Deno + typeof Bun + typeof WebAssembly + typeof Atomics")()',
  'return crypto.subtle.digest({ get name() { for (;;); } }, new Uint8Array(8))',
  'return crypto.getRandomValues(new Uint8Array(1e9))',
]

/** Places of a statement: in the function, in the module, in a conversion of the result, after an answer. */
const PLACES: readonly ((statement: string) => string)[] = [
  (statement) => `async function lookup(args) { ${statement} }`,
  (statement) => `const made = (async () => { ${statement} })()\nasync function lookup() { return made }`,
  (statement) => `function lookup() { return { toJSON() { return (function* () { ${statement.replaceAll('await ', '')} })().next() } } }`,
  (statement) => `async function lookup() { await fetch("https://a/"); const run = async () => { ${statement} }; return run() }`,
]

/** Written programs: each statement in each place. */
export function writtenPrograms(count: number): readonly string[] {
  const all = PLACES.flatMap((place) => STATEMENTS.map(place))
  return all.slice(0, count)
}

/** Walks the globals of the machine and calls what it finds. SEED, STEPS and ENDING are put in. */
const WALKER = `async function lookup() {
  let state = SEED >>> 0
  const below = (count) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 4294967296) * count)
  }
  const own = { apply: Reflect.apply, construct: Reflect.construct, keys: Reflect.ownKeys, describe: Reflect.getOwnPropertyDescriptor, up: Reflect.getPrototypeOf }
  const seen = new Set(), things = [], calls = []
  const walk = (value, depth) => {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || depth > 5 || seen.has(value) || things.length > 4000) return
    seen.add(value)
    things.push(value)
    if (typeof value === 'function') calls.push(value)
    for (const name of own.keys(value)) {
      const part = own.describe(value, name)
      if (part !== undefined) for (const inner of [part.value, part.get, part.set]) walk(inner, depth + 1)
    }
    walk(own.up(value), depth + 1)
  }
  walk(globalThis, 0)
  const odd = () => {
    switch (below(22)) {
      case 0: return undefined
      case 1: return null
      case 2: return [NaN, -0, -1, 0.5, 2 ** 31, 2 ** 32, 2 ** 53, Infinity, -Infinity][below(9)]
      case 3: return below(300)
      case 4: return ['', 'x', '__proto__', 'constructor', '\\ud800', 'utf-16le', 'base64', 'https://a/', '../x', 'a'.repeat(below(3000))][below(10)]
      case 5: return Symbol('s')
      case 6: return [1n, -1n, 2n ** 64n][below(3)]
      case 7: return {}
      case 8: return Array.from({ length: below(20) }, () => below(9))
      case 9: return new Uint8Array(below(300))
      case 10: return new ArrayBuffer(below(64), { maxByteLength: 64 })
      case 11: return () => odd()
      case 12: return function () { return odd() }
      case 13: return new Proxy({}, { get: () => odd(), has: () => true, ownKeys: () => ['a'], getOwnPropertyDescriptor: () => ({ configurable: true, enumerable: true, value: 1 }) })
      case 14: return { get length() { return odd() }, get 0() { return odd() } }
      case 15: return { valueOf: () => odd(), toString: () => 'x', [Symbol.toPrimitive]: () => odd() }
      case 16: return { *[Symbol.iterator]() { for (let n = below(5); n > 0; n--) yield odd() } }
      case 17: return { then: (done) => done(1), name: 'AES-GCM', iv: new Uint8Array(12), length: below(400) }
      case 18: return new Date(below(9e15))
      case 19: return /(a*)*b/y
      default: return things[below(things.length)]
    }
  }
  let failed = 0
  for (let step = 0; step < STEPS; step++) {
    const call = calls[below(calls.length)]
    const values = [odd(), odd(), odd(), odd()].slice(below(5))
    try {
      const made = below(3) === 0 ? own.construct(call, values) : own.apply(call, odd(), values)
      if ((typeof made === 'object' || typeof made === 'function') && made !== null) things.push(made)
      if (below(20) === 0) await Promise.race([made, null])
    } catch {
      failed++
    }
  }
  return ENDING
}`

const ENDINGS = [
  'failed',
  'things.length',
  '{ failed, last: String(typeof things.at(-1)) }',
  'things.at(-1)',
  '(async () => { for (;;) await null })()',
  'new Proxy(things, {})',
]

/** Words of a host that no machine may know. */
const HOST_WORDS = ['Deno', 'Bun', 'WebAssembly', 'Atomics', 'std', 'os', 'bjson', 'scriptArgs', 'print', 'XMLHttpRequest', 'Worker']
const STEPS_MAX = 120

/** Generated program number `number` of the seed. */
export function generatedProgram(seed: number, number: number): string {
  const random = new Prng(Math.imul(seed, 0x9e3779b1) + number)
  const kind = random.below(10)
  if (kind < 7) {
    return WALKER.replace('SEED', () => String(random.word()))
      .replace('STEPS', () => String(1 + random.below(STEPS_MAX)))
      .replace('ENDING', () => random.pick(ENDINGS))
  }
  if (kind === 7)
    return random.pick(PLACES)(
      `return ${JSON.stringify(HOST_WORDS)}.filter((name) => eval('typeof ' + name) !== 'undefined').map((name) => 'HOST:' + name)`,
    )
  const statements = Array.from({ length: 1 + random.below(3) }, () => `(async () => { ${random.pick(STATEMENTS)} })()`)
  return kind === 8 ? random.pick(PLACES)(statements.join('; ')) : torn(random, random.pick(PLACES)(random.pick(STATEMENTS)))
}

/** Text with a piece cut out, doubled or moved: mostly no program any more. */
function torn(random: Prng, text: string): string {
  const [one, other] = [random.below(text.length), random.below(text.length)].sort((a, b) => a - b) as [number, number]
  const piece = text.slice(one, other)
  return random.pick([text.slice(0, one) + text.slice(other), text.slice(0, other) + piece + text.slice(other), piece + text])
}
