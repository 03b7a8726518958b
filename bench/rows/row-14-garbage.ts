// Row 14 (1c of the design): bytes that a single payout allocates on the heap, and bytes that survive a scavenge for each payout under way.
// Both are sizes, so they hold on a busy machine.
//
// Survivors are measured with a young generation of 1 MB: it is full some hundred payouts after the last scavenge, so what a scavenge keeps
// is under way. Between two scavenges of the usual 64 MB tables and caches of state grow too, which no payout holds.
import { heapUseOf, sampleAllocations, traceHeap } from '../cauri/heap-use.ts'
import { Inspector } from '../cauri/inspector.ts'
import { readMetrics, sampleOf } from '../cauri/metrics-text.ts'
import type { Measurement } from '../measure.ts'
import { atMost, type Row, type RowResult } from '../row.ts'
import type { PayoutWorkload, Stand } from '../stand.ts'
import { formatBytes, formatSpread, spreadOf } from '../statistics.ts'
import { summarize } from '../summary.ts'

const KIB = 1024
const WORKLOAD: PayoutWorkload = { connections: 64, merchants: 'all', ratePerSecond: null, quietSeconds: 0 }
const SMALL_YOUNG_GENERATION = ['--max-semi-space-size=1']
const SITES = 40

export const ROW_14: Row = {
  number: 14,
  title: `heap allocated a payout, and surviving for each of ${WORKLOAD.connections} under way`,
  run,
}

async function run(stand: Stand): Promise<RowResult> {
  const measurements: Measurement[] = []
  const allocated: number[] = []
  const usual = await open(stand, [], measurements)
  for (let round = 0; round < stand.options.repeat; round++) allocated.push(await usual.allocatedBytes())
  const sites = stand.options.profile ? (await sampleAllocations(usual.inspector, () => usual.measure())).slice(0, SITES) : []
  await usual.close()
  const small = await open(stand, SMALL_YOUNG_GENERATION, measurements)
  const surviving = (await small.survivingBytes()).map((bytes) => bytes / WORKLOAD.connections)
  await small.close()
  const claim = (what: string, bytes: readonly number[]) => {
    const value = spreadOf(bytes.map((size) => size / KIB))
    return { what, figure: formatSpread(spreadOf(bytes), formatBytes), value, must: atMost(4), aim: atMost(2) }
  }
  return {
    claims: [claim('1c: KiB allocated a payout', allocated), claim('1c: KiB surviving a scavenge, each payout under way', surviving)],
    notes: [
      ...summarize('Cauri', measurements),
      `${surviving.length} scavenges of a small young generation`,
      ...sites.map(([place, share]) => `${(share * 100).toFixed(1).padStart(5)} %  ${place}`),
    ],
    measurements,
  }
}

interface Inspected {
  readonly inspector: Inspector
  measure(): Promise<void>
  /** Returns the bytes that a payout allocates. */
  allocatedBytes(): Promise<number>
  /** Returns the bytes that each scavenge keeps. */
  survivingBytes(): Promise<readonly number[]>
  close(): Promise<void>
}

/** Starts a server whose code V8 has compiled: interpreted code allocates more. */
async function open(stand: Stand, nodeFlags: readonly string[], measurements: Measurement[]): Promise<Inspected> {
  const server = await stand.cauri.start(await stand.cauri.freshFolder(), { isInspected: true, nodeFlags })
  const inspector = await Inspector.open(server)
  const measure = async (): Promise<void> => {
    measurements.push(await stand.measurePayouts(server, WORKLOAD))
  }
  const records = async (): Promise<number> => sampleOf(await readMetrics(server.port), 'cauri_engine_records_total')
  await measure()
  return {
    inspector,
    measure,
    allocatedBytes: async () => {
      const before = await records()
      const { allocatedBytes } = heapUseOf(await traceHeap(inspector, measure))
      return allocatedBytes / ((await records()) - before)
    },
    survivingBytes: async () => heapUseOf(await traceHeap(inspector, measure)).survivingBytes,
    close: async () => {
      inspector.close()
      await server.stop()
    },
  }
}
