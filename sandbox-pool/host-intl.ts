// Locale data for hosted code: one call of ECMA-402 as a function from text to text, in the worker thread. All input is untrusted. The
// time zone is UTC where the code names none.
import { INTL_FORMATTERS_MAX, INTL_LIST_MAX, INTL_QUESTION_LENGTH_MAX } from './limits.ts'

interface Question {
  readonly kind: string
  readonly method: string
  readonly locales: string[] | undefined
  readonly options: Readonly<Record<string, unknown>>
  readonly given: readonly unknown[]
}

type Formatter = Readonly<Record<string, (...given: unknown[]) => unknown>>
type FormatterClass = (new (
  locales: readonly string[] | undefined,
  options: object,
) => Formatter) & {
  supportedLocalesOf(locales: string[]): string[]
}

const CLASSES = {
  NumberFormat: Intl.NumberFormat,
  DateTimeFormat: Intl.DateTimeFormat,
  PluralRules: Intl.PluralRules,
  Collator: Intl.Collator,
  ListFormat: Intl.ListFormat,
  RelativeTimeFormat: Intl.RelativeTimeFormat,
  DisplayNames: Intl.DisplayNames,
} as unknown as Readonly<Record<string, FormatterClass>>

const METHODS: ReadonlySet<string> = new Set([...['format', 'formatToParts', 'formatRange', 'resolvedOptions', 'select', 'compare', 'of']])
const DATE_METHODS = ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString'] as const

/** Formatters of this thread by class, locales and options: one takes 0.1 ms to make. The oldest is dropped. */
const formatters = new Map<string, Formatter>()

/** Returns the JSON text of `{value}` or `{error: [name, message]}`. Never throws. */
export function answerIntl(question: string): string {
  try {
    if (question.length > INTL_QUESTION_LENGTH_MAX) throw new RangeError(`more than ${INTL_QUESTION_LENGTH_MAX} characters to format`)
    return JSON.stringify({ value: valueFor(readQuestion(question)) })
  } catch (error) {
    // Errors of the formatters are for the author of the code. They contain what the code gave.
    const { name, message } = error as Error
    return JSON.stringify({ error: [name === 'RangeError' ? name : 'TypeError', message] })
  }
}

function valueFor({ kind, method, locales, options, given }: Question): unknown {
  if (kind === 'Intl' && method === 'getCanonicalLocales') return Intl.getCanonicalLocales(locales)
  if (kind === 'Date') {
    const dateMethod = DATE_METHODS.find((known) => known === method)
    if (dateMethod === undefined) throw new TypeError('no such method')
    return new Date(Number(given[0]))[dateMethod](locales ?? DEFAULT_LOCALE, { timeZone: 'UTC', ...options })
  }
  const Class = Object.hasOwn(CLASSES, kind) ? CLASSES[kind] : undefined
  if (Class === undefined) throw new TypeError('no such formatter')
  if (method === 'supportedLocalesOf') return Class.supportedLocalesOf(locales ?? [])
  const formatter = formatterOf(Class, { kind, locales, options })
  if (!METHODS.has(method) || typeof formatter[method] !== 'function') throw new TypeError('no such method')
  return formatter[method](...given)
}

const DEFAULT_LOCALE = 'en-US'

function formatterOf(Class: FormatterClass, { kind, locales, options }: Pick<Question, 'kind' | 'locales' | 'options'>): Formatter {
  const key = JSON.stringify([kind, locales, options])
  const known = formatters.get(key)
  if (known !== undefined) return known
  const inUtc = kind === 'DateTimeFormat' ? { timeZone: 'UTC', ...options } : options
  const formatter = new Class(locales ?? [DEFAULT_LOCALE], inUtc)
  formatters.set(key, formatter)
  if (formatters.size > INTL_FORMATTERS_MAX) formatters.delete(formatters.keys().next().value as string)
  return formatter
}

function readQuestion(text: string): Question {
  const { kind, method, locales, options, given } = JSON.parse(text) as Record<string, unknown>
  if (typeof kind !== 'string' || typeof method !== 'string' || !Array.isArray(given)) throw new TypeError('unreadable')
  if (locales !== undefined && !(Array.isArray(locales) && locales.every((locale) => typeof locale === 'string'))) {
    throw new TypeError('Incorrect locale information provided')
  }
  return { kind, method, locales, options: readOptions(options), given: given.map(readValue) }
}

/** Without a prototype: options are read by name. */
function readOptions(options: unknown): Readonly<Record<string, unknown>> {
  const read = Object.create(null) as Record<string, unknown>
  if (typeof options !== 'object' || options === null) return read
  for (const [name, value] of Object.entries(options)) if (typeof value !== 'object') read[name] = value
  return read
}

function readValue(value: unknown): unknown {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) {
    if (value.length > INTL_LIST_MAX) throw new RangeError(`more than ${INTL_LIST_MAX} values in a list`)
    return value.map(String)
  }
  const { number, bigint } = (value ?? {}) as Record<string, unknown>
  return typeof bigint === 'string' ? BigInt(bigint) : Number(number)
}
