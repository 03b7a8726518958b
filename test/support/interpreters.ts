// Interpreters of the languages that the documents show. Node.js and a shell are always there; others come from the system's packages.
import { execFile, spawnSync } from 'node:child_process'

const COMMANDS = { sh: ['bash'], mjs: [process.execPath], py: ['python3'], php: ['php'], go: ['go', 'run'], java: ['java'] } as const

export type Interpreted = keyof typeof COMMANDS

/** How a program asks for the version of its interpreter. */
const VERSION: Readonly<Partial<Record<Interpreted, string>>> = { go: 'version', java: '-version' }
/** Compilers are slow on a loaded machine. */
const RUN_MAX_MS = 120_000

/** Returns why programs of the language cannot run here, or false. */
export function interpreterMissing(language: Interpreted): string | false {
  const [command] = COMMANDS[language]
  const { error } = spawnSync(command, [VERSION[language] ?? '--version'], { stdio: 'ignore' })
  return error === undefined ? false : `${command} is not installed`
}

export interface Ran {
  readonly isGood: boolean
  /** What it wrote, and what it said of its errors. */
  readonly output: string
}

export function runProgram(language: Interpreted, words: readonly string[], cwd: string, settings: NodeJS.ProcessEnv): Promise<Ran> {
  const [command, ...first] = COMMANDS[language]
  const options = { cwd, env: { ...process.env, ...settings }, timeout: RUN_MAX_MS }
  return new Promise((resolve) => {
    execFile(command, [...first, ...words], options, (error, stdout, stderr) => resolve({ isGood: error === null, output: stdout + stderr }))
  })
}
