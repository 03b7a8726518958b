// Compiles the TypeScript of the child to JavaScript once. A loader in the child would cost 35 MB and 0.4 s of processor time at each
// start, and the same for each thread. The compiler is a process that ends afterwards.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { BuildOptions, Plugin } from 'esbuild'
import { builtPathOf } from '../engine/kernel/script-entry.ts'

export interface Scripts {
  /** ES module that exports `start` of child.ts. */
  readonly child: string
  /** ES module that exports `run` of worker.ts; imports nothing but Node's own modules. */
  readonly worker: string
  /** Script whose completion value is `install` of guest/globals.ts. */
  readonly globals: string
}

/** Replaces package names by addresses: a script without a file cannot import packages by name. */
const PACKAGES_BY_ADDRESS: Plugin = {
  name: 'packages-by-address',
  setup: (build) => build.onResolve({ filter: /^piscina$/ }, () => ({ path: POOL_ADDRESS, external: true })),
}
/** Replaced by the address on this machine when the scripts are loaded. */
const POOL_ADDRESS = 'address-of:piscina'

/** Output of `npm run build`, beside the compiled file in dist/. */
export const SCRIPTS_FILE = 'scripts.json'

/** Loads the scripts from the build if there is one, else compiles them. */
export async function loadScripts(): Promise<Scripts> {
  const beside = new URL(SCRIPTS_FILE, import.meta.url)
  const built = builtPathOf(beside) ?? fileURLToPath(beside)
  const scripts = existsSync(built) ? (JSON.parse(readFileSync(built, 'utf8')) as Scripts) : await compileScripts()
  return { ...scripts, child: scripts.child.replaceAll(POOL_ADDRESS, import.meta.resolve('piscina')) }
}

let compiled: Promise<Scripts> | null = null

/** Compiles them once a process: the end of the compiler's process would leave the other of two callers without an answer. */
export function compileScripts(): Promise<Scripts> {
  if (compiled === null) {
    compiled = compileAll()
    compiled.catch(() => {
      compiled = null
    })
  }
  return compiled
}

async function compileAll(): Promise<Scripts> {
  // Imported on demand: a server without hosted code does not need it.
  const { build, stop } = await import('esbuild')
  const compile = async (path: string, options: BuildOptions): Promise<string> => {
    const entryPoints = [fileURLToPath(new URL(path, import.meta.url))]
    const built = await build({ entryPoints, bundle: true, write: false, target: 'es2022', minify: true, logLevel: 'silent', ...options })
    return (built.outputFiles ?? []).map(({ text }) => text).join('')
  }
  const forNode: BuildOptions = { format: 'esm', platform: 'node', plugins: [PACKAGES_BY_ADDRESS] }
  const [child, worker, globals] = await Promise.all([
    compile('./child.ts', forNode),
    compile('./worker.ts', forNode),
    compile('./guest/globals.ts', { format: 'iife', globalName: 'guest' }),
  ])
  await stop()
  return { child, worker, globals: `(() => {${globals};return guest.install})()` }
}

const PARTS = ['quickjs.wasm', 'url.so', 'encoding.so', 'headers.so', 'structured-clone.so']

/** The files of the virtual machine, by name. */
export function machineFiles(): Readonly<Record<string, string>> {
  return Object.fromEntries(PARTS.map((name) => [name, fileURLToPath(import.meta.resolve(`quickjs-wasi/${name}`))]))
}
