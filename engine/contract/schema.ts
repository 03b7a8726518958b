// The vocabulary that schemas are written in: TypeBox and three kinds of our own. A schema is validation, TypeScript
// type and OpenAPI at once, so whatever is checked here must also be said in plain JSON Schema.
import {
  FormatRegistry,
  Kind,
  type Static,
  type TNull,
  type TObject,
  type TSchema,
  type TUnion,
  type TUnsafe,
  Type,
  TypeRegistry,
} from '@sinclair/typebox'
import { decodeCursor } from './cursor.ts'
import type { ErrorCode } from './errors.ts'
import { parseTime } from './time-text.ts'

export type { Static, TObject as ObjectSchema, TSchema as Schema }
export { Type }

/** What every schema may carry beside its own rules. */
export interface SchemaDocs {
  /** Name of the component that the document makes of it. */
  readonly $id?: string
  readonly description?: string
  readonly examples?: readonly unknown[]
  readonly default?: unknown
  /** The code to refuse with when the value has the right type and breaks the rule; `invalid_request` without it. */
  readonly 'x-error'?: ErrorCode
  /** The code to refuse with when a required value is missing, or a list that may not be empty is; `invalid_request` without it. */
  readonly 'x-missing'?: ErrorCode
}

export interface TextRule extends SchemaDocs {
  /** Code points, as JSON Schema counts. */
  readonly maxLength: number
  readonly minLength?: number
  /** `one` refuses every control character, `many` allows tab and line breaks. Lone surrogates are always refused: they have no UTF-8. */
  readonly lines: 'one' | 'many'
}

/** Free text that people wrote: bounded, and fit for logs, CSV and pages. */
export function text({ lines, minLength = 0, maxLength, ...docs }: TextRule): TUnsafe<string> {
  return Type.Unsafe<string>({ [Kind]: 'Text', type: 'string', minLength, maxLength, pattern: PATTERNS[lines], ...docs })
}

/** One of a few words. JSON Schema: `enum`. */
export function choice<const Words extends readonly string[]>(words: Words, docs: SchemaDocs = {}): TUnsafe<Words[number]> {
  return Type.Unsafe<Words[number]>({ [Kind]: 'Choice', type: 'string', enum: words, ...docs })
}

/** Any JSON: what the schema says beside it is for readers, whoever takes the value judges it. */
export function anything(docs: SchemaDocs & { readonly anyOf?: readonly TSchema[] } = {}): TUnsafe<unknown> {
  return Type.Unsafe<unknown>({ [Kind]: 'Any', ...docs })
}

/**
 * Any JSON to the validator, `accepted` to readers of the document. For values whose handler refuses them itself: in an
 * order, with a code, or not at all (a batch line fails alone).
 */
export function judged(accepted: TSchema, docs: SchemaDocs = {}): TUnsafe<unknown> {
  return Type.Unsafe<unknown>({ [Kind]: 'Any', accepted, ...docs })
}

export function nullable<Inner extends TSchema>(inner: Inner, docs: SchemaDocs = {}): TUnion<[Inner, TNull]> {
  return Type.Union([inner, Type.Null()], docs as object)
}

/**
 * No control characters, no lone surrogates. Spelled out: `\p{Cc}` is no regular expression to validators written in Python,
 * and they refuse the whole document for it.
 */
const PATTERNS = {
  one: '^[^\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff]*$',
  many: '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\ud800-\\udfff]*$',
} as const

interface TextSchema {
  readonly minLength: number
  readonly maxLength: number
  readonly pattern: string
}

TypeRegistry.Set<TextSchema>('Text', ({ minLength, maxLength, pattern }, value) => {
  if (typeof value !== 'string') return false
  const length = textLength(value, pattern === PATTERNS.many)
  return length >= minLength && length <= maxLength
})

/** The rule of `text`, for values that no schema checks. */
export function isText(value: unknown, lines: TextRule['lines'], maxLength: number): value is string {
  if (typeof value !== 'string') return false
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
FormatRegistry.Set('cursor', (value) => decodeCursor(value) !== null)
FormatRegistry.Set('uri', (value) => URL.canParse(value))

const TAB = 0x09
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/** The rules of PATTERNS in one pass: code points, or -1 when a control character or a lone surrogate is among them. */
function textLength(value: string, manyLines: boolean): number {
  let length = value.length
  for (let index = 0; index < value.length; index++) {
    const unit = value.charCodeAt(index)
    if (unit < 0x20 || (unit >= 0x7f && unit <= 0x9f)) {
      if (!manyLines || (unit !== TAB && unit !== LINE_FEED && unit !== CARRIAGE_RETURN)) return -1
    } else if (unit >= 0xd800 && unit <= 0xdfff) {
      const next = value.charCodeAt(++index)
      if (unit >= 0xdc00 || !(next >= 0xdc00 && next <= 0xdfff)) return -1
      length--
    }
  }
  return length
}

/** The type of a schema as the engine keeps it: nothing of it changes after it was made. */
export type Immutable<T> = T extends readonly (infer Item)[]
  ? readonly Immutable<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Immutable<T[Key]> }
    : T
