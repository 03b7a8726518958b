// Damages a data folder that a killed process left: flipped bits, zeroed pages, cut files, in the log or the archive. Each start must serve
// exactly what was there, or refuse with a message for the operator; a damaged archive may be rebuilt.
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { archivePathOf, logPathOf } from '../../../wal/folder/folder.ts'
import { openDataFolder } from '../../../wal/folder/open-folder.ts'
import { UNFINISHED_WRITES_MAX } from '../../../wal/limits.ts'
import { dataFileOf } from '../../../wal/lmdb-file.ts'
import { Prng } from '../../support/prng.ts'
import { makeHistory, openEngine, send } from '../../support/real-engine.ts'
import { CheckingChild } from './checking-child.ts'
import { type DamageTask, type DamageVerdict, PHASE_FILE, pictureOf } from './damage-child.ts'

export interface DamageOptions {
  readonly damages: number
  readonly seed: number
  readonly onProgress?: (report: DamageReport) => void
}

export interface DamageReport {
  damages: number
  /** By kind and file. */
  readonly kinds: Record<string, number>
  /** What each start came to. */
  readonly outcomes: Record<string, number>
  readonly faults: string[]
}

const DAMAGES = ['bit', 'bits', 'zeroed page', 'cut'] as const
type Damage = (typeof DAMAGES)[number]

const SCRIPT = new URL('./damage-child.ts', import.meta.url)
const PAYOUTS = [150, 100, 50] as const
const PAGE_BYTES = 4096
const BITS = 16
const PROGRESS = 200
const FAULTS_MAX = 10
/** Starts of a folder: a supervisor starts a server again that a write has ended. */
const STARTS_MAX = UNFINISHED_WRITES_MAX + 2
const ENDED_SHOWN = 60

interface Undamaged {
  readonly folder: string
  readonly merchant: number
  readonly picture: string
}

export async function runDamage({ damages, seed, onProgress }: DamageOptions): Promise<DamageReport> {
  const root = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'cauri-damage-'))
  try {
    const prng = new Prng(seed)
    const keys = Array.from({ length: PAYOUTS.reduce((sum, count) => sum + count, 0) }, (_, index) => `key-${index}`)
    const undamaged = await makeFolder(join(root, 'data'), keys)
    writeFileSync(join(root, 'keys.json'), JSON.stringify(keys))
    const child = new CheckingChild<DamageTask, DamageVerdict>(SCRIPT, [join(root, 'keys.json')])
    const report: DamageReport = { damages: 0, kinds: {}, outcomes: {}, faults: [] }
    try {
      while (report.damages < damages && report.faults.length < FAULTS_MAX) {
        await damageOnce(undamaged, child, prng, report)
        if (report.damages % PROGRESS === 0) onProgress?.(report)
      }
    } finally {
      await child.close()
    }
    return report
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** A folder whose index has two runs and whose newest records are in neither index nor snapshot, as after a kill. */
async function makeFolder(folder: string, keys: readonly string[]): Promise<Undamaged> {
  const dataDir = `${folder}-open`
  let merchant = 0
  let done = 0
  for (const count of PAYOUTS) {
    const opened = await openDataFolder({ dataDir, onWarning: () => {} })
    const engine = await openEngine(opened)
    if (done === 0) merchant = await makeHistory(engine, count)
    else {
      const command = { type: 'CreatePayout', merchant, recipient: 'awa', amount: 7, reference: '', note: '' } as const
      await Promise.all(Array.from({ length: count }, (_, index) => send(engine, command, keys[done + index])))
    }
    done += count
    // Without the tables of readers, which name this process.
    if (done === keys.length) cpSync(dataDir, folder, { recursive: true, filter: (path) => !path.endsWith('lock.mdb') })
    const picture = pictureOf(engine, merchant, keys)
    await engine.close()
    await opened.close()
    if (done === keys.length) return { folder, merchant, picture }
  }
  throw new Error('a folder has payouts')
}

async function damageOnce(
  { folder, merchant, picture }: Undamaged,
  child: CheckingChild<DamageTask, DamageVerdict>,
  prng: Prng,
  report: DamageReport,
): Promise<void> {
  // Each in a folder of its own: lmdb knows an open store by its path.
  const path = mkdtempSync(`${folder}-`)
  cpSync(folder, path, { recursive: true })
  const kind = DAMAGES[report.damages % DAMAGES.length] ?? 'bit'
  const part = prng.pick(['log', 'archive'] as const)
  const place = damage(dataFileOf(part === 'log' ? logPathOf(path) : archivePathOf(path)), kind, prng)
  const outcome = await startOf(path, merchant, child, picture)
  report.damages++
  report.kinds[`${kind} in the ${part}`] = (report.kinds[`${kind} in the ${part}`] ?? 0) + 1
  report.outcomes[outcome.text] = (report.outcomes[outcome.text] ?? 0) + 1
  if (outcome.isFault) report.faults.push(`${kind} in the ${part} at ${place}: ${outcome.text}`)
  rmSync(path, { recursive: true, force: true })
}

interface Outcome {
  readonly text: string
  readonly isFault: boolean
}

/** Starts that a write ends are repeated: one of them must refuse, or serve what was there. */
async function startOf(
  folder: string,
  merchant: number,
  child: CheckingChild<DamageTask, DamageVerdict>,
  picture: string,
): Promise<Outcome> {
  const before: string[] = []
  for (let starts = 0; starts < STARTS_MAX; starts++) {
    const checked = await child.check({ folder, merchant })
    const outcome = 'ended' in checked ? endedStart(folder, checked.ended) : verdictOf(checked.verdict, picture)
    before.push(outcome.text)
    if (!outcome.isOver) return { text: before.join('; '), isFault: outcome.isFault }
  }
  return { text: `no start served or refused: ${before.join('; ')}`, isFault: true }
}

/** `isOver`: the process ended, and a supervisor starts the next one. */
interface StartOutcome extends Outcome {
  readonly isOver: boolean
}

function verdictOf(verdict: DamageVerdict, picture: string): StartOutcome {
  if (verdict.outcome === 'refused') {
    const isClear = /^[a-z_]+$/.test(verdict.code) && /restore|newer release|rebuil/.test(verdict.message)
    return { text: `refused: ${isClear ? verdict.code : `${verdict.code} (${verdict.message})`}`, isFault: !isClear, isOver: false }
  }
  if (verdict.picture !== picture) return { text: 'served something else', isFault: true, isOver: false }
  const text = verdict.warnings.length > 0 ? 'archive or snapshot rebuilt, then served' : 'served unchanged'
  return { text, isFault: false, isOver: false }
}

/** A start checks in a child process: one that ends while it reads the log refuses, and one that ends in the archive rebuilds it. */
function endedStart(folder: string, ended: string): StartOutcome {
  const phase = readFileSync(join(folder, PHASE_FILE), 'utf8')
  if (phase === 'log') return { text: 'refused: the check of the log did not survive', isFault: false, isOver: false }
  if (phase === 'writing') return { text: `a write ended the process by ${ended.slice(0, ENDED_SHOWN)}`, isFault: false, isOver: true }
  if (phase !== 'archive') return { text: `ended by ${ended} while it served`, isFault: true, isOver: false }
  rmSync(archivePathOf(folder), { recursive: true })
  rmSync(join(folder, 'lock'), { recursive: true, force: true })
  return { text: 'the check of the archive did not survive', isFault: false, isOver: true }
}

/** Returns where it damaged the file. */
function damage(file: string, kind: Damage, prng: Prng): string {
  const { size } = statSync(file)
  if (kind === 'cut') {
    const left = prng.below(size)
    truncateSync(file, left)
    return `${left} of ${size} bytes`
  }
  const bytes = readFileSync(file)
  const at = prng.below(size)
  if (kind === 'zeroed page') bytes.fill(0, at - (at % PAGE_BYTES), at - (at % PAGE_BYTES) + PAGE_BYTES)
  else for (let count = 0; count < (kind === 'bit' ? 1 : BITS); count++) flip(bytes, count === 0 ? at : prng.below(size), prng)
  writeFileSync(file, bytes)
  return `byte ${at} of ${size}`
}

function flip(bytes: Buffer, at: number, prng: Prng): void {
  bytes[at] = (bytes[at] ?? 0) ^ (1 << prng.below(8))
}
