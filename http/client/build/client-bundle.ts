// Bundles the client's programs: one module for programs of merchants, and the command `cauri`.
import { chmod, copyFile, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'

export const CLIENT_ROOT = dirname(import.meta.dirname)
/** Programs by their names in the folder. */
const PROGRAMS = { index: '../src/index.ts', cli: '../src/cli/main.ts' }
/** Syntax that Node.js 18, Bun, Deno and workers run. */
const TARGET = 'es2022'

export async function bundleClient(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await build({
    absWorkingDir: import.meta.dirname,
    entryPoints: PROGRAMS,
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'neutral',
    external: ['node:*'],
    target: TARGET,
    logLevel: 'error',
  })
  await chmod(join(folder, 'cli.js'), 0o755)
  await copyFile(join(CLIENT_ROOT, '..', '..', 'LICENSE'), join(folder, 'LICENSE'))
}
