// @ts-check
// TypeScript to JavaScript by esbuild: each entry becomes a file that has our code and a few packages in it. What the sources
// know of where they are stays true; a file that they start as a thread or a process becomes an entry too.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Hundreds of small files each: loaded alone they took half of a start. The others have native parts or are one file already. */
const TAKEN_IN = ['@sinclair/typebox', 'ipaddr.js', 'jose', 'libphonenumber-js', 'prom-client', 'qrcode', 'undici', 'yaml']
/** Those that are CommonJS ask for Node's own modules by it. On the first line, so that source maps stay right. */
const REQUIRE = "import { createRequire as cauriRequire } from 'node:module'; const require = cauriRequire(import.meta.url); "

/**
 * @typedef {object} Compilation
 * @property {string} root the folder that paths are relative to
 * @property {readonly string[]} entries
 * @property {string} folder where the files will stand when they run
 * @property {boolean} isShared entries share files, for many of them; alone each is one file, which loads fastest
 */

/** @typedef {Map<string, Uint8Array>} CompiledFiles by path from the folder */

/**
 * Rejects with an error that has `errors` when the sources do not compile.
 * @param {Compilation} compilation
 * @returns {Promise<CompiledFiles>}
 */
export async function compile({ root, entries, folder, isShared }) {
  const { build, stop } = await import('esbuild')
  /** @type {Set<string>} */
  const started = new Set()
  // Without it Node would read each file as CommonJS first, and older versions would leave it at that.
  /** @type {CompiledFiles} */
  const files = new Map([['package.json', Buffer.from('{ "type": "module" }')]])
  const places = { name: 'places', setup: (/** @type {import('esbuild').PluginBuild} */ on) => setPlaces(on, root, folder, started) }
  /** @type {Set<string>} */
  const done = new Set()
  try {
    for (let next = [...entries]; next.length > 0; next = [...started].filter((path) => !done.has(path))) {
      const { outputFiles } = await build({
        absWorkingDir: root,
        entryPoints: next,
        outbase: root,
        outdir: folder,
        write: false,
        bundle: true,
        splitting: isShared,
        external: packagesLeftOut(root),
        platform: 'node',
        format: 'esm',
        target: 'node20',
        sourcemap: 'linked',
        sourcesContent: false,
        define: { 'import.meta.url': 'cauriSourceUrl', 'import.meta.dirname': 'cauriSourceFolder' },
        plugins: [places],
        logLevel: 'silent',
      })
      for (const { path, contents, text } of outputFiles) {
        const needsRequire = path.endsWith('.js') && text.includes('typeof require !== "undefined"')
        files.set(relative(folder, path), needsRequire ? Buffer.from(REQUIRE + text) : contents)
      }
      for (const path of next) done.add(path)
    }
  } finally {
    await stop()
  }
  return files
}

/** @param {string} root */
function packagesLeftOut(root) {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !TAKEN_IN.includes(name))
}

/** As bundlers understand it: the address of a file that is started. */
const STARTED_FILE = /new URL\('(\.\.?\/[\w./-]+\.ts)', import\.meta\.url\)/g

/**
 * @param {import('esbuild').PluginBuild} on
 * @param {string} root
 * @param {string} folder
 * @param {Set<string>} started
 */
function setPlaces(on, root, folder, started) {
  on.onLoad({ filter: /\.[jt]s$/ }, ({ path }) => {
    if (path.includes('/node_modules/')) return null
    const source = readFileSync(path, 'utf8')
    if (!source.includes('import.meta.')) return null
    const moved = source.replace(STARTED_FILE, (whole, /** @type {string} */ written) => {
      const target = resolve(dirname(path), written)
      if (!existsSync(target)) return whole
      const entry = relative(root, target)
      started.add(entry)
      return `new URL(${JSON.stringify(pathToFileURL(compiledPath(folder, entry)).href)})`
    })
    // On the first line, which is a comment, so that all others keep their numbers.
    const own = `const cauriSourceUrl = ${JSON.stringify(pathToFileURL(path).href)}, cauriSourceFolder = ${JSON.stringify(dirname(path))};`
    return { contents: own + moved, loader: path.endsWith('.ts') ? 'ts' : 'js' }
  })
}

/**
 * @param {string} folder
 * @param {string} entry
 */
export function compiledPath(folder, entry) {
  return join(folder, entry.replace(/\.ts$/, '.js'))
}
