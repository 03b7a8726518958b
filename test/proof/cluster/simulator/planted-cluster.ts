// Simulated clusters whose production code has a known bug: the simulator is bundled with one place of the sources changed.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import type { PlantedBug } from '../planted-bugs.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..', '..')

/** Bundles the simulator with the bug into `folder`. Resolves with the module. Throws when a place is not in the sources. */
export async function plantedCluster(bug: PlantedBug, folder: string): Promise<typeof import('./cluster-world.ts')> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'cluster-world.ts')],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    plugins: [withBug(bug), INSTALLED_PACKAGES],
    logLevel: 'silent',
  })
  const path = join(folder, `${bug.name.replaceAll(' ', '-')}.mjs`)
  writeFileSync(path, outputFiles[0]?.contents ?? '')
  return import(pathToFileURL(path).href)
}

function withBug({ name, changes }: PlantedBug): Plugin {
  return {
    name: 'planted bug',
    setup: ({ onLoad }) => {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const ours = changes.filter(({ file }) => path === join(ROOT, file))
        let contents = readFileSync(path, 'utf8')
        for (const { from, to } of ours) {
          if (!contents.includes(from)) throw new Error(`${path} has no place for the bug "${name}": ${from}`)
          contents = contents.replace(from, () => to)
        }
        return { contents, loader: 'ts' }
      })
    },
  }
}

/** Packages stay where they are installed: the bundle is elsewhere. */
const INSTALLED_PACKAGES: Plugin = {
  name: 'installed packages',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || path.startsWith('node:') ? undefined : { path: import.meta.resolve(path), external: true },
    )
  },
}
