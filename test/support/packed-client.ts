// The package `@cauri/node` as it is published: built with its types, packed, and installed into a project without a network.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleClient, CLIENT_ROOT } from '../../http/client/build/client-bundle.ts'
import { writeClientTypes } from '../../http/client/build/client-types.ts'

/** Returns the folder of a new project below `folder` that has installed the packed client. */
export async function projectWithClient(folder: string): Promise<string> {
  const staged = join(folder, 'staged')
  await bundleClient(join(staged, 'dist'))
  await writeClientTypes(join(staged, 'dist'))
  for (const name of ['package.json', 'README.md']) cpSync(join(CLIENT_ROOT, name), join(staged, name))
  const packed = npm(staged, ['pack', '--ignore-scripts', '--pack-destination', folder]).trim().split('\n').at(-1) ?? ''
  const project = join(folder, 'project')
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'boutique', version: '1.0.0', type: 'module' }))
  npm(project, ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', join(folder, packed)])
  return project
}

/** A registry that does not answer ends the run. */
const NPM_MAX_MS = 120_000

/** Runs npm; returns its output. */
export function npm(cwd: string, words: readonly string[]): string {
  const { stdout, stderr, status, error } = spawnSync('npm', words, { cwd, encoding: 'utf8', timeout: NPM_MAX_MS })
  assert.equal(status, 0, `npm ${words.join(' ')}: ${error?.message ?? ''}\n${stderr}`)
  return stdout
}
