// Runs inside the virtual machine: turns any value, however hostile, into short text. Never throws.
import { ERROR_LENGTH_MAX, LOG_LINE_LENGTH_MAX } from '../limits.ts'
import type { ErrorText } from './host.ts'

const { stringify } = JSON
const NativeString = String
const slice = Function.prototype.call.bind(String.prototype.slice) as (text: string, from: number, to: number) => string

/** JSON text of an ErrorText. */
export function describe(error: unknown): string {
  const text: ErrorText =
    typeof error !== 'object' || error === null
      ? { name: '', message: `threw ${show(error)}`, stack: '' }
      : {
          name: textOf(() => (error as Partial<Error>).name ?? ''),
          message: textOf(() => (error as Partial<Error>).message ?? show(error)),
          stack: textOf(() => (error as Partial<Error>).stack ?? ''),
        }
  // Without a prototype: a toJSON on Object.prototype would be asked.
  return stringify({ __proto__: null, ...text })
}

/** As a line of the log has it. */
export function show(value: unknown): string {
  if (typeof value === 'string') return slice(value, 0, LOG_LINE_LENGTH_MAX)
  if (typeof value !== 'object' || value === null) return textOf(() => value)
  if (value instanceof Error) return textOf(() => `${value.name}: ${value.message}`)
  return textOf(() => stringify(value))
}

/** The beginning of a text that merchant code has a hand in; where it throws, that it does. */
export function textOf(read: () => unknown): string {
  try {
    return slice(NativeString(read()), 0, ERROR_LENGTH_MAX)
  } catch {
    // Reading it runs merchant code, whose errors are no news here.
    return '(unreadable)'
  }
}
