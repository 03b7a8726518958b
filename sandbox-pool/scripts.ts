// Makes JavaScript of the TypeScript that runs in the child, once: a loader in the child would cost 35 MB and 0.4 s of
// processor time at each start, and as much again for each of its threads. The compiler is a process that ends when it is done.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { BuildOptions, Plugin } from 'esbuild'

export interface Scripts {
  /** ES module that exports `start` of child.ts. */
  readonly child: string
  /** ES module that exports `run` of worker.ts; imports nothing but Node's own modules. */
  readonly worker: string
  /** Script whose completion value is `install` of guest/globals.ts. */
  readonly globals: string
}

/** A script without a file of its own can import packages by their address only. */
const PACKAGES_BY_ADDRESS: Plugin = {
  name: 'packages-by-address',
  setup: (build) => build.onResolve({ filter: /^piscina$/ }, () => ({ path: POOL_ADDRESS, external: true })),
}
/** Replaced by the address on this machine when the scripts are loaded. */
const POOL_ADDRESS = 'address-of:piscina'

/** What `npm run build` leaves beside this file's place in dist/. */
export const SCRIPTS_FILE = 'scripts.json'

/** From the build where there is one, else compiled now. */
export async function loadScripts(): Promise<Scripts> {
  const built = new URL(SCRIPTS_FILE, import.meta.url)
  const scripts = existsSync(built) ? (JSON.parse(readFileSync(built, 'utf8')) as Scripts) : await compileScripts()
  return { ...scripts, child: scripts.child.replaceAll(POOL_ADDRESS, import.meta.resolve('piscina')) }
}

export async function compileScripts(): Promise<Scripts> {
  // Loaded when it is needed: a server without hosted code never needs it.
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

const PARTS = ['quickjs.wasm', 'url.so', 'encoding.so', 'headers.so', 'crypto.so']

/** The files of the virtual machine, by name. */
export function machineFiles(): Readonly<Record<string, string>> {
  return Object.fromEntries(PARTS.map((name) => [name, fileURLToPath(import.meta.resolve(`quickjs-wasi/${name}`))]))
}
