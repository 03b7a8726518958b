// `npm run audit` against a registry of the test's own: its exit status is what stops the build.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { processEntry } from '../../engine/kernel/script-entry.ts'

const PROGRAM = processEntry(new URL('./audit.ts', import.meta.url))
const ADVISORIES = '/-/npm/v1/security/advisories/bulk'

/** Severities of the weaknesses of `in-production` and `in-development`, by the first part of a registry's address. */
const REGISTRIES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  grave: { 'in-production': 'high' },
  harmless: { 'in-production': 'moderate', 'in-development': 'critical' },
}

let registry: Server
let project: string
/** Without a lock file, in it or above it. */
let empty: string

before(async () => {
  registry = createServer((request, response) => {
    const [, name = '', ...path] = request.url?.split('/') ?? []
    const severities = REGISTRIES[name]
    const asked = `/${path.join('/')}`
    request.resume().once('end', () => {
      if (severities === undefined) response.writeHead(503).end('out of order')
      else response.setHeader('content-type', 'application/json').end(JSON.stringify(answerTo(asked, severities)))
    })
  })
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve))
  project = mkdtempSync(join(tmpdir(), 'cauri-audit-'))
  empty = mkdtempSync(join(tmpdir(), 'cauri-audit-'))
  const kinds = { dependencies: { 'in-production': '1.0.0' }, devDependencies: { 'in-development': '1.0.0' } }
  const root = { name: 'audited', version: '1.0.0', ...kinds }
  const packages = {
    '': root,
    'node_modules/in-production': { version: '1.0.0' },
    'node_modules/in-development': { version: '1.0.0', dev: true },
  }
  writeFileSync(join(project, 'package.json'), JSON.stringify(root))
  writeFileSync(join(project, 'package-lock.json'), JSON.stringify({ name: 'audited', lockfileVersion: 3, packages }))
})

after(() => {
  registry.closeAllConnections()
  registry.close()
  for (const folder of [project, empty]) rmSync(folder, { recursive: true, force: true })
})

/** The advisories for packages that npm asks for, or what the registry knows of one package. */
function answerTo(path: string, severities: Readonly<Record<string, string>>): object {
  if (path !== ADVISORIES) {
    const name = path.slice(1)
    return { name, 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': { name, version: '1.0.0' } } }
  }
  const advisory = { id: 1, url: 'https://advisories.example/1', title: 'A weakness', vulnerable_versions: '<2.0.0', cwe: [] }
  return Object.fromEntries(Object.entries(severities).map(([name, severity]) => [name, [{ ...advisory, severity }]]))
}

interface Audit {
  readonly status: number | null
  readonly output: string
}

async function audit(address: string, cwd = project): Promise<Audit> {
  // A cache of its own: npm keeps advisories.
  const cache = mkdtempSync(join(project, 'cache-'))
  const env = { ...process.env, npm_config_registry: address, npm_config_fetch_retries: '0', npm_config_cache: cache }
  const child = spawn(process.execPath, PROGRAM, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const status = new Promise<number | null>((resolve) => child.once('exit', resolve))
  return { output: await text(child.stdout), status: await status }
}

const addressOf = (name: string): string => `http://127.0.0.1:${(registry.address() as AddressInfo).port}/${name}/`

describe('the exit status of the audit', { concurrency: 2 }, () => {
  it('is 1 for a high weakness of a package that runs in production', async () => {
    const { status, output } = await audit(addressOf('grave'))
    assert.match(output, /^audit: high: in-production /)
    assert.equal(status, 1)
  })

  it('is 0 for a moderate weakness, and for any of a package that only develops', async () => {
    const { status, output } = await audit(addressOf('harmless'))
    assert.match(output, /^audit: moderate: in-production /)
    assert.doesNotMatch(output, /in-development/)
    assert.equal(status, 0)
  })

  it('is 0 when the registry answers with an error or takes no connection, and the output says so', async () => {
    const silence = { status: 0, output: 'audit: the registry did not answer; nothing was checked\n' }
    assert.deepEqual(await audit(addressOf('broken')), silence)
    // Nothing listens on port 1.
    assert.deepEqual(await audit('http://127.0.0.1:1/'), silence)
  })

  it('is 1 when nothing could be asked, as without a lock file', async () => {
    const { status, output } = await audit(addressOf('harmless'), empty)
    assert.match(output, /^audit: npm could not ask: .*lockfile/)
    assert.equal(status, 1)
  })
})
