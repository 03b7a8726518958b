// A child process that checks data folders one after the other. Reading a damaged LMDB file may end its reader by SIGBUS: then the verdict
// says so, and the next check gets a new process.
import { type ChildProcess, spawn } from 'node:child_process'
import { processEntry } from '../../../engine/kernel/script-entry.ts'
import { BUILT_SCRIPTS } from '../../support/built-scripts.ts'

/** Each check opens stores of its own: a process ends after so many. */
const CHECKS_MAX = 1000
const STDERR_KEPT = 2000

export type Checked<Verdict> = { readonly verdict: Verdict } | { readonly ended: string }

export class CheckingChild<Task extends object, Verdict> {
  readonly #script: URL
  readonly #args: readonly string[]
  #child: ChildProcess | null = null
  #checks = 0
  readonly #onExit = (): void => void this.#child?.kill('SIGKILL')

  constructor(script: URL, args: readonly string[] = []) {
    this.#script = script
    this.#args = args
    process.once('exit', this.#onExit)
  }

  /** One check at a time. */
  async check(task: Task): Promise<Checked<Verdict>> {
    if (this.#checks++ % CHECKS_MAX === 0) await this.#end()
    const child = this.#child ?? this.#start()
    this.#child = child
    let errors = ''
    const onErrors = (text: string): void => {
      errors = (errors + text).slice(-STDERR_KEPT)
    }
    child.stderr?.on('data', onErrors)
    const checked = await new Promise<Checked<Verdict>>((resolve) => {
      const onMessage = (verdict: Verdict): void => {
        child.off('close', onClose)
        resolve({ verdict })
      }
      const onClose = (code: number | null, signal: string | null): void => {
        child.off('message', onMessage)
        this.#child = null
        resolve({ ended: signal ?? `code ${code}: ${errors}` })
      }
      child.once('message', onMessage)
      child.once('close', onClose)
      child.send(task)
    })
    child.stderr?.off('data', onErrors)
    return checked
  }

  async close(): Promise<void> {
    await this.#end()
    process.off('exit', this.#onExit)
  }

  #start(): ChildProcess {
    const entry = processEntry(this.#script)
    // Threads of a source come from the build, where there is one. A built script names its own.
    const isBuilt = entry.length === 1
    const built =
      isBuilt || process.env[BUILT_SCRIPTS] === undefined ? [] : ['--import', import.meta.resolve('../../support/built-scripts.ts')]
    const words = [...entry.slice(0, -1), ...built, ...entry.slice(-1), ...this.#args]
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
    child.stderr?.setEncoding('utf8')
    return child
  }

  async #end(): Promise<void> {
    const child = this.#child
    this.#child = null
    if (child === null) return
    const closed = new Promise((resolve) => child.once('close', resolve))
    child.kill('SIGKILL')
    await closed
  }
}
