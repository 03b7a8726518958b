// The account of a merchant: what its owners say about it. The name that customers read changes once an operator has approved it.
import { TIME_ZONES } from '../kernel/time-zone.ts'
import { listOf, PAGE_QUERY, timestamp, uuid } from './common.ts'
import { choice, nameText, nullable, type Static, Type, text } from './schema.ts'
import { reasonText } from './top-up.ts'

export const MERCHANT_NAME_LENGTH_MAX = 100
export const MERCHANT_ADDRESS_LENGTH_MAX = 255
/** A customer's phone loads the logo with the checkout page. */
export const MERCHANT_LOGO_BYTES_MAX = 32 * 1024
export const MERCHANT_LOGO_SIDE_PX_MAX = 1024

const CHANGE_STATES = ['requested', 'refused'] as const

export const NameChange = Type.Object(
  {
    state: choice(CHANGE_STATES, { description: '`requested`: an operator has not decided yet.' }),
    name: Type.String({ description: 'The new name.', examples: ['Chez Awa'] }),
    reason: nullable(Type.String(), { description: 'Why an operator refused; null otherwise.' }),
    requested_at: timestamp({ description: 'When an owner asked for it.' }),
    decided_at: nullable(timestamp(), { description: 'When an operator refused; null before.' }),
  },
  { $id: 'NameChange', description: 'A name that customers do not read.' },
)

export type NameChange = Static<typeof NameChange>

export const LogoChange = Type.Object(
  {
    state: choice(CHANGE_STATES, { description: '`requested`: an operator has not decided yet.' }),
    logo_url: nullable(Type.String({ format: 'uri' }), { description: 'The new logo; null once it was refused.' }),
    reason: nullable(Type.String(), { description: 'Why an operator refused; null otherwise.' }),
    requested_at: timestamp({ description: 'When an owner asked for it.' }),
    decided_at: nullable(timestamp(), { description: 'When an operator refused; null before.' }),
  },
  { $id: 'LogoChange', description: 'A logo that customers do not see.' },
)

export type LogoChange = Static<typeof LogoChange>

export const EMAIL_LANGUAGES = ['fr', 'en'] as const

export type EmailLanguage = (typeof EMAIL_LANGUAGES)[number]

const timeZone = () =>
  choice(TIME_ZONES, {
    description: 'Days of statements and of the till, and 7:00 of the daily summary, are in this time zone.',
    examples: ['Africa/Dakar'],
  })

const emailLanguage = () =>
  nullable(choice(EMAIL_LANGUAGES, {}), { description: 'Language of notices by e-mail. Null: both, French first.', examples: ['fr'] })

export const MerchantAccount = Type.Object(
  {
    merchant_id: uuid({ description: 'Id of the merchant.' }),
    name: Type.String({ description: 'Shown to customers.', examples: ['Boutique Awa'] }),
    name_change: nullable(NameChange, { description: 'The name that an owner asked for last; null where none waits or was refused.' }),
    logo_url: nullable(Type.String({ format: 'uri' }), { description: 'Logo that customers see; null for none.' }),
    logo_change: nullable(LogoChange, { description: 'The logo that an owner sent last; null where none waits or was refused.' }),
    address: nullable(Type.String(), {
      description: 'Shown to customers, on receipts and on statements; null for none.',
      examples: ['12 rue Félix Faure, Dakar'],
    }),
    time_zone: timeZone(),
    email_language: emailLanguage(),
  },
  { $id: 'MerchantAccount', description: 'What owners say about their merchant.' },
)

export type MerchantAccount = Static<typeof MerchantAccount>

export const SetMerchantAccountBody = Type.Object(
  {
    name: Type.Optional(
      nameText({
        maxLength: MERCHANT_NAME_LENGTH_MAX,
        description: 'The new name waits for an operator. The present name withdraws what waits.',
        examples: ['Chez Awa'],
      }),
    ),
    address: Type.Optional(
      nullable(text({ lines: 'one', minLength: 1, maxLength: MERCHANT_ADDRESS_LENGTH_MAX }), { description: 'Null: none.' }),
    ),
    time_zone: Type.Optional(timeZone()),
    email_language: Type.Optional(emailLanguage()),
  },
  { $id: 'SetMerchantAccountBody', description: 'Fields that are left out stay as they are.' },
)

export type SetMerchantAccountBody = Static<typeof SetMerchantAccountBody>

export const MerchantLogoForm = Type.Object(
  {
    file: Type.Unsafe<Uint8Array | undefined>({
      type: 'string',
      format: 'binary',
      description: 'PNG or JPEG by its content; square, 128 to 1 024 pixels a side, at most 32 768 bytes.',
    }),
  },
  { $id: 'MerchantLogoForm' },
)

export const MerchantNameChange = Type.Object(
  {
    merchant_id: uuid({ description: 'Id of the merchant.' }),
    merchant_name: Type.String({ description: 'The name that customers read.', examples: ['Boutique Awa'] }),
    ...NameChange.properties,
  },
  { $id: 'MerchantNameChange' },
)

export type MerchantNameChange = Static<typeof MerchantNameChange>

export const MerchantNameChangeList = listOf(MerchantNameChange, 'MerchantNameChangeList')

export const ListNameChangesQuery = Type.Object({
  ...PAGE_QUERY,
  state: Type.Optional(choice(CHANGE_STATES, { default: 'requested', description: 'Only names in this state.' })),
})

export type ListNameChangesQuery = Static<typeof ListNameChangesQuery>

export const ApproveNameBody = Type.Object(
  { name: nameText({ maxLength: MERCHANT_NAME_LENGTH_MAX, description: 'The name that was reviewed.', examples: ['Chez Awa'] }) },
  { $id: 'ApproveNameBody' },
)

export const RefuseNameBody = Type.Object({ reason: reasonText() }, { $id: 'RefuseNameBody' })

export const MerchantLogoChange = Type.Object(
  {
    merchant_id: uuid({ description: 'Id of the merchant.' }),
    merchant_name: Type.String({ description: 'The name that customers read.', examples: ['Boutique Awa'] }),
    shown_logo_url: nullable(Type.String({ format: 'uri' }), { description: 'Logo that customers see; null for none.' }),
    ...LogoChange.properties,
  },
  { $id: 'MerchantLogoChange' },
)

export type MerchantLogoChange = Static<typeof MerchantLogoChange>

export const MerchantLogoChangeList = listOf(MerchantLogoChange, 'MerchantLogoChangeList')

export const ListLogoChangesQuery = Type.Object({
  ...PAGE_QUERY,
  state: Type.Optional(choice(CHANGE_STATES, { default: 'requested', description: 'Only logos in this state.' })),
})

export type ListLogoChangesQuery = Static<typeof ListLogoChangesQuery>

export const ApproveLogoBody = Type.Object(
  {
    logo_url: Type.String({
      maxLength: 2048,
      description: '`logo_url` of the logo that was reviewed.',
      examples: [`https://api.example/logos/${'3f'.repeat(32)}.png`],
    }),
  },
  { $id: 'ApproveLogoBody' },
)

export const RefuseLogoBody = Type.Object({ reason: reasonText() }, { $id: 'RefuseLogoBody' })
