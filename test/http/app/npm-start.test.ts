// The server as `npm start` runs it: how it ends when npm is ended, and which versions of Node.js it refuses.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { versionRefusal } from '../../../http/app/node-version.js'
import { eventually } from '../../support/raw-client.ts'
import { startServer } from '../../support/server-process.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')

interface NpmStart {
  readonly npm: ChildProcess
  readonly dataDir: string
  readonly port: number
  readonly lines: readonly string[]
  /** Lines of standard error. */
  readonly printed: readonly string[]
  /** Resolves when no process writes to the output any more: npm, its shell and the server have ended. */
  readonly ended: Promise<unknown>
}

/** Resolves when the server listens. */
async function npmStart(context: TestContext, ...options: string[]): Promise<NpmStart> {
  const folder = mkdtempSync(join(tmpdir(), 'cauri-npm-'))
  const dataDir = join(folder, 'data')
  const env = { PATH: process.env.PATH, HOME: folder, npm_config_update_notifier: 'false', PORT: '0', DATA_DIR: dataDir }
  // A process group of its own, so that what a failed test leaves can be ended with it.
  const npm = spawn('npm', ['start', ...options], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  const ended = once(npm.stdout, 'close')
  context.after(() => {
    endGroup(npm)
    rmSync(folder, { recursive: true, force: true })
  })
  const printed: string[] = []
  createInterface({ input: npm.stderr }).on('line', (line) => printed.push(line))
  const lines: string[] = []
  const port = await new Promise<number>((resolve, reject) => {
    const output = createInterface({ input: npm.stdout })
    output.on('line', (line) => {
      lines.push(line)
      if (line.includes('"msg":"listening"')) resolve((JSON.parse(line) as { port: number }).port)
    })
    output.once('close', () => reject(new Error(`npm start ended: ${lines.join('\n')}`)))
  })
  return { npm, dataDir, port, lines, printed, ended }
}

function endGroup({ pid }: ChildProcess): void {
  assert.ok(pid !== undefined)
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ESRCH')
  }
}

async function isFree({ dataDir, port }: NpmStart): Promise<void> {
  const next = await startServer({ dataDir, settings: { PORT: String(port), MASTER_KEY: undefined } })
  try {
    assert.equal((await fetch(`${next.baseUrl}/healthz`)).status, 200)
  } finally {
    await next.remove()
  }
}

test('SIGTERM to npm stops the server before npm ends: port and folder are free at once', async (context) => {
  const started = await npmStart(context)
  const exited = once(started.npm, 'exit')
  started.npm.kill('SIGTERM')
  await exited
  await isFree(started)
  await started.ended
  assert.match(started.lines.at(-1) ?? '', /"msg":"stopped"/)
})

test('SIGTERM to npm stops the server behind a shell that does not pass the signal on', async (context) => {
  const started = await npmStart(context, '--script-shell=sh')
  started.npm.kill('SIGTERM')
  await started.ended
  assert.match(started.lines.at(-1) ?? '', /"msg":"stopped"/)
  await isFree(started)
})

test('the keys of the demo are printed as lines that a shell takes', async (context) => {
  const { printed, port } = await npmStart(context)
  await eventually(() => printed.some((line) => line.includes('CAURI_API_SECRET=')), 'the keys')
  const pasted = printed.filter((line) => line.startsWith('  export ')).join('\n')
  const shown = 'printf %s "$CAURI_URL $CAURI_API_KEY $CAURI_API_SECRET"'
  const { stdout } = spawnSync('sh', ['-c', `${pasted}\n${shown}`], { encoding: 'utf8', env: { PATH: process.env.PATH } })
  const [url = '', publicKey = '', secretKey = ''] = stdout.split(' ')
  assert.equal(url, `http://127.0.0.1:${port}`)
  const headers = { 'X-Api-Key': publicKey, 'X-Api-Secret': secretKey }
  assert.equal((await fetch(`${url}/v1/biz/balance`, { headers })).status, 200)
})

test('a killed npm leaves no server behind', async (context) => {
  const started = await npmStart(context)
  started.npm.kill('SIGKILL')
  await started.ended
  assert.match(started.lines.at(-1) ?? '', /"msg":"stopped"/)
  await isFree(started)
})

test('Ctrl-C, which reaches npm and the server and is passed on by npm, is one request to stop', async (context) => {
  const started = await npmStart(context)
  const exited = once(started.npm, 'exit')
  process.kill(-(started.npm.pid ?? Number.NaN), 'SIGINT')
  assert.deepEqual(await exited, [0, null])
  await started.ended
  assert.match(started.lines.at(-1) ?? '', /"msg":"stopped"/)
})

test('a version of Node.js that the packages do not run on is refused in one line', () => {
  const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { engines: { node: string } }
  const refused = (version: string): boolean => versionRefusal(version, engines.node) !== null
  assert.deepEqual(['18.20.8', '20.17.0', '21.7.3', '23.11.1', '24.21.0'].filter(refused).length, 5)
  assert.deepEqual(['20.18.0', '20.18.1', '20.20.2', '22.0.0', '22.23.3'].filter(refused), [])
  assert.equal(
    versionRefusal('18.20.8', '^20.18.0 || ^22.0.0'),
    'Node.js 18.20.8 cannot run this server: use Node.js 20 (20.18 or newer) or 22.',
  )
  assert.equal(versionRefusal('18.20.8', ''), null)
})
