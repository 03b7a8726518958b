// Environment of the run: processor, memory, kernel, versions. Figures are meaningless without it.
import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { cpus, release, totalmem, type } from 'node:os'
import { join } from 'node:path'

export interface Machine {
  readonly cores: number
  readonly processor: string
  readonly memoryBytes: number
  readonly kernel: string
  readonly node: string
  readonly v8: string
  /** Versions of packages that the figures depend on. */
  readonly packages: Readonly<Record<string, string>>
  readonly commit: string | null
}

const PACKAGES = ['uWebSockets.js', 'lmdb', 'fastify', 'pg', 'esbuild', 'hdr-histogram-js']

export function describeMachine(projectFolder: string): Machine {
  const processors = cpus()
  return {
    cores: processors.length,
    processor: processors[0]?.model.trim() ?? 'unknown',
    memoryBytes: totalmem(),
    kernel: `${type()} ${release()}`,
    node: process.version,
    v8: process.versions.v8,
    packages: packageVersions(projectFolder),
    commit: currentCommit(projectFolder),
  }
}

/** Returns SHA-256 digests per second of `bytes` bytes on one core. */
export function measureSha256(bytes: number, seconds: number): number {
  const input = Buffer.alloc(bytes, 0x5a)
  const startMs = performance.now()
  const endMs = startMs + seconds * 1000
  let digests = 0
  while (performance.now() < endMs) {
    for (let index = 0; index < 256; index++) hash('sha256', input, 'hex')
    digests += 256
  }
  return digests / ((performance.now() - startMs) / 1000)
}

function packageVersions(projectFolder: string): Record<string, string> {
  const versions: Record<string, string> = {}
  for (const name of PACKAGES) {
    const parsed: unknown = JSON.parse(readFileSync(join(projectFolder, 'node_modules', name, 'package.json'), 'utf8'))
    if (typeof parsed === 'object' && parsed !== null && 'version' in parsed) versions[name] = String(parsed.version)
  }
  return versions
}

/** Returns the current commit; null outside a clone. */
function currentCommit(projectFolder: string): string | null {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
      cwd: projectFolder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return null
  }
}
