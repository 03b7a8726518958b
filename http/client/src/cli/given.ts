// Options and arguments of a command line, read with their types.
import { parseArgs } from 'node:util'
import { UsageError } from './command-errors.ts'

export interface OptionSpec {
  readonly type: 'string' | 'boolean'
  /** Name of the value in the help. */
  readonly value?: string
  readonly about: string
  readonly isRequired?: boolean
}

/** Options that every command takes. */
export const COMMON_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  json: { type: 'boolean', about: 'JSON instead of text: one object, or one a line where rows follow each other' },
  profile: { type: 'string', value: 'NAME', about: 'profile of `cauri login`; `default` without it' },
  url: { type: 'string', value: 'URL', about: 'address of the service, instead of that of the profile' },
  retries: { type: 'string', value: 'COUNT', about: 'further attempts of a request; 5 without it' },
  help: { type: 'boolean', about: 'this text; -h too' },
}

type Values = Readonly<Record<string, string | boolean | undefined>>

export class Given {
  readonly #values: Values
  readonly args: readonly string[]

  private constructor(values: Values, args: readonly string[]) {
    this.#values = values
    this.args = args
  }

  /** Throws a UsageError for an option that there is not, or a value that is missing. */
  static read(words: readonly string[], options: Readonly<Record<string, OptionSpec>>): Given {
    const known = { ...options, ...COMMON_OPTIONS }
    const specs = Object.fromEntries(Object.entries(known).map(([name, { type }]) => [name, { type }]))
    let given: Given
    try {
      const { values, positionals } = parseArgs({ args: [...words], options: specs, allowPositionals: true, strict: true })
      given = new Given(values as Values, positionals)
    } catch (error) {
      throw new UsageError((error as Error).message)
    }
    if (given.flag('help')) return given
    const missing = Object.entries(options).find(([name, { isRequired }]) => isRequired === true && given.#values[name] === undefined)
    if (missing !== undefined) throw new UsageError(`--${missing[0]} is required`)
    return given
  }

  flag(name: string): boolean {
    return this.#values[name] === true
  }

  /** Returns undefined when the option was not given. */
  text(name: string): string | undefined {
    const value = this.#values[name]
    return typeof value === 'string' ? value : undefined
  }

  required(name: string): string {
    const value = this.text(name)
    if (value === undefined) throw new UsageError(`--${name} is required`)
    return value
  }

  /** A whole number from `min` on. */
  whole(name: string, min: number): number | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const value = Number(text.replaceAll('_', ''))
    if (!/^[0-9_]+$/.test(text) || !Number.isSafeInteger(value) || value < min)
      throw new UsageError(`--${name} is a whole number from ${min} on`)
    return value
  }

  /** The only argument. */
  argument(what: string): string {
    const [first, ...others] = this.args
    if (first === undefined || others.length > 0) throw new UsageError(`give one ${what}`)
    return first
  }
}

/** Returns an object without the undefined values. */
export function defined<Value extends object>(value: Value): { [Name in keyof Value]: Exclude<Value[Name], undefined> } {
  const entries = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(entries) as { [Name in keyof Value]: Exclude<Value[Name], undefined> }
}
