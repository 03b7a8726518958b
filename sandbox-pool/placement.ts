// Which thread a run goes to. Pure. A thread serves one merchant where there are enough; classes never share one at the same
// time; merchants whose code computed for long are kept apart from the others. No run waits here: admission.ts bounds them.
import type { SandboxPurpose } from '../engine/actor/ports.ts'
import { HEAVY_FOR_MS, HEAVY_MERCHANTS_MAX, LIVE_THREADS_PER_THREAD, THREADS_STRETCH } from './limits.ts'

export interface PlacedRun {
  readonly merchant: string
  readonly purpose: SandboxPurpose
}

export interface PlacedThread {
  /** Whose code computes in it for long already; null for none. */
  readonly computingMerchant: string | null
}

interface Row<Thread> {
  readonly thread: Thread
  /** Of its runs; without runs it is anybody's. */
  purpose: SandboxPurpose
  /** With their number of runs, never 0. */
  readonly merchants: Map<string, number>
  runs: number
}

/** Of each class, from the number for live customers. */
export function threadsOf(live: number): Readonly<Record<SandboxPurpose, number>> {
  const of = (purpose: SandboxPurpose): number => Math.max(1, Math.ceil(live / LIVE_THREADS_PER_THREAD[purpose]))
  return { live: of('live'), test: of('test'), trial: of('trial') }
}

/** Over all classes. */
export function threadsMax(live: number): number {
  return Object.values(threadsOf(live)).reduce((sum, count) => sum + THREADS_STRETCH * count, 0)
}

export class Placement<Thread extends PlacedThread> {
  readonly #most: Readonly<Record<SandboxPurpose, number>>
  readonly #rows = new Map<Thread, Row<Thread>>()
  /** Until when, oldest first. */
  readonly #heavy = new Map<string, number>()

  constructor(liveThreads: number) {
    this.#most = threadsOf(liveThreads)
  }

  add(thread: Thread): void {
    this.#rows.set(thread, { thread, purpose: 'live', merchants: new Map(), runs: 0 })
  }

  remove(thread: Thread): void {
    this.#rows.delete(thread)
  }

  isIdle(thread: Thread): boolean {
    return this.#rows.get(thread)?.runs === 0
  }

  /** Whether runs of more than one merchant are in it. */
  isShared(thread: Thread): boolean {
    return (this.#rows.get(thread)?.merchants.size ?? 0) > 1
  }

  markHeavy(merchant: string, nowMs: number): void {
    this.#heavy.delete(merchant)
    this.#heavy.set(merchant, nowMs + HEAVY_FOR_MS)
    const [oldest] = this.#heavy.keys()
    if (oldest !== undefined && this.#heavy.size > HEAVY_MERCHANTS_MAX) this.#heavy.delete(oldest)
  }

  /** Null: a new one, which the caller adds. */
  threadFor(run: PlacedRun, nowMs: number): Thread | null {
    const most = this.#most[run.purpose]
    const rows = [...this.#rows.values()].filter(({ purpose, runs }) => runs > 0 && purpose === run.purpose)
    const own = rows.find(({ merchants }) => merchants.has(run.merchant))
    if (own !== undefined && !isBlockedFor(own, run.merchant)) return own.thread
    const heavyRows = rows.filter((row) => this.#hasHeavy(row, nowMs))
    const isHeavy = this.#isHeavy(run.merchant, nowMs)
    const hasHeavyThreads = heavyRows.length >= Math.ceil(most / 2)
    if (rows.length < most && !(isHeavy && hasHeavyThreads)) return this.#idle()
    const others = isHeavy ? heavyRows : rows.filter((row) => !heavyRows.includes(row) && row.thread.computingMerchant === null)
    const calm = leastBusy(others)
    if (calm !== null) return calm.thread
    if (rows.length < THREADS_STRETCH * most) return this.#idle()
    return (own ?? leastBusy(rows) ?? rows[0])?.thread ?? null
  }

  /** The run is in the thread from now on. */
  take(thread: Thread, run: PlacedRun): void {
    const row = this.#rows.get(thread)
    if (row === undefined) return
    row.purpose = run.purpose
    row.runs += 1
    row.merchants.set(run.merchant, (row.merchants.get(run.merchant) ?? 0) + 1)
  }

  leave(thread: Thread, { merchant }: PlacedRun): void {
    const row = this.#rows.get(thread)
    if (row === undefined) return
    row.runs -= 1
    const left = (row.merchants.get(merchant) ?? 0) - 1
    if (left > 0) row.merchants.set(merchant, left)
    else row.merchants.delete(merchant)
  }

  #idle(): Thread | null {
    for (const row of this.#rows.values()) if (row.runs === 0) return row.thread
    return null
  }

  #hasHeavy({ merchants }: Row<Thread>, nowMs: number): boolean {
    for (const merchant of merchants.keys()) if (this.#isHeavy(merchant, nowMs)) return true
    return false
  }

  #isHeavy(merchant: string, nowMs: number): boolean {
    return (this.#heavy.get(merchant) ?? 0) > nowMs
  }
}

function isBlockedFor({ thread }: Row<PlacedThread>, merchant: string): boolean {
  return thread.computingMerchant !== null && thread.computingMerchant !== merchant
}

function leastBusy<Thread>(rows: readonly Row<Thread>[]): Row<Thread> | null {
  let least: Row<Thread> | null = null
  for (const row of rows) if (least === null || row.runs < least.runs) least = row
  return least
}
