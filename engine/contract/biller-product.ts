// Products of a biller as the API accepts and returns them: the form of the customer, and how the amount is determined.
import { amount, listOf, timestamp } from './common.ts'
import { choice, judged, nullable, type Schema, type SchemaDocs, type Static, Type, text } from './schema.ts'

export const AMOUNT_MODES = ['fixed', 'user', 'lookup'] as const
export const FIELD_TYPES = ['text', 'number', 'phone', 'select', 'amount'] as const

const FieldOption = Type.Object(
  {
    label: Type.String({ maxLength: 120, description: 'Shown to the customer.', examples: ['Prépayé'] }),
    value: Type.String({ maxLength: 120, description: 'Value in `form_values` when this option is chosen.', examples: ['prepaid'] }),
  },
  { $id: 'FieldOption' },
)

const FormField = Type.Object(
  {
    id: Type.String({
      maxLength: 64,
      description: 'Unique in the form. Key of the customer’s input in `form_values`.',
      examples: ['compteur'],
    }),
    label: Type.String({ maxLength: 120, description: 'Shown above the field.', examples: ['Numéro de compteur'] }),
    type: choice(FIELD_TYPES, { description: '`amount` is for mode `user`; the other types may identify the customer.' }),
    required: Type.Optional(Type.Boolean({ description: 'Whether the customer must fill it in.' })),
    pattern: Type.Optional(
      Type.String({
        maxLength: 512,
        description:
          'Regular expression that the whole value must match, as in `pattern` of an HTML input. RE2 syntax, which runs in linear time: no look-around, no back-references; `(?i)` ignores the case of ASCII letters only. All patterns of a form together have at most 2048 characters, 16 Unicode classes and 2048 instructions; `.{1,500}` takes a thousand instructions.',
        examples: ['^[0-9]{11}$'],
      }),
    ),
    placeholder: Type.Optional(Type.String({ maxLength: 500, description: 'Shown in the empty field.' })),
    help: Type.Optional(Type.String({ maxLength: 500, description: 'Shown below the field.' })),
    options: Type.Optional(
      Type.Array(FieldOption, { maxItems: 500, description: 'Options of a `select`: at least one, with distinct values.' }),
    ),
  },
  { $id: 'FormField' },
)

const FormStep = Type.Object(
  {
    id: Type.Optional(Type.String({ maxLength: 120, description: 'Your own name of the step.' })),
    title: Type.Optional(Type.String({ maxLength: 120, description: 'Shown above the step.' })),
    action: Type.Optional(choice(['resolve'], { description: '`resolve` looks the amount up. Only in mode `lookup`.' })),
    fields: Type.Optional(Type.Array(FormField, { description: 'Fields of this step.' })),
  },
  { $id: 'FormStep' },
)

export const FormSchema = Type.Object(
  {
    steps: Type.Array(FormStep, {
      maxItems: 20,
      description: 'With at most 100 fields and 2000 options together, 256 K characters as JSON.',
    }),
  },
  { $id: 'FormSchema', description: 'Form for the customer. Members that are not described here are not stored.' },
)

/** Schema of a field that the handler validates, in the order of the error table. `needed` lists the required fields. */
function written(accepted: Schema, description: string, docs: SchemaDocs = {}) {
  return Type.Optional(judged(accepted, { description, ...docs }))
}

function source(name: string) {
  return nullable(Type.String({ description: `JavaScript with a function \`${name}\`; at most 64 KB.` }))
}

export const AmountMode = choice(AMOUNT_MODES, {
  $id: 'AmountMode',
  description: '`fixed`: one of the packages. `user`: the customer enters the amount. `lookup`: your system returns the amount due.',
})

const PACKAGE = {
  label: Type.String({ maxLength: 120, description: 'Shown to the customer.', examples: ['Recharge 5 Go'] }),
  amount: amount({ description: 'Price of the package.' }),
}

export const ProductPackage = Type.Object(
  { id: Type.String({ description: '`package_id` of the payment. It is the same in all versions.', examples: ['5-go'] }), ...PACKAGE },
  { $id: 'ProductPackage' },
)

const PackageInput = Type.Object(
  {
    id: Type.Optional(
      nullable(Type.String({ maxLength: 64 }), { description: 'A package without an id gets one; send it back to keep it.' }),
    ),
    ...PACKAGE,
  },
  { $id: 'PackageInput' },
)

/** Slug of a product in responses. */
export function productSlug() {
  return Type.String({ description: 'Slug of the product, unique among the products of its biller.', examples: ['facture'] })
}

export function productTitle() {
  return Type.String({ description: 'Name of the product in the app.', examples: ['Facture d’électricité'] })
}

export function minAmount() {
  return nullable(amount({ minimum: 0, description: 'Mode `user`: smallest amount; null where there is none.' } as object))
}

export function maxAmount() {
  return nullable(amount({ description: 'Mode `user`: largest amount; null where there is none.' }))
}

export function presets() {
  return Type.Array(amount(), { description: 'Mode `user`: amounts to choose from; otherwise empty.' })
}

const WRITE_FIELDS = {
  title: written(Type.String({ maxLength: 120 }), 'Name of the product in the app. Missing, empty or too long: `title_required`.', {
    examples: ['Facture d’électricité'],
  }),
  amount_mode: written(
    AmountMode,
    'How the amount is determined. Fields that the mode does not use are neither validated nor stored. Missing or unknown: `invalid_amount_mode`.',
  ),
  schema: written(
    FormSchema,
    'Form for the customer. Missing or malformed: `invalid_schema_json`, or the code of the field or step at fault.',
  ),
  packages: written(
    Type.Array(PackageInput, { maxItems: 200 }),
    'Mode `fixed`. None: `packages_required`; without a label or with a bad amount: `invalid_package`.',
  ),
  min: written(
    nullable(amount({ minimum: 0 } as object)),
    'Mode `user`: smallest amount. Above `max` or malformed: `invalid_amount_bounds`.',
  ),
  max: written(nullable(amount()), 'Mode `user`: largest amount. Malformed: `invalid_amount_bounds`.'),
  presets: written(
    nullable(Type.Array(amount(), { maxItems: 20 })),
    'Mode `user`: amounts to choose from, within the bounds. Malformed: `invalid_amount_bounds`.',
  ),
  lookup_integration: written(
    nullable(choice(['webhook', 'code'])),
    'Mode `lookup`: `webhook` calls `lookup_url`, `code` runs `lookup_code`. `webhook` when absent. Unknown: `invalid_request`.',
  ),
  lookup_url: written(
    nullable(Type.String({ maxLength: 2048 })),
    'Mode `lookup` by `webhook`: address of your lookup endpoint. The webhook `lookup` describes the request and the response. HTTPS, without user info. Missing: `lookup_url_required`; plain HTTP: `lookup_url_must_be_https`.',
    { examples: ['https://facturier.example/lookup'] },
  ),
  lookup_secret: written(
    nullable(text({ lines: 'one', maxLength: 512 })),
    'Signs lookup requests. Never returned. A PUT without it keeps it; null clears it. Malformed: `invalid_request`.',
  ),
  lookup_code: written(
    source('lookup'),
    'Mode `lookup` by `code`: JavaScript with a function `lookup(args)`, at most 64 KB. Missing: `lookup_code_required`; a syntax error: `invalid_lookup_code`.',
  ),
  fulfillment_mode: written(
    nullable(choice(['none', 'code'])),
    '`code` runs `fulfillment_code` after each payment. `none` when absent. Unknown: `invalid_request`.',
  ),
  fulfillment_code: written(
    source('onPaid'),
    'JavaScript with a function `onPaid(ctx)`, at most 64 KB. Missing: `fulfillment_code_required`; a syntax error: `invalid_fulfillment_code`.',
  ),
}

export const CreateProductBody = Type.Object(
  {
    slug: written(
      Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,62}$' }),
      'Unique among your products and permanent. Missing or malformed: `invalid_slug`; taken: `slug_taken`.',
      { examples: ['facture'] },
    ),
    ...WRITE_FIELDS,
  },
  { $id: 'CreateProductBody', needed: ['slug', 'title', 'amount_mode', 'schema'] },
)

export type CreateProductBody = Static<typeof CreateProductBody>

export const ReplaceProductBody = Type.Object(
  {
    slug: written(Type.String(), 'When sent, it must be the one of the path; otherwise `invalid_slug`.'),
    ...WRITE_FIELDS,
  },
  { $id: 'ReplaceProductBody', needed: ['title', 'amount_mode', 'schema'] },
)

export type ReplaceProductBody = Static<typeof ReplaceProductBody>

export const Product = Type.Object(
  {
    slug: productSlug(),
    title: productTitle(),
    amount_mode: AmountMode,
    schema: FormSchema,
    packages: Type.Array(ProductPackage, { description: 'Mode `fixed`; otherwise empty.' }),
    min: minAmount(),
    max: maxAmount(),
    presets: presets(),
    lookup_integration: choice(['webhook', 'code'], {
      description: 'Mode `lookup`: whether `lookup_url` is called or `lookup_code` runs.',
    }),
    lookup_url: nullable(Type.String(), { description: 'Mode `lookup` by `webhook`; otherwise null.' }),
    lookup_code: nullable(Type.String(), { description: 'Mode `lookup` by `code`; otherwise null.' }),
    fulfillment_mode: choice(['none', 'code'], { description: 'Whether `fulfillment_code` runs after each payment.' }),
    fulfillment_code: nullable(Type.String(), { description: 'Where `fulfillment_mode` is `code`; otherwise null.' }),
    has_secret: Type.Boolean({ description: 'Whether a `lookup_secret` is set.' }),
    state: choice(['active', 'inactive'], { description: 'The app shows only active products.' }),
    version: Type.Integer({ minimum: 1, description: 'Each PUT makes the next version. No version is lost.' }),
    created_at: timestamp(),
    updated_at: timestamp({ description: 'When this version was made: RFC 3339, UTC.' }),
  },
  { $id: 'Product' },
)

export type Product = Static<typeof Product>

export const ProductList = listOf(Product, 'ProductList')
