// Bundles the programs, and the scripts of their threads and processes, into dist/. The image, the bench and test
// servers run from there, because a start then loads a few files instead of hundreds.
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin, type PluginBuild } from 'esbuild'
import { compileScripts, SCRIPTS_FILE } from '../../sandbox-pool/scripts.ts'
import { lineMappings } from './line-map.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const DIST = join(ROOT, 'dist')
const PROGRAMS = [
  'http/main.ts',
  'http/app/rotate-master-key-command.ts',
  'wal/tools/verify-command.ts',
  'wal/tools/backup-command.ts',
  'wal/tools/restore-command.ts',
  'wal/tools/log-copy-command.ts',
]
/** Assets that sources read by relative path, at the same paths below dist/. */
const ASSETS = ['package.json', 'http/pages', 'sandbox-pool/child-entry.js', 'sandbox-pool/worker-entry.js']
/**
 * Bundled packages: they have hundreds of small files, whose loading took half of a start. Others stay in
 * node_modules.
 */
const BUNDLED = new Set(['@sinclair/typebox', 'ipaddr.js', 'jose', 'marked', 'prom-client', 'qrcode', 'undici', 'yaml'])
/** Defines `require` for bundled CommonJS packages, which load Node.js modules by it. */
const REQUIRE = "import { createRequire as distRequire } from 'node:module'; const require = distRequire(import.meta.url);"
const SCRIPT_URL = /new URL\('(\.\.?\/[\w./-]+\.ts)', import\.meta\.url\)/g

interface PackageFile {
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

interface BuildOptions {
  /** Programs beside the usual ones. */
  readonly further?: readonly string[]
  /** In place of dist/. */
  readonly target?: string
  /** Scripts of threads and processes, by the source that they stand in for. Never in dist/. */
  readonly standIns?: Readonly<Record<string, string>>
}

/**
 * Replaces the folder as a whole, so that no program starts from a partial build. Returns the sources that have a bundle, further
 * programs included. Rejects when a source does not compile.
 */
export async function buildDist({ further = [], target = DIST, standIns = {} }: BuildOptions = {}): Promise<readonly string[]> {
  const folder = `${target}.new-${process.pid}`
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  try {
    const sources = await bundle(folder, [...PROGRAMS, ...further], standIns)
    await copyAssets(folder)
    await shortenMaps(folder)
    // Last, because it ends the compiler's process.
    await writeScripts(folder)
    await rm(target, { recursive: true, force: true })
    await rename(folder, target)
    return sources
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Returns the path of a built program by its source. */
export function builtProgram(source: string, target = DIST): string {
  return join(target, builtName(source))
}

/**
 * Returns the bundle's name. All bundles are directly in dist/, so that they find assets by the same relative paths.
 */
function builtName(source: string): string {
  return basename(source).replace(/\.ts$/, '.js')
}

async function bundle(folder: string, programs: readonly string[], standIns: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const external = await packagesLeftOut()
  const started = new Set<string>()
  const done = new Set<string>()
  for (let next = programs; next.length > 0; next = [...started].filter((path) => !done.has(path))) {
    await build({
      absWorkingDir: ROOT,
      entryPoints: next.map((path) => ({ in: path, out: builtName(path).replace(/\.js$/, '') })),
      outdir: folder,
      bundle: true,
      external,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      sourcemap: 'linked',
      sourcesContent: false,
      banner: { js: REQUIRE },
      plugins: [sourcePlaces(started, standIns)],
      logLevel: 'error',
    })
    for (const path of next) done.add(path)
  }
  const names = [...done].map(builtName)
  if (new Set(names).size < names.length) throw new Error(`two bundles have one name: ${names.sort().join(', ')}`)
  return [...done]
}

async function shortenMaps(folder: string): Promise<void> {
  for (const name of (await readdir(folder)).filter((file) => file.endsWith('.map'))) {
    const map = JSON.parse(await readFile(join(folder, name), 'utf8')) as { mappings: string; names: string[] }
    await writeFile(join(folder, name), JSON.stringify({ ...map, mappings: lineMappings(map.mappings), names: [] }))
  }
}

async function packagesLeftOut(): Promise<string[]> {
  const { dependencies, devDependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as PackageFile
  return Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !BUNDLED.has(name))
}

/** Placeholder for the `import.meta.url` of a bundle until the source's own replaces it. */
const BUNDLE_URL = 'bundle-url'

/** Sets `import.meta.url` of each source to its place below dist/, and collects the scripts that sources start. */
function sourcePlaces(started: Set<string>, standIns: Readonly<Record<string, string>>): Plugin {
  const setup = (on: PluginBuild): void => {
    on.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      const source = relative(ROOT, path)
      if (source.startsWith('node_modules') || !text.includes('import.meta.url')) return null
      const placed = text.replace(SCRIPT_URL, (whole, written: string) => {
        const named = relative(ROOT, resolve(dirname(path), written))
        const script = standIns[named] ?? named
        if (!existsSync(join(ROOT, script))) return whole
        started.add(script)
        return `new URL('./${builtName(script)}', ${BUNDLE_URL})`
      })
      // Inserted in the first line, a comment, so that line numbers stay correct.
      const own = `const sourceUrl = new URL('./${source}', import.meta.url).href;`
      return { contents: own + placed.replaceAll('import.meta.url', 'sourceUrl').replaceAll(BUNDLE_URL, 'import.meta.url'), loader: 'ts' }
    })
  }
  return { name: 'source-places', setup }
}

async function copyAssets(folder: string): Promise<void> {
  for (const path of ASSETS) {
    await cp(join(ROOT, path), join(folder, path), { recursive: true, filter: (source) => !source.endsWith('.ts') })
  }
}

/** Writes the sandbox's scripts, precompiled. */
async function writeScripts(folder: string): Promise<void> {
  await mkdir(join(folder, 'sandbox-pool'), { recursive: true })
  await writeFile(join(folder, 'sandbox-pool', SCRIPTS_FILE), JSON.stringify(await compileScripts()))
}
