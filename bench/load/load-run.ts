// One run of the load generator in its own process: opens connections, warms up, measures one window, drains. Open-loop latency counts
// from the intended send time, so that a stalled server cannot delay its own load (coordinated omission).
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { Connection, type ConnectionOwner } from './connection.ts'
import { type Draw, seededDraw } from './encoded-request.ts'
import { encodeHistogram, type Histogram, newHistogram, recordMs } from './histogram.ts'
import { IdleConnections } from './idle-connections.ts'
import { Pacer } from './pacer.ts'
import type { LoadPlan, LoadResult } from './plan.ts'

const OPENING_AT_ONCE = 64
const TICK_MS = 1
const DRAIN_MS = 5000

export class LoadRun implements ConnectionOwner {
  readonly #plan: LoadPlan
  readonly #connections: Connection[] = []
  readonly #idle: IdleConnections
  readonly #draw: Draw
  readonly #latency = newHistogram()
  readonly #refusalLatency = newHistogram()
  readonly #sendLag = newHistogram()
  readonly #groups = new Map<string, Histogram>()
  readonly #statuses = new Map<number, number>()
  #pacer: Pacer | null = null
  #sequence = 0
  #done = 0
  #dropped = 0
  #stopping = false
  #windowFromMs = Number.POSITIVE_INFINITY
  #windowToMs = Number.POSITIVE_INFINITY
  /** Open loop: due time of request 0, and the number of the next request. */
  #scheduleFromMs = 0
  #nextDue = 0
  #fail: (error: Error) => void = () => undefined

  constructor(plan: LoadPlan) {
    this.#plan = plan
    this.#idle = new IdleConnections(plan.connections)
    this.#draw = seededDraw(plan.seed)
  }

  /** Runs the plan. `onWindow` is called when the measured window opens and closes. */
  async run(onWindow: (edge: 'window-opens' | 'window-closes') => void): Promise<LoadResult> {
    const failure = new Promise<never>((_, reject) => {
      this.#fail = reject
    })
    try {
      return await Promise.race([this.#measure(onWindow), failure])
    } finally {
      this.#stopping = true
      for (const connection of this.#connections) connection.close()
      await this.#pacer?.close()
    }
  }

  answered(connection: Connection): void {
    const now = performance.now()
    if (now >= this.#windowFromMs) this.#record(connection, now)
    if (this.#plan.ratePerSecond === null) {
      if (!this.#stopping) connection.send(this.#sequence++, this.#draw, now)
    } else {
      this.#idle.add(connection)
      this.#sendAllDue(now)
    }
  }

  failed(reason: string): void {
    if (!this.#stopping) this.#fail(new Error(reason))
  }

  async #measure(onWindow: (edge: 'window-opens' | 'window-closes') => void): Promise<LoadResult> {
    await this.#open()
    await this.#start()
    await pause(this.#plan.warmupSeconds * 1000)
    onWindow('window-opens')
    const cpuBefore = process.cpuUsage()
    this.#windowFromMs = performance.now()
    await pause(this.#plan.seconds * 1000)
    this.#windowToMs = performance.now()
    const cpu = process.cpuUsage(cpuBefore)
    onWindow('window-closes')
    const unfinished = await this.#drain()
    const seconds = (this.#windowToMs - this.#windowFromMs) / 1000
    return {
      done: this.#done,
      seconds,
      perSecond: this.#done / seconds,
      latency: encodeHistogram(this.#latency),
      groups: Object.fromEntries([...this.#groups].map(([name, histogram]) => [name, encodeHistogram(histogram)])),
      refusalLatency: encodeHistogram(this.#refusalLatency),
      sendLag: encodeHistogram(this.#sendLag),
      statuses: Object.fromEntries(this.#statuses),
      unfinished,
      dropped: this.#dropped,
      cpuSeconds: (cpu.user + cpu.system) / 1e6,
    }
  }

  async #open(): Promise<void> {
    const { host, port, shapes, expect, connections } = this.#plan
    for (let index = 0; index < connections; index++) {
      const shape = shapes[index % shapes.length]
      if (shape === undefined) throw new Error('a load plan needs a request shape')
      if (shape.group !== undefined && !this.#groups.has(shape.group)) this.#groups.set(shape.group, newHistogram())
      this.#connections.push(new Connection(this, { host, port }, shape, expect.bodyText))
    }
    for (let index = 0; index < connections; index += OPENING_AT_ONCE) {
      await Promise.all(this.#connections.slice(index, index + OPENING_AT_ONCE).map((connection) => connection.open()))
    }
  }

  async #start(): Promise<void> {
    const { ratePerSecond, openLoop } = this.#plan
    if (ratePerSecond === null) {
      const now = performance.now()
      for (const connection of this.#connections) connection.send(this.#sequence++, this.#draw, now)
      return
    }
    for (const connection of this.#connections) this.#idle.add(connection)
    if (openLoop.pacing === 'sleep') this.#pacer = await Pacer.open(ratePerSecond, openLoop.wakeUpUs, this.#onDue)
    this.#scheduleFromMs = performance.now()
    if (openLoop.pacing === 'spin') this.#spin()
  }

  readonly #spin = (): void => {
    if (this.#stopping) return
    this.#onDue()
    setImmediate(this.#spin)
  }

  readonly #onDue = (): void => {
    const now = performance.now()
    this.#sendAllDue(now)
    if (this.#plan.openLoop.whenBusy === 'drop' && !this.#stopping) this.#dropDue(now)
  }

  /** Sends the requests that are due, as far as connections are free. */
  #sendAllDue(now: number): void {
    if (this.#stopping) return
    for (let connection = this.#idle.peek(); connection !== null; connection = this.#idle.peek()) {
      if (!this.#sendDue(connection, now)) return
      this.#idle.take()
    }
  }

  #dropDue(now: number): void {
    for (; this.#dueMs(this.#nextDue) <= now; this.#nextDue++) {
      if (this.#isInWindow(this.#dueMs(this.#nextDue))) this.#dropped++
    }
  }

  #isInWindow(intendedMs: number): boolean {
    return intendedMs >= this.#windowFromMs && intendedMs < this.#windowToMs
  }

  #dueMs(number: number): number {
    return this.#scheduleFromMs + (number * 1000) / (this.#plan.ratePerSecond ?? 1)
  }

  /** Sends the next request of the schedule if its time has come. */
  #sendDue(connection: Connection, now: number): boolean {
    const intendedMs = this.#dueMs(this.#nextDue)
    if (intendedMs > now) return false
    this.#nextDue++
    if (this.#isInWindow(intendedMs)) recordMs(this.#sendLag, now - intendedMs)
    connection.send(this.#sequence++, this.#draw, intendedMs)
    return true
  }

  /** Records an answer. Throughput counts answers in the window; open-loop latency counts requests that were due in it. */
  #record(connection: Connection, now: number): void {
    const { status, bodyMatches } = connection.parser
    const expected = status === this.#plan.expect.status && bodyMatches
    if (now < this.#windowToMs) {
      this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1)
      if (expected) this.#done++
    }
    const { intendedMs } = connection
    const counts = this.#plan.ratePerSecond === null ? now < this.#windowToMs : this.#isInWindow(intendedMs)
    if (!counts) return
    recordMs(expected ? this.#latency : this.#refusalLatency, now - intendedMs)
    const group = connection.group === null ? undefined : this.#groups.get(connection.group)
    if (expected && group !== undefined) recordMs(group, now - intendedMs)
  }

  /** Waits for the requests that were due in the window. Returns the number without an answer. */
  async #drain(): Promise<number> {
    const rate = this.#plan.ratePerSecond
    if (rate === null) return 0
    const dueBefore = (timeMs: number): number => Math.ceil(((timeMs - this.#scheduleFromMs) * rate) / 1000)
    const lastDue = dueBefore(this.#windowToMs)
    const deadlineMs = performance.now() + DRAIN_MS
    while (this.#nextDue < lastDue && performance.now() < deadlineMs) await pause(TICK_MS)
    this.#stopping = true
    while (this.#idle.count < this.#connections.length && performance.now() < deadlineMs) await pause(TICK_MS)
    const answered = this.#latency.totalCount + this.#refusalLatency.totalCount + this.#dropped
    return Math.max(0, lastDue - dueBefore(this.#windowFromMs) - answered)
  }
}
