// Row 5: cost of a payout and memory of an account, with a thousand times as many accounts.
import { measureHeldMemory } from '../cauri/held-memory.ts'
import { interleave } from '../interleave.ts'
import type { Measurement } from '../measure.ts'
import { atMost, type Row, type RowResult } from '../row.ts'
import type { PayoutWorkload, Stand } from '../stand.ts'
import { formatBytes, formatNumber, formatSpread, ratios, spreadOf } from '../statistics.ts'
import { summarize } from '../summary.ts'
import { costsOf } from './payout-cost.ts'
import { ALL_MERCHANTS } from './row-01-single-payouts.ts'

const FEW = 1000
const MANY = { full: 1_000_000, short: 100_000 } as const

export const ROW_05: Row = {
  number: 5,
  title: `accounts: ${formatNumber(FEW)}, and ${formatNumber(MANY.short)} or with --full ${formatNumber(MANY.full)}`,
  run,
}

async function run(stand: Stand): Promise<RowResult> {
  const many = stand.options.full ? MANY.full : MANY.short
  const folders = { few: await stand.cauri.folderOf(FEW), many: await stand.cauri.folderOf(many) }
  const held = { few: await measureHeldMemory(folders.few), many: await measureHeldMemory(folders.many) }
  const servers = { few: await stand.cauri.start(folders.few), many: await stand.cauri.start(folders.many) }
  const workload = (wallets: number): PayoutWorkload => ({ ...ALL_MERCHANTS, wallets })
  const taken = await interleave(stand.options.repeat, {
    few: () => stand.measurePayouts(servers.few, workload(FEW)),
    many: () => stand.measurePayouts(servers.many, workload(many)),
  })
  for (const server of Object.values(servers)) await server.stop()
  for (const folder of Object.values(folders)) stand.cauri.remove(folder)
  const bytes = held.many.heapBytes + held.many.bufferBytes - held.few.heapBytes - held.few.bufferBytes
  return {
    claims: [costClaim(taken.few, taken.many, many), bytesClaim(bytes / (many - FEW), many)],
    notes: [
      'A cost is CPU time of the main thread, where there is /proc; else the time between two answers.',
      ...summarize(`${formatNumber(FEW)} accounts`, taken.few),
      ...summarize(`${formatNumber(many)} accounts`, taken.many),
      `Held by ${formatNumber(FEW)} accounts: ${formatBytes(held.few.heapBytes)} of objects, ${formatBytes(held.few.bufferBytes)} of arrays`,
      `Held by ${formatNumber(many)} accounts: ${formatBytes(held.many.heapBytes)} of objects, ${formatBytes(held.many.bufferBytes)} of arrays`,
    ],
    measurements: [...taken.few, ...taken.many],
  }
}

function costClaim(few: readonly Measurement[], many: readonly Measurement[], count: number): RowResult['claims'][number] {
  const [above, below] = [costsOf(many), costsOf(few)]
  return {
    what: `cost of a payout with ${formatNumber(count)} accounts against ${formatNumber(FEW)}`,
    figure: `${formatSpread(spreadOf(above))} µs : ${formatSpread(spreadOf(below))} µs`,
    value: ratios(above, below),
    must: atMost(1.25),
    aim: null,
  }
}

function bytesClaim(bytes: number, count: number): RowResult['claims'][number] {
  return {
    what: 'bytes of memory an account',
    figure: `of ${formatNumber(count)} accounts`,
    value: spreadOf([bytes]),
    must: atMost(400),
    aim: null,
  }
}
