// The profile of a biller as the API shows and takes it, and what operators decide about it.
import { listOf, PAGE_QUERY, timestamp, uuid } from './common.ts'
import { choice, judged, nullable, type Static, Type, text } from './schema.ts'

export const DIRECTORY_STATES = ['draft', 'in_review', 'published', 'rejected', 'suspended'] as const

/** What a biller may call itself, and how the app calls that. */
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
          'Name in the directory. Frozen once published; from then on it may be left out. Missing: `display_name_required`; malformed: `invalid_request`.',
      }),
    ),
    category: Type.Optional(
      judged(CategorySlug, {
        description: 'Frozen once published; from then on it may be left out. Missing or unknown: `invalid_category`.',
      }),
    ),
    short_desc: Type.Optional(
      judged(text({ lines: 'many', minLength: 1, maxLength: 500, examples: ['L’électricité du Sénégal.'] }), {
        description: 'What customers read. Can always be changed. Missing: `short_desc_required`; malformed: `invalid_request`.',
      }),
    ),
  },
  { $id: 'SaveBillerBody' },
)

export type SaveBillerBody = Static<typeof SaveBillerBody>

const BILLER_FIELDS = {
  slug: Type.String({
    pattern: '^[a-z0-9][a-z0-9-]{0,62}$',
    description: 'Made from the first display name, for ever.',
    examples: ['senelec'],
  }),
  display_name: Type.String({ description: 'Name in the directory.', examples: ['Sénélec'] }),
  category: CategorySlug,
  short_desc: Type.String({ description: 'What customers read.' }),
  logo_url: nullable(Type.String({ format: 'uri' }), { description: 'Public. The picture behind an address never changes.' }),
  pending_logo_url: nullable(Type.String({ format: 'uri' }), { description: 'Uploaded after the publication, waits for an operator.' }),
  directory_state: choice(DIRECTORY_STATES, { description: 'Customers see it while it is `published`.' }),
  live: Type.Boolean({
    description: 'An operator has approved it, so live wallets see it. What only the test helper approved is there for test wallets alone.',
  }),
  reject_reason: nullable(Type.String(), { description: 'Why it was rejected, while it is.' }),
  suspend_reason: nullable(Type.String(), { description: 'Why it is suspended, while it is.' }),
  created_at: timestamp(),
  submitted_at: nullable(timestamp(), { description: 'The last submission; a change of name, category or logo under review is one too.' }),
  published_at: nullable(timestamp(), { description: 'When it was approved first; null before.' }),
}

export const Biller = Type.Object(BILLER_FIELDS, { $id: 'Biller', description: 'The profile of a biller.' })

export type Biller = Static<typeof Biller>

export const OperatorBiller = Type.Object(
  {
    ...BILLER_FIELDS,
    directory_state: choice(DIRECTORY_STATES, { description: '`in_review` also when only the test helper has approved it.' }),
    merchant_id: uuid({ description: 'Of the merchant that it belongs to.' }),
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
    Type.String({ format: 'date-time', description: 'Of what you have seen: 409 when something else was submitted since.' }),
  ),
})

export type ApproveBillerQuery = Static<typeof ApproveBillerQuery>

export const CurateLogoQuery = Type.Object({
  file: Type.Optional(
    Type.String({
      pattern: '^[0-9a-f]{64}\\.(?:png|jpg|webp)$',
      description: 'Of what you have seen, the end of `pending_logo_url`: 409 when another logo waits by now.',
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

/** The one part of the upload that is read; every other is ignored. */
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
    logo_url: nullable(Type.String({ format: 'uri' }), { description: 'The one that is displayed.' }),
    pending: Type.Boolean({ description: 'The new one waits for an operator, and the displayed one is unchanged.' }),
  },
  { $id: 'UploadedLogo' },
)

export type UploadedLogo = Static<typeof UploadedLogo>
