// Common part of the commands: arguments, --help, progress, exit code. Errors for operators are printed without a stack.
import { parseArgs } from 'node:util'
import { DataFolderError } from '../folder/folder-error.ts'
import { LogError } from '../log/log-error.ts'

export interface Command {
  readonly usage: string
  /** Number of arguments, or the names of the options that take them: `--from a --to b`. */
  readonly takes: number | readonly string[]
  /** Resolves with false for a failed check: exit code 1. */
  run(args: readonly string[]): Promise<boolean>
}

export async function runCommand(command: Command): Promise<void> {
  const args = readArguments(command)
  if (args === 'help') {
    console.log(command.usage)
    return
  }
  if (args === null) {
    console.error(command.usage)
    process.exitCode = 1
    return
  }
  try {
    if (!(await command.run(args))) process.exitCode = 1
  } catch (error) {
    if (!(error instanceof DataFolderError || error instanceof LogError)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}

/** Prints one line of progress on standard error. On a terminal it replaces the line before. */
export function printProgress(text: string): void {
  process.stderr.write(process.stderr.isTTY ? `\r\x1b[K… ${text}` : `… ${text}\n`)
}

/** Ends the line of progress. */
export function endProgress(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
}

/** Returns null for wrong arguments. */
function readArguments({ takes }: Command): readonly string[] | 'help' | null {
  const names = typeof takes === 'number' ? [] : takes
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]))
  let parsed: { readonly values: Readonly<Record<string, unknown>>; readonly positionals: readonly string[] }
  try {
    parsed = parseArgs({ options: { help: { type: 'boolean', short: 'h' }, ...options }, allowPositionals: true })
  } catch (error) {
    if ((error as { code?: unknown }).code?.toString().startsWith('ERR_PARSE_ARGS') === true) return null
    throw error
  }
  const { values, positionals } = parsed
  if (values.help === true) return 'help'
  if (typeof takes === 'number') return positionals.length === takes ? positionals : null
  const given = names.flatMap((name) => (typeof values[name] === 'string' ? [values[name]] : []))
  return positionals.length === 0 && given.length === names.length ? given : null
}
