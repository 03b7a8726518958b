// Row 7: duration of a start, with a current snapshot of 100 000 accounts and with a long tail of payouts after the snapshot.
import { cpSync, rmSync } from 'node:fs'
import { archivePathOf } from '../../wal/folder/folder.ts'
import type { CauriServer } from '../cauri/cauri-server.ts'
import { addHistory, addTail } from '../cauri/data-folder.ts'
import { BATCH_LINES, WALLETS } from '../load/population.ts'
import { cpuSecondsOf } from '../process/cpu-time.ts'
import { waitUntilQuiet } from '../quiet.ts'
import { type PlotPoint, pointOf } from '../report/plot.ts'
import { atLeast, atMost, type Row, type RowResult } from '../row.ts'
import type { Stand } from '../stand.ts'
import { formatBytes, formatNumber, formatSpread, spreadOf } from '../statistics.ts'

/** One and a half times the maximum of records after a snapshot in a running engine. */
const TAIL_PAYOUTS = 300_000
const QUICK_TAIL_PAYOUTS = 60_000
/** Shorter tails for the plot, as shares of the tail; not with --quick. */
const SHORTER_TAILS = [0.1, 0.4] as const

export const ROW_07: Row = {
  number: 7,
  title: `recovery: a snapshot of ${formatNumber(WALLETS)} accounts, a tail of ${formatNumber(TAIL_PAYOUTS)} payouts`,
  run,
}

/** One start of the server, from the start of its process to its `listening` line, and the engine's share of it. */
interface Start {
  readonly seconds: number
  readonly recoverySeconds: number
  /** CPU time of all threads until then; null without /proc. It is more reliable than elapsed time on a busy machine. */
  readonly cpuSeconds: number | null
  readonly replayedRecords: number
}

async function run(stand: Stand): Promise<RowResult> {
  const clean = await startsFromSnapshot(stand)
  const { quick } = stand.options
  const payouts = quick ? QUICK_TAIL_PAYOUTS : TAIL_PAYOUTS
  const shorter: Start[] = []
  for (const share of quick ? [] : SHORTER_TAILS) {
    const { dataDir } = await makeTail(stand, payouts * share)
    shorter.push(await startOn(stand, dataDir, payouts * share))
  }
  const tail = await makeTail(stand, payouts)
  const afterCrash: Start[] = []
  for (let round = 0; round < stand.options.repeat; round++)
    afterCrash.push(await startOn(stand, stand.cauri.copyOf(tail.dataDir), payouts))
  const unindexed = await startsUnindexed(stand, tail.dataDir, payouts)
  const others = quick ? [] : await describeOtherStarts(stand, tail.dataDir, payouts)
  const start = spreadOf(clean.map(({ seconds }) => seconds))
  const snapshot = spreadOf(clean.map(({ recoverySeconds }) => recoverySeconds)).median
  const replay = spreadOf(afterCrash.map((one) => one.replayedRecords / tailSeconds(one, snapshot)))
  return {
    claims: [
      {
        what: 'records of the tail replayed in a second',
        figure: `${describeReplay(afterCrash)}, ${formatNumber(snapshot)} s for the snapshot subtracted`,
        value: replay,
        must: atLeast(300_000),
        aim: null,
      },
      {
        what: 'records of the tail replayed and indexed in a second, when the index lacks all of them',
        figure: describeReplay(unindexed),
        value: spreadOf(unindexed.map((one) => one.replayedRecords / tailSeconds(one, snapshot))),
        must: atLeast(300_000),
        aim: null,
      },
      { what: 'seconds to start with a current snapshot', figure: describeStarts(clean), value: start, must: atMost(1), aim: null },
    ],
    notes: [
      'Each start is the whole program: from the start of its process, loading included, to its `listening` line. Files are in the page cache.',
      `After a clean stop, with a current snapshot: ${describeStarts(clean)}`,
      `After a crash, with the tail (${formatBytes(tail.bytes / payouts)} a record): ${describeStarts(afterCrash)}`,
      `The same, without the tail in the index: ${describeStarts(unindexed)}`,
      ...others,
    ],
    measurements: [],
    plots: [
      {
        title: 'Start after a crash against the tail of the log',
        kind: 'lines',
        xLabel: 'records after the snapshot',
        yLabel: 'seconds',
        yScale: 'linear',
        series: [
          {
            name: 'from process start to listening',
            points: tailPoints([clean, ...shorter.map((one) => [one]), afterCrash], (one) => one.seconds),
          },
          { name: 'recovery', points: tailPoints([clean, ...shorter.map((one) => [one]), afterCrash], (one) => one.recoverySeconds) },
        ],
      },
    ],
  }
}

function tailPoints(tails: readonly (readonly Start[])[], pick: (start: Start) => number): PlotPoint[] {
  return tails.map((starts) => pointOf(starts[0]?.replayedRecords ?? 0, spreadOf(starts.map(pick))))
}

/** Starts on a tail of batches, and without an archive, as notes. */
async function describeOtherStarts(stand: Stand, tailFolder: string, payouts: number): Promise<string[]> {
  const rebuilt = await startWithoutArchive(stand, tailFolder, payouts)
  const batches = await batchStarts(stand, payouts)
  return [
    `A tail of ${formatNumber(payouts)} payouts in batches, indexed: ${describeStarts(batches.indexed)}; not indexed: ${describeStarts(batches.unindexed)}`,
    `With its archive deleted, all ${formatNumber(rebuilt.replayedRecords)} records, index included: ${describeStarts([rebuilt])}`,
  ]
}

/** Starts after a clean stop: with a current snapshot and the marker that lets the start skip the check of its files. */
async function startsFromSnapshot(stand: Stand): Promise<Start[]> {
  const dataDir = await stand.cauri.freshFolder()
  const first = await stand.cauri.start(dataDir)
  await first.stop()
  const starts: Start[] = []
  for (let round = 0; round < stand.options.repeat; round++) starts.push(await measureStart(stand, dataDir))
  stand.cauri.remove(dataDir)
  return starts
}

async function makeTail(stand: Stand, payouts: number): Promise<{ readonly dataDir: string; readonly bytes: number }> {
  const dataDir = await stand.cauri.freshFolder()
  const bytes = await addTail({ dataDir, merchants: stand.merchants, wallets: WALLETS, payouts })
  return { dataDir, bytes }
}

/** Starts on the tail with the archive of the initial folder: its snapshot, and an index without the tail. */
async function startsUnindexed(stand: Stand, tailFolder: string, records: number): Promise<Start[]> {
  const initial = await stand.cauri.freshFolder()
  const starts: Start[] = []
  for (let round = 0; round < stand.options.repeat; round++) {
    const dataDir = stand.cauri.copyOf(tailFolder)
    rmSync(archivePathOf(dataDir), { recursive: true })
    cpSync(archivePathOf(initial), archivePathOf(dataDir), { recursive: true })
    starts.push(await startOn(stand, dataDir, records))
  }
  stand.cauri.remove(initial)
  return starts
}

/** Starts on a tail of payout batches, with and without the tail in the index. */
async function batchStarts(stand: Stand, payouts: number): Promise<{ readonly indexed: Start[]; readonly unindexed: Start[] }> {
  const dataDir = await stand.cauri.freshFolder()
  await addHistory({ dataDir, merchants: stand.merchants, wallets: WALLETS, payouts }, 'frozen')
  const records = payouts / BATCH_LINES
  const indexed = [await startOn(stand, stand.cauri.copyOf(dataDir), records)]
  const unindexed = await startsUnindexed(stand, dataDir, records)
  stand.cauri.remove(dataDir)
  return { indexed, unindexed }
}

async function startWithoutArchive(stand: Stand, tailFolder: string, payouts: number): Promise<Start> {
  const dataDir = stand.cauri.copyOf(tailFolder)
  rmSync(archivePathOf(dataDir), { recursive: true })
  return startOn(stand, dataDir, payouts)
}

/** Measures a start on a folder and deletes the folder. */
async function startOn(stand: Stand, dataDir: string, payouts: number): Promise<Start> {
  const start = await measureStart(stand, dataDir)
  stand.cauri.remove(dataDir)
  if (start.replayedRecords < payouts) throw new Error(`only ${start.replayedRecords} records were replayed`)
  return start
}

async function measureStart(stand: Stand, dataDir: string): Promise<Start> {
  await waitUntilQuiet(stand.options.quietSeconds * 1000)
  const server = await stand.cauri.start(dataDir)
  const start = startOf(server, cpuSecondsOf(server.pids))
  await server.stop()
  console.error(`  Cauri ${describeStarts([start])}, ${formatNumber(start.replayedRecords)} records replayed`)
  return start
}

function startOf({ startMs, recovery }: CauriServer, cpuSeconds: number | null): Start {
  const { replayedRecords, durationMs } = recovery
  return { seconds: startMs / 1000, recoverySeconds: durationMs / 1000, cpuSeconds, replayedRecords }
}

/** Returns the recovery time without the load of the snapshot, or all of it if the difference is not positive. */
function tailSeconds({ recoverySeconds }: Start, snapshotSeconds: number): number {
  return recoverySeconds > snapshotSeconds ? recoverySeconds - snapshotSeconds : recoverySeconds
}

function describeStarts(starts: readonly Start[]): string {
  const cpu = starts.map(({ cpuSeconds }) => cpuSeconds).filter((value) => value !== null)
  return [
    `${formatSeconds(starts.map(({ seconds }) => seconds))} to listen`,
    `${formatSeconds(starts.map(({ recoverySeconds }) => recoverySeconds))} of it recovery`,
    ...(cpu.length === 0 ? [] : [`${formatSeconds(cpu)} of CPU`]),
  ].join(', ')
}

function describeReplay(starts: readonly Start[]): string {
  const records = spreadOf(starts.map(({ replayedRecords }) => replayedRecords)).median
  return `${formatNumber(records)} records in ${formatSeconds(starts.map(({ recoverySeconds }) => recoverySeconds))}`
}

function formatSeconds(values: readonly number[]): string {
  return `${formatSpread(spreadOf(values))} s`
}
