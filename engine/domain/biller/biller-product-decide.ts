// What merchants do with their products: define them, define them anew, take them out of the directory and put them
// back. Whether a definition is right was judged before (biller-definition.ts); what it is judged against here is the state.
import { rfc3339 } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Context, type Decision, event, type Past, type Refused } from '../decision.ts'
import { isProven, quotaExceeded } from '../quotas.ts'
import type { State } from '../state.ts'
import type { SentDefinition } from './biller-definition.ts'
import { PRODUCTS, PRODUCTS_MAX } from './biller-limits.ts'
import { isOverBudget } from './biller-profile-decide.ts'
import type { ProductRow, ProductState, ProductSwitch, ProductVersion } from './biller-state.ts'
import { answered, billerOf, merchantOf } from './biller-versions.ts'
import { DEFINITION_FAULTS, type DefinitionFault } from './form-schema.ts'
import { type PublicProduct, publicProduct, writtenDefinition } from './product-versions.ts'

export interface SaveProduct {
  readonly type: 'SaveProduct'
  readonly merchant: AccountNumber
  readonly slug: string
  /** `create`: POST, the slug must be free; `replace`: PUT, the product must be there. */
  readonly mode: 'create' | 'replace'
  /** A fault is refused here, because a taken slug comes before it. */
  readonly definition: SentDefinition | DefinitionFault
  /** Encrypted; null: none from now on; `keep`: as it was. */
  readonly sealedSecret: string | null | 'keep'
}

export interface SwitchProduct {
  readonly type: 'SwitchProduct'
  readonly merchant: AccountNumber
  readonly slug: string
  readonly to: ProductState
}

export const SAVE_PRODUCT_REJECTIONS = [
  'slug_taken',
  'product_not_found',
  'biller_not_found',
  'too_many_products',
  'quota_exceeded',
  'rate_limited',
  ...DEFINITION_FAULTS,
] as const

/**
 * Returns `created` or `ok`, and the product. Rejections, in this precedence: slug_taken or product_not_found, the
 * fault of the definition, biller_not_found, too_many_products, quota_exceeded (of all), rate_limited (what a biller may write in a day).
 */
export function decideSaveProduct(
  state: State,
  command: SaveProduct,
  context: Context,
): Decision<(typeof SAVE_PRODUCT_REJECTIONS)[number]> {
  const { merchant, slug, mode, definition: sent } = command
  const biller = billerOf(state, merchant)
  const before = biller === undefined ? undefined : state.billers.product(biller.slug, slug)
  if (mode === 'create' && before !== undefined) return { refusal: 'slug_taken', param: 'slug' }
  if (mode === 'replace' && before === undefined) return { refusal: 'product_not_found' }
  if ('code' in sent) return refusedDefinition(sent)
  if (biller === undefined) return { refusal: 'biller_not_found' }
  if (before === undefined && state.billers.productsOf(biller.slug).length >= PRODUCTS_MAX) return { refusal: 'too_many_products' }
  const isFull = before === undefined && !state.quotas.use(PRODUCTS).hasRoom('both', biller.slug, isProven(state, merchant))
  if (isFull) return quotaExceeded(PRODUCTS)
  const now = rfc3339(context.timeMs)
  const id = before?.id ?? context.newId()
  const definition = { ...sent, packages: sent.packages.map((one) => ({ ...one, id: one.id ?? context.newId() })) }
  const version: ProductVersion = {
    ...{ id, biller: biller.slug, slug, title: sent.title, amount_mode: sent.amount_mode },
    version: (before?.version ?? 0) + 1,
    state: before?.state ?? 'active',
    ...writtenDefinition(definition, before, context.past),
    sealed_secret: command.sealedSecret === 'keep' ? (before?.sealed_secret ?? null) : command.sealedSecret,
    created_at: before?.created_at ?? now,
    updated_at: now,
  }
  const saved = event('product.saved', 1, merchantOf(state, biller).accounts.live, version)
  if (isOverBudget(state, biller.slug, saved.text.length, context)) return { refusal: 'rate_limited' }
  return answered(state.accounts.environment(merchant), [saved], 0, mode === 'create' ? 'created' : 'ok')
}

export const SWITCH_PRODUCT_REJECTIONS = ['product_not_found'] as const

/** Returns `ok` and the product, also when it was so before. Rejections: product_not_found. */
export function decideSwitchProduct(
  state: State,
  command: SwitchProduct,
  context: Context,
): Decision<(typeof SWITCH_PRODUCT_REJECTIONS)[number]> {
  const { merchant, slug, to } = command
  const biller = billerOf(state, merchant)
  const before = biller === undefined ? undefined : state.billers.product(biller.slug, slug)
  if (biller === undefined || before === undefined) return { refusal: 'product_not_found' }
  const updated_at = before.state === to ? before.updated_at : rfc3339(context.timeMs)
  const change: ProductSwitch = { biller: biller.slug, slug, updated_at }
  const type = to === 'active' ? 'product.activated' : 'product.deactivated'
  const events = before.state === to ? [] : [event(type, 1, merchantOf(state, biller).accounts.live, change)]
  const seen = seenProduct(state, { ...before, state: to, updated_at }, context.past)
  return answered(state.accounts.environment(merchant), events, seen)
}

/** The product with its definition out of the log. */
export function seenProduct(state: State, product: ProductRow, past: Past): PublicProduct {
  return publicProduct(product, state.billers.definitionOf(product, past))
}

function refusedDefinition(fault: DefinitionFault): Refused<DefinitionFault['code']> {
  return fault.code === 'invalid_request' ? { ...fault, refusal: fault.code } : { refusal: fault.code, param: fault.param }
}
