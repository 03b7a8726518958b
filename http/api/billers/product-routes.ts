// The products of a biller: one row for each route. engine/domain/biller validates a definition. This file compiles its code
// in the sandbox and encrypts its secret.
import {
  type CommandOf,
  type DefinitionFault,
  type EngineApi,
  LOOKUP_SECRET_LENGTH_MAX,
  readDefinition,
  type Sandbox,
  type SandboxEntry,
  type SentDefinition,
  SLUG,
  type SourceRefusal,
} from '../../../engine/api.ts'
import { CreateProductBody, Product, ProductList, productSlug, ReplaceProductBody } from '../../../engine/contract/biller-product.ts'
import { PageQuery } from '../../../engine/contract/common.ts'
import type { ErrorCode } from '../../../engine/contract/errors.ts'
import { because } from '../../../engine/contract/reasons.ts'
import { isText } from '../../../engine/contract/schema.ts'
import type { Seal } from '../../crypto/seal.ts'
import { answerPage } from '../../lists/list-answers.ts'
import { type Call, type MerchantPrincipal, type Route, route } from '../../server/route.ts'
import { LARGE_BODY_VALUES_MAX, PRODUCT_BODY_BYTES_MAX } from '../../server/server-limits.ts'
import { PRODUCT, PRODUCT_REQUEST } from './biller-examples.ts'

const PATH = '/v1/biz/biller/products'
const TAG = 'Biller directory'
const SECRET_FIELD = 'lookup_secret'

/** Validation errors of a definition, in the order of the checks. */
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

export interface ProductRoutesParts {
  readonly engine: Pick<EngineApi, 'query'>
  /** Compiles the code of a product when the product is saved. */
  readonly sandbox: Pick<Sandbox, 'checkSource'>
  readonly seal: Pick<Seal, 'seal'>
}

export function billerProductRoutes(parts: ProductRoutesParts): readonly Route[] {
  return [...writingRoutes(parts), ...readingRoutes(parts), switchRoute('activate'), switchRoute('deactivate')]
}

function writingRoutes(parts: ProductRoutesParts): readonly Route[] {
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
      commands: ['SaveProduct'],
      unreachable: ['product_not_found'],
      errors: ['invalid_slug', ...DEFINITION_ERRORS],
      handle: (call) => create(parts, call),
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
      commands: ['SaveProduct'],
      unreachable: ['slug_taken', 'biller_not_found', 'too_many_products'],
      errors: ['invalid_slug', ...DEFINITION_ERRORS],
      handle: (call) => replace(parts, call),
    }),
  ]
}

function readingRoutes(parts: ProductRoutesParts): readonly Route[] {
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
      handle: (call) => list(parts, call),
    }),
    route({
      method: 'GET',
      path: `${PATH}/{slug}`,
      operationId: 'getProduct',
      tag: TAG,
      summary: 'Get a product',
      description: '`lookup_secret` is never returned; `has_secret` says whether there is one.',
      auth: 'key',
      idempotency: 'none',
      params: { slug: productSlug() },
      responses: [{ status: 200, description: 'The product.', schema: Product, example: PRODUCT }],
      errors: ['product_not_found'],
      handle: (call) => {
        const product = parts.engine.query('products.get', { account: call.principal.account, slug: String(call.params[0]) })
        if (product === null) return call.refuse('product_not_found')
        call.answer(200, product)
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
    commands: ['SwitchProduct'],
    errors: [],
    handle: (call) => {
      const { account } = call.principal
      call.submit({ type: 'SwitchProduct', merchant: account, slug: String(call.params[0]), to }, account)
    },
  })
}

type MerchantCall<Body = unknown, Query = Record<string, unknown>> = Call<Body, Query, MerchantPrincipal>

function create(parts: ProductRoutesParts, call: MerchantCall<CreateProductBody>): void {
  const { slug } = call.body
  if (typeof slug !== 'string' || !SLUG.test(slug)) return call.refuse('invalid_slug', 'slug')
  write(parts, call, slug, 'create')
}

function replace(parts: ProductRoutesParts, call: MerchantCall<ReplaceProductBody>): void {
  const slug = String(call.params[0])
  const sent = call.body.slug
  if (sent !== undefined && sent !== null && sent !== slug) return call.refuse('invalid_slug', 'slug')
  write(parts, call, slug, 'replace')
}

function write(
  parts: ProductRoutesParts,
  call: MerchantCall<ReplaceProductBody>,
  slug: string,
  mode: CommandOf<'SaveProduct'>['mode'],
): void {
  const { account, merchant } = call.principal
  const sealedSecret = sealedOf(parts, call.body.lookup_secret)
  const read = readDefinition(call.body)
  const isRight = 'code' in read || sealedSecret !== undefined
  const definition: SentDefinition | DefinitionFault = isRight
    ? read
    : { code: 'invalid_request', param: SECRET_FIELD, reason: 'lookup_secret' }
  const submit = (): void =>
    call.submit({ type: 'SaveProduct', merchant: account, slug, mode, definition, sealedSecret: sealedSecret ?? null }, account)
  // The engine decides rejections by live state and the validation errors found so far. Both come before the check of the code.
  const isThere = parts.engine.query('products.exists', { account, slug })
  if ('code' in definition || isThere === (mode === 'create')) return submit()
  firstRefusal(parts, merchant.id, definition)
    .then((refused) => (refused === null ? submit() : refuseSource(call, refused)))
    .catch((error: unknown) => call.fail(error))
}

/** Returns the encrypted secret. Without one in the body 'keep', null to remove it, undefined when it is invalid. */
function sealedOf(parts: ProductRoutesParts, secret: unknown): CommandOf<'SaveProduct'>['sealedSecret'] | undefined {
  if (secret === undefined) return 'keep'
  if (secret === null || secret === '') return null
  return isText(secret, 'one', LOOKUP_SECRET_LENGTH_MAX) ? parts.seal.seal(SECRET_FIELD, secret) : undefined
}

interface RefusedSource {
  readonly field: 'lookup_code' | 'fulfillment_code'
  readonly refusal: SourceRefusal
}

/** Compiles the sources one after the other: a merchant's checks share the concurrency limit of its code runs. */
async function firstRefusal(parts: ProductRoutesParts, merchantId: string, definition: SentDefinition): Promise<RefusedSource | null> {
  const sources = [
    ['lookup_code', 'lookup'],
    ['fulfillment_code', 'onPaid'],
  ] as const satisfies readonly (readonly [RefusedSource['field'], SandboxEntry])[]
  for (const [field, entry] of sources) {
    const source = definition[field]
    if (source === null) continue
    const checked = await parts.sandbox.checkSource({ merchantId, entry, source })
    if (!checked.ok) return { field, refusal: checked }
  }
  return null
}

/** Answers by cause: an error in the code, a busy sandbox, or an unavailable one. */
function refuseSource(call: MerchantCall, { field, refusal }: RefusedSource): void {
  if (refusal.fault === 'busy') return call.refuse('rate_limited')
  if (refusal.fault !== 'code') return call.refuse('unavailable')
  const code: ErrorCode = `invalid_${field}`
  call.refuse(code, field, because(`${field}_error`, { line: refusal.line, error: refusal.message }))
}

function list(parts: ProductRoutesParts, call: MerchantCall<unknown, PageQuery>): void {
  answerPage(call, parts.engine.query('products.list', { account: call.principal.account, query: call.query }))
}
