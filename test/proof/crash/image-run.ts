// Records the writes of a real server with an HTTP thread, under payouts and every other write that moves money, up to a stop in order. Builds
// images of its data folder, and has each opened and checked, some by a real engine. A control takes the flushes away and must fail.
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Prng } from '../../support/prng.ts'
import { startServer } from '../../support/server-process.ts'
import { CheckingChild } from './checking-child.ts'
import { DiskImages, type ImageSource, STYLES } from './disk-images.ts'
import type { ImageTask, ImageVerdict } from './image-child.ts'
import { KILL_SETTINGS, KillAccounts } from './kill-accounts.ts'
import { mailboxSettings } from './mailbox.ts'
import { MixedLoad } from './mixed-load.ts'
import { openPayoutShop, type PayoutShop, sendBatch, sendPayout } from './payout-shop.ts'
import { readRecording, recorderCommand } from './system-calls.ts'
import { Wire } from './wire.ts'

export interface ImageOptions {
  readonly images: number
  readonly seed: number
  readonly program?: string
  readonly onProgress?: (report: ImageReport) => void
}

export interface ImageReport {
  images: number
  readonly styles: Record<string, number>
  /** Images with writes that had not been flushed. */
  unflushed: number
  /** Images whose log took the batch that came next. */
  appended: number
  /** Images that a real engine opened, and that took one more write. */
  served: number
  /** Acknowledged writes of the recording beside payouts and batches, and how many kinds they were of. */
  readonly mixed: { readonly writes: number; readonly kinds: number }
  readonly recorded: { readonly writes: number; readonly flushes: number; readonly answers: number; readonly bytes: number }
  readonly control: { readonly images: number; readonly faults: number }
  readonly faults: string[]
}

const FILES = ['log', 'archive'] as const
const SCRIPT = new URL('./image-child.ts', import.meta.url)
const WAVES = 24
const AT_ONCE = 6
/** Long enough for the log to grow ahead of its pages, which begins at 1 MB. */
const NOTE_LENGTH_MAX = 480
const PAYOUTS_BEFORE = 700
/** With these notes the record of a payout batch has a log batch of its own (`LARGE_RECORD_BYTES`), in the flush of payouts. */
const LINES = 20
const NOTE = 'é'.repeat(NOTE_LENGTH_MAX)
const CONTROL_IMAGES = 40
/** Of so many images a real engine opens one. Odd: the styles take turns, so each is among them. */
const SERVED_EVERY = 9
const PROGRESS_IMAGES = 1000
const FAULTS_MAX = 10

export async function runDiskImages({ images, seed, program, onProgress }: ImageOptions): Promise<ImageReport> {
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'cauri-images-'))
  try {
    const prng = new Prng(seed)
    const source = await record(folder, prng, program)
    return await checkImages(folder, source, prng, { images, ...(onProgress === undefined ? {} : { onProgress }) })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Recording extends ImageSource, Pick<ImageReport, 'mixed'> {
  /** What the clients of the recorded server found wrong. */
  readonly faults: readonly string[]
}

/** Leaves the data folder at `end` in the folder. */
async function record(folder: string, prng: Prng, program?: string): Promise<Recording> {
  const dataDir = join(folder, 'end')
  // Production makes no demo data in the first start; development starts no sandbox in the second.
  const options = {
    dataDir,
    ...(program === undefined ? {} : { program }),
    settings: { ...KILL_SETTINGS, ...(await mailboxSettings()), NODE_ENV: 'production', HTTP_THREADS: '1' },
  }
  const first = await startServer(options)
  const wire = new Wire(first.baseUrl)
  const shop = await openPayoutShop(wire)
  const mixed = new MixedLoad(await KillAccounts.open(first.baseUrl), prng)
  await payouts(wire, shop, 'b', PAYOUTS_BEFORE, () => NOTE_LENGTH_MAX)
  wire.close()
  await first.terminate()
  const before = new Map(FILES.map((file) => [file as string, readFileSync(join(dataDir, file, 'data.mdb'))]))
  const output = join(folder, 'calls')
  const settings = { ...options.settings, NODE_ENV: 'development' }
  const server = await startServer({ ...options, settings, wrapper: recorderCommand(output) })
  const again = new Wire(server.baseUrl)
  mixed.slot.up(server)
  await mixed.begin()
  for (let wave = 0; wave < WAVES; wave++) {
    const payoutsDone = payouts(again, shop, `w${wave}`, AT_ONCE, () => prng.below(NOTE_LENGTH_MAX))
    // While the first payout is flushed, the others and the batch gather for the next flush.
    const { status, text } = await sendBatch(again, shop, `w${wave}-batch`, LINES, NOTE)
    if (status !== 201) throw new Error(`a payout batch: ${status} ${text}`)
    await payoutsDone
  }
  const faults = await mixed.end(WAVES * (AT_ONCE + LINES))
  mixed.slot.down()?.wire.close()
  again.close()
  await server.terminate()
  const writes = { writes: mixed.acknowledged, kinds: mixed.kinds.size }
  return { before, events: await readRecording(output, server.pid), mixed: writes, faults }
}

async function payouts(wire: Wire, shop: PayoutShop, name: string, count: number, noteLength: () => number): Promise<void> {
  const sent = Array.from({ length: count }, (_, index) =>
    sendPayout(wire, shop, `${name}-${index}`, 1 + (index % 100), 'é'.repeat(noteLength())),
  )
  for (const { status, text } of await Promise.all(sent)) if (status !== 201) throw new Error(`a payout: ${status} ${text}`)
}

async function checkImages(
  folder: string,
  source: Recording,
  prng: Prng,
  { images, onProgress }: Pick<ImageOptions, 'images' | 'onProgress'>,
): Promise<ImageReport> {
  const flushed = new DiskImages(source)
  const references = join(folder, 'references.json')
  writeFileSync(references, JSON.stringify(flushed.references))
  // The child reads the end of the log before any image is checked.
  mkdirSync(join(folder, 'last'))
  copyFileSync(join(folder, 'end', 'log', 'data.mdb'), join(folder, 'last', 'data.mdb'))
  const child = new CheckingChild<ImageTask, ImageVerdict>(SCRIPT, [references, join(folder, 'last')])
  try {
    const control = { images: CONTROL_IMAGES, faults: await controlFaults(child, new DiskImages(source, false), folder, prng) }
    const counts = { images: 0, styles: {}, unflushed: 0, appended: 0, served: 0 }
    const report: ImageReport = { ...counts, mixed: source.mixed, recorded: recordedOf(source), control, faults: [...source.faults] }
    while (report.images < images && report.faults.length < FAULTS_MAX) {
      await checkOne(child, flushed, folder, prng, report)
      if (report.images % PROGRESS_IMAGES === 0) onProgress?.(report)
    }
    return report
  } finally {
    await child.close()
  }
}

async function checkOne(
  child: CheckingChild<ImageTask, ImageVerdict>,
  images: DiskImages,
  folder: string,
  prng: Prng,
  report: ImageReport,
): Promise<void> {
  const style = STYLES[report.images % STYLES.length] ?? 'cut'
  const image = images.image(prng, style)
  const path = writeImage(folder, image.files)
  const isServed = report.images % SERVED_EVERY === 0
  const checked = await child.check({ folder: path, answered: image.answered, isServed })
  rmSync(path, { recursive: true, force: true })
  report.images++
  report.styles[style] = (report.styles[style] ?? 0) + 1
  if (image.pending > 0) report.unflushed++
  if ('verdict' in checked && checked.verdict.hasAppended) report.appended++
  const fault = 'ended' in checked ? `the reader was ended by ${checked.ended}` : checked.verdict.fault
  if (isServed && fault === null) report.served++
  if (fault !== null) report.faults.push(`image ${report.images}, ${style} at call ${image.at}: ${fault}`)
}

/** Returns how many images without flushes are found to be at fault. */
async function controlFaults(
  child: CheckingChild<ImageTask, ImageVerdict>,
  images: DiskImages,
  folder: string,
  prng: Prng,
): Promise<number> {
  let faults = 0
  for (let count = 0; count < CONTROL_IMAGES; count++) {
    const { files, answered } = images.image(prng, STYLES[count % STYLES.length] ?? 'cut')
    const path = writeImage(folder, files)
    const checked = await child.check({ folder: path, answered, isServed: false })
    rmSync(path, { recursive: true, force: true })
    if ('ended' in checked || checked.verdict.fault !== null) faults++
  }
  return faults
}

function writeImage(folder: string, files: ReadonlyMap<string, Buffer>): string {
  const path = mkdtempSync(join(folder, 'image-'))
  for (const [file, bytes] of files) {
    mkdirSync(join(path, file))
    writeFileSync(join(path, file, 'data.mdb'), bytes)
  }
  return path
}

function recordedOf({ events }: ImageSource): ImageReport['recorded'] {
  const writes = events.filter((event) => event.kind === 'write')
  return {
    writes: writes.length,
    flushes: events.filter(({ kind }) => kind === 'flush').length,
    answers: events.filter(({ kind }) => kind === 'answer').length,
    bytes: writes.reduce((sum, { bytes }) => sum + bytes.length, 0),
  }
}
