// Common part of the commands: arguments, --help, exit code. Errors for operators are printed without a stack.
import { parseArgs } from 'node:util'
import { DataFolderError } from '../folder/folder-error.ts'

export interface Command {
  readonly usage: string
  readonly argumentCount: number
  /** Resolves with false for a failed check: exit code 1. */
  run(args: readonly string[]): Promise<boolean>
}

export async function runCommand(command: Command): Promise<void> {
  const { values, positionals } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } }, allowPositionals: true })
  if (values.help === true) {
    console.log(command.usage)
    return
  }
  if (positionals.length !== command.argumentCount) {
    console.error(command.usage)
    process.exitCode = 1
    return
  }
  try {
    if (!(await command.run(positionals))) process.exitCode = 1
  } catch (error) {
    if (!(error instanceof DataFolderError)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}
