// Building blocks of schemas: TypeBox and custom kinds. A schema is validation, TypeScript type and OpenAPI at once, so every
// check of a custom kind must also be expressed in plain JSON Schema.
import {
  FormatRegistry,
  Kind,
  type Static,
  type TNull,
  type TObject,
  type TProperties,
  type TSchema,
  type TUnion,
  type TUnsafe,
  Type,
  TypeRegistry,
} from '@sinclair/typebox'
import type { ErrorCode } from './errors.ts'
import { isBlank, nameFault } from './name-text.ts'
import { textLength } from './text-length.ts'
import { parseTime } from './time-text.ts'

export type { Static, TObject as ObjectSchema, TProperties as Properties, TSchema as Schema }
export { Type }

/** Options of every schema beside its own rules. */
export interface SchemaDocs {
  /** Name of its component in the OpenAPI document. */
  readonly $id?: string
  readonly description?: string
  readonly examples?: readonly unknown[]
  readonly default?: unknown
  /** Error code for a value of the right type that breaks the rule. Default: `invalid_request`. */
  readonly 'x-error'?: ErrorCode
  /** Error code for a missing required value or an empty list with a minimum length. Default: `invalid_request`. */
  readonly 'x-missing'?: ErrorCode
}

export interface TextRule extends SchemaDocs {
  /** Maximum of code points, as JSON Schema counts. */
  readonly maxLength: number
  readonly minLength?: number
  /** `one` rejects every control character, `many` allows tab and line breaks. Both reject lone surrogates, which UTF-8 cannot encode. */
  readonly lines: 'one' | 'many'
}

/** Returns the schema of free text: bounded, and safe in logs, CSV and pages. With a minimum length a reader must see something of it. */
export function text({ lines, minLength = 0, maxLength, ...docs }: TextRule): TUnsafe<string> {
  const pattern = minLength === 0 ? PATTERNS[lines] : SEEN_PATTERNS[lines]
  return Type.Unsafe<string>({ [Kind]: 'Text', type: 'string', minLength, maxLength, pattern, ...docs })
}

export type NameRule = Omit<TextRule, 'lines'>

/** Returns the schema of a name that others read: the rule of name-text.ts. With a minimum length of 0 it may be empty. */
export function nameText({ minLength = 1, maxLength, ...docs }: NameRule): TUnsafe<string> {
  const pattern = minLength === 0 ? `^(?:${NAME_PATTERN})?$` : `^${NAME_PATTERN}$`
  return Type.Unsafe<string>({ [Kind]: 'Name', type: 'string', minLength, maxLength, pattern, ...docs })
}

/** Returns the schema of one of several words. JSON Schema: `enum`. */
export function choice<const Words extends readonly string[]>(words: Words, docs: SchemaDocs = {}): TUnsafe<Words[number]> {
  return Type.Unsafe<Words[number]>({ [Kind]: 'Choice', type: 'string', enum: words, ...docs })
}

/** Returns a schema that accepts any JSON. Its other keywords are documentation; the consumer validates the value. */
export function anything(docs: SchemaDocs & { readonly anyOf?: readonly TSchema[] } = {}): TUnsafe<unknown> {
  return Type.Unsafe<unknown>({ [Kind]: 'Any', ...docs })
}

/**
 * Returns a schema that accepts any JSON and documents `accepted`. For values that the handler validates itself: in a
 * certain order, with its own code, or without a rejection (a batch line fails alone).
 */
export function judged(accepted: TSchema, docs: SchemaDocs = {}): TUnsafe<unknown> {
  return Type.Unsafe<unknown>({ [Kind]: 'Any', accepted, ...docs })
}

export function nullable<Inner extends TSchema>(inner: Inner, docs: SchemaDocs = {}): TUnion<[Inner, TNull]> {
  return Type.Union([inner, Type.Null()], docs as object)
}

/**
 * Excludes control characters and lone surrogates. Ranges instead of `\p{Cc}`: validators written in Python do not support
 * it and reject the whole document.
 */
const UNSAFE = {
  one: '\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff',
  many: '\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\ud800-\\udfff',
} as const

const PATTERNS = { one: `^[^${UNSAFE.one}]*$`, many: `^[^${UNSAFE.many}]*$` } as const

const HIDDEN =
  '\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u200c\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ud800-\\udfff\\ue000-\\uf8ff\\ufeff\\uffa0\\ufff0-\\ufffb'
const BLANKS = '\\u0020\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000'
/** What JSON Schema can say of a name: no hidden character, and one that is not blank. Alphabets are beyond it. */
const NAME_PATTERN = `[^${HIDDEN}]*[^${HIDDEN}${BLANKS}][^${HIDDEN}]*`

const seen = (unsafe: string): string => `^[^${unsafe}]*[^${HIDDEN}${BLANKS}][^${unsafe}]*$`
/** Of texts that may not be blank. */
const SEEN_PATTERNS = { one: seen(UNSAFE.one), many: seen(UNSAFE.many) } as const

interface TextSchema {
  readonly minLength: number
  readonly maxLength: number
  readonly pattern: string
}

TypeRegistry.Set<TextSchema>('Text', ({ minLength, maxLength, pattern }, value) => {
  if (typeof value !== 'string') return false
  const length = textLength(value, pattern === PATTERNS.many || pattern === SEEN_PATTERNS.many)
  return length >= minLength && length <= maxLength && (minLength === 0 || !isBlank(value))
})

TypeRegistry.Set<TextSchema>('Name', ({ minLength, maxLength }, value) => {
  if (!isName(value, maxLength)) return false
  return textLength(value, false) >= minLength
})

/** Checks the rule of `nameText` for values without a schema. The empty text passes. */
export function isName(value: unknown, maxLength: number): value is string {
  return isText(value, 'one', maxLength) && nameFault(value) === null
}

/** Checks the rule of `text` for values without a schema. */
export function isText(value: unknown, lines: TextRule['lines'], maxLength: number): value is string {
  // A character has two units at most, so a text of megabytes is not counted.
  if (typeof value !== 'string' || value.length > 2 * maxLength) return false
  const length = textLength(value, lines === 'many')
  return length >= 0 && length <= maxLength
}

TypeRegistry.Set<{ readonly enum: readonly unknown[] }>('Choice', (schema, value) => schema.enum.includes(value))

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
/** The rule of HTML's `<input type=email>`, with at least one dot in the domain. */
const EMAIL =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+$/

FormatRegistry.Set('uuid', (value) => UUID.test(value))
FormatRegistry.Set('email', (value) => value.length <= 254 && EMAIL.test(value))
FormatRegistry.Set('date-time', (value) => parseTime(value) !== null)
FormatRegistry.Set('uri', (value) => URL.canParse(value))

/** Deeply read-only type of a schema, for values that the engine keeps. */
export type Immutable<T> = T extends readonly (infer Item)[]
  ? readonly Immutable<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Immutable<T[Key]> }
    : T
