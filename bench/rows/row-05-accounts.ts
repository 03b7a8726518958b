// Row 5: cost of a payout and memory of an account, with a thousand times as many accounts.
import type { CauriServer } from '../cauri/cauri-server.ts'
import { type HeldMemory, measureHeldMemory } from '../cauri/held-memory.ts'
import { interleave } from '../interleave.ts'
import type { Measurement } from '../measure.ts'
import { pointOf } from '../report/plot.ts'
import { atMost, type Row, type RowResult } from '../row.ts'
import type { Stand } from '../stand.ts'
import { formatBytes, formatNumber, formatSpread, ratios, spreadOf } from '../statistics.ts'
import { summarize } from '../summary.ts'
import { costsOf } from './payout-cost.ts'
import { ALL_MERCHANTS } from './row-01-single-payouts.ts'

const FEW = 1000
const MANY = { full: 1_000_000, short: 100_000, quick: 10_000 } as const

export const ROW_05: Row = {
  number: 5,
  title: `accounts: ${formatNumber(FEW)}, and ${formatNumber(MANY.short)} or with --full ${formatNumber(MANY.full)}`,
  run,
}

async function run(stand: Stand): Promise<RowResult> {
  const { full, quick } = stand.options
  const many = full ? MANY.full : quick ? MANY.quick : MANY.short
  const counts = { few: FEW, middle: Math.round(Math.sqrt(FEW * many)), many }
  const names = ['few', 'middle', 'many'] as const
  const sizes: Record<string, Size> = {}
  for (const name of names) sizes[name] = await makeSize(stand, counts[name])
  const measureOf = (name: (typeof names)[number]) => () => {
    const { server } = sizes[name] as Size
    return stand.measurePayouts(server, { ...ALL_MERCHANTS, wallets: counts[name] })
  }
  const taken = await interleave(stand.options.repeat, {
    few: measureOf('few'),
    middle: measureOf('middle'),
    many: measureOf('many'),
  })
  for (const { server, dataDir } of Object.values(sizes)) {
    await server.stop()
    stand.cauri.remove(dataDir)
  }
  const held = (name: (typeof names)[number]): HeldMemory => (sizes[name] as Size).held
  const bytes = heldBytes(held('many')) - heldBytes(held('few'))
  return {
    claims: [costClaim(taken.few, taken.many, many), bytesClaim(bytes / (many - FEW), many)],
    notes: [
      'A cost is CPU time of the main thread, where there is /proc; else the time between two answers.',
      ...names.flatMap((name) => summarize(`${formatNumber(counts[name])} accounts`, taken[name])),
      ...names.map(
        (name) =>
          `Held by ${formatNumber(counts[name])} accounts: ${formatBytes(held(name).heapBytes)} of objects, ${formatBytes(held(name).bufferBytes)} of arrays`,
      ),
    ],
    measurements: names.flatMap((name) => taken[name]),
    plots: [
      {
        title: 'Cost of a payout against accounts',
        kind: 'lines',
        xLabel: 'accounts',
        yLabel: 'µs of the main thread',
        yScale: 'linear',
        series: [{ name: 'main thread', points: names.map((name) => pointOf(counts[name], spreadOf(costsOf(taken[name])))) }],
      },
      {
        title: 'Memory against accounts',
        kind: 'lines',
        xLabel: 'accounts',
        yLabel: 'MiB held',
        yScale: 'linear',
        series: [{ name: 'objects and arrays', points: names.map((name) => ({ x: counts[name], y: heldBytes(held(name)) / 2 ** 20 })) }],
      },
    ],
  }
}

interface Size {
  readonly dataDir: string
  readonly held: HeldMemory
  readonly server: CauriServer
}

async function makeSize(stand: Stand, wallets: number): Promise<Size> {
  const dataDir = await stand.cauri.folderOf(wallets)
  const held = await measureHeldMemory(dataDir)
  return { dataDir, held, server: await stand.cauri.start(dataDir) }
}

function heldBytes({ heapBytes, bufferBytes }: HeldMemory): number {
  return heapBytes + bufferBytes
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
