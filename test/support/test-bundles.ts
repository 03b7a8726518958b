// Bundles what runs in processes of tests: loading hundreds of sources through tsx took more processor time than most tests. Bundles are
// in node_modules/.cache, so that they find the packages, which stay outside of them.
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'

/** What `import.meta` says in a source, by the constants that take its place: a bundle has one `import.meta` for all of its sources. */
const OF_SOURCE = {
  'import.meta.url': 'sourceUrl',
  'import.meta.dirname': 'sourceFolder',
  'import.meta.resolve': 'sourceResolve',
}

/** Sources by the names of their bundles without `.js`. Rejects when one does not compile. */
export async function bundleTests(folder: string, sources: Readonly<Record<string, string>>): Promise<void> {
  await build({
    entryPoints: Object.entries(sources).map(([out, path]) => ({ in: path, out })),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // Node.js loads the test files: after a top-level await of a bundle's own, tests would belong to the suite of another file.
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // Names of functions and classes stay, as with tsx: errors show them.
    keepNames: true,
    define: OF_SOURCE,
    banner: { js: 'const resolveFromBundle = import.meta.resolve;' },
    plugins: [sourcePlaces()],
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'error',
  })
}

function sourcePlaces(): Plugin {
  return {
    name: 'source-places',
    setup: (on) => {
      on.onLoad({ filter: /\.[jt]s$/ }, async ({ path }) => {
        const text = await readFile(path, 'utf8')
        return text.includes('import.meta') ? { contents: placesOf(path) + text, loader: 'ts' } : null
      })
    },
  }
}

/** Without a line break, so that the lines keep their numbers. */
function placesOf(path: string): string {
  const url = JSON.stringify(pathToFileURL(path).href)
  return [
    `const sourceUrl = ${url};`,
    `const sourceFolder = ${JSON.stringify(dirname(path))};`,
    `const sourceResolve = (name: string) => name.startsWith('.') ? new URL(name, sourceUrl).href : resolveFromBundle(name);`,
  ].join('')
}
