// Opens damaged data folders as a start of the server does, the check included, and returns what the engine would serve: all balances, the
// answer of every key, and the list of payouts. Then it makes a wallet, and closes the folder. argv: keys, as a JSON file.
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findingOf, LogFormatError } from '../../../engine/actor/log-format-error.ts'
import type { EngineApi } from '../../../engine/api.ts'
import { archivePathOf, logPathOf } from '../../../wal/folder/folder.ts'
import { appendFault, logFault } from '../../../wal/folder/folder-check.ts'
import { DataFolderError, folderError, systemCodeOf } from '../../../wal/folder/folder-error.ts'
import { checkArchive, checkLog, tryAppend } from '../../../wal/folder/folder-parts.ts'
import { openDataFolder } from '../../../wal/folder/open-folder.ts'
import { openEngine, send } from '../../support/real-engine.ts'

export interface DamageTask {
  readonly folder: string
  /** Account whose payouts are listed. */
  readonly merchant: number
}

export type DamageVerdict =
  | { readonly outcome: 'served'; readonly picture: string; readonly warnings: readonly string[] }
  | { readonly outcome: 'refused'; readonly code: string; readonly message: string }

/** What was being read when the process ended, in a file of the folder. */
export const PHASE_FILE = 'phase'
export type Phase = 'log' | 'archive' | 'serving' | 'writing'

/** The wallet that the first start makes: a write of the log. */
const NEW_WALLET = { type: 'CreateTestWallet', tag: 'after_the_damage' } as const
const NEW_KEY = 'wallet'

const PAGE = 100

if (process.send !== undefined) {
  const keys = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as string[]
  process.on('message', (task: DamageTask) => {
    serve(task, keys).then(
      (verdict) => process.send?.(verdict),
      (error: unknown) => {
        const code = error instanceof DataFolderError ? error.code : `${(error as Error).name}: ${(error as Error).message}`
        process.send?.({ outcome: 'refused', code, message: (error as Error).message } satisfies DamageVerdict)
      },
    )
  })
}

async function serve({ folder: dataDir, merchant }: DamageTask, keys: readonly string[]): Promise<DamageVerdict> {
  const warnings: string[] = []
  const folder = await openDataFolder({ dataDir, onWarning: (message) => warnings.push(message), check })
  try {
    const engine = await openEngine(folder)
    const picture = pictureOf(engine, merchant, keys)
    writeFileSync(join(dataDir, PHASE_FILE), 'writing' satisfies Phase)
    await send(engine, NEW_WALLET, NEW_KEY)
    await engine.close()
    return { outcome: 'served', picture, warnings }
  } finally {
    await folder.close()
  }
}

/** The check of a start, in this process. */
async function check(dataDir: string): Promise<string | null> {
  const phase = (name: Phase): void => writeFileSync(join(dataDir, PHASE_FILE), name)
  phase('log')
  await checkLog(logPathOf(dataDir)).catch((error: unknown) => {
    if (systemCodeOf(error) !== null) throw folderError(dataDir, error)
    throw logFault(dataDir, findingOf(error), error instanceof LogFormatError ? error.code : 'batch_damaged')
  })
  await tryAppend(logPathOf(dataDir)).catch((error: unknown) => {
    throw appendFault(dataDir, findingOf(error))
  })
  phase('archive')
  const fault = await checkArchive(archivePathOf(dataDir)).then(
    () => null,
    (error: unknown) => findingOf(error),
  )
  phase('serving')
  return fault
}

/** Returns a hash of everything that is served, without the wallet of an earlier start. */
export function pictureOf(engine: Pick<EngineApi, 'query'>, merchant: number, keys: readonly string[]): string {
  const hash = createHash('sha256')
  const isLater = engine.query('results.known', { scope: '0', key: NEW_KEY, fingerprint: 'f' }) !== null
  for (const environment of ['test', 'live'] as const) {
    const { accounts, last_sequence, ...balance } = engine.query('ledger.trialBalance', { environment })
    const isWithout = isLater && environment === 'test'
    const rows = accounts.map((row) => (isWithout && row.type === 'wallet' ? { ...row, count: row.count - 1 } : row))
    hash.update(JSON.stringify({ ...balance, rows, last_sequence: last_sequence - (isLater ? 1 : 0) }))
  }
  for (const key of keys) {
    hash.update(JSON.stringify(engine.query('results.known', { scope: String(merchant), key, fingerprint: 'f' })))
  }
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: { limit: number; cursor?: string } = { limit: PAGE, ...(cursor === '' ? {} : { cursor }) }
    const page = engine.query('payouts.list', { account: merchant, query })
    hash.update(JSON.stringify(page?.rows))
    cursor = page?.nextCursor ?? null
  }
  return hash.digest('hex')
}
