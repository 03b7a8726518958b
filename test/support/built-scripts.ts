// Loaded before the test files: scripts that they start come from the build that `npm test` has made.
import { startBuilt } from '../../engine/kernel/script-entry.ts'

/** JSON: paths of built scripts by the addresses of their sources. */
export const BUILT_SCRIPTS = 'CAURI_BUILT_SCRIPTS'

const paths = JSON.parse(process.env[BUILT_SCRIPTS] ?? '{}') as Readonly<Record<string, string>>
for (const [source, path] of Object.entries(paths)) startBuilt(new URL(source), path)
