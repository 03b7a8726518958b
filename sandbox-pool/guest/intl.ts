// Runs inside the virtual machine: `Intl` and the `toLocale…` methods (ECMA-402). The host formats; one question and one answer as
// text each. The machine has no locale data.
import type { GuestHost } from './host.ts'

type Options = Readonly<Record<string, unknown>>
type Ask = (kind: string, method: string, locales: unknown, options: unknown, given: readonly unknown[]) => unknown

const { parse, stringify } = JSON
const { defineProperty } = Object

/** Methods by class. Each takes values that `valueWire` can send. */
const CLASSES = {
  NumberFormat: ['format', 'formatToParts', 'formatRange', 'resolvedOptions'],
  DateTimeFormat: ['format', 'formatToParts', 'formatRange', 'resolvedOptions'],
  PluralRules: ['select', 'resolvedOptions'],
  Collator: ['compare', 'resolvedOptions'],
  ListFormat: ['format', 'formatToParts', 'resolvedOptions'],
  RelativeTimeFormat: ['format', 'formatToParts', 'resolvedOptions'],
  DisplayNames: ['of', 'resolvedOptions'],
} as const

/** Methods that the standard defines as getters of bound functions. */
const BOUND: ReadonlySet<string> = new Set(['NumberFormat.format', 'DateTimeFormat.format', 'Collator.compare'])

export function createIntl(host: Pick<GuestHost, 'intl'>): object {
  const ask = askBy(host.intl)
  completeLocaleMethods(ask)
  const intl: Record<string, unknown> = {
    getCanonicalLocales: (locales?: unknown) => ask('Intl', 'getCanonicalLocales', locales, undefined, []),
  }
  for (const [kind, methods] of Object.entries(CLASSES)) defineHidden(intl, kind, formatterClass(kind, methods, ask))
  defineProperty(intl, Symbol.toStringTag, { value: 'Intl', configurable: true })
  return intl
}

function askBy(intl: GuestHost['intl']): Ask {
  return (kind, method, locales, options, given) => {
    const question = { kind, method, locales: localesOf(locales), options: optionsOf(options), given: given.map(valueWire) }
    const { value, error } = parse(intl(stringify(question))) as { value?: unknown; error?: readonly [string, string] }
    if (error !== undefined) throw error[0] === 'RangeError' ? new RangeError(error[1]) : new TypeError(error[1])
    return value
  }
}

interface Chosen {
  readonly locales: unknown
  readonly options: unknown
}

/** Makes a class without class syntax: `Intl.NumberFormat('fr')` is valid without `new`. */
function formatterClass(kind: string, methods: readonly string[], ask: Ask): object {
  const chosen = new WeakMap<object, Chosen>()
  function Formatter(this: unknown, locales?: unknown, options?: unknown): object {
    const self = Object.create(new.target === undefined ? prototype : new.target.prototype) as object
    const own = { locales: localesOf(locales), options: optionsOf(options) }
    // Finds invalid locales and options now, as the standard says.
    ask(kind, 'resolvedOptions', own.locales, own.options, [])
    chosen.set(self, own)
    return self
  }
  const prototype = Formatter.prototype as object
  const of = (self: object): Chosen => {
    const own = chosen.get(self)
    if (own === undefined) throw new TypeError(`the method needs an Intl.${kind}`)
    return own
  }
  for (const method of methods) {
    const call = (self: object, given: readonly unknown[]): unknown => {
      const { locales, options } = of(self)
      const now = kind === 'DateTimeFormat' && method.startsWith('format') && given[0] === undefined ? [Date.now()] : given
      return ask(kind, method, locales, options, now)
    }
    const direct = function (this: object, ...given: unknown[]): unknown {
      return call(this, given)
    }
    if (!BOUND.has(`${kind}.${method}`)) defineHidden(prototype, method, direct)
    else
      defineProperty(prototype, method, {
        configurable: true,
        get(this: object) {
          of(this)
          return (...given: unknown[]) => call(this, given)
        },
      })
  }
  defineProperty(prototype, Symbol.toStringTag, { value: `Intl.${kind}`, configurable: true })
  defineHidden(Formatter, 'supportedLocalesOf', (locales?: unknown) => ask(kind, 'supportedLocalesOf', locales, undefined, []))
  defineProperty(Formatter, 'name', { value: kind, configurable: true })
  return Formatter
}

function completeLocaleMethods(ask: Ask): void {
  const { prototype: numbers } = Number
  const { prototype: bigInts } = BigInt
  const { prototype: dates } = Date
  const { prototype: texts } = String
  const numberText = function (this: number | bigint, locales?: unknown, options?: unknown): unknown {
    return ask('NumberFormat', 'format', locales, options, [this.valueOf()])
  }
  defineHidden(numbers, 'toLocaleString', numberText)
  defineHidden(bigInts, 'toLocaleString', numberText)
  for (const method of ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString'] as const) {
    defineHidden(dates, method, function (this: Date, locales?: unknown, options?: unknown): unknown {
      return ask('Date', method, locales, options, [this.getTime()])
    })
  }
  defineHidden(texts, 'localeCompare', function (this: unknown, other: unknown, locales?: unknown, options?: unknown): unknown {
    return ask('Collator', 'compare', locales, options, [`${this}`, `${other}`])
  })
  defineHidden(Array.prototype, 'toLocaleString', function (this: readonly unknown[], ...given: unknown[]): string {
    return Array.from(this, (value) =>
      value === undefined || value === null ? '' : `${(value as { toLocaleString(...rest: unknown[]): string }).toLocaleString(...given)}`,
    ).join(',')
  })
}

function defineHidden(target: object, name: string, value: unknown): void {
  if (typeof value === 'function') defineProperty(value, 'name', { value: name, configurable: true })
  defineProperty(target, name, { value, writable: true, configurable: true, enumerable: false })
}

function localesOf(locales: unknown): readonly string[] | undefined {
  if (locales === undefined) return undefined
  if (locales === null) throw new TypeError('Cannot convert undefined or null to object')
  return typeof locales === 'object' && Symbol.iterator in locales
    ? [...(locales as Iterable<unknown>)].map((locale) => `${locale}`)
    : [`${locales}`]
}

function optionsOf(options: unknown): Options | undefined {
  if (options === undefined || typeof options !== 'object' || options === null) return undefined
  const own: Record<string, unknown> = {}
  // Inherited options count too.
  for (const name in options) {
    const value = (options as Options)[name]
    if (value !== undefined) own[name] = typeof value === 'number' || typeof value === 'boolean' ? value : `${value}`
  }
  return own
}

/** Values that JSON lacks, with their type. */
function valueWire(value: unknown): unknown {
  if (typeof value === 'string' || value === null) return value
  if (typeof value === 'bigint') return { bigint: `${value}` }
  if (value === undefined) return { number: 'NaN' }
  if (typeof value === 'object' && !(value instanceof Date) && Symbol.iterator in value)
    return [...(value as Iterable<unknown>)].map((item) => `${item}`)
  return { number: Object.is(+(value as number), -0) ? '-0' : `${+(value as number)}` }
}
