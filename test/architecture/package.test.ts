// The files around the source agree with each other: package.json, lock file, image, CI, documents.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { HEAP_FLAGS, MALLOC_VARIABLES } from '../../bench/cauri/cauri-server.ts'
import { startFlags, startVariables } from '../support/start-flags.ts'
import { PACKAGE_OWNERS } from './packages.ts'
import { readTree } from './source-tree.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly engines: { readonly node: string }
  readonly scripts: Readonly<Record<string, string>>
  readonly workspaces: readonly string[]
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

interface LockedPackage {
  readonly version: string
  readonly integrity?: string
  readonly resolved?: string
  /** A workspace of this repository. */
  readonly link?: boolean
  readonly optional?: boolean
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly libc?: readonly string[]
}

const manifest = JSON.parse(read('package.json')) as Manifest
const lock = JSON.parse(read('package-lock.json')) as Pick<Manifest, 'name' | 'version'> & { packages: Record<string, LockedPackage> }

test('every version is pinned', () => {
  for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })) {
    assert.match(version, /^(?:npm:(?:@[a-z]+\/)?[a-z-]+@)?\d+\.\d+\.\d+(?:-dev\.\d+\.\d+)?$/, name)
  }
})

test('the lock file belongs to this package and names no machine', () => {
  assert.deepEqual([lock.name, lock.version], [manifest.name, manifest.version])
  const resolved = Object.entries(lock.packages).filter(([, locked]) => locked.resolved !== undefined)
  assert.deepEqual(
    resolved.map(([, locked]) => [locked.link, locked.resolved]),
    manifest.workspaces.map((folder) => [true, folder]),
  )
})

test('what the image and most developers install is checked by its hash', () => {
  const unchecked = Object.entries(lock.packages).filter(
    ([path, locked]) => path !== '' && !manifest.workspaces.includes(path) && locked.link !== true && locked.integrity === undefined,
  )
  const needed = unchecked.filter(([, { optional, os, cpu, libc }]) => {
    const onLinux = os?.includes('linux') ?? true
    const onGlibc = libc?.includes('glibc') ?? true
    const onServers = cpu === undefined || cpu.includes('x64') || cpu.includes('arm64')
    return optional !== true || (onLinux && onGlibc && onServers)
  })
  assert.deepEqual(
    needed.map(([path]) => path),
    [],
  )
})

test('the client has the version of the service and no dependency, and the image gets its manifest for the install', () => {
  for (const folder of manifest.workspaces) {
    const client = JSON.parse(read(`${folder}/package.json`)) as Manifest
    assert.deepEqual([client.version, client.dependencies, client.devDependencies], [manifest.version, undefined, undefined])
    assert.equal(read('Dockerfile').split(`COPY ${folder}/package.json ./${folder}/\n`).length - 1, 2)
  }
})

test('every package that runs in production has an owner, and every owner a package', () => {
  assert.deepEqual(Object.keys(manifest.dependencies).sort(), PACKAGE_OWNERS.map(({ name }) => name).sort())
})

test('every dependency of production is used by production code', () => {
  const texts = [...readTree(ROOT).files.values()].filter(({ path }) => !/^(?:test|bench)\//.test(path)).map(({ text }) => text)
  const unused = Object.keys(manifest.dependencies).filter(
    (name) => !texts.some((text) => new RegExp(`['"]${name}(?:/[^'"]*)?['"]`).test(text)),
  )
  assert.deepEqual(unused, [])
})

test('every script starts a file that is there, and `start` is one node command', () => {
  assert.match(manifest.scripts.start ?? '', /^(?:[A-Z_]+=[\w.=]+ )*node [^&|;]+$/)
  for (const [name, command] of Object.entries(manifest.scripts)) {
    for (const word of command.split(' ').filter((part) => /\.[jt]s$/.test(part)))
      assert.ok(existsSync(join(ROOT, word)), `${name}: ${word}`)
  }
})

test('package.json, image and CI speak of the same Node versions', () => {
  assert.equal(manifest.engines.node, '^20.18.0 || ^22.0.0')
  assert.match(read('.github/workflows/ci.yml'), /node: \[20, 22\]/)
  const images = read('Dockerfile').match(/^FROM \S+/gm)
  assert.deepEqual(new Set(images), new Set(['FROM node:22.21.1-bookworm-slim']))
})

test('the image runs the build of the program that npm starts, made from the folders that production needs', () => {
  const dockerfile = read('Dockerfile')
  const command = JSON.parse(/^CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? '[]') as string[]
  assert.equal(command.at(-1), 'dist/main.js')
  assert.deepEqual(command.slice(1, -1), [...startFlags(), '--enable-source-maps'])
  assert.deepEqual(HEAP_FLAGS, startFlags(), 'the bench measures with the flags of the start')
  assert.deepEqual(MALLOC_VARIABLES, startVariables(), 'the bench measures with the variables of the start')
  const settings = /^ENV ((?:.*\\\n)*.*)$/m.exec(dockerfile)?.[1]?.split(/[\s\\]+/)
  for (const [name, value] of Object.entries(startVariables())) assert.ok(settings?.includes(`${name}=${value}`), `${name} in the image`)
  assert.equal(manifest.scripts.start?.split(' ').at(-1), 'http/main.ts')
  assert.match(dockerfile, /^RUN npm run build$/m)
  for (const folder of ['engine', 'http', 'sandbox-pool', 'wal']) {
    assert.ok(dockerfile.includes(`COPY ${folder} ./${folder}\n`), `${folder} is copied`)
    assert.ok(read('.dockerignore').split('\n').includes(`!${folder}`), `${folder} is let in`)
  }
})

test('the version has its chapter in the changelog', () => {
  assert.match(read('CHANGELOG.md'), new RegExp(`^## \\[${manifest.version.replaceAll('.', '\\.')}\\] - \\d{4}-\\d{2}-\\d{2}$`, 'm'))
})

test('the licence is the one that package.json names', () => {
  assert.equal(manifest.license, 'Apache-2.0')
  const licence = read('LICENSE')
  assert.match(licence, /Apache License\n\s+Version 2\.0, January 2004/)
  assert.match(licence, /Copyright \d{4} The Cauri authors/)
})
