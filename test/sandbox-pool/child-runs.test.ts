// The runs of the child over threads that are the test's own: what is lost with a thread, what begins again, what is moved.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { MessagePort } from 'node:worker_threads'
import type { SandboxPurpose } from '../../engine/actor/ports.ts'
import { ChildRuns } from '../../sandbox-pool/child-runs.ts'
import { BEGINNINGS_MAX, HEAVY_STEP_MS, POOL_MACHINE_BYTES_MAX } from '../../sandbox-pool/limits.ts'
import type { FromChild } from '../../sandbox-pool/messages.ts'
import type { FromThread, ThreadTask, ToThread } from '../../sandbox-pool/task.ts'
import { monotonicMs, ThreadClock } from '../../sandbox-pool/thread-clock.ts'
import { until } from '../support/sandbox-fixture.ts'

/** Stands for a worker: receives the child's messages, and sends what the test wants. */
class TestThread {
  readonly heard: ToThread[] = []
  readonly purpose: SandboxPurpose
  readonly clock: ThreadClock
  readonly port: MessagePort
  readonly die: (error: Error) => void
  isEnded = false

  constructor({ purpose, port, clock }: ThreadTask, die: (error: Error) => void) {
    this.purpose = purpose
    this.port = port
    this.clock = new ThreadClock(clock)
    this.die = die
    port.on('message', (message: ToThread) => this.heard.push(message))
  }

  say(message: FromThread): void {
    this.port.postMessage(message)
  }

  has(run: number): boolean {
    return this.heard.some((message) => message.type === 'run' && message.task.run === run)
  }

  heardOf(type: ToThread['type']): boolean {
    return this.heard.some((message) => message.type === type)
  }
}

const children: Child[] = []
after(() => {
  for (const { threads } of children) for (const { port } of threads) port.close()
})

class Child {
  readonly threads: TestThread[] = []
  readonly said: FromChild[] = []
  readonly runs: ChildRuns
  #last = 0

  constructor(liveThreads: number) {
    children.push(this)
    const run = (task: ThreadTask, { signal }: { signal: AbortSignal }): Promise<void> =>
      new Promise((_resolve, reject) => {
        const thread = new TestThread(task, reject)
        this.threads.push(thread)
        signal.addEventListener('abort', () => {
          thread.isEnded = true
          reject(new Error('aborted'))
        })
      })
    this.runs = new ChildRuns({ run }, liveThreads, (message) => this.said.push(message))
  }

  /** The number of the run, once a thread has it. */
  async begin(
    merchant: string,
    { purpose = 'live', wallMs = 60_000 }: { purpose?: SandboxPurpose; wallMs?: number } = {},
  ): Promise<number> {
    this.#last += 1
    const run = this.#last
    this.runs.begin({ type: 'run', run, merchant, purpose, entry: 'lookup', source: 's', argument: '{}', wallMs })
    await until(() => this.threads.some((thread) => thread.has(run)) || this.end(run) !== null)
    return run
  }

  /** The newest thread that was given the run. */
  threadOf(run: number): TestThread {
    const thread = this.threads.findLast((candidate) => candidate.has(run))
    assert.ok(thread !== undefined)
    return thread
  }

  end(run: number): string | null {
    const done = this.said.find((message) => message.type === 'done' && message.run === run)
    if (done?.type !== 'done') return null
    return done.outcome.ok ? 'ok' : `${done.outcome.fault}: ${done.outcome.message}`
  }

  async said_(type: FromChild['type'], run: number): Promise<void> {
    await until(() => this.said.some((message) => message.type === type && 'run' in message && message.run === run))
  }
}

const LOST = 'unavailable: the run lost its thread; the code may have been run in part'

test('with a thread is lost what has fetched; what has not begins again elsewhere', async () => {
  const child = new Child(1)
  const [fetched, begun, waiting] = [await child.begin('a'), await child.begin('b'), await child.begin('c')]
  const thread = child.threadOf(fetched)
  assert.ok(thread.has(begun) && thread.has(waiting))
  for (const run of [fetched, begun]) thread.say({ type: 'begun', run })
  thread.say({ type: 'fetch', run: fetched, id: 1, request: '{}' })
  await child.said_('fetch', fetched)
  thread.die(new Error('gone'))
  await until(() => child.end(fetched) !== null)
  assert.equal(child.end(fetched), LOST)
  for (const run of [begun, waiting]) {
    await until(() => child.threadOf(run) !== thread)
    child.threadOf(run).say({ type: 'done', run, outcome: { ok: true, value: '1' } })
    await until(() => child.end(run) === 'ok')
  }
})

test('a run whose threads are lost again and again fails in the end', async () => {
  const child = new Child(1)
  const run = await child.begin('a')
  for (let count = 1; count < BEGINNINGS_MAX; count++) {
    const thread = child.threadOf(run)
    thread.die(new Error('gone'))
    await until(() => child.threadOf(run) !== thread)
  }
  child.threadOf(run).die(new Error('gone'))
  await until(() => child.end(run) === LOST)
})

test('a thread that runs out of its own memory fails the run that computes in it', async () => {
  const child = new Child(1)
  const [greedy, other] = [await child.begin('a'), await child.begin('b')]
  const thread = child.threadOf(greedy)
  thread.clock.enter(greedy, monotonicMs())
  thread.die(Object.assign(new Error('heap'), { code: 'ERR_WORKER_OUT_OF_MEMORY' }))
  await until(() => child.end(greedy) === 'code: out of memory')
  await until(() => child.threadOf(other) !== thread)
})

test('a run that computes beyond its deadline ends with its thread, one that waits ends alone', async () => {
  const child = new Child(2)
  const computing = await child.begin('a', { wallMs: 1 })
  const waiting = await child.begin('b', { wallMs: 1 })
  child.threadOf(computing).clock.enter(computing, monotonicMs())
  await until(() => {
    child.runs.watch()
    return child.end(computing) !== null && child.end(waiting) !== null
  })
  assert.deepEqual([child.end(computing), child.end(waiting)], ['timeout: took too long', 'timeout: took too long'])
  assert.deepEqual([child.threadOf(computing).isEnded, child.threadOf(waiting).isEnded], [true, false])
  await until(() => child.threadOf(waiting).heardOf('cancel'))
})

test('a thread ends when the code of an ended run goes on in it, and the next run begins in another thread', async () => {
  const child = new Child(1)
  const ended = await child.begin('a')
  const thread = child.threadOf(ended)
  thread.clock.enter(ended, monotonicMs())
  thread.say({ type: 'done', run: ended, outcome: { ok: false, fault: 'timeout', message: 'took too long', line: null } })
  await until(() => child.end(ended) !== null)
  const next = await child.begin('a')
  assert.equal(child.threadOf(next), thread)
  await until(() => {
    child.runs.watch()
    return thread.isEnded
  })
  await until(() => child.threadOf(next) !== thread)
  child.threadOf(next).say({ type: 'done', run: next, outcome: { ok: true, value: '1' } })
  await until(() => child.end(next) === 'ok')
})

test('what had not begun in a thread where another merchant computes for long is moved, and its messages from there are ignored', async () => {
  const child = new Child(1)
  const spinner = await child.begin('a')
  const other = await child.begin('b')
  const first = child.threadOf(spinner)
  assert.equal(child.threadOf(other), first)
  first.clock.enter(spinner, monotonicMs() - HEAVY_STEP_MS)
  child.runs.watch()
  await until(() => child.threadOf(other) !== first)
  first.say({ type: 'done', run: other, outcome: { ok: true, value: '"twice"' } })
  child.threadOf(other).say({ type: 'done', run: other, outcome: { ok: false, fault: 'code', message: 'once', line: null } })
  await until(() => child.end(other) === 'code: once')
  await until(() => first.heardOf('cancel'))
})

test('a run that was moved does not return to its first thread when its second is lost', async () => {
  const child = new Child(4)
  const lower = async (merchant: string): Promise<number> => {
    const run = await child.begin(merchant)
    child.threadOf(run).say({ type: 'lowered', run })
    return run
  }
  // Two merchants that compute hold the threads for such merchants. A third is known to compute, and shares the first of them.
  const known = await lower('c')
  child.threadOf(known).say({ type: 'done', run: known, outcome: { ok: true, value: '1' } })
  await until(() => child.end(known) === 'ok')
  child.threadOf(known).die(new Error('gone'))
  const [spinner, neighbour] = [await lower('a'), await lower('b')]
  const [first, second] = [child.threadOf(spinner), child.threadOf(neighbour)]
  assert.notEqual(first, second)
  let run = await child.begin('c')
  // The messages of two threads may arrive in any order: until both are known, the run has a thread of its own.
  for (let round = 0; child.threadOf(run) !== first; round++) {
    assert.ok(round < 100, 'the thread with the fewest runs is the first one')
    child.threadOf(run).say({ type: 'done', run, outcome: { ok: true, value: '1' } })
    await until(() => child.end(run) === 'ok')
    run = await child.begin('c')
  }
  first.clock.enter(spinner, monotonicMs() - HEAVY_STEP_MS)
  child.runs.watch()
  await until(() => second.has(run))
  second.die(new Error('gone'))
  await until(() => ![first, second].includes(child.threadOf(neighbour)))
  // The first thread reads that the run was cancelled only now.
  first.clock.leave()
  first.say({ type: 'done', run, outcome: { ok: false, fault: 'unavailable', message: 'the run was cancelled', line: null } })
  await until(() => child.end(run) !== null || ![first, second].includes(child.threadOf(run)))
  first.say({ type: 'begun', run: spinner })
  await child.said_('begun', spinner)
  assert.equal(child.end(run), null)
  child.threadOf(run).say({ type: 'done', run, outcome: { ok: true, value: '1' } })
  await until(() => child.end(run) === 'ok')
  assert.equal(child.said.filter((message) => message.type === 'done' && message.run === run).length, 1)
})

test('a run that was moved may return to a thread that has sent its end', async () => {
  const child = new Child(1)
  const [spinner, moved] = [await child.begin('a'), await child.begin('b')]
  const first = child.threadOf(spinner)
  first.clock.enter(spinner, monotonicMs() - HEAVY_STEP_MS)
  child.runs.watch()
  await until(() => child.threadOf(moved) !== first)
  first.clock.leave()
  first.say({ type: 'done', run: moved, outcome: { ok: false, fault: 'unavailable', message: 'the run was cancelled', line: null } })
  first.say({ type: 'done', run: spinner, outcome: { ok: true, value: '1' } })
  await until(() => child.end(spinner) === 'ok')
  const heardBefore = first.heard.filter((message) => message.type === 'run').length
  child.threadOf(moved).die(new Error('gone'))
  await until(() => first.heard.filter((message) => message.type === 'run').length > heardBefore)
  first.say({ type: 'done', run: moved, outcome: { ok: true, value: '1' } })
  await until(() => child.end(moved) === 'ok')
})

test('a thread that runs out of memory in a run that was moved does not end it', async () => {
  const child = new Child(1)
  const [spinner, moved] = [await child.begin('a'), await child.begin('b')]
  const first = child.threadOf(spinner)
  first.clock.enter(spinner, monotonicMs() - HEAVY_STEP_MS)
  child.runs.watch()
  await until(() => child.threadOf(moved) !== first)
  const second = child.threadOf(moved)
  first.clock.enter(moved, monotonicMs())
  first.die(Object.assign(new Error('heap'), { code: 'ERR_WORKER_OUT_OF_MEMORY' }))
  await until(() => child.threadOf(spinner) !== first)
  assert.equal(child.end(moved), null)
  second.say({ type: 'done', run: moved, outcome: { ok: true, value: '1' } })
  await until(() => child.end(moved) === 'ok')
})

test('a class has a thread ready before a merchant needs it, and one that was lowered takes no other merchants', async () => {
  const child = new Child(4)
  const run = await child.begin('a')
  const low = child.threadOf(run)
  assert.deepEqual(
    child.threads.map(({ purpose }) => purpose),
    ['live'],
  )
  child.runs.watch()
  child.runs.watch()
  assert.deepEqual(
    child.threads.map(({ purpose }) => purpose),
    ['live', 'live', 'test', 'trial'],
  )
  low.say({ type: 'lowered', run })
  low.say({ type: 'done', run, outcome: { ok: true, value: '1' } })
  await until(() => child.end(run) === 'ok')
  assert.ok(!child.said.some(({ type }) => !['begun', 'done'].includes(type)), 'the server gets no message')
  assert.notEqual(child.threadOf(await child.begin('b')), low)
  assert.equal(child.threadOf(await child.begin('a')), low)
})

test('when memory is short the merchant that holds most of it loses a run, and gets no new one', async () => {
  const child = new Child(2)
  const large = await child.begin('large')
  child.threadOf(large).clock.machineBytes = POOL_MACHINE_BYTES_MAX
  const small = await child.begin('small')
  assert.equal(child.end(small), null)
  await until(() => child.threadOf(large).heardOf('evict'))
  const more = await child.begin('large')
  assert.equal(child.end(more), 'busy: the memory of the sandbox is used up by runs that are under way')
  const trial = await child.begin('large', { purpose: 'trial' })
  assert.equal(child.end(trial), null, 'trials have memory of their own')
})
