// The process behind the sandbox dies, or its threads do, or an attacker takes it over: calls that were under way fail with a
// clear error, the next child takes the next call, and no process is left behind.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { FetchAnswer } from '../../sandbox-pool/fetch-broker.ts'
import { STARTED_PER_MERCHANT_MAX, WAITING_MAX } from '../../sandbox-pool/limits.ts'
import { isAlive, openStand, type Stand, until } from '../support/sandbox-fixture.ts'

const WAIT = 'function lookup() { return new Promise((resolve) => setTimeout(resolve, 1e9)) }'
const SPIN = 'function lookup() { for (;;); }'
const ECHO = 'function lookup(args) { return args }'
const LOST = 'the sandbox was lost; the code may have been run in part'

const stands: Stand[] = []
after(() => Promise.all(stands.map(({ sandbox }) => sandbox.close())))

async function opened(options: Parameters<typeof openStand>[0] = {}): Promise<Stand> {
  const stand = openStand({ threads: 2, ...options })
  stands.push(stand)
  stand.sandbox.warm()
  await until(() => stand.pids().length > 0)
  return stand
}

test('nothing is started before it is needed, and what was never started closes', async () => {
  const stand = openStand()
  assert.deepEqual([stand.events.length, stand.sandbox.layers], [0, null])
  await stand.sandbox.close()
  assert.equal(stand.events.length, 0)
})

test('a child that is killed from outside is replaced; what had begun is lost, what had not begins in the next child', async () => {
  const stand = await opened({ threads: 1 })
  const [pid = 0] = stand.pids()
  const spinning = stand.failure(SPIN, { merchantId: 'a', timeoutMs: 8_000 })
  const waiting = stand.failure(WAIT, { merchantId: 'b' })
  await stand.value(ECHO, { merchantId: 'c' })
  // Behind the one that computes: a merchant's runs begin one after the other where they do not wait.
  const late = stand.value(ECHO, { merchantId: 'a', argument: 1 })
  await until(() => stand.sandbox.running === 3)
  process.kill(pid, 'SIGKILL')
  for (const { fault, error, started } of [await spinning, await waiting]) {
    assert.deepEqual([fault, error, started], ['unavailable', LOST, true])
  }
  assert.equal(await late, 1)
  assert.equal(stand.pids().length, 2)
  assert.ok(!isAlive(pid))
})

test('a child that is killed again and again is started again and again', async () => {
  const stand = await opened()
  for (let count = 1; count <= 3; count++) {
    await until(() => stand.pids().length === count)
    process.kill(stand.pids().at(-1) ?? 0, 'SIGKILL')
    await until(() => stand.events.filter(({ type }) => type === 'lost').length === count)
  }
  await until(() => stand.pids().length === 4)
  assert.equal(await stand.value(ECHO, { argument: 'again' }), 'again')
})

test('a child that stands still is killed, and what had not begun begins in the next one', async () => {
  const stand = await opened()
  const [pid = 0] = stand.pids()
  process.kill(pid, 'SIGSTOP')
  const result = await stand.run(ECHO, { merchantId: 'a' })
  // Unless its deadline came before the heartbeats that were missed.
  assert.ok(result.ok || (result.fault === 'timeout' && !result.started))
  await until(() => !isAlive(pid))
  assert.equal(await stand.value(ECHO, { argument: 'next' }), 'next')
})

test('the caller is answered in time by a child that stands still', async () => {
  const stand = await opened()
  const [pid = 0] = stand.pids()
  process.kill(pid, 'SIGSTOP')
  const failure = await stand.failure(WAIT, { timeoutMs: 200 })
  assert.deepEqual([failure.fault, failure.error], ['timeout', 'no sandbox was free for 0.2 s'])
})

test('closing ends everything at once', async () => {
  const stand = await opened({ threads: 1 })
  const [pid = 0] = stand.pids()
  const ends = Array.from({ length: STARTED_PER_MERCHANT_MAX + 1 }, () => stand.failure(WAIT, { merchantId: 'a' }))
  await until(() => stand.sandbox.running === STARTED_PER_MERCHANT_MAX && stand.sandbox.waiting === 1)
  await stand.sandbox.close()
  for (const { fault, error } of await Promise.all(ends)) assert.deepEqual([fault, error], ['unavailable', 'the server is stopping'])
  assert.ok(!isAlive(pid))
  const late = await stand.failure(ECHO)
  assert.deepEqual([late.fault, late.error], ['unavailable', 'the server is stopping'])
})

test('what waits has a maximum, the rest is refused at once, and what waited too long fails', async () => {
  const stand = await opened({ threads: 2 })
  const blockers = Array.from({ length: STARTED_PER_MERCHANT_MAX }, () => stand.failure(WAIT, { merchantId: 'a' }))
  const waiters = Array.from({ length: WAITING_MAX }, () => stand.failure(ECHO, { merchantId: 'a', timeoutMs: 2_000 }))
  const { fault, error, started } = await stand.failure(ECHO, { merchantId: 'a' })
  assert.deepEqual([fault, started], ['busy', false])
  assert.match(error, /at most 256 wait, and 80 of one merchant go on/)
  assert.equal(await stand.value(ECHO, { merchantId: 'b', argument: 1 }), 1)
  const [displaced, ...others] = (await Promise.all(waiters)).reverse()
  assert.equal(displaced?.fault, 'busy', 'the newest of the longest queue gave way')
  for (const waiter of others) {
    assert.deepEqual([waiter.fault, waiter.error, waiter.started], ['timeout', 'no sandbox was free for 2 s', false])
  }
  await stand.sandbox.close()
  for (const blocker of await Promise.all(blockers)) assert.equal(blocker.fault, 'unavailable')
})

test('the broker gets a message when no call waits any more, and its answer is not missed', async () => {
  const signals: AbortSignal[] = []
  const stand = await opened({
    broker: (_request, signal) => {
      signals.push(signal)
      return new Promise<FetchAnswer>((resolve) => signal.addEventListener('abort', () => resolve({ error: 'stopped' })))
    },
  })
  const source = 'async function lookup(args) { const call = fetch("https://a/"); if (args.wait) await call; return 1 }'
  // On a busy machine its time may be over before it asks: then it is run again.
  do assert.equal((await stand.failure(source, { argument: { wait: true }, timeoutMs: 500 })).fault, 'timeout')
  while (signals.length === 0)
  const left = await stand.run(source)
  assert.ok(left.ok)
  await until(() => signals.length === 2 && signals.every(({ aborted }) => aborted))
  assert.equal(await stand.value(ECHO, { argument: 'next' }), 'next')
})

test('a run that is cancelled leaves its thread to the next', async () => {
  const stand = await opened({ threads: 1 })
  for (let round = 0; round < 3; round++) {
    assert.equal((await stand.failure('function lookup() { for (;;); }', { timeoutMs: 150 })).fault, 'timeout')
    assert.equal(await stand.value(ECHO, { merchantId: 'b', argument: round }), round)
  }
  assert.equal(stand.pids().length, 1)
})
