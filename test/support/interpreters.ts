// Interpreters and compilers of the languages that the documents show. Node.js and a shell are always there; others come from the
// system's packages.
import assert from 'node:assert/strict'
import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eventuallyAsync } from './eventually.ts'

const COMMANDS = { sh: 'bash', mjs: process.execPath, py: 'python3', php: 'php', go: 'go', java: 'javac' } as const

type Interpreted = keyof typeof COMMANDS

/** Compilers are slow on a loaded machine. */
const RUN_MAX_MS = 120_000
/** The examples of the reference print whole documents. */
const OUTPUT_BYTES_MAX = 16 * 1024 * 1024

/** Returns why programs of the language cannot run here, or false. */
export function interpreterMissing(language: Interpreted): string | false {
  const command = COMMANDS[language]
  const { error } = spawnSync(command, [language === 'go' ? 'version' : '--version'], { stdio: 'ignore' })
  return error === undefined ? false : `${command} is not installed`
}

export interface Ran {
  readonly isGood: boolean
  /** What it wrote, and what it said of its errors. */
  readonly output: string
}

export function runProgram(language: Interpreted, words: readonly string[], cwd: string, settings: NodeJS.ProcessEnv = {}): Promise<Ran> {
  const options = { cwd, env: { ...process.env, ...settings }, timeout: RUN_MAX_MS, maxBuffer: OUTPUT_BYTES_MAX }
  return new Promise((resolve) => {
    execFile(COMMANDS[language], words, options, (error, stdout, stderr) => resolve({ isGood: error === null, output: stdout + stderr }))
  })
}

/** Compiles a program where its language does that; returns the command that runs it. */
export async function compiled(language: Interpreted, file: string, cwd: string): Promise<readonly string[]> {
  if (language !== 'go' && language !== 'java') return [COMMANDS[language], file]
  const { isGood, output } = await runProgram(language, language === 'go' ? ['build', '-o', 'compiled', file] : [file], cwd)
  assert.ok(isGood, output)
  return language === 'go' ? ['./compiled'] : ['java', 'Verify']
}

interface StartedExample {
  readonly address: string
  end(): Promise<void>
}

/** Starts a program that serves HTTP at PORT of the loopback; PHP's own server runs a script for each request. */
export async function startExample(
  language: 'mjs' | 'py' | 'php',
  file: string,
  cwd: string,
  settings: NodeJS.ProcessEnv,
): Promise<StartedExample> {
  const port = await freePort()
  const words = language === 'php' ? ['-S', `127.0.0.1:${port}`, file] : [file]
  const env = { ...process.env, ...settings, PORT: String(port) }
  const child = spawn(COMMANDS[language], words, { cwd, env, stdio: 'ignore' })
  const exited = once(child, 'exit')
  const address = `http://127.0.0.1:${port}/`
  const end = async (): Promise<void> => {
    child.kill('SIGKILL')
    await exited
  }
  try {
    await eventuallyAsync(
      () =>
        fetch(address, { method: 'POST' }).then(
          ({ status }) => status === 401,
          () => false,
        ),
      file,
    )
  } catch (error) {
    await end()
    throw error
  }
  return { address, end }
}

/** PHP's server does not say which port it took, so it is chosen here. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
