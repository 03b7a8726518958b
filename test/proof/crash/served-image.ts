// Opens an image of a data folder by a real engine, as a start of the server does, and makes one more write.
import { findingOf } from '../../../engine/actor/log-format-error.ts'
import type { EngineApi } from '../../../engine/api.ts'
import { archivePathOf, logPathOf } from '../../../wal/folder/folder.ts'
import { checkArchive, checkLog, tryAppend } from '../../../wal/folder/folder-parts.ts'
import { openDataFolder } from '../../../wal/folder/open-folder.ts'
import { openEngine, send } from '../../support/real-engine.ts'

export interface ScopedKey {
  readonly scope: string
  readonly key: string
}

const NEW_WALLET = { type: 'CreateTestWallet', tag: 'after_the_power_failure' } as const

/** Returns what is wrong, in words; null for an image that is served: the ledger is balanced, the keys are known, and a write succeeds. */
export async function servedFault(dataDir: string, keys: readonly ScopedKey[]): Promise<string | null> {
  const warnings: string[] = []
  const folder = await openDataFolder({ dataDir, onWarning: (message) => warnings.push(message), check })
  try {
    const engine = await openEngine(folder)
    const fault = faultOf(engine, keys)
    const { kind, body } = await send(engine, NEW_WALLET, 'after the power failure')
    await engine.close()
    if (kind !== 'created') return `a write after the power failure: ${kind} ${body}`
    return fault ?? (warnings.length === 0 ? null : `the start warned: ${warnings.join('; ')}`)
  } finally {
    await folder.close()
  }
}

function faultOf(engine: Pick<EngineApi, 'query'>, keys: readonly ScopedKey[]): string | null {
  for (const environment of ['test', 'live'] as const) {
    const { accounts, balanced } = engine.query('ledger.trialBalance', { environment })
    const sum = accounts.reduce((total, { debit, credit }) => total + credit - debit, 0)
    if (!balanced || sum !== 0) return `the ${environment} accounts add up to ${sum}`
  }
  const lost = keys.find(({ scope, key }) => engine.query('results.known', { scope, key, fingerprint: null }) === null)
  return lost === undefined ? null : `the engine does not know the answered key ${lost.key}`
}

/** The check of a start, in this process. */
async function check(dataDir: string): Promise<string | null> {
  await checkLog(logPathOf(dataDir))
  await tryAppend(logPathOf(dataDir))
  return checkArchive(archivePathOf(dataDir)).then(() => null, findingOf)
}
