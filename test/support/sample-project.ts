// The samples as a merchant runs them: copied into a project of their own that has the client installed, one process each.
import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { CLIENT_ROOT } from '../../http/client/build/client-bundle.ts'
import { CLIENT_MODULE, type KeyPair } from './built-client.ts'
import { Patience } from './patience.ts'

const LINE_MAX_MS = 60_000

export class SampleProject {
  readonly folder = mkdtempSync(join(tmpdir(), 'cauri-samples-'))
  readonly #children = new Set<ChildProcess>()

  constructor() {
    cpSync(join(CLIENT_ROOT, 'samples'), this.folder, { recursive: true })
    writeFileSync(join(this.folder, 'package.json'), JSON.stringify({ type: 'module' }))
    const installed = join(this.folder, 'node_modules', '@cauri', 'node')
    mkdirSync(installed, { recursive: true })
    cpSync(join(CLIENT_ROOT, 'package.json'), join(installed, 'package.json'))
    symlinkSync(dirname(CLIENT_MODULE), join(installed, 'dist'))
  }

  start(name: string, options: { baseUrl: string; keys: KeyPair; settings?: Readonly<Record<string, string>>; words?: readonly string[] }) {
    const { baseUrl, keys, settings = {}, words = [] } = options
    const env = { CAURI_URL: baseUrl, CAURI_API_KEY: keys.publicKey, CAURI_API_SECRET: keys.secretKey, PORT: '0', ...settings }
    const child = spawn(process.execPath, [join(this.folder, name, 'main.js'), ...words], { env: { ...process.env, ...env } })
    this.#children.add(child)
    return new RunningSample(child)
  }

  /** Ends its processes and removes the folder. */
  async close(): Promise<void> {
    for (const child of this.#children) child.kill('SIGKILL')
    rmSync(this.folder, { recursive: true, force: true })
  }
}

export class RunningSample {
  output = ''
  /** Resolves with the exit code. */
  readonly exited: Promise<number | null>

  constructor(child: ChildProcess) {
    this.exited = new Promise((resolve) => child.once('close', resolve))
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => this.#take(chunk.toString()))
    child.once('close', () => this.#wake())
  }

  readonly #waiting = new Set<() => void>()

  #take(text: string): void {
    this.output += text
    this.#wake()
  }

  #wake(): void {
    for (const look of this.#waiting) look()
  }

  /** Resolves with the match once the output has it. */
  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    let isOver = false
    void this.exited.then(() => {
      isOver = true
    })
    const patience = new Patience(LINE_MAX_MS)
    for (;;) {
      const match = pattern.exec(this.output)
      if (match !== null) return match
      if (isOver || patience.isOver) throw new Error(`the sample did not print ${pattern}: ${this.output}`)
      await new Promise<void>((resolve) => {
        this.#waiting.add(resolve)
        setTimeout(resolve, patience.leftMs).unref()
      })
      this.#waiting.clear()
    }
  }
}
