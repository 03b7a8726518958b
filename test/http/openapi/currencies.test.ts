// An answer with an amount names its currency, in the same object or in one around it: an amount alone says little where several
// currencies are kept.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DOCUMENT } from '../../support/api-document.ts'

/** Amounts of the account that asks, or of rules whose currency the request names. Their shapes are the contract's. */
const OF_ONE_CURRENCY = [
  ...['Fee', 'FeeRule', 'Funding', 'KeyLimits', 'MerchantLimits', 'MerchantRule', 'PayoutPolicy', 'TrialBalanceLine', 'WalletTier'],
  ...['WalletLimits', 'WalletLimitsLeft', 'WalletLimitsUsed'],
  // A merchant types them, for payers of its own currency.
  ...['Product', 'ProductPackage'],
  // A number of rows.
  'QuotaUseRow',
]

const IS_AMOUNT = /(?:^|_)(?:amount|balance|fee|available|pending|debit|credit|held|min|max|above)$|^balance_(?:before|after)$/

interface Schema {
  readonly $ref?: string
  readonly type?: unknown
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
}

const { paths, components } = DOCUMENT as unknown as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses?: Readonly<Record<string, Answer>> }>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

interface Answer {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>
}

const nameOf = ({ $ref = '' }: Schema): string => $ref.split('/').at(-1) ?? ''
const whole = (schema: Schema): Schema => (schema.$ref === undefined ? schema : (components.schemas[nameOf(schema)] ?? {}))

/** Adds the names of schemas with an amount and without a currency around it. */
function find(schema: Schema, name: string, hasCurrency: boolean, path: readonly string[], found: Set<string>): void {
  if (schema.$ref !== undefined) {
    const next = nameOf(schema)
    return path.includes(next) ? undefined : find(whole(schema), next, hasCurrency, [...path, next], found)
  }
  for (const part of [...(schema.anyOf ?? []), ...(schema.items === undefined ? [] : [schema.items])])
    find(part, name, hasCurrency, path, found)
  const { properties = {} } = schema
  const has = hasCurrency || 'currency' in properties
  for (const [field, value] of Object.entries(properties)) {
    if (!has && IS_AMOUNT.test(field) && JSON.stringify(whole(value)).includes('"integer"')) found.add(name)
    find(value, name, has, path, found)
  }
}

test('every answer with an amount names its currency', () => {
  const found = new Set<string>()
  for (const [path, operations] of Object.entries(paths)) {
    for (const { responses = {} } of Object.values(operations)) {
      for (const [status, { content = {} }] of Object.entries(responses)) {
        if (!status.startsWith('2')) continue
        for (const { schema } of Object.values(content)) if (schema !== undefined) find(schema, path, false, [], found)
      }
    }
  }
  assert.deepEqual([...found].sort(), [...OF_ONE_CURRENCY].sort())
})
