// Code that does not want to end: every way of turning in circles that was thought of ends at its deadline, and the next run
// does not notice.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertOneChild, assertUnharmed } from '../support/hostile-sandbox.ts'
import { openStand } from '../support/sandbox-fixture.ts'

const stand = openStand({ threads: 4 })
after(() => stand.sandbox.close())

const DEADLINE_MS = 2_500
/** Where other merchants' runs are in the same thread, one that asks nothing for long is ended before its deadline. */
const ENDED = /^(?:took longer than 2.5 s|one operation of the code took more than 0.5 s of processor time while others waited)$/

const SPINNERS: Readonly<Record<string, string>> = {
  'a loop': 'function lookup() { for (;;); }',
  'a loop while it is loaded': 'for (;;);',
  'a loop that goes on in finally': 'function lookup() { for (;;) try { for (;;); } finally { continue } }',
  'a generator that does not let itself be closed':
    'function* numbers() { try { yield 1 } finally { for (;;); } } function lookup() { for (const n of numbers()) return n }',
  'a loop that waits for nothing': 'async function lookup() { for (;;) await null }',
  'microtasks that make microtasks': 'function lookup() { const next = () => queueMicrotask(next); next(); return new Promise(() => {}) }',
  'a promise of itself': 'function lookup() { const self = { then(resolve) { resolve(self) } }; return self }',
  'a loop in a getter of the result': 'function lookup() { return { get a() { for (;;); } } }',
  'a loop in the message of an error': 'function lookup() { throw { get message() { for (;;); } } }',
  'a loop in what is logged': 'function lookup() { console.log({ toJSON() { for (;;); } }) }',
  'a loop in a timer': 'function lookup() { setTimeout(() => { for (;;); }, 0); return new Promise(() => {}) }',
  'a loop after the answer of a fetch': 'async function lookup() { await fetch("https://a/"); for (;;); }',
  'a catastrophic pattern': 'function lookup() { return /^(a+)+$/.test("a".repeat(50) + "b") }',
  'a search that never asks whether it may go on': 'function lookup() { return Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1) }',
  'a text of nothing, joined 268 million times': "function lookup() { return new Array(2 ** 28).join('') }",
  'a flood of log lines': "function lookup() { for (;;) console.log('x'.repeat(1000)) }",
}

test('code that spins is ended', { concurrency: 2 }, async (t) => {
  const endings = Object.entries(SPINNERS).map(([name, source]) =>
    t.test(name, async () => {
      let failure = await stand.failure(source, { merchantId: name, timeoutMs: DEADLINE_MS })
      // On a busy machine its time may be over before it begins: then it is run again.
      while (!failure.started) failure = await stand.failure(source, { merchantId: name, timeoutMs: DEADLINE_MS })
      assert.match(failure.error, ENDED)
      assert.deepEqual([failure.fault, failure.started], ['timeout', true])
      await assertUnharmed(stand, name)
    }),
  )
  await Promise.all(endings)
  assertOneChild(stand)
})

const WAITERS: Readonly<Record<string, string>> = {
  'for a timer': 'function lookup() { return new Promise((resolve) => setTimeout(resolve, 1e9)) }',
  'for timers, one after the other': 'function lookup() { const next = () => setTimeout(next, 0); next(); return new Promise(() => {}) }',
  'while it is loaded': 'await new Promise((resolve) => setTimeout(resolve, 1e9))\nexport const lookup = 1',
}

for (const [name, source] of Object.entries(WAITERS)) {
  test(`a run that waits ${name} ends at its deadline`, async () => {
    let failure = await stand.failure(source, { merchantId: name, timeoutMs: 300 })
    // On a busy machine a run may wait for a thread as long as it has.
    while (!failure.started) failure = await stand.failure(source, { merchantId: name, timeoutMs: 300 })
    assert.deepEqual([failure.fault, failure.error], ['timeout', 'took longer than 0.3 s'])
    await assertUnharmed(stand, name)
  })
}

test('the log of a run that took too long is kept', async () => {
  const source = 'function lookup() { console.log("before"); return new Promise((resolve) => setTimeout(resolve, 1e9)) }'
  assert.deepEqual((await stand.failure(source, { timeoutMs: 4_000 })).logs, ['before'])
})

const HOPELESS: Readonly<Record<string, readonly [source: string, error: string]>> = {
  'a promise that nobody keeps': [
    'function lookup() { return new Promise(() => {}) }',
    'lookup never ends: its promise waits for nothing that could happen',
  ],
  'a timer that was taken back': [
    'function lookup() { return new Promise((resolve) => clearTimeout(setTimeout(resolve, 10))) }',
    'lookup never ends: its promise waits for nothing that could happen',
  ],
  'a flood of timers': ['function lookup() { for (;;) setTimeout(() => {}, 1e9) }', 'RangeError: more than 100 timers (code.js:1)'],
  'timers that double': [
    'function lookup() { const next = () => { setTimeout(next, 0); setTimeout(next, 0) }; next(); return new Promise(() => {}) }',
    'RangeError: more than 100 timers (code.js:1)',
  ],
}

for (const [name, [source, error]] of Object.entries(HOPELESS)) {
  test(`${name} is not waited for`, async () => {
    const failure = await stand.failure(source, { merchantId: name })
    // Code that waits for what cannot come gets the same error as code that waited too long.
    assert.deepEqual([failure.fault, failure.error], [error.startsWith('RangeError') ? 'code' : 'timeout', error])
    await assertUnharmed(stand, name)
  })
}

test('what runs on after its result is not waited for, and cannot change it', async () => {
  const source = 'function lookup(args) { setTimeout(() => { for (;;); }, 0); fetch("https://a/"); return args }'
  for (let round = 0; round < 5; round++) assert.deepEqual(await stand.value(source, { argument: { round } }), { round })
  await assertUnharmed(stand, 'm')
})
