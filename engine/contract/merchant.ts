// Merchants as the operator sees them.
import { currency, listOf, timestamp, uuid } from './common.ts'
import { type Static, Type, text } from './schema.ts'

export const CreateMerchantBody = Type.Object(
  {
    name: text({ lines: 'one', minLength: 1, maxLength: 100, description: 'Shown to customers.', examples: ['Boutique Awa'] }),
    email: Type.String({
      format: 'email',
      maxLength: 254,
      description: 'Address of the merchant.',
      examples: ['compta@boutique-awa.example'],
    }),
    currency: Type.Optional(
      currency({ default: 'XOF', description: 'ISO 4217; XOF is the only one so far.', 'x-error': 'unsupported_currency' }),
    ),
  },
  { $id: 'CreateMerchantBody' },
)

export type CreateMerchantBody = Static<typeof CreateMerchantBody>

export const Merchant = Type.Object(
  {
    id: uuid({ description: 'Id of the merchant.' }),
    name: Type.String({ description: 'Shown to customers.', examples: ['Boutique Awa'] }),
    email: Type.String({ description: 'Address of the merchant.', examples: ['compta@boutique-awa.example'] }),
    currency: currency(),
    created_at: timestamp(),
  },
  { $id: 'Merchant', description: 'A merchant.' },
)

export type Merchant = Static<typeof Merchant>

export const MerchantList = listOf(Merchant, 'MerchantList')
