// Runs of the child, from the server's message to the last message about them. Each has a thread. A run restarts if its thread was
// lost before the run had an effect, and it ends at its deadline in any case.
import type { SandboxPurpose } from '../engine/actor/ports.ts'
import { BEGINNINGS_MAX, FRESH_MACHINE_BYTES, POOL_MACHINE_BYTES_MAX, STUCK_PROCESSOR_MS, THREAD_GRACE_MS } from './limits.ts'
import type { FromChild, ToChild } from './messages.ts'
import { busy, codeFault, outOfTime, type RunOutcome, TOO_LONG, unavailable } from './outcome.ts'
import { Placement } from './placement.ts'
import { PoolThread, type ThreadPool } from './pool-thread.ts'
import type { FromThread, RunTask } from './task.ts'
import { monotonicMs } from './thread-clock.ts'

interface ActiveRun {
  readonly task: RunTask
  readonly merchant: string
  readonly purpose: SandboxPurpose
  thread: PoolThread
  hasBegun: boolean
  /** Whether the server received a request of it: the run may have had an effect. */
  hasFetched: boolean
  beginnings: number
  /** Threads that the run was moved away from and that have not sent its end yet. */
  readonly left: Set<PoolThread>
}

type RunMessage = ToChild & { type: 'run' }

export class ChildRuns {
  readonly #pool: ThreadPool
  readonly #say: (message: FromChild) => void
  readonly #placement: Placement<PoolThread>
  readonly #threads = new Set<PoolThread>()
  readonly #runs = new Map<number, ActiveRun>()

  /** `liveThreads`: SANDBOX_THREADS. */
  constructor(pool: ThreadPool, liveThreads: number, say: (message: FromChild) => void) {
    this.#pool = pool
    this.#say = say
    this.#placement = new Placement(liveThreads)
    this.#open('live')
  }

  begin({ run, merchant, purpose, entry, source, argument, wallMs }: RunMessage): void {
    const task: RunTask = { run, merchant, isLive: purpose === 'live', entry, source, argument, endsAtMs: monotonicMs() + wallMs }
    if (!this.#makeRoom(merchant, purpose)) return this.#say({ type: 'done', run, outcome: busy(NO_MEMORY) })
    this.#place({ task, merchant, purpose }, 1)
  }

  answer({ run, id, answer }: ToChild & { type: 'answer' }): void {
    this.#runs.get(run)?.thread.post({ type: 'answer', run, id, answer })
  }

  cancel(run: number): void {
    this.#runs.get(run)?.thread.post({ type: 'cancel', run })
  }

  /** Checks deadlines, long computations, and code that goes on after its end. Called at a short interval. */
  watch(): void {
    const nowMs = monotonicMs()
    for (const thread of this.#threads) this.#watchThread(thread, nowMs)
    for (const [run, { task, thread }] of this.#runs) {
      if (nowMs < task.endsAtMs + THREAD_GRACE_MS) continue
      this.#settle(run, TOO_LONG)
      if (thread.clock.computingRun === run) this.#end(thread)
      else thread.post({ type: 'cancel', run })
    }
    for (const purpose of this.#placement.lacking()) this.#open(purpose)
  }

  #watchThread(thread: PoolThread, nowMs: number): void {
    const { computingMerchant, clock } = thread
    const afterEndMs = thread.computingAfterEndMs(nowMs, (run) => this.#runs.get(run)?.thread === thread)
    if (afterEndMs >= THREAD_GRACE_MS) return this.#end(thread)
    if (this.#placement.isIdle(thread)) {
      if (this.#placement.isSurplus(thread, nowMs)) this.#end(thread)
      return
    }
    if (computingMerchant !== null) {
      this.#placement.markHeavy(computingMerchant, nowMs)
      this.#moveFrom(thread, computingMerchant)
    }
    const run = clock.computingRun
    if (run === null || thread.stuckProcessorMs() < STUCK_PROCESSOR_MS || !this.#placement.isShared(thread)) return
    this.#settle(run, outOfTime(STUCK))
    this.#end(thread)
  }

  #place(
    run: Pick<ActiveRun, 'task' | 'merchant' | 'purpose'>,
    beginnings: number,
    left: Set<PoolThread> = new Set(),
    // None of these: the end of the cancelled run would end this one.
    thread: PoolThread = this.#placement.threadFor(run, monotonicMs(), left) ?? this.#open(run.purpose),
  ): void {
    this.#placement.take(thread, run, monotonicMs())
    this.#runs.set(run.task.run, { ...run, thread, hasBegun: false, hasFetched: false, beginnings, left })
    thread.post({ type: 'run', task: run.task })
  }

  /** Moves runs of other merchants that had not begun when code in their thread computed for long. */
  #moveFrom(thread: PoolThread, computingMerchant: string): void {
    for (const [run, active] of this.#runs) {
      if (active.thread !== thread || active.hasBegun || active.merchant === computingMerchant) continue
      const next = this.#placement.threadFor(active, monotonicMs(), active.left)
      if (next === thread) continue
      this.#placement.leave(thread, active, monotonicMs())
      // Later messages of that thread about the run are ignored.
      thread.post({ type: 'cancel', run })
      active.left.add(thread)
      this.#place(active, active.beginnings, active.left, next ?? this.#open(active.purpose))
    }
  }

  #open(purpose: SandboxPurpose): PoolThread {
    const thread = new PoolThread(this.#pool, purpose, {
      onMessage: (from, message) => this.#take(from, message),
      onEnd: (ended, error) => this.#lose(ended, error),
      merchantOf: (run) => this.#runs.get(run)?.merchant ?? null,
    })
    this.#threads.add(thread)
    this.#placement.add(thread, monotonicMs())
    return thread
  }

  /** Ends the thread. Its other runs then restart in other threads, or fail. */
  #end(thread: PoolThread): void {
    this.#forget(thread)
    thread.end()
  }

  #forget(thread: PoolThread): void {
    this.#threads.delete(thread)
    this.#placement.remove(thread)
  }

  #take(thread: PoolThread, message: FromThread): void {
    const active = this.#runs.get(message.run)
    if (message.type === 'lowered') {
      this.#placement.lower(thread)
      if (active !== undefined) this.#placement.markHeavy(active.merchant, monotonicMs())
      return
    }
    // The run has ended or restarted in another thread.
    if (active?.thread !== thread) {
      if (message.type === 'done') active?.left.delete(thread)
      return
    }
    if (message.type === 'done') return this.#settle(message.run, message.outcome)
    if (message.type === 'begun') active.hasBegun = true
    if (message.type === 'fetch') active.hasFetched = true
    this.#say(message)
  }

  #settle(run: number, outcome: RunOutcome): void {
    const active = this.#runs.get(run)
    if (active === undefined) return
    this.#runs.delete(run)
    this.#placement.leave(active.thread, active, monotonicMs())
    this.#say({ type: 'done', run, outcome })
  }

  #lose(thread: PoolThread, error: Error | null): void {
    const culprit = thread.clock.computingRun
    this.#forget(thread)
    const isHere = culprit !== null && this.#runs.get(culprit)?.thread === thread
    if ((error as NodeJS.ErrnoException | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY' && isHere) {
      this.#settle(culprit, codeFault('out of memory'))
    }
    for (const [run, active] of this.#runs) {
      if (active.thread !== thread) continue
      if (active.hasFetched || active.beginnings >= BEGINNINGS_MAX) this.#settle(run, unavailable(THREAD_LOST))
      else this.#place(active, active.beginnings + 1, active.left)
    }
  }

  /** Returns false if memory is short and this merchant holds most of it. Otherwise the largest holder loses a run. */
  #makeRoom(merchant: string, purpose: SandboxPurpose): boolean {
    const isLive = purpose === 'live'
    const bytes = new Map<PoolThread, number>()
    const own = new Set<PoolThread>()
    let all = FRESH_MACHINE_BYTES
    for (const { thread, ...active } of this.#runs.values()) {
      if ((active.purpose === 'live') !== isLive) continue
      if (active.merchant === merchant) own.add(thread)
      if (bytes.has(thread)) continue
      bytes.set(thread, thread.clock.machineBytes)
      all += thread.clock.machineBytes
    }
    if (all <= POOL_MACHINE_BYTES_MAX) return true
    const [largest] = [...bytes].sort(([, one], [, other]) => other - one)
    if (largest === undefined || own.has(largest[0])) return false
    largest[0].post({ type: 'evict' })
    return true
  }
}

const NO_MEMORY = 'the memory of the sandbox is used up by runs that are under way'
const THREAD_LOST = 'the run lost its thread; the code may have been run in part'
const STUCK = `one operation of the code took more than ${STUCK_PROCESSOR_MS / 1_000} s of processor time while others waited`
