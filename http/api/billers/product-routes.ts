// The products of a biller: one row for each route. Whether a definition is right is judged in engine/domain/biller; here
// its code is looked at by the sandbox, and its secret is sealed.
import type { SandboxEntry, SourceRefusal } from '../../../engine/actor/ports.ts'
import { CreateProductBody, Product, ProductList, productSlug, ReplaceProductBody } from '../../../engine/contract/biller-product.ts'
import { PageQuery } from '../../../engine/contract/common.ts'
import { ERRORS, type ErrorCode } from '../../../engine/contract/errors.ts'
import { isText } from '../../../engine/contract/schema.ts'
import { readDefinition, type SentDefinition } from '../../../engine/domain/biller/biller-definition.ts'
import { LOOKUP_SECRET_LENGTH_MAX } from '../../../engine/domain/biller/biller-limits.ts'
import { type SaveProduct, seenProduct } from '../../../engine/domain/biller/biller-product-decide.ts'
import { SLUG } from '../../../engine/domain/biller/biller-slug.ts'
import type { Product as ProductRow } from '../../../engine/domain/biller/biller-state.ts'
import { billerOf } from '../../../engine/domain/biller/biller-versions.ts'
import type { DefinitionFault } from '../../../engine/domain/biller/form-schema.ts'
import type { House } from '../../app/house.ts'
import { rowsPage } from '../../lists/lists.ts'
import { type Call, type MerchantPrincipal, type Route, route } from '../../server/route.ts'
import { LARGE_BODY_VALUES_MAX, PRODUCT_BODY_BYTES_MAX } from '../../server/server-limits.ts'
import { PRODUCT, PRODUCT_REQUEST } from './biller-examples.ts'

const PATH = '/v1/biz/biller/products'
const TAG = 'Biller directory'
const SECRET_FIELD = 'lookup_secret'
/** A page of products with long code ends early. UTF-16 units of JSON. */
const PAGE_LENGTH_MAX = 2 * 1024 * 1024

/** In the order of the checks. */
const DEFINITION_ERRORS: readonly ErrorCode[] = [
  'title_required',
  'invalid_amount_mode',
  'invalid_schema_json',
  'packages_required',
  'invalid_package',
  'invalid_amount_bounds',
  'identify_fields_required',
  'amount_field_required',
  'lookup_url_required',
  'lookup_url_must_be_https',
  'lookup_code_required',
  'fulfillment_code_required',
  'field_id_label_required',
  'duplicate_field_id',
  'invalid_field_type',
  'invalid_field_pattern',
  'select_options_required',
  'invalid_step_action',
  'invalid_lookup_code',
  'invalid_fulfillment_code',
]

const CHECKS = `Checks run in this order, and the first that fails is the answer: the slug, ${DEFINITION_ERRORS.map((code) => `\`${code}\``).join(', ')}. Code is compiled when it is written; where it does not, the message says in which line.`

export function billerProductRoutes(house: House): readonly Route[] {
  return [...writingRoutes(house), ...readingRoutes(house), switchRoute('activate'), switchRoute('deactivate')]
}

function writingRoutes(house: House): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: PATH,
      operationId: 'createProduct',
      tag: TAG,
      summary: 'Create a product',
      description: `${CHECKS} A biller has at most 200 products.`,
      auth: 'key',
      scope: 'billers.write',
      idempotency: 'accepted',
      body: CreateProductBody,
      bodyExample: PRODUCT_REQUEST,
      bodyBytesMax: PRODUCT_BODY_BYTES_MAX,
      bodyValuesMax: LARGE_BODY_VALUES_MAX,
      secretFields: [SECRET_FIELD],
      responses: [{ status: 201, description: 'The product, active.', schema: Product, example: PRODUCT }],
      errors: ['invalid_slug', 'slug_taken', ...DEFINITION_ERRORS, 'biller_not_found', 'too_many_products'],
      handle: (call) => create(house, call),
    }),
    route({
      method: 'PUT',
      path: `${PATH}/{slug}`,
      operationId: 'replaceProduct',
      tag: TAG,
      summary: 'Replace what is paid and how',
      description: `Everything is replaced but a \`lookup_secret\` that is left out. It counts from the next quote or payment on. ${CHECKS}`,
      auth: 'key',
      scope: 'billers.write',
      idempotency: 'none',
      params: { slug: productSlug() },
      body: ReplaceProductBody,
      bodyExample: PRODUCT_REQUEST,
      bodyBytesMax: PRODUCT_BODY_BYTES_MAX,
      bodyValuesMax: LARGE_BODY_VALUES_MAX,
      responses: [{ status: 200, description: 'The product, its next version.', schema: Product, example: { ...PRODUCT, version: 2 } }],
      errors: ['invalid_slug', 'product_not_found', ...DEFINITION_ERRORS],
      handle: (call) => replace(house, call),
    }),
  ]
}

function readingRoutes(house: House): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: PATH,
      operationId: 'listProducts',
      tag: TAG,
      summary: 'List products',
      description: 'A page of products with long code may have fewer rows than `limit`.',
      auth: 'key',
      idempotency: 'none',
      query: PageQuery,
      responses: [
        {
          status: 200,
          description: 'One page, newest first.',
          schema: ProductList,
          example: { data: [PRODUCT], has_more: false, next_cursor: null },
        },
      ],
      errors: [],
      handle: (call) => list(house, call),
    }),
    route({
      method: 'GET',
      path: `${PATH}/{slug}`,
      operationId: 'getProduct',
      tag: TAG,
      summary: 'Get a product',
      auth: 'key',
      idempotency: 'none',
      params: { slug: productSlug() },
      responses: [{ status: 200, description: 'The product.', schema: Product, example: PRODUCT }],
      errors: ['product_not_found'],
      handle: (call) => {
        const product = productOf(house, call.principal, String(call.params[0]))
        if (product === undefined) return call.refuse('product_not_found')
        const { state, history } = house.engine
        call.answer(200, JSON.stringify(seenProduct(state, product, history)))
      },
    }),
  ]
}

function switchRoute(action: 'activate' | 'deactivate'): Route {
  const to = action === 'activate' ? 'active' : 'inactive'
  return route({
    method: 'POST',
    path: `${PATH}/{slug}/${action}`,
    operationId: `${action}Product`,
    tag: TAG,
    summary: action === 'activate' ? 'Put a product back into the app' : 'Take a product out of the app for a while',
    description: 'One that is so already answers 200 again.',
    auth: 'key',
    scope: 'billers.write',
    idempotency: 'accepted',
    params: { slug: productSlug() },
    responses: [{ status: 200, description: `The product, ${to}.`, schema: Product, example: { ...PRODUCT, state: to } }],
    errors: ['product_not_found'],
    handle: (call) => {
      const { account } = call.principal
      call.submit({ type: 'SwitchProduct', merchant: account, slug: String(call.params[0]), to }, account)
    },
  })
}

type MerchantCall<Body = unknown, Query = Record<string, unknown>> = Call<Body, Query, MerchantPrincipal>

function productOf(house: House, { account }: MerchantPrincipal, slug: string): ProductRow | undefined {
  const { state } = house.engine
  const biller = billerOf(state, account)
  return biller === undefined ? undefined : state.billers.product(biller.slug, slug)
}

function create(house: House, call: MerchantCall<CreateProductBody>): void {
  const { slug } = call.body
  if (typeof slug !== 'string' || !SLUG.test(slug)) return call.refuse('invalid_slug', 'slug')
  write(house, call, slug, 'create')
}

function replace(house: House, call: MerchantCall<ReplaceProductBody>): void {
  const slug = String(call.params[0])
  const sent = call.body.slug
  if (sent !== undefined && sent !== null && sent !== slug) return call.refuse('invalid_slug', 'slug')
  write(house, call, slug, 'replace')
}

function write(house: House, call: MerchantCall<ReplaceProductBody>, slug: string, mode: SaveProduct['mode']): void {
  const { account, merchant } = call.principal
  const sealedSecret = sealedOf(house, call.body.lookup_secret)
  const read = readDefinition(call.body)
  const isRight = 'code' in read || sealedSecret !== undefined
  const definition: SentDefinition | DefinitionFault = isRight ? read : { code: 'invalid_request', param: SECRET_FIELD }
  const submit = (): void =>
    call.submit({ type: 'SaveProduct', merchant: account, slug, mode, definition, sealedSecret: sealedSecret ?? null }, account)
  // What the state refuses comes before the code that it would not take; the engine says it, and what was found already.
  const isThere = productOf(house, call.principal, slug) !== undefined
  if ('code' in definition || isThere === (mode === 'create')) return submit()
  firstRefusal(house, merchant.id, definition)
    .then((refused) => (refused === null ? submit() : refuseSource(call, refused)))
    .catch((error: unknown) => call.fail(error))
}

/** Left out of the body: as it was. Undefined when it is nothing that could sign. */
function sealedOf(house: House, secret: unknown): SaveProduct['sealedSecret'] | undefined {
  if (secret === undefined) return 'keep'
  if (secret === null || secret === '') return null
  return isText(secret, 'one', LOOKUP_SECRET_LENGTH_MAX) ? house.seal.seal(SECRET_FIELD, secret) : undefined
}

interface RefusedSource {
  readonly field: 'lookup_code' | 'fulfillment_code'
  readonly refusal: SourceRefusal
}

/** One after the other: a merchant's checks share the places of its runs. */
async function firstRefusal(house: House, merchantId: string, definition: SentDefinition): Promise<RefusedSource | null> {
  const sources = [
    ['lookup_code', 'lookup'],
    ['fulfillment_code', 'onPaid'],
  ] as const satisfies readonly (readonly [RefusedSource['field'], SandboxEntry])[]
  for (const [field, entry] of sources) {
    const source = definition[field]
    if (source === null) continue
    const checked = await house.sandbox.checkSource({ merchantId, entry, source })
    if (!checked.ok) return { field, refusal: checked }
  }
  return null
}

/** Whose fault it is decides: the code's, or that nobody could look at it now. */
function refuseSource(call: MerchantCall, { field, refusal }: RefusedSource): void {
  if (refusal.fault === 'busy') return call.refuse('rate_limited')
  if (refusal.fault !== 'code') return call.refuse('unavailable')
  const code: ErrorCode = `invalid_${field}`
  const where = refusal.line === null ? '' : ` à la ligne ${refusal.line}`
  call.refuse(code, field, { message: `${ERRORS[code].message.slice(0, -1)}${where}\u00a0: ${refusal.message}` })
}

function list(house: House, call: MerchantCall<unknown, PageQuery>): void {
  const { state, history } = house.engine
  const biller = billerOf(state, call.principal.account)
  const products = biller === undefined ? [] : state.billers.productsOf(biller.slug)
  const page = rowsPage(products, call.query, (product) => seenProduct(state, product, history), PAGE_LENGTH_MAX)
  if (page === null) return call.refuse('invalid_parameter', 'cursor')
  call.answer(200, page)
}
