// compose.yaml: it parses, both profiles have what they need, its nodes accept their settings, and the nginx settings are those that the
// page of operation explains.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it, test } from 'node:test'
import { Ajv } from 'ajv'
import { parse } from 'yaml'
import { readSettings } from '../../http/app/settings.ts'
import { startVariables } from '../support/start-flags.ts'

const ROOT = join(import.meta.dirname, '..', '..')
interface ComposeEntry {
  readonly profiles: readonly string[]
  readonly image?: string
  readonly build?: string | { readonly dockerfile: string }
  readonly environment?: Readonly<Record<string, string>>
  readonly configs?: readonly { readonly source: string; readonly target: string }[]
  readonly secrets?: readonly (string | { readonly source: string; readonly target: string })[]
  readonly volumes?: readonly string[]
  readonly restart?: string
  readonly stop_grace_period?: string
  readonly healthcheck?: object
  readonly networks?: { readonly default: { readonly aliases: readonly string[] } }
}

interface Compose {
  readonly services: Readonly<Record<string, ComposeEntry>>
  readonly volumes: Readonly<Record<string, unknown>>
  readonly configs: Readonly<Record<string, { readonly file: string }>>
  readonly secrets: Readonly<Record<string, { readonly environment: string } | { readonly file: string }>>
}

const text = readFileSync(join(ROOT, 'compose.yaml'), 'utf8')
const compose = parse(text, { merge: true }) as Compose
const services = Object.entries(compose.services)
const nginx = readFileSync(join(ROOT, 'http', 'app', 'deployment', 'nginx.conf'), 'utf8')
const nodes = readFileSync(join(ROOT, 'http', 'app', 'deployment', 'hosts', 'nginx-nodes.conf'), 'utf8')
const operation = readFileSync(join(ROOT, 'http', 'app', 'deployment', 'README.md'), 'utf8')

/** A checkout in which the page's commands have run. */
const checkout = mkdtempSync(join(tmpdir(), 'cauri-env-'))
after(() => rmSync(checkout, { recursive: true }))

/** What the page's commands write into `.env`. */
function writtenEnvironment(): Readonly<Record<string, string>> {
  const [, commands = ''] = /## In a container\n\n```sh\n([^`]*?)docker compose/.exec(operation) ?? []
  symlinkSync(join(ROOT, 'http'), join(checkout, 'http'))
  execFileSync('bash', ['-euc', commands], { cwd: checkout })
  const lines = readFileSync(join(checkout, '.env'), 'utf8').trim().split('\n')
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]))
}

const GIVEN = writtenEnvironment()

/** As compose replaces variables of the `.env` file. */
function interpolated(value: string): string {
  return value.replaceAll(/\$\{([A-Z_]+)(?::?[-?]([^}]*))?\}/g, (_, name: string, fallback = '') => GIVEN[name] ?? fallback)
}

function settingsOf(service: string) {
  const environment = Object.entries(compose.services[service]?.environment ?? {})
  const mounted = (value: string): string => value.replace('/run/secrets/ca', join(checkout, 'cluster', 'ca.pem'))
  return readSettings({
    NODE_ENV: 'production',
    ...Object.fromEntries(environment.map(([name, value]) => [name, mounted(interpolated(value))])),
  })
}

/** The settings of the page's list about the proxy. */
function explainedSettings(): string[] {
  const section = operation.slice(operation.indexOf('## Behind a reverse proxy'), operation.indexOf('## Tasks'))
  const cells = [...section.matchAll(/^- (`.+?`[^:]*?): /gm)].map(([, cell]) => cell ?? '')
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, setting]) => setting ?? ''))
}

describe('compose.yaml', () => {
  it('compose.yaml is valid by the schema of the Compose specification, which refuses a key that there is not', () => {
    const schema = JSON.parse(readFileSync(join(ROOT, 'test', 'support', 'compose-spec.schema.json'), 'utf8')) as object
    const isValid = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(schema)
    assert.ok(isValid(compose), JSON.stringify(isValid.errors, null, 2))
    const { services: all } = structuredClone(compose)
    assert.ok(!isValid({ ...compose, services: { ...all, nginx: { ...all.nginx, health_check: {} } } }))
  })

  it('compose.yaml and the Dockerfile name each image by its exact version', () => {
    const files = ['Dockerfile', join('http', 'app', 'deployment', 'hosts', 'postgres.dockerfile')]
    const bases = files.flatMap((file) =>
      [...readFileSync(join(ROOT, file), 'utf8').matchAll(/^FROM (\S+)/gm)].map(([, image = '']) => image),
    )
    const images = services.flatMap(([, { image = '', build }]) => (build === undefined ? [image] : []))
    assert.deepEqual([bases.length, images.length], [4, 4])
    // Debian has two numbers, the others three.
    for (const image of [...bases, ...images]) assert.match(image, /^(?:debian:\d+\.\d+-|[a-z/]+:v?\d+\.\d+\.\d+)/)
  })

  it('compose.yaml starts one node, or three PostgreSQL servers and three nodes, each behind nginx and beside Prometheus and Grafana', () => {
    const inProfile = (profile: string): string[] => services.filter(([, { profiles }]) => profiles.includes(profile)).map(([name]) => name)
    assert.deepEqual(inProfile('single'), ['cauri', 'nginx-single', 'prometheus', 'grafana'])
    assert.deepEqual(inProfile('cluster'), [
      'node-1',
      'node-2',
      'node-3',
      'postgres-1',
      'postgres-2',
      'postgres-3',
      'nginx',
      'prometheus',
      'grafana',
    ])
  })

  it('compose.yaml gives one node the settings that it accepts', () => {
    const settings = settingsOf('cauri')
    assert.ok('mode' in settings, JSON.stringify(settings))
    assert.deepEqual([settings.proxyHops, settings.wal.kind], [1, 'lmdb'])
  })

  for (const name of ['node-1', 'node-2', 'node-3']) {
    it(`compose.yaml gives ${name} the settings that it accepts, and the name that nginx asks`, () => {
      const settings = settingsOf(name)
      assert.ok('mode' in settings, JSON.stringify(settings))
      assert.ok(settings.wal.kind === 'postgres')
      assert.deepEqual([settings.wal.nodeName, settings.wal.nodeUrl], [name, `http://${name}:8080`])
      assert.deepEqual(
        settings.wal.hosts.map(({ connectionString }) => new URL(connectionString ?? '').hostname),
        ['postgres-1', 'postgres-2', 'postgres-3'],
      )
      for (const { connectionString } of settings.wal.hosts) assert.match(connectionString ?? '', /sslmode=verify-full/)
      assert.deepEqual(compose.services[name]?.networks?.default.aliases, ['cauri'])
      assert.match(nodes, new RegExp(`server ${name}:8080 `))
    })
  }

  it('compose.yaml restarts every service, and gives those with data the time to stop', () => {
    for (const [name, { restart, volumes, stop_grace_period }] of services) {
      assert.equal(restart, 'unless-stopped', name)
      if (volumes !== undefined && name !== 'prometheus') assert.match(stop_grace_period ?? '', /^(?:15|60)s$/, name)
    }
  })

  it('compose.yaml checks the health of each service, unless its image does', () => {
    for (const [name, { image, healthcheck }] of services) assert.ok(image === 'cauri' || healthcheck !== undefined, name)
  })

  it('compose.yaml mounts files that are there, volumes and secrets that it names', () => {
    for (const { file } of Object.values(compose.configs)) assert.ok(existsSync(join(ROOT, file)), file)
    const used = services.flatMap(([, { configs = [] }]) => configs.map(({ source }) => source))
    assert.deepEqual([...new Set(used)].sort(), Object.keys(compose.configs).sort())
    const volumes = services.flatMap(([, { volumes: mounted = [] }]) => mounted.map((volume) => volume.split(':')[0]))
    assert.deepEqual(volumes.sort(), Object.keys(compose.volumes).sort())
    const mounted = services.flatMap(([, { secrets = [] }]) =>
      secrets.map((secret) => (typeof secret === 'string' ? secret : secret.source)),
    )
    assert.deepEqual([...new Set(mounted)].sort(), Object.keys(compose.secrets).sort())
    for (const secret of Object.values(compose.secrets))
      if ('file' in secret) assert.ok(existsSync(join(checkout, secret.file)), secret.file)
  })

  it('compose.yaml takes its secrets from the environment file that the page of operation writes', () => {
    const asked = [...text.matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name ?? '')
    for (const name of asked) assert.ok(name in GIVEN, name)
    assert.doesNotMatch(text, /[A-Za-z0-9+/]{32,}=*$/m, 'no secret stands in the file')
  })
})

test('the systemd unit starts the server as the image does, with settings that it accepts, and gives it the time to stop', () => {
  const unit = readFileSync(join(ROOT, 'http', 'app', 'deployment', 'systemd-unit.conf'), 'utf8')
  const unitValue = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? ''
  const [, command = '[]'] = /^CMD (\[.*\])$/m.exec(readFileSync(join(ROOT, 'Dockerfile'), 'utf8')) ?? []
  assert.equal(unitValue('ExecStart'), `/usr/bin/${(JSON.parse(command) as string[]).join(' ')}`)
  const pairs = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, line = '']) => line.split(' '))
  const environment: Record<string, string> = Object.fromEntries(pairs.map((pair) => pair.split(/=(.*)/, 2)))
  for (const [name, value] of Object.entries(startVariables())) assert.equal(environment[name], value, name)
  const settings = readSettings({ ...environment, MASTER_KEY: GIVEN.MASTER_KEY, BASE_URL: GIVEN.BASE_URL })
  assert.ok('mode' in settings, JSON.stringify(settings))
  assert.equal(settings.dataDir, `/var/lib/${unitValue('StateDirectory')}`)
  assert.deepEqual([unitValue('TimeoutStopSec'), unitValue('LimitNOFILE'), unitValue('KillMode')], ['15', '65536', 'mixed'])
})

test('every proxy setting that the page of operation explains stands in the configuration of nginx', () => {
  const settings = explainedSettings()
  assert.ok(settings.length >= 8, settings.join(', '))
  for (const setting of settings) assert.ok(nginx.includes(setting) || nodes.includes(setting), setting)
})
