// Clock of a node in a cluster: the machine's, kept within a bound of PostgreSQL's, which all nodes share. A wrong clock of one machine
// must not pay schedules early, and must not move the time of the ledger for the owners after it.
import type { Clock } from '../../engine/actor/ports.ts'
import type { ClockReading } from '../../wal/log/postgres-member.ts'
import { CLOCK_DIFFERENCE_MAX_MS, CLOCK_DIFFERENCE_WARN_MS, CLOCK_READING_MAX_MS } from '../server/server-limits.ts'

export interface MachineTime {
  /** Wall clock, which may be set. */
  nowMs(): number
  /** Monotonic clock. */
  runningMs(): number
}

export const MACHINE_TIME: MachineTime = { nowMs: () => Date.now(), runningMs: () => performance.now() }

export class ClusterClock implements Clock {
  readonly #time: MachineTime
  /** PostgreSQL's time minus this process's monotonic time. */
  #serverOffsetMs: number

  constructor(first: ClockReading, time: MachineTime = MACHINE_TIME) {
    this.#time = time
    this.#serverOffsetMs = offsetOf(first)
  }

  /** Takes a reading of PostgreSQL's clock. A slow one is too inexact. */
  measure(reading: ClockReading): void {
    if (reading.receivedMs - reading.sentMs <= CLOCK_READING_MAX_MS) this.#serverOffsetMs = offsetOf(reading)
  }

  /** The machine's time, at most CLOCK_DIFFERENCE_MAX_MS from PostgreSQL's. */
  now(): number {
    const serverMs = this.serverMs()
    const nowMs = this.#time.nowMs()
    return Math.round(Math.min(serverMs + CLOCK_DIFFERENCE_MAX_MS, Math.max(serverMs - CLOCK_DIFFERENCE_MAX_MS, nowMs)))
  }

  /** PostgreSQL's time, which is the same at all nodes within the time of a round trip. */
  serverMs(): number {
    return this.#serverOffsetMs + this.#time.runningMs()
  }

  /** The machine's clock minus PostgreSQL's. */
  get differenceMs(): number {
    return this.#time.nowMs() - this.serverMs()
  }

  get isSuspect(): boolean {
    return Math.abs(this.differenceMs) > CLOCK_DIFFERENCE_WARN_MS
  }

  /** Beyond the bound a node neither owns the log nor answers health checks. */
  get isWrong(): boolean {
    return Math.abs(this.differenceMs) > CLOCK_DIFFERENCE_MAX_MS
  }
}

function offsetOf({ serverMs, sentMs, receivedMs }: ClockReading): number {
  return serverMs - (sentMs + receivedMs) / 2
}
