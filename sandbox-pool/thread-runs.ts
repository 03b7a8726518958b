// Runs of one worker thread. A waiting run holds only a machine. A computing run yields to the others every few milliseconds: the
// interrupt handler of its machine runs their steps on top of its stack. If there are enough threads, a thread serves one merchant
// (placement.ts), so slow code mostly delays the same merchant.
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import { GuestRun, type RunThread } from './guest-run.ts'
import {
  LIGHT_COMPUTING_MS,
  LIGHT_COMPUTING_SHARE,
  MACHINES_READY,
  MERCHANT_MACHINE_BYTES_MAX,
  NESTED_STEPS_MAX,
  REFILL_DELAY_MS,
  SERVE_INTERVAL_MS,
  VM_LIGHT_BYTES,
} from './limits.ts'
import { codeFault, unavailable } from './outcome.ts'
import type { ProcessorPlace } from './processor-places.ts'
import { SendBudget } from './send-budget.ts'
import type { FromThread, RunTask, ToThread } from './task.ts'
import { monotonicMs } from './thread-clock.ts'
import { type PriorityParts, ThreadPriority } from './thread-priority.ts'
import type { VirtualMachine } from './virtual-machine.ts'

export interface ThreadParts extends PriorityParts {
  readonly port: MessagePort
  readonly place: ProcessorPlace
  /** Makes a fresh machine. */
  readonly createMachine: () => Promise<VirtualMachine>
  /** Collects the JavaScript heap; undefined without --expose-gc. */
  readonly collectGarbage: (() => void) | undefined
}

export class ThreadRuns implements RunThread {
  readonly #parts: ThreadParts
  readonly #priority: ThreadPriority
  readonly #runs = new Map<number, GuestRun>()
  /** Runs without a machine, by merchant, in round-robin order. No queue is empty. */
  readonly #waiting = new Map<string, RunTask[]>()
  readonly #ready: VirtualMachine[] = []
  /** Runs whose code is on the stack, with the start of their step. The last one computes. */
  readonly #inside: { readonly run: GuestRun; readonly sinceMs: number }[] = []
  #isPreparing = false
  #isRefillPlanned = false
  #isBeginningPlanned = false
  #hasHeavyGarbage = false
  #servedMs = 0
  /** Milliseconds of computing without a place: a leaky bucket. */
  #lightMs = 0
  #lightSinceMs = 0
  readonly #sendBudget = new SendBudget()

  constructor(parts: ThreadParts) {
    this.#parts = parts
    this.#priority = new ThreadPriority(parts)
    this.#prepare()
  }

  /** Resolves when the port closes. */
  serve(): Promise<void> {
    const { port } = this.#parts
    return new Promise((resolve) => {
      port.on('message', (message: ToThread) => this.#take(message))
      port.once('close', () => {
        for (const run of this.#runs.values()) run.end(unavailable('the thread was closed'))
        resolve()
      })
    })
  }

  /** RunThread. */

  post(message: FromThread): void {
    this.#parts.port.postMessage(message)
  }

  entered(run: GuestRun): void {
    const sinceMs = monotonicMs()
    if (this.#inside.length === 0) {
      this.#servedMs = sinceMs
      this.#priority.stepBegins()
    }
    this.#inside.push({ run, sinceMs })
    this.#parts.clock.enter(run.task.run, sinceMs)
  }

  left(run: GuestRun): void {
    const { clock, place } = this.#parts
    const step = this.#inside.pop()
    const below = this.#inside.at(-1)
    this.#countMemory(run)
    if (below !== undefined) clock.enter(below.run.task.run, below.sinceMs)
    else {
      clock.leave()
      const nowMs = monotonicMs()
      if (step !== undefined && !place.isHeld) this.#lightMs = this.#lightAt(nowMs) + nowMs - step.sinceMs
      place.leave()
      if (this.#waiting.size > 0) setImmediate(() => this.#beginWaiting())
    }
    if (run.hasEnded) this.#drop(run)
  }

  computing(run: GuestRun): void {
    const nowMs = monotonicMs()
    if (nowMs - this.#servedMs < SERVE_INTERVAL_MS) return
    this.#servedMs = nowMs
    this.#parts.clock.tick()
    this.#countMemory(run)
    if (this.#priority.stepGoesOn()) this.post({ type: 'lowered', run: run.task.run })
    this.#serveOthers()
    if (run.hasEnded) return
    const [first] = this.#inside
    const { place } = this.#parts
    const isLight = first !== undefined && this.#lightAt(nowMs) + nowMs - first.sinceMs <= LIGHT_COMPUTING_MS
    if (!isLight && place.isDue(run.task.isLive)) this.#waitForPlace(run)
  }

  maySend(sizeBytes: number): boolean {
    return this.#sendBudget.take(sizeBytes)
  }

  ended(run: GuestRun): void {
    if (!run.isInside) this.#drop(run)
  }

  #take(message: ToThread): void {
    switch (message.type) {
      case 'run':
        return this.#accept(message.task)
      case 'answer':
        return this.#runs.get(message.run)?.answer(message.id, message.answer)
      case 'cancel':
        return this.#cancel(message.run)
      case 'evict':
        return this.#evict()
    }
  }

  #accept(task: RunTask): void {
    const queue = this.#waiting.get(task.merchant)
    if (queue === undefined) this.#waiting.set(task.merchant, [task])
    else queue.push(task)
    this.#planBeginning()
  }

  /** Later in this turn of the event loop: runs whose messages have arrived as well take turns with this one. */
  #planBeginning(): void {
    if (this.#isBeginningPlanned) return
    this.#isBeginningPlanned = true
    setImmediate(() => {
      this.#isBeginningPlanned = false
      this.#beginWaiting()
    })
  }

  /** Starts waiting runs. While code is on the stack, no machine can be made, and runs of its merchant wait. */
  #beginWaiting(): void {
    while (this.#waiting.size > 0) {
      if (this.#ready.length === 0) return this.#prepare()
      const task = this.#nextTask()
      if (task === null) return
      const run = new GuestRun(this.#ready.pop() as VirtualMachine, task, this)
      this.#runs.set(task.run, run)
      run.begin()
    }
  }

  #nextTask(): RunTask | null {
    for (const [merchant, queue] of this.#waiting) {
      if (this.#inside.some(({ run }) => run.task.merchant === merchant)) continue
      const task = queue.shift() as RunTask
      this.#waiting.delete(merchant)
      if (queue.length > 0) this.#waiting.set(merchant, queue)
      return task
    }
    return null
  }

  #cancel(number: number): void {
    this.#runs.get(number)?.end(unavailable('the run was cancelled'))
    for (const [merchant, queue] of this.#waiting) {
      const index = queue.findIndex(({ run }) => run === number)
      if (index === -1) continue
      queue.splice(index, 1)
      if (queue.length === 0) this.#waiting.delete(merchant)
      this.post({ type: 'done', run: number, outcome: unavailable('the run was cancelled') })
    }
  }

  #evict(): void {
    let largest: GuestRun | null = null
    for (const run of this.#runs.values()) if (run.memoryBytes >= (largest?.memoryBytes ?? 0)) largest = run
    largest?.end(unavailable('the memory of the sandbox was needed for other merchants'))
  }

  #drop(run: GuestRun): void {
    if (!this.#runs.delete(run.task.run)) return
    this.#hasHeavyGarbage ||= run.memoryBytes > VM_LIGHT_BYTES
    run.dispose()
    this.#countMemory(null)
    this.#planRefill()
  }

  /** Plans the next machine. It is delayed if one is left, so that the message of the run's end goes first. */
  #planRefill(): void {
    if (this.#isRefillPlanned) return
    this.#isRefillPlanned = true
    if (this.#ready.length === 0) setImmediate(() => this.#refill())
    else setTimeout(() => this.#refill(), REFILL_DELAY_MS)
  }

  #refill(): void {
    this.#isRefillPlanned = false
    // The collector frees the memory of machines, but does not know its size.
    if (this.#hasHeavyGarbage) this.#parts.collectGarbage?.()
    this.#hasHeavyGarbage = false
    this.#prepare()
  }

  #prepare(): void {
    if (this.#isPreparing || this.#inside.length > 0 || this.#ready.length >= MACHINES_READY) return
    this.#isPreparing = true
    this.#parts.createMachine().then(
      (machine) => {
        this.#isPreparing = false
        this.#ready.push(machine)
        if (this.#waiting.size > 0) this.#planBeginning()
        if (this.#ready.length < MACHINES_READY) this.#planRefill()
      },
      (error: unknown) => {
        this.#isPreparing = false
        const task = this.#nextTask()
        if (task === null) return
        const outcome = unavailable(`no virtual machine could be made: ${(error as Error).message}`)
        this.post({ type: 'done', run: task.run, outcome })
        this.#beginWaiting()
      },
    )
  }

  /** Handles arrived messages and due timers while the event loop waits for the code on the stack. */
  #serveOthers(): void {
    if (this.#inside.length >= NESTED_STEPS_MAX) return
    const { port } = this.#parts
    for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port)) this.#take(next.message as ToThread)
    const nowMs = monotonicMs()
    for (const run of this.#runs.values()) run.fireDue(nowMs)
    this.#beginWaiting()
  }

  /** Waits for a processor place. Other runs of this thread continue meanwhile. */
  #waitForPlace(run: GuestRun): void {
    const { place, clock } = this.#parts
    while (!place.take(run.task.isLive, Math.min(run.task.endsAtMs, monotonicMs() + SERVE_INTERVAL_MS))) {
      clock.tick()
      this.#serveOthers()
      if (run.hasEnded || monotonicMs() >= run.task.endsAtMs) return
    }
    this.#servedMs = monotonicMs()
  }

  #lightAt(nowMs: number): number {
    this.#lightMs = Math.max(0, this.#lightMs - (nowMs - this.#lightSinceMs) * LIGHT_COMPUTING_SHARE)
    this.#lightSinceMs = nowMs
    return this.#lightMs
  }

  /** Counts the memory of the machines. `grown`: the run whose code may have allocated. */
  #countMemory(grown: GuestRun | null): void {
    let all = 0
    let own = 0
    for (const run of this.#runs.values()) {
      all += run.memoryBytes
      if (run.task.merchant === grown?.task.merchant) own += run.memoryBytes
    }
    this.#parts.clock.machineBytes = all
    if (own > MERCHANT_MACHINE_BYTES_MAX) grown?.end(codeFault(MERCHANT_MEMORY))
  }
}

const MERCHANT_MEMORY = `out of memory: all runs of a merchant that are under way have ${MERCHANT_MACHINE_BYTES_MAX / 2 ** 20} MB together`
