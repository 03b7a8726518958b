// Selects the thread of a run. Pure. A thread serves one class at the priority of that class and, if there are enough threads, one
// merchant. Merchants whose code computed for long get separate threads. No run waits here: admission.ts limits them.
import type { SandboxPurpose } from '../engine/actor/ports.ts'
import { HEAVY_FOR_MS, HEAVY_MERCHANTS_MAX, LIVE_THREADS_PER_THREAD, SPARE_THREADS, THREAD_IDLE_MS, THREADS_STRETCH } from './limits.ts'

export interface PlacedRun {
  readonly merchant: string
  readonly purpose: SandboxPurpose
}

export interface PlacedThread {
  readonly purpose: SandboxPurpose
  /** Merchant whose code has been computing for long; null for none. */
  readonly computingMerchant: string | null
}

interface Row<Thread> {
  readonly thread: Thread
  /** Merchants of its runs with their number of runs, never 0. */
  readonly merchants: Map<string, number>
  runs: number
  /** Whether its priority was lowered: it then serves merchants whose code computes for long. */
  isLow: boolean
  /** Time at which its last run ended. */
  idleSinceMs: number
}

const NONE: ReadonlySet<never> = new Set()
const PURPOSES = ['live', 'test', 'trial'] as const satisfies readonly SandboxPurpose[]

/** Returns the number of threads of each class, from the number for live customers. */
export function threadsOf(live: number): Readonly<Record<SandboxPurpose, number>> {
  const of = (purpose: SandboxPurpose): number => Math.max(1, Math.ceil(live / LIVE_THREADS_PER_THREAD[purpose]))
  return { live: of('live'), test: of('test'), trial: of('trial') }
}

/** Returns the maximum of threads over all classes. */
export function threadsMax(live: number): number {
  return Object.values(threadsOf(live)).reduce((sum, count) => sum + THREADS_STRETCH * count, 0)
}

export class Placement<Thread extends PlacedThread> {
  readonly #most: Readonly<Record<SandboxPurpose, number>>
  readonly #rows = new Map<Thread, Row<Thread>>()
  /** Merchants with separate threads and the end of that time, oldest first. */
  readonly #heavy = new Map<string, number>()
  /** Time by class at which the idle threads were last no more than the spare ones. */
  readonly #neededMs: Record<SandboxPurpose, number> = { live: 0, test: 0, trial: 0 }

  constructor(liveThreads: number) {
    this.#most = threadsOf(liveThreads)
  }

  add(thread: Thread, nowMs: number): void {
    this.#rows.set(thread, { thread, merchants: new Map(), runs: 0, isLow: false, idleSinceMs: nowMs })
  }

  remove(thread: Thread): void {
    this.#rows.delete(thread)
  }

  /** Marks the thread as lowered, permanently. */
  lower(thread: Thread): void {
    const row = this.#rows.get(thread)
    if (row !== undefined) row.isLow = true
  }

  isIdle(thread: Thread): boolean {
    return this.#rows.get(thread)?.runs === 0
  }

  /** Whether the thread has runs of more than one merchant. */
  isShared(thread: Thread): boolean {
    return (this.#rows.get(thread)?.merchants.size ?? 0) > 1
  }

  /** Whether the thread is idle and was not needed for long: since its last run if lowered, else while spare threads were enough. */
  isSurplus(thread: Thread, nowMs: number): boolean {
    const row = this.#rows.get(thread)
    if (row === undefined || row.runs > 0) return false
    if (row.isLow) return nowMs - row.idleSinceMs > THREAD_IDLE_MS
    const { purpose } = thread
    return this.#spare(purpose) > SPARE_THREADS && nowMs - this.#neededMs[purpose] > THREAD_IDLE_MS
  }

  /** Returns the classes that need one more idle thread, so that no run waits for a start. */
  lacking(): readonly SandboxPurpose[] {
    return PURPOSES.filter((purpose) => {
      const rows = this.#of(purpose)
      const most = this.#most[purpose]
      const busy = rows.filter(({ runs }) => runs > 0).length
      return this.#spare(purpose) < SPARE_THREADS && busy < most && rows.length < THREADS_STRETCH * most
    })
  }

  markHeavy(merchant: string, nowMs: number): void {
    this.#heavy.delete(merchant)
    this.#heavy.set(merchant, nowMs + HEAVY_FOR_MS)
    const [oldest] = this.#heavy.keys()
    if (oldest !== undefined && this.#heavy.size > HEAVY_MERCHANTS_MAX) this.#heavy.delete(oldest)
  }

  /** Returns the thread for the run, none of `except`. Null: the caller adds a new thread. */
  threadFor(run: PlacedRun, nowMs: number, except: ReadonlySet<Thread> = NONE): Thread | null {
    const most = this.#most[run.purpose]
    const every = this.#of(run.purpose)
    const hasRoom = every.length < THREADS_STRETCH * most
    const everyBusy = every.filter(({ runs }) => runs > 0)
    const all = every.filter(({ thread }) => !except.has(thread))
    const busy = everyBusy.filter(({ thread }) => !except.has(thread))
    const isHeavy = this.#isHeavy(run.merchant, nowMs)
    const own = busy.find(({ merchants, isLow }) => merchants.has(run.merchant) && (isHeavy || !isLow))
    if (own !== undefined && !isBlockedFor(own, run.merchant)) return own.thread
    const isForHeavy = (row: Row<Thread>): boolean => row.isLow || this.#hasHeavy(row, nowMs)
    const hasHeavyThreads = everyBusy.filter(isForHeavy).length >= Math.ceil(most / 2)
    const idle = idleOf(all, isHeavy, hasRoom)
    if (everyBusy.length < most && !(isHeavy && hasHeavyThreads) && (idle !== null || hasRoom)) return idle
    const heavyRows = busy.filter(isForHeavy)
    const others = isHeavy ? heavyRows : busy.filter((row) => !heavyRows.includes(row) && row.thread.computingMerchant === null)
    const calm = leastBusy(others)
    if (calm !== null) return calm.thread
    if (everyBusy.length < THREADS_STRETCH * most && (idle !== null || hasRoom)) return idle
    return (own ?? leastBusy(busy))?.thread ?? null
  }

  /** Adds the run to the thread. */
  take(thread: Thread, { merchant, purpose }: PlacedRun, nowMs: number): void {
    const row = this.#rows.get(thread)
    if (row === undefined) return
    row.runs += 1
    row.merchants.set(merchant, (row.merchants.get(merchant) ?? 0) + 1)
    if (this.#spare(purpose) <= SPARE_THREADS) this.#neededMs[purpose] = nowMs
  }

  leave(thread: Thread, { merchant }: PlacedRun, nowMs: number): void {
    const row = this.#rows.get(thread)
    if (row === undefined) return
    row.runs -= 1
    row.idleSinceMs = nowMs
    const left = (row.merchants.get(merchant) ?? 0) - 1
    if (left > 0) row.merchants.set(merchant, left)
    else row.merchants.delete(merchant)
  }

  #of(purpose: SandboxPurpose): Row<Thread>[] {
    return [...this.#rows.values()].filter(({ thread }) => thread.purpose === purpose)
  }

  /** Returns the number of idle threads of the class with its priority. */
  #spare(purpose: SandboxPurpose): number {
    return this.#of(purpose).filter(({ runs, isLow }) => runs === 0 && !isLow).length
  }

  #hasHeavy({ merchants }: Row<Thread>, nowMs: number): boolean {
    for (const merchant of merchants.keys()) if (this.#isHeavy(merchant, nowMs)) return true
    return false
  }

  #isHeavy(merchant: string, nowMs: number): boolean {
    return (this.#heavy.get(merchant) ?? 0) > nowMs
  }
}

/** Returns an idle thread. Lowered threads serve merchants whose code computes, unless the maximum of threads is reached. */
function idleOf<Thread>(rows: readonly Row<Thread>[], isHeavy: boolean, hasRoom: boolean): Thread | null {
  const idle = rows.filter(({ runs }) => runs === 0)
  const suited = idle.find(({ isLow }) => isLow === isHeavy)
  const mayBeMore = !isHeavy && hasRoom
  return (suited ?? (mayBeMore ? undefined : idle[0]))?.thread ?? null
}

function isBlockedFor({ thread }: Row<PlacedThread>, merchant: string): boolean {
  return thread.computingMerchant !== null && thread.computingMerchant !== merchant
}

function leastBusy<Thread>(rows: readonly Row<Thread>[]): Row<Thread> | null {
  let least: Row<Thread> | null = null
  for (const row of rows) if (least === null || row.runs < least.runs) least = row
  return least
}
