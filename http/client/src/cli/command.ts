// What a subcommand is: its options, its examples, and what it does with a context.
import type { Cauri } from '../cauri.ts'
import type { ExitCode } from './exit-codes.ts'
import type { Given, OptionSpec } from './given.ts'
import type { Output } from './output.ts'
import type { Profile } from './profile.ts'

export interface Command {
  /** `['charges', 'create']` is `cauri charges create`. */
  readonly name: readonly string[]
  /** Arguments in the help, for example `<file>`. */
  readonly takes?: string
  /** Values of the argument where there are few: completion offers them. */
  readonly choices?: readonly string[]
  readonly summary: string
  /** Made from a route: the list of all commands shows it with its noun alone. */
  readonly isDerived?: true
  /** Further paragraphs of the help. */
  readonly about?: string
  readonly options: Readonly<Record<string, OptionSpec>>
  /** Command lines, each with a comment. */
  readonly examples: readonly (readonly [line: string, about: string])[]
  run(context: CommandContext): Promise<ExitCode>
}

export interface CommandContext {
  readonly given: Given
  readonly output: Output
  readonly env: Readonly<Record<string, string | undefined>>
  /** Standard input as bytes. */
  readonly stdin: AsyncIterable<unknown>
  /** Aborted by SIGINT and SIGTERM. */
  readonly signal: AbortSignal
  /** Keys and address: of the environment, or else of the profile. Throws a CredentialsError without any. */
  profile(): Profile
  /** A client with the keys of `profile`. */
  client(): Cauri
  /** Reads one line of standard input after a prompt. */
  ask(prompt: string): Promise<string>
  /** The same; what is typed at a terminal is not shown. */
  askHidden(prompt: string): Promise<string>
}
