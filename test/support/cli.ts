// The built command `cauri`, with the keys of a merchant in its environment: as a child, as its users run it, or in this process.
import assert from 'node:assert/strict'
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { Readable, type Writable } from 'node:stream'
import { CLI_PROGRAM, commandLine } from './built-client.ts'
import { eventuallyAsync } from './eventually.ts'

export interface CliResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface CliOptions {
  readonly env?: Readonly<Record<string, string>>
  /** Standard input. */
  readonly input?: string
  readonly cwd?: string
}

export function startCli(words: readonly string[], { env = {}, cwd }: CliOptions = {}): ChildProcessByStdio<Writable, Readable, Readable> {
  const own = { PATH: process.env.PATH ?? '', HOME: '/nonexistent' }
  return spawn(process.execPath, [CLI_PROGRAM, ...words], { env: { ...own, ...env }, cwd, stdio: ['pipe', 'pipe', 'pipe'] })
}

/** The command as a process of its own: its exit, its signals, and what it starts. */
export async function runProgram(words: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const child = startCli(words, options)
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  child.stdin.on('error', () => {
    // The command may end before it reads its input.
  })
  child.stdin.end(options.input ?? '')
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, stdout, stderr }
}

/** True while a command runs in this process. */
let isRunning = false

/** The command in this process, one at a time: a process for each took more processor time than what it does. */
export async function runCli(words: readonly string[], { env = {}, input = '', cwd }: CliOptions = {}): Promise<CliResult> {
  assert.ok(!isRunning, 'the folder of a process is that of one command')
  isRunning = true
  const before = process.cwd()
  if (cwd !== undefined) process.chdir(cwd)
  const [stdout, stderr] = [new KeptText(), new KeptText()]
  try {
    const code = await commandLine.runCli({
      ...{ words, stdout, stderr, signal: new AbortController().signal },
      env: { PATH: process.env.PATH ?? '', HOME: '/nonexistent', ...env },
      stdin: Readable.from(input === '' ? [] : [Buffer.from(input)]),
    })
    return { code, stdout: stdout.text, stderr: stderr.text }
  } finally {
    process.chdir(before)
    isRunning = false
  }
}

class KeptText {
  text = ''

  write(part: string): void {
    this.text += part
  }
}

/** The lines of the output as JSON. */
export function jsonLines<Value = Record<string, unknown>>({ stdout }: CliResult): Value[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Value)
}

/** The command at a terminal of its own: what is typed comes back as a terminal shows it. */
export class Terminal {
  /** All that the terminal has shown. */
  text = ''
  readonly exited: Promise<number | null>
  readonly #child: ChildProcessByStdio<Writable, Readable, null>

  constructor(words: readonly string[], env: Readonly<Record<string, string>>) {
    const line = [process.execPath, CLI_PROGRAM, ...words].map((word) => `'${word}'`).join(' ')
    const options = { env: { PATH: process.env.PATH ?? '', ...env }, stdio: ['pipe', 'pipe', 'inherit'] as ['pipe', 'pipe', 'inherit'] }
    this.#child = spawn('script', ['--quiet', '--return', '--command', line, '/dev/null'], options)
    this.exited = new Promise((resolve) => this.#child.once('close', resolve))
    this.#child.stdout.setEncoding('utf8').on('data', (part: string) => {
      this.text += part
    })
  }

  shows(text: string): Promise<void> {
    return eventuallyAsync(async () => this.text.includes(text), `the terminal to show ${text}`)
  }

  types(text: string): void {
    this.#child.stdin.write(text)
  }
}
