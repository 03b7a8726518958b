// Many runs at once in few threads: what waits costs no thread, what computes slows its own merchant alone, and what a thread
// loses when it is ended begins again where nothing had come of it.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { FetchAnswer, FetchBroker } from '../../sandbox-pool/fetch-broker.ts'
import { assertOneChild } from '../support/hostile-sandbox.ts'
import { openStand, type Stand, until } from '../support/sandbox-fixture.ts'

const ECHO = 'function lookup(args) { return args }'
const FETCH = 'async function lookup(args) { const answer = await fetch("https://a/"); return [args, await answer.text()] }'
const SPIN = 'function lookup() { for (;;); }'
/** Natively, without asking whether it may go on, and for longer than a run may take: a quarter of it took 9 s. */
const STUCK = "function lookup() { return new Array(2 ** 30).join('') }"
const SLEEP = 'function lookup() { return new Promise((resolve) => setTimeout(resolve, 1e9)) }'

const stands: Stand[] = []
after(() => Promise.all(stands.map(({ sandbox }) => sandbox.close())))

function opened(threads: number, broker?: FetchBroker): Stand {
  const stand = openStand({ threads, ...(broker === undefined ? {} : { broker }) })
  stands.push(stand)
  return stand
}

/** Answers nothing until the test says so. */
function heldBroker(): { readonly broker: FetchBroker; readonly held: () => number; readonly answer: () => void } {
  let held: ((answer: FetchAnswer) => void)[] = []
  return {
    broker: () => new Promise((resolve) => held.push(resolve)),
    held: () => held.length,
    answer() {
      for (const resolve of held) resolve({ status: 200, headers: [], body: 'paid' })
      held = []
    },
  }
}

test('trials that sleep take nothing from customers', async () => {
  const stand = opened(1)
  const sleepers = ['a', 'b', 'c', 'd', 'e', 'f'].flatMap((merchantId) =>
    Array.from({ length: 5 }, () => stand.failure(SLEEP, { merchantId, purpose: 'trial' })),
  )
  await until(() => stand.sandbox.running === sleepers.length)
  for (const purpose of ['live', 'test', 'trial'] as const) {
    for (let round = 0; round < 3; round++) assert.equal(await stand.value(ECHO, { merchantId: 'honest', purpose, argument: round }), round)
  }
  for (const { fault } of await Promise.all(sleepers)) assert.equal(fault, 'timeout')
  assertOneChild(stand)
})

test('customers are served beside merchants that spin in more runs than there are threads', async () => {
  const stand = opened(1)
  const spinners = ['a', 'b', 'c'].flatMap((merchantId) =>
    Array.from({ length: 4 }, () => stand.failure(SPIN, { merchantId, timeoutMs: 6_000 })),
  )
  await until(() => stand.sandbox.running === 12)
  for (let round = 0; round < 10; round++) assert.equal(await stand.value(ECHO, { merchantId: 'honest', argument: round }), round)
  for (const { fault } of await Promise.all(spinners)) assert.equal(fault, 'timeout')
  assertOneChild(stand)
})

test('code that is stuck in one operation ends, and with its thread only what had an effect in it', async () => {
  const { broker, held } = heldBroker()
  const stand = opened(1, broker)
  const sleep = 'function lookup() { return new Promise((resolve) => setTimeout(resolve, 100, 1)) }'
  const stuck = stand.failure(STUCK, { merchantId: 'stuck' })
  const fetching = stand.failure(FETCH, { merchantId: 'fetching', timeoutMs: 9_000 })
  await until(() => held() === 1)
  const end = await stuck
  assert.equal(end.fault, 'timeout')
  assert.match(
    end.error,
    /^(?:took longer than 10 s|one operation of the code took more than 0.5 s of processor time while others waited)$/,
  )
  assert.match((await fetching).fault, /^(?:unavailable|timeout)$/)
  assert.equal(await stand.value(sleep, { merchantId: 'sleeper' }), 1)
  assertOneChild(stand)
})
