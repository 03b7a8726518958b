// Schemas that all nouns share. They are the only implementation of the field rules of the API contract.
import { AMOUNT_MAX } from '../kernel/amount.ts'
import { DEFAULT_CURRENCIES } from '../kernel/currency.ts'
import { ENVIRONMENTS } from '../kernel/environment.ts'
import { ERROR_CODES } from './errors.ts'
import { choice, nullable, type ObjectSchema, type Schema, type SchemaDocs, type Static, Type, text } from './schema.ts'

/** Schema of an amount in requests. JSON Schema accepts `1.0` as an integer and the parser rejects it, so the description says so. */
export function amount(docs: SchemaDocs = {}) {
  return Type.Integer({
    minimum: 1,
    maximum: AMOUNT_MAX,
    description: 'Smallest currency unit; XOF has no decimals. In requests: digits only, `5000.0` is rejected.',
    examples: [5000],
    ...docs,
  })
}

/** Schema of a balance or a sum. It may be zero and, on settlement accounts, below zero. */
export function balance(docs: SchemaDocs = {}) {
  return Type.Integer({ description: 'Smallest currency unit.', examples: [250000], ...docs })
}

export function uuid(docs: SchemaDocs = {}) {
  return Type.String({ format: 'uuid', examples: ['01965c1e-7a2b-7c3d-8e4f-5a6b7c8d9e0f'], ...docs })
}

export function timestamp(docs: SchemaDocs = {}) {
  return Type.String({ format: 'date-time', description: 'RFC 3339, UTC.', examples: ['2026-11-20T10:00:00.000Z'], ...docs })
}

/** Schema of a tag in requests: one leading `@` is dropped, capitals are lowered. */
export function tagInput(docs: SchemaDocs = {}) {
  return Type.String({
    pattern: '^@?[A-Za-z0-9_]{3,20}$',
    description: 'Wallet tag, with or without its `@`; capitals are lowered. Eight or more digits name no wallet: they could be a phone.',
    examples: ['@awa_diallo'],
    ...docs,
  })
}

/** Schema of a tag in responses. */
export function tagOutput(docs: SchemaDocs = {}) {
  return Type.String({
    pattern: '^[a-z0-9_]{3,20}$',
    description: 'Normalized wallet tag, without the `@`.',
    examples: ['awa_diallo'],
    ...docs,
  })
}

/** Tag as in `tagInput`, or phone in E.164. */
export const RECIPIENT_PATTERN = '^(@?[A-Za-z0-9_]{3,20}|\\+[1-9][0-9]{7,14})$'

/** Schema of a recipient in requests. */
export function recipientInput(docs: SchemaDocs = {}) {
  return Type.String({
    pattern: RECIPIENT_PATTERN,
    description:
      'Wallet tag, with or without its `@`, capitals are lowered; or the phone of the wallet in E.164. Eight or more digits without `+` are neither.',
    examples: ['@awa_diallo', '+2250700000012'],
    ...docs,
  })
}

/** Schema of a recipient in responses. */
export function recipientOutput(docs: SchemaDocs = {}) {
  return Type.String({
    pattern: '^([a-z0-9_]{3,20}|\\+[1-9][0-9]{7,14})$',
    description: 'As sent: the normalized wallet tag, without the `@`, or the phone. The tag of a phone is never shown.',
    examples: ['awa_diallo'],
    ...docs,
  })
}

export function phone(docs: SchemaDocs = {}) {
  return Type.String({ pattern: '^\\+[1-9][0-9]{7,14}$', description: 'E.164.', examples: ['+2250000000012'], ...docs })
}

export function httpStatus() {
  return Type.Integer({ minimum: 100, maximum: 999, examples: [200] })
}

export function currency(docs: SchemaDocs = {}) {
  return Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.', examples: [DEFAULT_CURRENCIES[0]], ...docs })
}

export function environment(docs: SchemaDocs = {}) {
  return choice(ENVIRONMENTS, { description: 'Test and live are two ledgers that never mix.', ...docs })
}

export const REFERENCE_LENGTH_MAX = 255
export const NOTE_LENGTH_MAX = 500

/** Schema of a caller's own reference: one line. */
export function reference(docs: SchemaDocs = {}) {
  return text({
    lines: 'one',
    maxLength: REFERENCE_LENGTH_MAX,
    description: 'Your own reference: one line of at most 255 characters.',
    ...docs,
  })
}

/** Schema of the filter by a reference. */
export function referenceFilter() {
  return reference({ description: 'Only records with this reference, in any case of letters.' })
}

/** Schema of `q` of a list. */
export function searchText(finds: string) {
  return text({
    lines: 'one',
    maxLength: REFERENCE_LENGTH_MAX,
    description: `${finds} The whole text, in any case of letters.`,
    examples: ['FACT-2026-118'],
  })
}

/** `q` of a list whose rows are read one by one: a part of a text is enough. */
export function partText(finds: string) {
  return text({
    lines: 'one',
    maxLength: REFERENCE_LENGTH_MAX,
    description: `${finds} A part is enough, in any case of letters, with or without accents; ids and phones whole.`,
    examples: ['salaire'],
  })
}

export function note(docs: SchemaDocs = {}) {
  return text({ lines: 'many', maxLength: NOTE_LENGTH_MAX, description: 'Free note of at most 500 characters.', ...docs })
}

/** Input of a customer for one form field. */
export const FormValue = Type.Union([Type.String(), Type.Number(), Type.Null()], {
  $id: 'FormValue',
  description: 'A number may come as a number or as a decimal string; null is the same as absent.',
})

/** Body of every error. Members after `message` are present only when they apply. */
export const ErrorBody = Type.Object(
  {
    code: choice(ERROR_CODES, { description: 'Machine-readable, stable between releases.' }),
    message: Type.String({ description: 'Ready to display: French, or English for a caller whose Accept-Language prefers it.' }),
    param: Type.Optional(
      Type.String({ description: 'Dotted path of the field, parameter or header at fault.', examples: ['items.3.amount'] }),
    ),
    request_id: Type.Optional(Type.String({ description: 'The same as the header X-Request-Id.' })),
    attempts_left: Type.Optional(Type.Integer({ minimum: 0, description: 'With `pin_incorrect`: tries before the PIN is locked.' })),
  },
  { $id: 'ErrorBody', description: 'Every answer that is not 2xx has this body.' },
)

export type ErrorBody = Static<typeof ErrorBody>

export const LIST_LIMIT_MAX = 100
export const LIST_LIMIT_DEFAULT = 20

/** Query parameters of every list. */
export const PAGE_QUERY = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: LIST_LIMIT_MAX, default: LIST_LIMIT_DEFAULT, description: 'Records per page.' }),
  ),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 128, description: '`next_cursor` of the page before, with the same filters. Opaque.' }),
  ),
  created_from: Type.Optional(Type.String({ format: 'date-time', description: 'Only records created at or after this time.' })),
  created_to: Type.Optional(Type.String({ format: 'date-time', description: 'Only records created before this time.' })),
}

export const PageQuery = Type.Object(PAGE_QUERY)

export type PageQuery = Static<typeof PageQuery>

/** The envelope of every list, newest record first. */
export function listOf<Row extends Schema>(row: Row, name: string): ObjectSchema {
  return Type.Object(
    {
      data: Type.Array(row, { description: 'Newest first.' }),
      has_more: Type.Boolean({ description: 'Whether another page follows.' }),
      next_cursor: nullable(Type.String(), { description: '`cursor` of the next page; null at the end.' }),
    },
    { $id: name },
  )
}
