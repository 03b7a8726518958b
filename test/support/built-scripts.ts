// Loaded before the test files: scripts that they start come from the build that `npm test` has made.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startBuilt } from '../../engine/kernel/script-entry.ts'

/** JSON: paths of built scripts by the addresses of their sources. */
export const BUILT_SCRIPTS = 'CAURI_BUILT_SCRIPTS'

const paths = JSON.parse(process.env[BUILT_SCRIPTS] ?? '{}') as Readonly<Record<string, string>>
for (const [source, path] of Object.entries(paths)) if (source.startsWith('file:')) startBuilt(new URL(source), path)

const SCRYPT = pathToFileURL(join(import.meta.dirname, '..', '..', 'http', 'crypto', 'scrypt-worker.ts')).href
/** Name of the stand-in's path. */
export const QUICK_SCRYPT = 'quick-scrypt'

/** Lets threads for scrypt that start from now on derive at a low cost. Returns what ends that. */
export function startQuickScrypt(): () => void {
  const [real, quick] = [paths[SCRYPT], paths[QUICK_SCRYPT]]
  if (real === undefined || quick === undefined) return () => {}
  startBuilt(new URL(SCRYPT), quick)
  return () => startBuilt(new URL(SCRYPT), real)
}
