// Makes JavaScript of the TypeScript that runs in the child, once, with the compiler that tsx itself brings: a loader in the
// child would cost 35 MB and 0.4 s of processor time at each start, and as much again for each of its threads.
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

export interface Scripts {
  /** ES module that exports `start` of child.ts. */
  readonly child: string
  /** ES module that exports `run` of worker.ts; imports nothing but Node's own modules. */
  readonly worker: string
  /** Script whose completion value is `install` of guest/globals.ts. */
  readonly globals: string
}

/** The part of the compiler (esbuild) that is used. */
interface Compiler {
  build(options: Readonly<Record<string, unknown>>): Promise<{ readonly outputFiles: readonly { readonly text: string }[] }>
  stop(): Promise<void>
}

interface PluginBuild {
  onResolve(at: { readonly filter: RegExp }, resolve: (found: { readonly path: string }) => { path: string; external: boolean }): void
}

/** A script without a file of its own can import packages by their address only. */
const PACKAGES_BY_ADDRESS = {
  name: 'packages-by-address',
  setup: (build: PluginBuild) =>
    build.onResolve({ filter: /^piscina$/ }, ({ path }) => ({ path: import.meta.resolve(path), external: true })),
}

export async function compileScripts(): Promise<Scripts> {
  const compiler = createRequire(import.meta.resolve('tsx'))('esbuild') as Compiler
  const compile = async (path: string, options: Readonly<Record<string, unknown>>): Promise<string> => {
    const entryPoints = [fileURLToPath(new URL(path, import.meta.url))]
    const { outputFiles } = await compiler.build({ entryPoints, bundle: true, write: false, target: 'es2022', minify: true, ...options })
    return outputFiles.map(({ text }) => text).join('')
  }
  const forNode = { format: 'esm', platform: 'node', plugins: [PACKAGES_BY_ADDRESS] }
  const [child, worker, globals] = await Promise.all([
    compile('./child.ts', forNode),
    compile('./worker.ts', forNode),
    compile('./guest/globals.ts', { format: 'iife', globalName: 'guest' }),
  ])
  await compiler.stop()
  return { child, worker, globals: `(() => {${globals};return guest.install})()` }
}

const PARTS = ['quickjs.wasm', 'url.so', 'encoding.so', 'headers.so', 'crypto.so']

/** The files of the virtual machine, by name. */
export function machineFiles(): Readonly<Record<string, string>> {
  return Object.fromEntries(PARTS.map((name) => [name, fileURLToPath(import.meta.resolve(`quickjs-wasi/${name}`))]))
}
