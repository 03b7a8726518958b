// Bundles the server for the long runs. Everything that they start comes from the bundle: a start from the source takes three times the
// processor time.

import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startBuilt } from '../../../engine/kernel/script-entry.ts'
import { buildDist, builtProgram } from '../../../http/app/dist.ts'
import { BUILT_SCRIPTS } from '../../support/built-scripts.ts'

const CHILDREN = ['test/proof/crash/damage-child.ts', 'test/proof/crash/image-child.ts']
const ROOT = join(import.meta.dirname, '..', '..', '..')

export async function buildForRuns(): Promise<void> {
  const paths: Record<string, string> = {}
  for (const source of await buildDist({ further: CHILDREN })) {
    const address = pathToFileURL(join(ROOT, source))
    paths[address.href] = builtProgram(source)
    startBuilt(address, builtProgram(source))
  }
  process.env[BUILT_SCRIPTS] = JSON.stringify(paths)
}
