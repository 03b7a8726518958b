// Everything that merchants' code can say is said at its maximum, in the characters that escape worst, by several merchants
// at once: a run that says too much fails by itself, and the child lives on.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { SandboxResult } from '../../engine/actor/ports.ts'
import { CROSSING_BYTES_MAX, FETCH_BODY_BYTES_MAX, LOG_LINES_MAX } from '../../sandbox-pool/limits.ts'
import { REST_OF_LOG } from '../../sandbox-pool/run-log.ts'
import { assertOneChild, assertUnharmed } from '../support/hostile-sandbox.ts'
import { openStand } from '../support/sandbox-fixture.ts'

const stand = openStand({ threads: 8, broker: ({ body }) => Promise.resolve({ status: 200, headers: [], body: body ?? '' }) })
after(() => stand.sandbox.close())

/** As JavaScript source, with the bytes of UTF-8 that each takes. */
const CHARACTERS: readonly (readonly [name: string, source: string, bytes: number])[] = [
  ['quotes', '"\\""', 1],
  ['backslashes', '"\\\\"', 1],
  ['line ends', '"\\n"', 1],
  ['control characters', '"\\u0001"', 1],
  ['zero bytes', '"\\0"', 1],
  ['lone surrogates', '"\\ud800"', 3],
  ['three bytes each', '"€"', 3],
  ['pairs of surrogates', '"😀"', 4],
]

/** One failure is an answer with a sentence; what no run may cause is that the child is lost. */
function assertOwnEnd(result: SandboxResult): void {
  if (!result.ok) assert.match(result.fault, /^(?:code|timeout)$/, result.error)
}

for (const [name, source, bytes] of CHARACTERS) {
  test(`a body of ${name} goes out and comes back at its maximum`, async () => {
    const count = Math.floor(FETCH_BODY_BYTES_MAX / bytes)
    const code = `async function lookup() {
      const sent = ${source}.repeat(${count})
      for (;;) {
        try {
          const answer = await fetch('https://a/', { method: 'POST', body: sent })
          return (await answer.text()).length === sent.length
        } catch (error) {
          // The runs before this one have used up the rate of their thread. A run has ten calls.
          if (!error.message.includes('share a rate')) throw error
          await new Promise((resolve) => setTimeout(resolve, 400))
        }
      }
    }`
    assert.equal(await stand.value(code, { merchantId: name }), true)
  })

  test(`results, errors and logs of ${name} cross at their maximum or fail with a sentence`, async () => {
    const results = await Promise.all(
      [
        `function lookup() { return ${source}.repeat(${CROSSING_BYTES_MAX}) }`,
        `function lookup() { return ${source}.repeat(${Math.floor(CROSSING_BYTES_MAX / 6) - 1}) }`,
        `function lookup() { throw new Error(${source}.repeat(100000)) }`,
        `function lookup() { const error = new Error(); error.name = error.stack = ${source}.repeat(1e6); throw error }`,
        `function lookup() { throw ${source}.repeat(1e6) }`,
        `function lookup() { for (let n = 0; n < 1000; n++) console.log(${source}.repeat(5000)) }`,
        `function lookup() { const headers = new Headers(); headers.set('a', ${source}.repeat(1e5)); return fetch('https://a/', { headers }) }`,
        `function lookup() { return fetch('https://a/' + ${source}.repeat(1e6)) }`,
        `function lookup() { return fetch('https://a/', { method: ${source}.repeat(1e6) }) }`,
      ].map((code, index) => stand.run(code, { merchantId: `${name}-${index}` })),
    )
    for (const result of results) assertOwnEnd(result)
    assert.equal(results[5]?.logs.at(-1), REST_OF_LOG)
    await assertUnharmed(stand, name)
    assertOneChild(stand)
  })
}

test('ten bodies of quotes at once from each of several merchants end no child', async () => {
  const code = `async function lookup() {
    const body = '"'.repeat(${FETCH_BODY_BYTES_MAX})
    const all = await Promise.allSettled(Array.from({ length: 10 }, () => fetch('https://a/', { method: 'POST', body })))
    return all.map(({ status, reason }) => reason?.message ?? status)
  }`
  const merchants = ['a', 'b', 'c', 'd'].flatMap((merchantId) => [merchantId, merchantId])
  for (const result of await Promise.all(merchants.map((merchantId) => stand.run(code, { merchantId })))) assertOwnEnd(result)
  await assertUnharmed(stand, 'a')
  assertOneChild(stand)
})

test('several merchants that flood their logs lose lines and nothing else', async () => {
  const flood = 'function lookup() { for (let n = 0; n < 200000; n++) console.log("line", n) }'
  const drip =
    'function lookup() { let n = 0; const next = () => { console.log(n++); setTimeout(next, 0) }; next(); return new Promise(() => {}) }'
  const runs = ['a', 'b', 'c', 'd'].flatMap((merchantId) => [
    stand.run(flood, { merchantId, timeoutMs: 5_000 }),
    stand.run(drip, { merchantId, timeoutMs: 5_000 }),
  ])
  for (const result of await Promise.all(runs)) {
    assertOwnEnd(result)
    assert.ok(result.logs.length <= LOG_LINES_MAX + 1)
  }
  // Which of them had the time to log a hundred lines is the machine's affair; one at a time each has.
  for (const code of [flood, drip]) {
    const { logs } = await stand.untimed(code, { merchantId: 'e' })
    assert.deepEqual([logs.length, logs.at(-1)], [LOG_LINES_MAX + 1, REST_OF_LOG])
  }
  await assertUnharmed(stand, 'a')
  assertOneChild(stand)
})
