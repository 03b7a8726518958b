// Runs inside the virtual machine: converts any value, even a hostile one, to short text. Never throws.
import { ERROR_LENGTH_MAX, LOG_LINE_LENGTH_MAX } from '../limits.ts'
import type { ErrorText } from './host.ts'

const { stringify } = JSON
const NativeString = String
const slice = Function.prototype.call.bind(String.prototype.slice) as (text: string, from: number, to: number) => string

/** Returns an error as the JSON text of an ErrorText. */
export function describe(error: unknown): string {
  const text: ErrorText =
    typeof error !== 'object' || error === null
      ? { name: '', message: `threw ${show(error)}`, stack: '' }
      : {
          name: textOf(() => (error as Partial<Error>).name ?? ''),
          message: textOf(() => (error as Partial<Error>).message ?? show(error)),
          stack: textOf(() => (error as Partial<Error>).stack ?? ''),
        }
  // Without a prototype, because JSON.stringify would call a toJSON on Object.prototype.
  return stringify({ __proto__: null, ...text })
}

/** Returns a value as text for a line of the log. */
export function show(value: unknown): string {
  if (typeof value === 'string') return slice(value, 0, LOG_LINE_LENGTH_MAX)
  if (typeof value !== 'object' || value === null) return textOf(() => value)
  if (value instanceof Error) return textOf(() => `${value.name}: ${value.message}`)
  return textOf(() => stringify(value))
}

/** Returns the start of a text that merchant code may produce, or a placeholder if reading it throws. */
export function textOf(read: () => unknown): string {
  try {
    return slice(NativeString(read()), 0, ERROR_LENGTH_MAX)
  } catch {
    // Reading the text runs merchant code, whose errors are ignored here.
    return '(unreadable)'
  }
}
