// Many runs in one thread, here the test's own: what waits costs a machine alone, and code that computes lets others go first.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { MessageChannel } from 'node:worker_threads'
import { MERCHANT_MACHINE_BYTES_MAX, SEND_BURST_BYTES } from '../../sandbox-pool/limits.ts'
import { compileParts, type MachineParts } from '../../sandbox-pool/machine-parts.ts'
import { ProcessorPlace, sharedPlaces } from '../../sandbox-pool/processor-places.ts'
import { compileScripts, machineFiles } from '../../sandbox-pool/scripts.ts'
import type { FromThread, ToThread } from '../../sandbox-pool/task.ts'
import { monotonicMs, ThreadClock } from '../../sandbox-pool/thread-clock.ts'
import { ThreadRuns } from '../../sandbox-pool/thread-runs.ts'
import { VirtualMachine } from '../../sandbox-pool/virtual-machine.ts'
import { until } from '../support/sandbox-fixture.ts'

const FETCH = 'async function lookup(args) { const answer = await fetch("https://a/"); return [args, await answer.text()] }'
const SPIN = 'function lookup() { for (;;); }'
const FETCH_AND_SPIN = 'async function lookup() { await fetch("https://a/"); for (;;); }'
const ANSWER = JSON.stringify({ status: 200, url: 'https://a/', redirected: false, headers: [], body: { text: 'paid' } })
/** Long enough for others to be served, and how long the test's thread is blocked. */
const SPIN_MS = 1_000
const LONG_MS = 1_000_000

let parts: MachineParts

// Not awaited by the module: what another file of the process awaits too would resume the module in a test of that file.
before(async () => {
  const { globals } = await compileScripts()
  parts = await compileParts(machineFiles(), globals)
})

class Thread {
  readonly clock = new ThreadClock()
  readonly heard: FromThread[] = []
  /** How often its priority was lowered. */
  lowered = 0
  /** How often it entered the idle class. */
  idle = 0
  readonly #channel = new MessageChannel()
  readonly ended: Promise<void>
  #last = 0

  constructor() {
    const place = new ProcessorPlace(sharedPlaces(1))
    const createMachine = () => VirtualMachine.create(parts)
    const given = { port: this.#channel.port2, clock: this.clock, place, createMachine }
    const runs = new ThreadRuns({
      ...given,
      lowerPriority: () => this.lowered++,
      enterIdleClass: () => this.idle++,
      idleClassAfterMs: 100,
      collectGarbage: undefined,
    })
    this.#channel.port1.on('message', (message: FromThread) => this.heard.push(message))
    this.ended = runs.serve()
  }

  post(message: ToThread): void {
    this.#channel.port1.postMessage(message)
  }

  /** The number of the run. */
  begin(source: string, options: { readonly merchant?: string; readonly argument?: unknown; readonly withinMs?: number } = {}): number {
    const { merchant = 'm', argument = {}, withinMs = LONG_MS } = options
    this.#last += 1
    const about = { run: this.#last, merchant, isLive: true, entry: 'lookup' } as const
    this.post({ type: 'run', task: { ...about, source, argument: JSON.stringify(argument), endsAtMs: monotonicMs() + withinMs } })
    return this.#last
  }

  answer(run: number): void {
    this.post({ type: 'answer', run, id: 1, answer: ANSWER })
  }

  heardOf(run: number, type: FromThread['type']): boolean {
    return this.heard.some((message) => message.run === run && message.type === type)
  }

  /** Numbers of runs, in the order in which they ended. */
  get ends(): number[] {
    return this.heard.filter(({ type }) => type === 'done').map(({ run }) => run)
  }

  outcome(run: number): unknown {
    const done = this.heard.find((message) => message.run === run && message.type === 'done')
    assert.ok(done?.type === 'done')
    const { outcome } = done
    return outcome.ok ? JSON.parse(outcome.value) : outcome.message
  }

  close(): Promise<void> {
    this.#channel.port1.close()
    return this.ended
  }
}

const threads: Thread[] = []
after(() => Promise.all(threads.map((thread) => thread.close())))

function opened(): Thread {
  const thread = new Thread()
  threads.push(thread)
  return thread
}

test('two hundred runs of four merchants wait for their fetch at once in one thread', async () => {
  const thread = opened()
  const runs = Array.from({ length: 200 }, (_, argument) => thread.begin(FETCH, { merchant: `m${argument % 4}`, argument }))
  await until(() => runs.every((run) => thread.heardOf(run, 'fetch')))
  assert.ok(thread.clock.machineBytes > 200 * 1024 * 1024 && thread.clock.machineBytes < 200 * 2.25 * 1024 * 1024)
  for (const run of runs) thread.answer(run)
  await until(() => thread.ends.length === 200)
  assert.deepEqual(
    runs.map((run) => thread.outcome(run)),
    runs.map((_, argument) => [argument, 'paid']),
  )
  await until(() => thread.clock.machineBytes === 0)
})

test('merchants take turns in beginning', async () => {
  const thread = opened()
  const first = Array.from({ length: 20 }, () => thread.begin(FETCH, { merchant: 'many' }))
  const other = thread.begin(FETCH, { merchant: 'one' })
  await until(() => [...first, other].every((run) => thread.heardOf(run, 'begun')))
  const begun = thread.heard.filter(({ type }) => type === 'begun').map(({ run }) => run)
  assert.ok(begun.indexOf(other) <= 2, `${begun.indexOf(other)} began before`)
})

test('an answer and a timer come to runs that wait while other code computes', async () => {
  const thread = opened()
  const spinner = thread.begin(FETCH_AND_SPIN, { merchant: 'spinner', withinMs: 4 * SPIN_MS })
  const fetching = thread.begin(FETCH, { argument: 1 })
  const later = 'function lookup() { return new Promise((resolve) => setTimeout(resolve, 100, "rang")) }'
  await until(() => thread.heardOf(fetching, 'fetch') && thread.heardOf(spinner, 'fetch'))
  const timer = thread.begin(later)
  await until(() => thread.heardOf(timer, 'begun'))
  // The spinner's step begins first, and the test's own thread stands still until its deadline.
  thread.answer(spinner)
  thread.answer(fetching)
  await until(() => thread.ends.length === 3)
  assert.deepEqual(thread.ends.slice(0, 2).sort(), [fetching, timer].sort())
  assert.deepEqual([thread.outcome(fetching), thread.outcome(timer)], [[1, 'paid'], 'rang'])
})

test('a run begins while the code of another merchant computes, and not while that of its own does', async () => {
  const thread = opened()
  const warm = thread.begin('function lookup() { return 1 }')
  await until(() => thread.ends.length === 1)
  await until(() => thread.clock.computingRun === null)
  const spinner = thread.begin(SPIN, { merchant: 'spinner', withinMs: SPIN_MS })
  const own = thread.begin('function lookup() { return 2 }', { merchant: 'spinner' })
  const other = thread.begin('function lookup() { return 3 }', { merchant: 'other' })
  await until(() => thread.ends.length === 4)
  assert.ok(thread.ends.indexOf(own) > thread.ends.indexOf(spinner))
  assert.deepEqual([thread.outcome(warm), thread.outcome(own), thread.outcome(other)], [1, 2, 3])
  assert.equal(thread.outcome(spinner), 'took too long')
})

test('code that computes for long in one step lowers the priority of its thread once and puts it into the idle class once, light code never', async () => {
  const thread = opened()
  thread.clock.start()
  // Elsewhere the system does not report the processor time of a thread.
  if (thread.clock.processorMs() === null) return
  for (let count = 1; count <= 20; count++) {
    const light = thread.begin('function lookup() { return 1 }')
    await until(() => thread.heardOf(light, 'done'))
  }
  assert.deepEqual([thread.lowered, thread.idle], [0, 0])
  const spinners = [1, 2].map(() => thread.begin(SPIN, { merchant: 'spinner', withinMs: SPIN_MS }))
  await until(() => spinners.every((run) => thread.heardOf(run, 'done')))
  assert.equal(thread.lowered, 1)
  assert.deepEqual(
    spinners.map((run) => thread.heardOf(run, 'lowered')),
    [true, false],
  )
  // On a busy machine a second may hold too little processor time.
  for (let more = 1; more <= 2 || (more <= 10 && thread.idle === 0); more++) {
    const spinner = thread.begin(SPIN, { merchant: 'spinner', withinMs: SPIN_MS })
    await until(() => thread.heardOf(spinner, 'done'))
  }
  assert.deepEqual([thread.lowered, thread.idle], [1, 1])
})

test('deep recursion under other code that computes fails by itself and harms neither', async () => {
  const thread = opened()
  const deep = 'async function lookup() { await fetch("https://a/"); const f = (n) => [1].map(() => f(n + 1)); return f(0) }'
  const recursive = thread.begin(deep, { merchant: 'deep' })
  const spinner = thread.begin(FETCH_AND_SPIN, { merchant: 'spinner', withinMs: 4 * SPIN_MS })
  await until(() => thread.heardOf(recursive, 'fetch') && thread.heardOf(spinner, 'fetch'))
  thread.answer(spinner)
  thread.answer(recursive)
  await until(() => thread.ends.length === 2)
  assert.match(String(thread.outcome(recursive)), /Maximum call stack size exceeded/)
})

test('a run that takes the memory of its merchant beyond its maximum fails, and another merchant’s does not', async () => {
  const thread = opened()
  const hoard = 'async function lookup() { globalThis.kept = new Uint8Array(28e6).fill(1); await fetch("https://a/") }'
  const other = thread.begin(FETCH, { merchant: 'other' })
  const hoarders = Array.from({ length: 10 }, () => thread.begin(hoard, { merchant: 'hoarder' }))
  await until(() => hoarders.every((run) => thread.heardOf(run, 'fetch') || thread.heardOf(run, 'done')))
  assert.ok(thread.clock.machineBytes <= MERCHANT_MACHINE_BYTES_MAX + 8 * 1024 * 1024)
  assert.ok(thread.ends.length >= 3)
  for (const run of thread.ends) assert.match(String(thread.outcome(run)), /^out of memory: all runs of a merchant/)
  thread.answer(other)
  await until(() => thread.heardOf(other, 'done'))
  assert.deepEqual(thread.outcome(other), [{}, 'paid'])
  for (const run of hoarders) thread.post({ type: 'cancel', run })
})

test('the run that holds most memory ends when memory is short', async () => {
  const thread = opened()
  const small = thread.begin(FETCH)
  const large = thread.begin('async function lookup() { globalThis.kept = new Uint8Array(16e6); await fetch("https://a/") }')
  await until(() => thread.heardOf(small, 'fetch') && thread.heardOf(large, 'fetch'))
  thread.post({ type: 'evict' })
  await until(() => thread.ends.length === 1)
  assert.equal(thread.outcome(large), 'the memory of the sandbox was needed for other merchants')
  thread.post({ type: 'cancel', run: small })
})

test('large requests beyond the rate fail by themselves, small ones do not', async () => {
  const thread = opened()
  // Ten at once of half a megabyte each, in one step.
  const body = "'\"'.repeat(250000)"
  const source = `async function lookup() {
    const body = ${body}
    const all = Array.from({ length: 10 }, () => fetch('https://a/', { method: 'POST', body }))
    return await Promise.any(all.map((one) => one.then(() => { throw 1 }, (error) => error.message)))
  }`
  assert.ok(40 * 500_000 > 2 * SEND_BURST_BYTES)
  const runs = Array.from({ length: 4 }, () => thread.begin(source, { argument: 1 }))
  const small = thread.begin(FETCH)
  await until(() => thread.ends.length > 0 && thread.heardOf(small, 'fetch'))
  for (const run of thread.ends) assert.match(String(thread.outcome(run)), /too much is sent at once/)
  for (const run of [...runs, small]) thread.post({ type: 'cancel', run })
})

test('a run that is cancelled before it begins is over, and so is one that waits', async () => {
  const thread = opened()
  const runs = Array.from({ length: 5 }, () => thread.begin(FETCH))
  for (const run of runs) thread.post({ type: 'cancel', run })
  await until(() => thread.ends.length === 5)
  for (const run of runs) assert.equal(thread.outcome(run), 'the run was cancelled')
})
