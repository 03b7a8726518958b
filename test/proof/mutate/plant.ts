// Copies the repository, plants one bug at a time in the copy, and runs the tests that must catch it.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { TEST_TIME_ZONE } from '../../support/time-zone.ts'
import type { PlantedBug } from './bug.ts'

/** Maximum time of one test file. Beyond it nothing is known: the bug may hang the test, or the machine may be busy. */
const TEST_TIMEOUT_MS = 300_000
/** The same for a bug that makes a test loop without an end. */
const HANG_MS = 60_000
const OUTPUT_LENGTH_MAX = 4 * 1024 * 1024
/** Characters of a failed process's output in the error. */
const OUTPUT_SHOWN_MAX = 2000

const TIMED_OUT = Symbol('timed out')

/** How a bug ended. `test` is null for a survivor. */
export interface BugResult {
  readonly name: string
  readonly file: string
  /** File and name of the test that failed. */
  readonly caughtBy: { readonly file: string; readonly test: string } | null
  /** Test files that did not end in time. */
  readonly timedOut: readonly string[]
  readonly seconds: number
}

/** A copy of the tracked files, with the packages of the original. */
export class Copy {
  readonly #root = mkdtempSync(join(tmpdir(), 'cauri-mutate-'))
  #child: ChildProcess | null = null

  constructor(original: string) {
    for (const path of trackedFiles(original)) {
      mkdirSync(dirname(join(this.#root, path)), { recursive: true })
      cpSync(join(original, path), join(this.#root, path))
    }
    symlinkSync(join(original, 'node_modules'), join(this.#root, 'node_modules'))
  }

  /** Plants the bug, runs its tests until one fails, and takes the bug out again. */
  async try(bug: PlantedBug): Promise<BugResult> {
    const { name, file, tests, hangs = false } = bug
    const startedMs = performance.now()
    const path = join(this.#root, file)
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, planted(bug, text))
    try {
      let caughtBy: BugResult['caughtBy'] = null
      const timedOut: string[] = []
      for (const test of tests) {
        const failure = await this.#failureOf(test, hangs ? HANG_MS : TEST_TIMEOUT_MS)
        if (failure === TIMED_OUT && hangs) caughtBy = { file: test, test: 'the test does not end' }
        else if (failure === TIMED_OUT) timedOut.push(test)
        else if (failure !== null) caughtBy = { file: test, test: failure }
        if (caughtBy !== null) break
      }
      return { name, file, caughtBy, timedOut, seconds: Math.round((performance.now() - startedMs) / 100) / 10 }
    } finally {
      writeFileSync(path, text)
    }
  }

  /** Ends the running test, and removes the copy. */
  remove(): void {
    this.#kill()
    rmSync(this.#root, { recursive: true })
  }

  #kill(): void {
    if (this.#child?.pid === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null) return
    process.kill(-this.#child.pid, 'SIGKILL')
  }

  /** Returns the first failed test of the file; null when all passed. */
  #failureOf(test: string, timeoutMs: number): Promise<string | typeof TIMED_OUT | null> {
    const options = ['--import', 'tsx', '--test', '--test-reporter=spec', test]
    // In a process group of its own: a test file may have started servers.
    const child = spawn(process.execPath, options, {
      cwd: this.#root,
      env: { ...process.env, TZ: TEST_TIME_ZONE },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    let output = ''
    let isTimedOut = false
    this.#child = child
    const timer = setTimeout(() => {
      isTimedOut = true
      this.#kill()
    }, timeoutMs)
    const read = (piece: Buffer): void => {
      if (output.length < OUTPUT_LENGTH_MAX) output += piece.toString()
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    return new Promise((resolve, reject) => {
      child.on('error', reject)
      child.on('close', (code) => {
        clearTimeout(timer)
        // A test may have failed before another one hung.
        const failed = /✖ (?!failing tests)(.+?)(?: \([0-9.]+ms\))?\n/.exec(output)?.[1]
        if (isTimedOut) return resolve(failed ?? TIMED_OUT)
        if (code === 0) return resolve(null)
        if (failed !== undefined) return resolve(failed)
        // A file that is missing or not committed catches nothing.
        reject(new Error(`no test of ${test} failed, and its process did: ${output.slice(-OUTPUT_SHOWN_MAX)}`))
      })
    })
  }
}

/** Returns the text with the bug. Throws unless the place of the bug occurs exactly once. */
export function planted({ name, file, from, to }: PlantedBug, text: string): string {
  const at = text.indexOf(from)
  if (at === -1) throw new Error(`${name}: ${file} does not hold its text any more`)
  if (text.indexOf(from, at + 1) !== -1) throw new Error(`${name}: ${file} holds its text twice`)
  return text.slice(0, at) + to + text.slice(at + from.length)
}

function trackedFiles(root: string): string[] {
  const { stdout, status } = spawnSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8', maxBuffer: OUTPUT_LENGTH_MAX })
  if (status !== 0) throw new Error('git ls-files failed: the command needs a clone')
  return stdout.split('\0').filter((path) => path !== '')
}
