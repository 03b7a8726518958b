// Bodies of requests that post, hold or plan money. They are strict: an unknown field is rejected, because a misspelled
// or unsupported one would change what is paid.
import { amount, currency } from './common.ts'
import { REFUND_REASON_FIELDS } from './payment-reason.ts'
import { type ObjectSchema, type Properties, type Schema, type SchemaDocs, Type } from './schema.ts'

/** Optional field of every such body and line: the currency of the account. */
const CURRENCY_FIELD = Type.Optional(
  currency({
    description: 'ISO 4217. The currency of the account, which is the default; any other is rejected.',
    'x-error': 'unsupported_currency',
  }),
)

/** Returns the schema of a strict body or line with its fields and `currency`. */
export function moneyBody<Fields extends Properties>(fields: Fields, docs: SchemaDocs & Readonly<Record<string, unknown>>) {
  return Type.Object({ ...fields, currency: CURRENCY_FIELD }, { additionalProperties: false, ...docs })
}

/** Returns whether every object in the schema rejects unknown fields. A map, such as `metadata`, has no unknown ones. */
export function isStrict(schema: Schema): boolean {
  if (schema.type === 'array') return isStrict((schema as unknown as { readonly items: Schema }).items)
  if (schema.type !== 'object' || schema.patternProperties !== undefined) return true
  const { properties, additionalProperties } = schema as ObjectSchema
  return additionalProperties === false && Object.values(properties).every(isStrict)
}

/** Body of a request that has everything in its address. */
export const MoneyMoveBody = moneyBody({}, { $id: 'MoneyMoveBody' })

export const RefundBody = moneyBody(
  {
    amount: Type.Optional(
      amount({ description: 'The whole amount, which is the default. Another one is rejected (`partial_refund_unsupported`).' }),
    ),
    ...REFUND_REASON_FIELDS,
  },
  { $id: 'RefundBody' },
)
