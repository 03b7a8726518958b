// The products of a biller as the API shows and takes them: what is paid, by which form, and how the amount is found.
import { amount, listOf, timestamp } from './common.ts'
import { anything, choice, nullable, type Schema, type SchemaDocs, type Static, Type, text } from './schema.ts'

export const AMOUNT_MODES = ['fixed', 'user', 'lookup'] as const
export const FIELD_TYPES = ['text', 'number', 'phone', 'select', 'amount'] as const

const FieldOption = Type.Object({ label: Type.String({ maxLength: 120 }), value: Type.String({ maxLength: 120 }) })

const FormField = Type.Object(
  {
    id: Type.String({
      maxLength: 64,
      description: 'Unique in the form. `form_values` has what the customer typed under it.',
      examples: ['compteur'],
    }),
    label: Type.String({ maxLength: 120, examples: ['Numéro de compteur'] }),
    type: choice(FIELD_TYPES),
    required: Type.Optional(Type.Boolean({ description: 'Whether the customer must fill it in.' })),
    pattern: Type.Optional(
      Type.String({
        maxLength: 512,
        description:
          'What the whole value must be, as in `pattern` of an HTML input. RE2 syntax, so that it runs in linear time: no look-around, no back-references; ignoring case (`(?i)`) is for ASCII. What would cost too much is refused: all patterns of a form together have at most 2048 characters, 16 Unicode classes and 2048 instructions, and `.{1,500}` makes a thousand.',
        examples: ['^[0-9]{11}$'],
      }),
    ),
    placeholder: Type.Optional(Type.String({ maxLength: 500 })),
    help: Type.Optional(Type.String({ maxLength: 500 })),
    options: Type.Optional(Type.Array(FieldOption, { maxItems: 500, description: 'Of a `select`: at least one, of different values.' })),
  },
  { $id: 'FormField' },
)

const FormStep = Type.Object(
  {
    id: Type.Optional(Type.String({ maxLength: 120 })),
    title: Type.Optional(Type.String({ maxLength: 120 })),
    action: Type.Optional(choice(['resolve'], { description: 'Asks for the amount; in mode `lookup` only.' })),
    fields: Type.Optional(Type.Array(FormField)),
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
  { $id: 'FormSchema', description: 'What the customer fills in. What is not described here is not kept.' },
)

/** Judged by hand, in the order of the table of errors: beside the rule stands what is refused. */
function judged(rule: Schema, refused: string, docs: SchemaDocs = {}) {
  return Type.Optional(anything({ ...docs, anyOf: [rule, Type.Unknown({ description: refused })] }))
}

function source(name: string) {
  return nullable(Type.String({ description: `JavaScript with a function \`${name}\`; at most 64 KB.` }))
}

const PACKAGE = { label: Type.String({ maxLength: 120 }), amount: amount() }

export function productPackage() {
  return Type.Object({ id: Type.String(), ...PACKAGE })
}

const WRITE_FIELDS = {
  title: judged(Type.String({ maxLength: 120, examples: ['Facture d’électricité'] }), 'Refused: `title_required`.'),
  amount_mode: judged(choice(AMOUNT_MODES), 'Refused: `invalid_amount_mode`.', {
    description:
      '`fixed`: one of the packages. `user`: what the customer types. `lookup`: what your system says. Fields that the mode has no use for are neither judged nor kept.',
  }),
  schema: judged(FormSchema, 'Refused: `invalid_schema_json`, and the codes of fields and steps.'),
  packages: judged(
    Type.Array(Type.Object({ id: Type.Optional(nullable(Type.String({ maxLength: 64 }))), ...PACKAGE }), { maxItems: 200 }),
    'Refused: `packages_required`, `invalid_package`.',
    { description: 'Mode `fixed`. A package without an id gets one; send it back to keep it.' },
  ),
  min: judged(nullable(amount({ minimum: 0 } as object)), 'Refused: `invalid_amount_bounds`.', { description: 'Mode `user`.' }),
  max: judged(nullable(amount()), 'Refused: `invalid_amount_bounds`.', { description: 'Mode `user`.' }),
  presets: judged(nullable(Type.Array(amount(), { maxItems: 20 })), 'Refused: `invalid_amount_bounds`.', {
    description: 'Mode `user`: amounts to choose from, within the bounds.',
  }),
  lookup_integration: judged(nullable(choice(['webhook', 'code'])), 'Refused: `invalid_request`.', {
    description: 'Mode `lookup`. `webhook` when absent.',
  }),
  lookup_url: judged(
    nullable(Type.String({ maxLength: 2048 })),
    'Refused: `lookup_url_required`, `lookup_url_must_be_https`, `invalid_request`.',
    {
      description: 'Mode `lookup` by `webhook`. HTTPS, without user info.',
      examples: ['https://facturier.example/lookup'],
    },
  ),
  lookup_secret: judged(nullable(text({ lines: 'one', maxLength: 512 })), 'Refused: `invalid_request`.', {
    description: 'Signs lookup calls. Never returned. Left out of a PUT it stays as it is; null clears it.',
  }),
  lookup_code: judged(source('lookup'), 'Refused: `lookup_code_required`, `invalid_lookup_code`, `invalid_request`.', {
    description: 'Mode `lookup` by `code`.',
  }),
  fulfillment_mode: judged(nullable(choice(['none', 'code'])), 'Refused: `invalid_request`.', { description: '`none` when absent.' }),
  fulfillment_code: judged(source('onPaid'), 'Refused: `fulfillment_code_required`, `invalid_fulfillment_code`, `invalid_request`.', {
    description: 'Runs after a payment where `fulfillment_mode` is `code`.',
  }),
}

export const CreateProductBody = Type.Object(
  {
    slug: judged(Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,62}$', examples: ['facture'] }), 'Refused: `invalid_slug`.', {
      description: 'Unique among your products, for ever.',
    }),
    ...WRITE_FIELDS,
  },
  { $id: 'CreateProductBody' },
)

export type CreateProductBody = Static<typeof CreateProductBody>

export const ReplaceProductBody = Type.Object(
  {
    slug: judged(Type.String(), 'Refused: `invalid_slug`.', { description: 'When sent, it must be the one of the path.' }),
    ...WRITE_FIELDS,
  },
  { $id: 'ReplaceProductBody' },
)

export type ReplaceProductBody = Static<typeof ReplaceProductBody>

export const Product = Type.Object(
  {
    slug: Type.String({ examples: ['facture'] }),
    title: Type.String(),
    amount_mode: choice(AMOUNT_MODES),
    schema: FormSchema,
    packages: Type.Array(productPackage(), { description: 'Mode `fixed`; otherwise empty.' }),
    min: nullable(amount({ minimum: 0 } as object)),
    max: nullable(amount()),
    presets: Type.Array(amount()),
    lookup_integration: choice(['webhook', 'code']),
    lookup_url: nullable(Type.String()),
    lookup_code: nullable(Type.String()),
    fulfillment_mode: choice(['none', 'code']),
    fulfillment_code: nullable(Type.String()),
    has_secret: Type.Boolean({ description: 'Whether a `lookup_secret` is set.' }),
    state: choice(['active', 'inactive'], { description: 'Only active products are in the app.' }),
    version: Type.Integer({ minimum: 1, description: 'Each PUT makes the next; none is lost.' }),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
  { $id: 'Product' },
)

export type Product = Static<typeof Product>

export const ProductList = listOf(Product, 'ProductList')
