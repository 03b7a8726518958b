// Bundles the client's programs: one module for programs of merchants, as an ES module and as CommonJS, and the command `cauri`.
import { chmod, copyFile, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type BuildOptions, build } from 'esbuild'
import { operationRows } from './operations.ts'

export const CLIENT_ROOT = dirname(import.meta.dirname)
/** Programs by their names in the folder. */
const PROGRAMS = { index: '../src/index.ts', cli: '../src/cli/main.ts' }
/** Folder of the CommonJS module and its types, with a `package.json` of its own: those of the package are of an ES module. */
export const COMMONJS_FOLDER = 'cjs'
/** Syntax that Node.js 18, Bun, Deno and workers run. */
const TARGET = 'es2022'

/** `further` are programs beside the usual ones, by their names in the folder. */
export async function bundleClient(folder: string, further: Readonly<Record<string, string>> = {}): Promise<void> {
  const commonJs = join(folder, COMMONJS_FOLDER)
  await mkdir(commonJs, { recursive: true })
  const options: BuildOptions = {
    absWorkingDir: import.meta.dirname,
    bundle: true,
    platform: 'neutral',
    mainFields: ['module', 'main'],
    // The CSV package names `stream` in a function that the reader of payment files never calls.
    external: ['node:*', 'stream'],
    target: TARGET,
    logLevel: 'error',
    define: { CAURI_OPERATIONS: JSON.stringify(operationRows()) },
  }
  await build({ ...options, entryPoints: { ...PROGRAMS, ...further }, outdir: folder, splitting: true, format: 'esm' })
  await build({ ...options, entryPoints: { index: PROGRAMS.index }, outdir: commonJs, format: 'cjs' })
  await writeFile(join(commonJs, 'package.json'), '{ "type": "commonjs" }\n')
  await chmod(join(folder, 'cli.js'), 0o755)
  await copyFile(join(CLIENT_ROOT, '..', '..', 'LICENSE'), join(folder, 'LICENSE'))
}
