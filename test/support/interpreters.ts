// Interpreters and compilers of the languages that the documents show. Node.js and a shell are always there; others come from the
// system's packages.
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'

const COMMANDS = { sh: 'bash', mjs: process.execPath, py: 'python3', php: 'php', go: 'go', java: 'javac' } as const

type Interpreted = keyof typeof COMMANDS

/** Compilers are slow on a loaded machine. */
const RUN_MAX_MS = 120_000

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
  const options = { cwd, env: { ...process.env, ...settings }, timeout: RUN_MAX_MS }
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
