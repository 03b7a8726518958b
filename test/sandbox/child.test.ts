// The process behind the sandbox dies, or its threads do, or somebody takes it over: calls that were under way fail with a
// clear error, the next child takes the next call, and no process is left behind.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { FetchAnswer } from '../../sandbox-pool/fetch-broker.ts'
import { RUNNING_PER_MERCHANT_MAX, WAITING_MAX } from '../../sandbox-pool/limits.ts'
import { isAlive, openStand, type Stand, until } from './stand.ts'

const WAIT = 'function lookup() { return new Promise((resolve) => setTimeout(resolve, 1e9)) }'
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

test('a child that is killed from outside is replaced; what it ran and nothing else is lost', async () => {
  const stand = await opened({ threads: 1 })
  const [pid = 0] = stand.pids()
  const running = stand.failure(WAIT, { merchantId: 'a' })
  await until(() => stand.sandbox.running === 1)
  const waiting = stand.value(ECHO, { merchantId: 'b', argument: 1 })
  process.kill(pid, 'SIGKILL')
  const { fault, error, started } = await running
  assert.deepEqual([fault, error, started], ['unavailable', LOST, true])
  assert.equal(await waiting, 1)
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

test('a child that stands still is killed', async () => {
  const stand = await opened()
  const [pid = 0] = stand.pids()
  process.kill(pid, 'SIGSTOP')
  const { fault } = await stand.failure(ECHO, { merchantId: 'a' })
  // Whichever comes first: its deadline, or the heartbeats that were missed.
  assert.ok(fault === 'timeout' || fault === 'unavailable')
  await until(() => !isAlive(pid))
  assert.equal(await stand.value(ECHO, { argument: 'next' }), 'next')
})

test('the caller is answered in time by a child that stands still', async () => {
  const stand = await opened()
  const [pid = 0] = stand.pids()
  process.kill(pid, 'SIGSTOP')
  const failure = await stand.failure(WAIT, { timeoutMs: 200 })
  assert.deepEqual([failure.fault, failure.error], ['timeout', 'took longer than 0.2 s'])
})

test('closing ends everything at once', async () => {
  const stand = await opened({ threads: 1 })
  const [pid = 0] = stand.pids()
  const ends = [stand.failure(WAIT, { merchantId: 'a' }), stand.failure(WAIT, { merchantId: 'b' })]
  await until(() => stand.sandbox.running === 1 && stand.sandbox.waiting === 1)
  await stand.sandbox.close()
  for (const { fault, error } of await Promise.all(ends)) assert.deepEqual([fault, error], ['unavailable', 'the server is stopping'])
  assert.ok(!isAlive(pid))
  const late = await stand.failure(ECHO)
  assert.deepEqual([late.fault, late.error], ['unavailable', 'the server is stopping'])
})

test('64 wait and the rest is refused at once; who waited too long is told so', async () => {
  const stand = await opened({ threads: 2 })
  const blockers = ['a', 'b'].map((merchantId) => stand.failure(WAIT, { merchantId }))
  await until(() => stand.sandbox.running === 2)
  const waiters = Array.from({ length: WAITING_MAX }, (_, n) => stand.failure(ECHO, { merchantId: `w${n}`, timeoutMs: 300 }))
  const { fault, error, started } = await stand.failure(ECHO, { merchantId: 'late' })
  assert.deepEqual([fault, started], ['busy', false])
  assert.match(error, /at most 64 wait, and 2 of one merchant run/)
  for (const waiter of await Promise.all(waiters)) {
    assert.deepEqual([waiter.fault, waiter.error, waiter.started], ['timeout', 'no sandbox was free for 0.3 s', false])
  }
  assert.equal(stand.sandbox.running, 2)
  await stand.sandbox.close()
  for (const blocker of await Promise.all(blockers)) assert.equal(blocker.fault, 'unavailable')
})

test('a merchant who takes all that there is holds nobody else up', async () => {
  const stand = await opened({ threads: 4 })
  const greedy = Array.from({ length: 20 }, () => stand.failure(WAIT, { merchantId: 'greedy' }))
  await until(() => stand.sandbox.running === RUNNING_PER_MERCHANT_MAX)
  for (let round = 0; round < 10; round++) {
    assert.equal(await stand.value(ECHO, { merchantId: `modest${round}`, argument: round }), round)
    assert.equal(stand.sandbox.running, RUNNING_PER_MERCHANT_MAX)
  }
  await stand.sandbox.close()
  await Promise.all(greedy)
})

test('the broker is told when nobody waits any more, and its answer is not missed', async () => {
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
