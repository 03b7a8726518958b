// compose.yaml: it parses, starts the server behind nginx, and its nginx settings are those that the README explains.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { readSettings } from '../../http/app/settings.ts'

const ROOT = join(import.meta.dirname, '..', '..')

interface Compose {
  readonly services: Readonly<
    Record<string, { readonly environment?: Readonly<Record<string, string>>; readonly configs?: readonly object[] }>
  >
  readonly configs: { readonly nginx: { readonly content: string } }
}

const compose = parse(readFileSync(join(ROOT, 'compose.yaml'), 'utf8')) as Compose
/** As nginx gets it. */
const nginx = compose.configs.nginx.content.replaceAll('$$', '$')

/** The settings column of the README's table about the proxy. */
function explainedSettings(): string[] {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
  const section = readme.slice(readme.indexOf('## Behind a reverse proxy'), readme.indexOf('## In a container'))
  const cells = [...section.matchAll(/^\| (`.+?`.*?) \|/gm)].map(([, cell]) => cell ?? '')
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, setting]) => setting ?? ''))
}

test('compose starts the server and nginx', () => {
  assert.deepEqual(Object.keys(compose.services), ['cauri', 'nginx'])
  assert.deepEqual(compose.services.nginx?.configs, [{ source: 'nginx', target: '/etc/nginx/conf.d/default.conf' }])
})

test('the server takes the settings of compose', () => {
  const given = {
    MASTER_KEY: Buffer.from(Array.from({ length: 32 }, (_, index) => index * 7)).toString('base64'),
    BASE_URL: 'https://api.example.com',
    OPERATOR_TOKEN: '',
    METRICS_TOKEN: '',
  }
  const environment = { ...compose.services.cauri?.environment, ...given, NODE_ENV: 'production' }
  const settings = readSettings(environment)
  assert.ok('mode' in settings, JSON.stringify(settings))
  assert.equal(settings.proxyHops, 1)
})

test('every proxy setting that the README explains stands in the configuration of nginx', () => {
  const settings = explainedSettings()
  assert.ok(settings.length >= 8, settings.join(', '))
  for (const setting of settings) assert.ok(nginx.includes(setting), setting)
})

test('the configuration of nginx has no dollar sign that compose would take for a variable', () => {
  assert.doesNotMatch(compose.configs.nginx.content.replaceAll('$$', ''), /\$/)
})
