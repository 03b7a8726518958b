// Profile of a biller as the API accepts and returns it, and the decisions of operators about it.
import { listOf, PAGE_QUERY, timestamp, uuid } from './common.ts'
import { choice, judged, nullable, type Static, Type, text } from './schema.ts'

export const DIRECTORY_STATES = ['draft', 'in_review', 'published', 'rejected', 'suspended'] as const

/** Categories of billers, with the labels that the app shows. */
export const CATEGORIES = [
  { slug: 'electricity', label: 'Électricité' },
  { slug: 'water', label: 'Eau' },
  { slug: 'telecom', label: 'Téléphonie' },
  { slug: 'internet', label: 'Internet' },
  { slug: 'tv', label: 'Télévision' },
  { slug: 'education', label: 'Éducation' },
  { slug: 'insurance', label: 'Assurance' },
  { slug: 'taxes', label: 'Impôts et taxes' },
  { slug: 'transport', label: 'Transport' },
  { slug: 'health', label: 'Santé' },
  { slug: 'loans', label: 'Crédit' },
  { slug: 'housing', label: 'Logement' },
  { slug: 'donations', label: 'Dons' },
  { slug: 'subscriptions', label: 'Abonnements' },
  { slug: 'other', label: 'Autres' },
] as const

const CATEGORY_SLUGS = CATEGORIES.map(({ slug }) => slug)

/** A component of its own: generators name an inline enum of `Biller.category` `BillerCategory`, which is the record below. */
export const CategorySlug = choice(CATEGORY_SLUGS, { $id: 'CategorySlug', description: 'Category of a biller.' })

export const Category = Type.Object(
  { slug: CategorySlug, label: Type.String({ description: 'French, for people.', examples: ['Électricité'] }) },
  { $id: 'BillerCategory' },
)

export const CategoryList = listOf(Category, 'BillerCategoryList')

export const SaveBillerBody = Type.Object(
  {
    display_name: Type.Optional(
      judged(text({ lines: 'one', minLength: 1, maxLength: 80, examples: ['Sénélec'] }), {
        description:
          'Name in the directory. It cannot change after the publication and is optional from then on. Missing: `display_name_required`; malformed: `invalid_request`.',
      }),
    ),
    category: Type.Optional(
      judged(CategorySlug, {
        description: 'It cannot change after the publication and is optional from then on. Missing or unknown: `invalid_category`.',
      }),
    ),
    short_desc: Type.Optional(
      judged(text({ lines: 'many', minLength: 1, maxLength: 500, examples: ['L’électricité du Sénégal.'] }), {
        description: 'Description for customers. It can always be changed. Missing: `short_desc_required`; malformed: `invalid_request`.',
      }),
    ),
  },
  { $id: 'SaveBillerBody' },
)

export type SaveBillerBody = Static<typeof SaveBillerBody>

const BILLER_FIELDS = {
  slug: Type.String({
    pattern: '^[a-z0-9][a-z0-9-]{0,62}$',
    description: 'Derived from the first display name. It never changes.',
    examples: ['senelec'],
  }),
  display_name: Type.String({ description: 'Name in the directory.', examples: ['Sénélec'] }),
  category: CategorySlug,
  short_desc: Type.String({ description: 'Description for customers.' }),
  logo_url: nullable(Type.String({ format: 'uri' }), { description: 'Public. The image at an address never changes.' }),
  pending_logo_url: nullable(Type.String({ format: 'uri' }), {
    description: 'Logo that was uploaded after the publication and waits for the approval of an operator.',
  }),
  directory_state: choice(DIRECTORY_STATES, { description: 'Customers see the biller while it is `published`.' }),
  live: Type.Boolean({
    description:
      'Whether an operator has approved it, so that live wallets see it. A profile that only the test helper approved is visible to test wallets only.',
  }),
  reject_reason: nullable(Type.String(), { description: 'Reason of the rejection while it is rejected; otherwise null.' }),
  suspend_reason: nullable(Type.String(), { description: 'Reason of the suspension while it is suspended; otherwise null.' }),
  created_at: timestamp(),
  submitted_at: nullable(timestamp(), {
    description: 'Time of the last submission. A change of name, category or logo during the review counts as one.',
  }),
  published_at: nullable(timestamp(), { description: 'Time of the first approval; null before.' }),
}

export const Biller = Type.Object(BILLER_FIELDS, { $id: 'Biller', description: 'The profile of a biller.' })

export type Biller = Static<typeof Biller>

export const OperatorBiller = Type.Object(
  {
    ...BILLER_FIELDS,
    directory_state: choice(DIRECTORY_STATES, { description: '`in_review` also when only the test helper has approved it.' }),
    merchant_id: uuid({ description: 'Id of the merchant that owns it.' }),
    merchant_name: Type.String({ description: 'Name of that merchant.', examples: ['Boutique Awa'] }),
  },
  { $id: 'OperatorBiller' },
)

export type OperatorBiller = Static<typeof OperatorBiller>

export const OperatorBillerList = listOf(OperatorBiller, 'OperatorBillerList')

export const ListBillersQuery = Type.Object({
  ...PAGE_QUERY,
  directory_state: Type.Optional(choice(DIRECTORY_STATES, { description: 'Only profiles in this state.' })),
})

export type ListBillersQuery = Static<typeof ListBillersQuery>

export const ApproveBillerQuery = Type.Object({
  submitted_at: Type.Optional(
    Type.String({
      format: 'date-time',
      description: '`submitted_at` of the profile that you reviewed. 409 when another one was submitted since.',
    }),
  ),
})

export type ApproveBillerQuery = Static<typeof ApproveBillerQuery>

export const CurateLogoQuery = Type.Object({
  file: Type.Optional(
    Type.String({
      pattern: '^[0-9a-f]{64}\\.(?:png|jpg|webp)$',
      description: 'End of the `pending_logo_url` that you reviewed. 409 when another logo is pending now.',
    }),
  ),
})

export type CurateLogoQuery = Static<typeof CurateLogoQuery>

export const ReasonBody = Type.Object(
  {
    reason: text({
      lines: 'many',
      minLength: 1,
      maxLength: 500,
      description: 'Shown to the merchant.',
      examples: ['Le logo est illisible.'],
    }),
  },
  { $id: 'ReasonBody' },
)

export type ReasonBody = Static<typeof ReasonBody>

/** Form of the upload. Other parts are ignored. */
export const LogoForm = Type.Object(
  {
    file: Type.Unsafe<Uint8Array | undefined>({
      type: 'string',
      format: 'binary',
      description: 'PNG, JPEG or WebP by its content; square, 128 to 8 192 pixels a side, at most 524 288 bytes.',
    }),
  },
  { $id: 'LogoForm' },
)

export const UploadedLogo = Type.Object(
  {
    logo_url: nullable(Type.String({ format: 'uri' }), { description: 'Logo that is displayed now.' }),
    pending: Type.Boolean({ description: 'Whether the new logo waits for an operator. The displayed logo is then unchanged.' }),
  },
  { $id: 'UploadedLogo' },
)

export type UploadedLogo = Static<typeof UploadedLogo>
