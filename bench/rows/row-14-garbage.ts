// Row 14 (1c of the design): bytes that a single payout allocates on the heap, and bytes that survive a scavenge for each payout under way.
// Both are sizes, so they hold on a busy machine.
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
const SITES = 40

export const ROW_14: Row = {
  number: 14,
  title: `heap allocated a payout, and surviving for each of ${WORKLOAD.connections} under way`,
  run,
}

async function run(stand: Stand): Promise<RowResult> {
  const server = await stand.cauri.start(await stand.cauri.freshFolder(), { isInspected: true })
  const inspector = await Inspector.open(server)
  const measurements: Measurement[] = []
  const measure = async (): Promise<void> => {
    measurements.push(await stand.measurePayouts(server, WORKLOAD))
  }
  const records = async (): Promise<number> => sampleOf(await readMetrics(server.port), 'cauri_engine_records_total')
  // V8 compiles: interpreted code allocates more.
  await measure()
  const allocated: number[] = []
  const surviving: number[] = []
  for (let round = 0; round < stand.options.repeat; round++) {
    const before = await records()
    const { allocatedBytes, survivingBytes } = heapUseOf(await traceHeap(inspector, measure))
    allocated.push(allocatedBytes / ((await records()) - before))
    surviving.push(...survivingBytes.map((bytes) => bytes / WORKLOAD.connections))
  }
  const sites = stand.options.profile ? (await sampleAllocations(inspector, measure)).slice(0, SITES) : []
  inspector.close()
  await server.stop()
  const claim = (what: string, bytes: readonly number[]) => {
    const value = spreadOf(bytes.map((size) => size / KIB))
    return { what, figure: formatSpread(spreadOf(bytes), formatBytes), value, must: atMost(4), aim: atMost(2) }
  }
  return {
    claims: [claim('1c: KiB allocated a payout', allocated), claim('1c: KiB surviving a scavenge, each payout under way', surviving)],
    notes: [
      ...summarize('Cauri', measurements),
      `${surviving.length} scavenges`,
      ...sites.map(([place, share]) => `${(share * 100).toFixed(1).padStart(5)} %  ${place}`),
    ],
    measurements,
  }
}
