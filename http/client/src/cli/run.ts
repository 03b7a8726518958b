// Runs one command line: finds the command, reads its options, and turns errors into texts and exit codes.
import { Cauri } from '../cauri.ts'
import { ApiError, AuthenticationError, CauriError, ConnectionError, PermissionError, RedirectError, UnavailableError } from '../errors.ts'
import type { RequestSent, ResponseSeen } from '../transport.ts'
import { VERSION } from '../version.ts'
import type { Command, CommandContext } from './command.ts'
import { CommandError, CredentialsError, UsageError } from './command-errors.ts'
import { COMMANDS } from './command-table.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { COMMON_OPTIONS, defined, Given } from './given.ts'
import { commandHelp, overview } from './help.ts'
import { Output, type TextStream } from './output.ts'
import { type Environment, readProfile } from './profile.ts'
import { ask } from './prompt.ts'

export interface CliParts {
  readonly words: readonly string[]
  readonly env: Environment
  readonly stdout: TextStream
  readonly stderr: TextStream
  readonly stdin: NodeJS.ReadStream
  readonly signal: AbortSignal
}

export async function runCli(parts: CliParts): Promise<ExitCode> {
  const { stdout, stderr, signal } = parts
  const words = commandFirst(parts.words.map((word) => (word === '-h' ? '--help' : word)))
  const output = new Output(stdout, stderr, words.includes('--json'))
  if (words[0] === '--version') return printed(output, `cauri ${VERSION}`)
  const asked = words[0] === 'help' ? words.slice(1) : words
  const command = commandOf(asked)
  if (command === null) return explain(asked, words[0] === 'help', output)
  if (words[0] === 'help') return printed(output, commandHelp(command))
  const underWay: UnderWay = { key: null }
  try {
    const given = Given.read(asked.slice(command.name.length), command.options)
    if (given.flag('help')) return printed(output, commandHelp(command))
    return await command.run(contextOf(parts, given, output, underWay))
  } catch (error) {
    if (signal.aborted) {
      if (underWay.key !== null) output.note(keyText(underWay.key, command))
      return EXIT.interrupted
    }
    return report(error, command, output)
  }
}

/** Moves the common options before a command behind it: `cauri --json balance` is `cauri balance --json`. */
function commandFirst(words: readonly string[]): readonly string[] {
  let at = 0
  for (let count = wordsOfOption(words[at]); count > 0; count = wordsOfOption(words[at])) at += count
  return at < words.length ? [...words.slice(at), ...words.slice(0, at)] : words
}

/** Returns 2 for a common option whose value is the next word, 1 for another common option, and 0 for another word. */
function wordsOfOption(word = ''): 0 | 1 | 2 {
  const [, name = '', value] = /^--([a-z-]+)(=.*)?$/.exec(word) ?? []
  if (!Object.hasOwn(COMMON_OPTIONS, name)) return 0
  return COMMON_OPTIONS[name]?.type === 'string' && value === undefined ? 2 : 1
}

/** Returns the command with the longest name that the words begin with. */
function commandOf(words: readonly string[]): Command | null {
  const matching = COMMANDS.filter(({ name }) => name.every((word, index) => words[index] === word))
  return matching.sort((one, other) => other.name.length - one.name.length)[0] ?? null
}

function explain(words: readonly string[], isHelp: boolean, output: Output): ExitCode {
  const group = words.filter((word) => !word.startsWith('-'))
  const isGroup = group.length === 1 && COMMANDS.some(({ name }) => name[0] === group[0])
  const isAsked = isHelp || words.length === 0 || words.includes('--help')
  if (isAsked && (group.length === 0 || isGroup)) return printed(output, overview(group[0]))
  output.note(isGroup ? overview(group[0]) : `there is no command "${group.join(' ')}"; cauri help lists them`)
  return EXIT.usage
}

function printed(output: Output, text: string): ExitCode {
  output.raw(`${text}\n`)
  return EXIT.done
}

/** The request that is under way: its key is shown when the command is interrupted. */
interface UnderWay {
  key: string | null
}

function contextOf({ env, stdin, stderr, signal }: CliParts, given: Given, output: Output, underWay: UnderWay): CommandContext {
  const profile = () => readProfile(env, defined({ name: given.text('profile'), url: given.text('url') }))
  const client = (): Cauri => {
    const { url, publicKey, secretKey } = profile()
    const onRetry = ({ waitMs, error }: { waitMs: number; error: CauriError }): void =>
      output.note(`${error.message}; again in ${(waitMs / 1000).toFixed(1)} s`)
    const retry = defined({ retries: given.whole('retries', 0) })
    const hooks = {
      onRetry,
      onRequest: ({ idempotencyKey }: RequestSent): void => {
        underWay.key = idempotencyKey
      },
      onResponse: ({ error }: ResponseSeen): void => {
        if (error === null) underWay.key = null
      },
    }
    return new Cauri({ baseUrl: url, publicKey, secretKey, userAgent: 'cauri-cli', language: 'en', retry, ...hooks })
  }
  const asking = { stdin, stderr, signal }
  return {
    ...{ given, output, env, stdin, signal, profile, client },
    ask: (prompt) => ask(prompt, { ...asking, isHidden: false }),
    askHidden: (prompt) => ask(prompt, { ...asking, isHidden: true }),
  }
}

function report(error: unknown, command: Command, output: Output): ExitCode {
  const code = exitCodeOf(error)
  if (code === null) throw error
  const { message } = error as Error
  if (error instanceof ApiError) {
    const { code: name, param, requestId, status } = error
    const json = { code: name, message, param, status, request_id: requestId, idempotency_key: error.idempotencyKey }
    if (output.isJson) output.result({ error: json }, [])
    const where = param === null ? '' : ` (${param})`
    output.note(`${name}${where}: ${message}${requestId === null ? '' : ` [request ${requestId}]`}`)
  } else {
    const key = error instanceof ConnectionError ? { idempotency_key: error.idempotencyKey } : {}
    if (output.isJson) output.result({ error: { code: (error as Error).name, message, ...key } }, [])
    output.note(message)
  }
  const key = error instanceof ApiError || error instanceof ConnectionError ? error.idempotencyKey : null
  if (key !== null) output.note(keyText(key, command))
  if (code === EXIT.usage) output.note(`cauri help ${command.name.join(' ')} explains it`)
  return code
}

function keyText(key: string, { options }: Command): string {
  return `Idempotency-Key: ${key}${'key' in options ? `; with --key ${key} what was asked is done once` : ''}`
}

/** Returns null for a bug. */
function exitCodeOf(error: unknown): ExitCode | null {
  if (error instanceof UsageError) return EXIT.usage
  if (error instanceof CredentialsError || error instanceof AuthenticationError || error instanceof PermissionError) return EXIT.credentials
  if (error instanceof ConnectionError || error instanceof UnavailableError || error instanceof RedirectError) return EXIT.unreachable
  if (error instanceof CauriError || error instanceof CommandError) return EXIT.rejected
  // The client's own checks of an address or a key.
  return error instanceof TypeError ? EXIT.usage : null
}
