// Code that wants everything: texts, lists, objects, bytes, stack. It gets its 32 MB, and the process that it runs in does
// not grow.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { assertOneChild, assertUnharmed } from '../support/hostile-sandbox.ts'
import { openStand } from '../support/sandbox-fixture.ts'

const stand = openStand({ threads: 4 })
after(() => stand.sandbox.close())

const MEMORY = /out of memory \(the limit is 32 MB\)|string too long|BigInt is too large|invalid (?:max )?array buffer length/
const STACK = /Maximum call stack size exceeded|stack overflow|recursion too deep|too many captures/
/** On a busy machine its time may be over first. */
const SPENT = /took longer than 10 s/

const BOMBS: Readonly<Record<string, string>> = {
  'a long text': 'return "x".repeat(2 ** 30 - 1).length',
  'a text that doubles': 'let text = "x"; for (;;) text += text',
  'a text that is filled up': 'return "".padStart(2 ** 29, "abc").length',
  'a text that grows by being normalized': 'let text = "\\ufdfa"; for (;;) text = (text + text).normalize("NFKD")',
  'a list of objects': 'const all = []; for (;;) all.push({})',
  'a list in a list': 'let all = []; for (;;) all = [all]',
  'a list that is filled': 'return new Array(2 ** 32 - 1).fill(1).length',
  'a list of all that never ends': 'return [...{ *[Symbol.iterator]() { for (;;) yield 1 } }]',
  'a map': 'const all = new Map(); for (let n = 0; ; n++) all.set(n, n)',
  'names of properties': 'const all = {}; for (let n = 0; ; n++) all["k" + n] = n',
  symbols: 'const all = {}; for (let n = 0; ; n++) all[Symbol(n)] = n',
  'bytes by the megabyte': 'const all = []; for (;;) all.push(new Uint8Array(1e6).fill(1))',
  'a buffer of 2 GB': 'return new ArrayBuffer(2 ** 31).byteLength',
  'a buffer that grows': 'const buffer = new ArrayBuffer(1, { maxByteLength: 2 ** 31 }); buffer.resize(2 ** 30); return 1',
  'a number of many digits': 'let n = 2n; for (;;) n *= n',
  'promises that wait':
    'const next = () => { Promise.resolve().then(next); Promise.resolve().then(next) }; next(); return new Promise(() => {})',
  'texts as bytes': 'const all = []; for (;;) all.push(new TextEncoder().encode("x".repeat(1e6)))',
  headers: 'const all = new Headers(); for (let n = 0; ; n++) all.append("a" + n, "x".repeat(10000))',
  addresses: 'const all = []; for (;;) all.push(new URL("https://a/" + "x".repeat(100000)))',
  'calls that nobody waits for': 'for (;;) fetch("https://a/").catch(() => {})',
}

const DEPTHS: Readonly<Record<string, string>> = {
  'a function that calls itself': 'return lookup()',
  'a text that asks for itself': 'const self = { toString: () => "" + self }; return "" + self',
  'proxies of proxies': 'let self = {}; for (let n = 0; n < 1e5; n++) self = new Proxy(self, {}); return self.x',
  'iterators of iterators': 'let all = [1].values(); for (let n = 0; n < 1e5; n++) all = all.map((x) => x); return all.next()',
  'JSON that is deep': 'return JSON.parse("[".repeat(1e6))',
  'a result that is deep': 'let all = []; for (let n = 0; n < 1e5; n++) all = [all]; return all',
  'a program that is deep': 'return eval("(".repeat(1e6))',
  'a pattern that is deep': 'return new RegExp("(".repeat(1e5))',
}

for (const [limit, rows] of [
  [MEMORY, BOMBS],
  [STACK, DEPTHS],
] as const) {
  for (const [name, body] of Object.entries(rows)) {
    test(`code gets no more memory than there is: ${name}`, async () => {
      const failure = await stand.failure(`function lookup() { ${body} }`, { merchantId: name })
      assert.ok(limit.test(failure.error) || SPENT.test(failure.error), failure.error)
      await assertUnharmed(stand, name)
    })
  }
}

test('code may live with what it did not get', async () => {
  const source = 'function lookup() { try { const all = []; for (;;) all.push(new Uint8Array(1e6)) } catch { return "enough" } }'
  assert.equal(await stand.value(source), 'enough')
})

test('deep things that are let go of are no danger', async () => {
  const source = 'function lookup() { let all = null; for (let n = 0; n < 3e5; n++) all = { all }; all = null; return 1 }'
  assert.equal(await stand.value(source), 1)
})

test('bombs in every thread, again and again, leave the process as it was', async () => {
  const source = 'function lookup() { const all = []; for (;;) all.push(new Uint8Array(1e6).fill(1)) }'
  const round = () => Promise.all(['a', 'b', 'c', 'd'].map((merchantId) => stand.failure(source, { merchantId })))
  for (let count = 0; count < 4; count++) await round()
  const before = residentBytes()
  for (let count = 0; count < 12; count++) await round()
  // Four threads with a bomb each; what is measured is that twelve rounds take no more than four did.
  assert.ok(residentBytes() - before < 128 * 1024 * 1024, `${before} → ${residentBytes()} bytes`)
  assertOneChild(stand)
})

/** Of the child; zero where the system does not report it. */
function residentBytes(): number {
  const [pid = 0] = stand.pids()
  try {
    return Number(/^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]) * 1024
  } catch {
    // No such file system.
    return 0
  }
}
