// The real server as its users start it: one process, a data folder of its own, any free port. Killed by its own id.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { processEntry } from '../../engine/kernel/script-entry.ts'
import { TEST_HTTP_THREADS } from './http-threads.ts'
import { withPatience } from './patience.ts'
import { countServer } from './test-times.ts'
import { TEST_TIME_ZONE } from './time-zone.ts'

export const OPERATOR_TOKEN = 'operator-token-of-the-tests-0123456789'

const ROOT = join(import.meta.dirname, '..', '..')
/** Names another program of the server, by its source. */
export const SERVER_PROGRAM = 'CAURI_SERVER_PROGRAM'
const START_MAX_MS = 60_000
/** Most servers of tests live for seconds: what their code costs to optimize is not earned again. */
const SHORT_LIFE = ['--no-opt', '--single-threaded']
export const MASTER_KEY = Buffer.from('a master key of the tests, 32 B.').toString('base64')

export interface ServerOptions {
  /** Settings beside or instead of the usual ones; undefined takes one away. */
  readonly settings?: Readonly<Record<string, string | undefined>>
  /** A folder that is there already, for restarts; the caller removes it. */
  readonly dataDir?: string
  /** A bundled server to start instead of the usual one. */
  readonly program?: string
  /** A command that runs the server as its own process, as `strace -D` does. */
  readonly wrapper?: readonly string[]
  /** Flags of Node.js. */
  readonly nodeFlags?: readonly string[]
}

export interface ServerProcess {
  readonly baseUrl: string
  readonly port: number
  readonly dataDir: string
  readonly pid: number
  /** Resolves with the exit code, null after a signal. */
  readonly exited: Promise<number | null>
  /** Lines of stdout so far, and what stderr said. */
  readonly lines: readonly string[]
  errorOutput(): string
  /** Resolves with the first line that has the text, of those so far and those to come. */
  line(text: string): Promise<string>
  /** SIGTERM; resolves with the exit code. The folder stays. */
  terminate(): Promise<number | null>
  /** SIGKILL: what a crash leaves. The folder stays. */
  kill(): Promise<void>
  /** Ends it in any state, and removes the folder that was made for it. */
  remove(): Promise<void>
}

export async function startServer(options: ServerOptions = {}): Promise<ServerProcess> {
  const server = launch(options)
  try {
    const line = await withPatience(START_MAX_MS, server.line('listening'))
    if (line === 'late') throw new Error(`nothing after ${START_MAX_MS} ms: ${server.errorOutput()}`)
    const listening = JSON.parse(line) as { port: number }
    return { ...server, port: listening.port, baseUrl: `http://127.0.0.1:${listening.port}` }
  } catch (error) {
    await server.remove()
    throw error
  }
}

/** Without waiting for it to listen: for starts that must fail. */
export function launch({
  settings = {},
  dataDir,
  program,
  wrapper = [],
  nodeFlags = SHORT_LIFE,
}: ServerOptions): Omit<ServerProcess, 'port' | 'baseUrl'> {
  const folder = dataDir ?? mkdtempSync(join(tmpdir(), 'cauri-e2e-'))
  const [command = '', ...words] = [...wrapper, process.execPath, ...nodeFlags, ...(program === undefined ? serverProgram() : [program])]
  countServer()
  const child = spawn(command, words, {
    cwd: ROOT,
    env: environment(folder, settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  const output = collect(child)
  return {
    dataDir: folder,
    pid: child.pid ?? -1,
    ...output,
    exited,
    terminate: () => end(child, 'SIGTERM', exited),
    kill: async () => {
      await end(child, 'SIGKILL', exited)
    },
    remove: async () => {
      await end(child, 'SIGKILL', exited)
      if (dataDir === undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}

function serverProgram(): string[] {
  return processEntry(pathToFileURL(join(ROOT, process.env[SERVER_PROGRAM] ?? 'http/main.ts')))
}

/** Nothing of the environment that the tests run in reaches the server but where programs are. */
export function environment(dataDir: string, settings: Readonly<Record<string, string | undefined>>): NodeJS.ProcessEnv {
  const all = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    TZ: TEST_TIME_ZONE,
    NODE_ENV: 'development',
    HOST: '127.0.0.1',
    PORT: '0',
    DATA_DIR: dataDir,
    MASTER_KEY,
    OPERATOR_TOKEN,
    RATE_LIMIT_LIVE: '0',
    RATE_LIMIT_TEST: '0',
    HTTP_THREADS: process.env[TEST_HTTP_THREADS] ?? '0',
    ...settings,
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

function collect(child: ChildProcess): Pick<ServerProcess, 'lines' | 'errorOutput' | 'line'> {
  const lines: string[] = []
  const waiting = new Set<(line: string) => void>()
  let errors = ''
  let isOver: Error | null = null
  const giveUp = new Set<(error: Error) => void>()
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
    lines.push(line)
    for (const hear of waiting) hear(line)
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  child.once('close', (code) => {
    isOver = new Error(`the server ended with ${code}: ${errors}${lines.slice(-5).join('\n')}`)
    for (const reject of giveUp) reject(isOver)
  })
  const line = (text: string): Promise<string> => {
    const before = lines.find((one) => one.includes(text))
    if (before !== undefined) return Promise.resolve(before)
    if (isOver !== null) return Promise.reject(isOver)
    return new Promise((resolve, reject) => {
      const hear = (one: string): void => {
        if (!one.includes(text)) return
        waiting.delete(hear)
        giveUp.delete(reject)
        resolve(one)
      }
      waiting.add(hear)
      giveUp.add(reject)
    })
  }
  return { lines, errorOutput: () => errors, line }
}

async function end(child: ChildProcess, signal: NodeJS.Signals, exited: Promise<number | null>): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) child.kill(signal)
  return exited
}
