// The machine's own limits, measured before anything else.

import type { Percentiles } from '../load/histogram.ts'
import { measureFlush } from './disk.ts'
import { type Loopback, measureLoopback } from './loopback.ts'
import { describeMachine, type Machine, measureSha256 } from './machine.ts'

export interface Limits {
  readonly machine: Machine
  readonly flush: readonly { readonly bytes: number; readonly latency: Percentiles }[]
  readonly loopback: Loopback
  readonly sha256PerSecond: number
}

/** Sizes from one payout's record to a large log batch. */
const FLUSH_BYTES = [1024, 32 * 1024, 256 * 1024]
const SECONDS = 1
const QUICK_SECONDS = 0.3
const DIGEST_BYTES = 256

export async function measureLimits(folder: string, projectFolder: string, isQuick: boolean): Promise<Limits> {
  const seconds = isQuick ? QUICK_SECONDS : SECONDS
  return {
    machine: describeMachine(projectFolder),
    flush: FLUSH_BYTES.map((bytes) => ({ bytes, latency: measureFlush(folder, bytes, seconds) })),
    loopback: await measureLoopback(projectFolder, seconds),
    sha256PerSecond: measureSha256(DIGEST_BYTES, seconds / 2),
  }
}
