// Keys of the command `cauri`: where they come from, how they are typed and kept, and what needs none.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { CLIENT_ROOT } from '../../../http/client/build/client-bundle.ts'
import { keysOf } from '../../support/built-client.ts'
import { jsonLines, runCli, runProgram, Terminal } from '../../support/cli.ts'
import { programMissing } from '../../support/generated-client.ts'
import type { Merchant, TestServer } from '../../support/server-fixture.ts'
import { sharedServer } from '../../support/shared-server.ts'

let server: TestServer
let merchant: Merchant
let env: Readonly<Record<string, string>>
let folder: string

before(async () => {
  server = await sharedServer()
  merchant = await server.fundedMerchant(1_000_000)
  const { publicKey, secretKey } = await keysOf(server, merchant)
  env = { CAURI_URL: server.process.baseUrl, CAURI_API_KEY: publicKey, CAURI_API_SECRET: secretKey }
  folder = mkdtempSync(join(tmpdir(), 'cauri-cli-'))
})

after(async () => {
  rmSync(folder, { recursive: true })
})

test('login checks the keys, keeps them in a file of its owner, and commands use its profile', async () => {
  const { publicKey, secretKey } = await keysOf(server, merchant)
  const config = { CAURI_CONFIG: join(folder, 'profiles.json') }
  const input = `${server.process.baseUrl}\n${publicKey}\n${secretKey}\n`
  const login = await runProgram(['login', '--profile', 'boutique'], { env: config, input })
  assert.equal(login.code, 0, login.stderr)
  assert.equal(statSync(config.CAURI_CONFIG).mode & 0o777, 0o600)
  const balance = await runCli(['balance', '--profile', 'boutique'], { env: config })
  assert.match(balance.stdout, /^available: +[\d ]+ XOF$/m)
  const wrongKey = `sk_test_${'x'.repeat(43)}`
  const wrong = await runCli(['login', '--public-key', publicKey, '--secret-key', wrongKey, '--url', server.process.baseUrl], {
    env: config,
  })
  assert.deepEqual([wrong.code, /unauthorized/.test(wrong.stderr)], [4, true])
  assert.equal((await runCli(['balance'], { env: config })).code, 4)
  assert.doesNotMatch(readFileSync(config.CAURI_CONFIG, 'utf8'), new RegExp(wrongKey))
})

test('login at a terminal does not show the secret that is typed', { skip: programMissing('script') }, async () => {
  const { publicKey, secretKey } = await keysOf(server, merchant)
  const config = { CAURI_CONFIG: join(folder, 'typed.json'), HOME: folder }
  const terminal = new Terminal(['login', '--url', server.process.baseUrl, '--public-key', publicKey], config)
  await terminal.shows('Secret key')
  // The last two characters are erased again.
  terminal.types(`${secretKey}xy\x7f\x7f\r`)
  assert.equal(await terminal.exited, 0, terminal.text)
  assert.match(terminal.text, /test keys of merchant/)
  assert.ok(!terminal.text.includes(secretKey.slice(0, 12)), terminal.text)
  assert.match(readFileSync(config.CAURI_CONFIG, 'utf8'), new RegExp(secretKey))
  const left = new Terminal(['login', '--url', server.process.baseUrl], config)
  await left.shows('Public key')
  left.types('\x03')
  assert.equal(await left.exited, 130, left.text)
})

test('a named profile comes before the environment, whose keys come in pairs', async () => {
  const own = await server.fundedMerchant(77)
  const { publicKey, secretKey } = await keysOf(server, own)
  const config = { ...env, CAURI_CONFIG: join(folder, 'named.json') }
  const words = ['--public-key', publicKey, '--secret-key', secretKey, '--url', server.process.baseUrl]
  assert.equal((await runCli(['login', '--profile', 'boutique', ...words], { env: config })).code, 0)
  const named = await runCli(['--profile', 'boutique', '--json', 'balance'], { env: { ...config, CAURI_URL: 'http://127.0.0.1:9' } })
  assert.equal(jsonLines(named)[0]?.available, 77, named.stderr)
  const half = await runCli(['balance'], { env: { CAURI_API_KEY: publicKey } })
  assert.deepEqual([half.code, half.stderr], [4, 'CAURI_API_KEY is set, and CAURI_API_SECRET is not\n'])
  const none = await runCli(['balance', '--profile', 'constructor'], { env: config })
  assert.deepEqual([none.code, /there is no profile "constructor"/.test(none.stderr)], [4, true])
})

test('the version is that of the package', async () => {
  const { version } = JSON.parse(readFileSync(join(CLIENT_ROOT, 'package.json'), 'utf8')) as { readonly version: string }
  assert.equal((await runProgram(['--version'])).stdout, `cauri ${version}\n`)
})

test('doctor checks the address without keys, which a machine of a server does not need', async () => {
  const away = { CAURI_CONFIG: join(folder, 'no-profiles.json') }
  const url = server.process.baseUrl
  const merchantSide = await runCli(['doctor', '--url', url], { env: away })
  assert.equal(merchantSide.code, 1)
  assert.match(merchantSide.stdout, /^ok +address .* answers$[\s\S]*^failed +keys +there is no profile/m)
  const serverSide = await runCli(['doctor', '--url', url, '--data', server.process.dataDir], { env: away })
  assert.equal(serverSide.code, 0, serverSide.stdout)
  assert.match(serverSide.stdout, /^warning +keys/m)
})
