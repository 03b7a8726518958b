// Live activation: what a merchant tells of itself before it may move live money, and the answer of an operator.
import { listOf, PAGE_QUERY, phone, timestamp, uuid } from './common.ts'
import { choice, nameText, nullable, type Static, Type, text } from './schema.ts'
import { reasonText } from './top-up.ts'

export const ACTIVATION_STATES = ['none', 'requested', 'active', 'refused'] as const

export const ActivationState = choice(ACTIVATION_STATES, {
  $id: 'ActivationState',
  description: '`active`: live money moves. In the others it is 403 `live_not_activated`. Merchants that an operator makes are active.',
})

const field = (maxLength: number, description: string, example: string) =>
  text({ lines: 'one', minLength: 1, maxLength, description, examples: [example] })

const DETAILS = {
  legal_name: nameText({ maxLength: 140, description: 'Name in the trade register.', examples: ['Boutique Awa SARL'] }),
  registration_number: text({
    ...{ lines: 'one', maxLength: 64, examples: ['SN-DKR-2024-B-12345'] },
    description: 'Number in the trade register or of the taxpayer. Empty only with `informal`.',
  }),
  informal: Type.Optional(Type.Boolean({ description: 'True: the business is in no register. Absent: it is.' })),
  address: field(255, 'Address of the business.', '12 rue Félix Faure, Dakar'),
  contact_name: nameText({ maxLength: 140, description: 'Person to contact.', examples: ['Awa Diallo'] }),
  contact_phone: phone({ description: 'Phone of that person, E.164.', examples: ['+221770000001'] }),
  activity: field(500, 'What the business sells.', 'Vente de tissus et confection'),
}

export const ActivationDetails = Type.Object(DETAILS, { $id: 'ActivationDetails' })

export type ActivationDetails = Static<typeof ActivationDetails>

export const ActivationRequest = Type.Object(
  { ...DETAILS, registration_number: Type.Optional(DETAILS.registration_number) },
  { $id: 'ActivationRequest', description: 'The details, where `registration_number` may be left out with `informal`.' },
)

/** Files of one merchant, and the size of each. */
export const ACTIVATION_FILES_MAX = 4
export const ACTIVATION_FILE_BYTES_MAX = 5 * 1024 * 1024

const ACTIVATION_FILE_TYPES = ['application/pdf', 'image/png', 'image/jpeg'] as const

export const ActivationFileType = choice(ACTIVATION_FILE_TYPES, { $id: 'ActivationFileType', description: 'By its content.' })

export type ActivationFileType = Static<typeof ActivationFileType>

export const ActivationFile = Type.Object(
  {
    id: uuid({ description: 'Id of the file.' }),
    content_type: ActivationFileType,
    size_bytes: Type.Integer({
      ...{ minimum: 1, maximum: ACTIVATION_FILE_BYTES_MAX, format: 'int32' },
      ...{ description: 'Its size in bytes.', examples: [184_320] },
    }),
    created_at: timestamp({ description: 'When it was received.' }),
  },
  { $id: 'ActivationFile' },
)

export type ActivationFile = Static<typeof ActivationFile>

/** Form of the upload. Other parts are ignored. */
export const ActivationFileForm = Type.Object(
  {
    file: Type.Unsafe<Uint8Array | undefined>({
      type: 'string',
      format: 'binary',
      description: 'PDF, PNG or JPEG by its content, never by its name; at most 5 MiB.',
    }),
  },
  { $id: 'ActivationFileForm' },
)

const ACTIVATION = {
  state: ActivationState,
  reason: nullable(Type.String(), { description: 'Why an operator refused; null otherwise.' }),
  requested_at: nullable(timestamp(), { description: 'When the details were last sent; null before.' }),
  decided_at: nullable(timestamp(), { description: 'When an operator decided; null before.' }),
  details: nullable(ActivationDetails, { description: 'As sent last; null before.' }),
  files: Type.Array(ActivationFile, {
    maxItems: ACTIVATION_FILES_MAX,
    description: 'Supporting documents, in the order of their arrival. Only operators read them.',
  }),
}

export const Activation = Type.Object(ACTIVATION, { $id: 'Activation' })

export type Activation = Static<typeof Activation>

/** Moves no money, so unknown fields are ignored, unlike in the refusal of a top-up. */
export const RefuseActivationBody = Type.Object({ reason: reasonText() }, { $id: 'RefuseActivationBody' })

export type RefuseActivationBody = Static<typeof RefuseActivationBody>

export const MerchantActivation = Type.Object(
  {
    merchant_id: uuid({ description: 'Id of the merchant.' }),
    merchant_name: Type.String({ description: 'Its name.', examples: ['Boutique Awa'] }),
    ...ACTIVATION,
  },
  { $id: 'MerchantActivation' },
)

export type MerchantActivation = Static<typeof MerchantActivation>

export const MerchantActivationList = listOf(MerchantActivation, 'MerchantActivationList')

export const ListActivationsQuery = Type.Object({
  ...PAGE_QUERY,
  state: Type.Optional(choice(ACTIVATION_STATES, { default: 'requested', description: 'Only merchants in this state.' })),
})

export type ListActivationsQuery = Static<typeof ListActivationsQuery>
