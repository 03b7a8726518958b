// Merchants as the operator sees them.
import { ActivationState } from './activation.ts'
import { currency, listOf, PAGE_QUERY, timestamp, uuid } from './common.ts'
import { choice, nameText, nullable, type Static, Type, text } from './schema.ts'

export const CreateMerchantBody = Type.Object(
  {
    name: nameText({ maxLength: 100, description: 'Shown to customers.', examples: ['Boutique Awa'] }),
    email: Type.String({
      format: 'email',
      maxLength: 254,
      description: 'Address of the merchant.',
      examples: ['compta@boutique-awa.example'],
    }),
    currency: Type.Optional(
      currency({
        description: 'ISO 4217: one that this deployment keeps. For good. Default: its first, XOF unless it is set otherwise.',
        'x-error': 'unsupported_currency',
      }),
    ),
  },
  { $id: 'CreateMerchantBody' },
)

export type CreateMerchantBody = Static<typeof CreateMerchantBody>

const MERCHANT_STATES = ['active', 'suspended'] as const

export const Merchant = Type.Object(
  {
    id: uuid({ description: 'Id of the merchant.' }),
    name: Type.String({ description: 'Shown to customers.', examples: ['Boutique Awa'] }),
    email: Type.String({ description: 'Address of the merchant.', examples: ['compta@boutique-awa.example'] }),
    currency: currency(),
    state: choice(MERCHANT_STATES, { description: '`suspended`: it moves no money, in both environments (403 `merchant_suspended`).' }),
    activation_state: ActivationState,
    suspend_reason: nullable(Type.String(), { description: 'Why an operator suspended it; null otherwise.' }),
    created_at: timestamp(),
  },
  { $id: 'Merchant', description: 'A merchant.' },
)

export type Merchant = Static<typeof Merchant>

export const SuspendMerchantBody = Type.Object(
  { reason: text({ lines: 'one', minLength: 1, maxLength: 500, description: 'Shown to the merchant, so in French.' }) },
  { $id: 'SuspendMerchantBody' },
)

export type SuspendMerchantBody = Static<typeof SuspendMerchantBody>

export const SEARCH_LENGTH_MIN = 3

export const ListMerchantsQuery = Type.Object({
  ...PAGE_QUERY,
  q: Type.Optional(
    text({
      lines: 'one',
      minLength: SEARCH_LENGTH_MIN,
      maxLength: 255,
      description:
        'Name, e-mail address, phone or directory address of the merchant, or e-mail address of a member. A part of three characters is enough, in any case of letters, with or without accents.',
      examples: ['boutique'],
    }),
  ),
  state: Type.Optional(choice(MERCHANT_STATES, { description: 'Only merchants in this state.' })),
})

export type ListMerchantsQuery = Static<typeof ListMerchantsQuery>

export const MerchantList = listOf(Merchant, 'MerchantList')
