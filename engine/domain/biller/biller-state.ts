// Billers and their products. Live state holds each profile, and of each product what finds it and says whether it may
// be paid; definitions and logos stay in the log, and a row knows where.

import type { DIRECTORY_STATES } from '../../contract/biller.ts'
import type {
  AMOUNT_MODES,
  FIELD_TYPES,
  FormSchema as FormSchemaShape,
  ProductPackage as ProductPackageShape,
} from '../../contract/biller-product.ts'
import type { Immutable, Static } from '../../contract/schema.ts'
import type { Amount } from '../../kernel/amount.ts'
import { assert } from '../../kernel/assert.ts'
import type { Position } from '../../kernel/position.ts'
import { SnapshotTables, Table } from '../../kernel/table.ts'
import type { TimeMs } from '../../kernel/time.ts'
import type { Past } from '../decision.ts'
import { type Logo, LogoFiles } from '../logo-files.ts'
import { countedBy } from '../quotas.ts'
import { payloadOf, type StoredEvent } from '../record.ts'
import type { SharedState } from '../state.ts'
import { PRODUCTS } from './biller-limits.ts'
import { DefinitionCache } from './definition-cache.ts'

export type DirectoryState = (typeof DIRECTORY_STATES)[number]

/** What moves a biller on; the names of its events are `biller.` and these. */
export const BILLER_MOVES = ['submitted', 'approved', 'rejected', 'suspended', 'reinstated'] as const

export type BillerMove = (typeof BILLER_MOVES)[number]

/** Where each move may start and where it leads. Everything else is refused. */
export const BILLER_MOVE_TABLE = {
  submitted: { from: ['draft', 'rejected'], to: 'in_review' },
  approved: { from: ['in_review'], to: 'published' },
  rejected: { from: ['in_review'], to: 'rejected' },
  suspended: { from: ['published'], to: 'suspended' },
  reinstated: { from: ['suspended'], to: 'published' },
} as const satisfies Record<BillerMove, { readonly from: readonly DirectoryState[]; readonly to: DirectoryState }>

/** Events in which an operator or the test helper decided about a profile. */
export const BILLER_DECISIONS = ['biller.approved', 'biller.rejected', 'biller.logo_approved', 'biller.logo_rejected'] as const

/** The payload of `logo.stored`: the bytes, once; profiles name its place. */
export interface StoredLogo {
  /** Slug of who brought it. */
  readonly biller: string
  readonly file: string
  readonly content_type: string
  readonly base64: string
}

/** The profile of a merchant in the directory: one for both environments. The payload of all `biller.…` events, each a whole copy. */
export interface BillerProfile {
  readonly id: string
  /** Made from the first display name; never changes and is never given again. */
  readonly slug: string
  readonly merchant_id: string
  readonly display_name: string
  readonly category: string
  readonly short_desc: string
  readonly logo: Logo | null
  /** Waits for an operator. */
  readonly pending_logo: Logo | null
  readonly directory_state: DirectoryState
  /** An operator has approved it. A biller that only the test helper approved is there for test wallets alone. */
  readonly live: boolean
  readonly reject_reason: string | null
  readonly suspend_reason: string | null
  readonly created_at: string
  readonly submitted_at: string | null
  readonly published_at: string | null
}

export type AmountMode = (typeof AMOUNT_MODES)[number]

export type FieldType = (typeof FIELD_TYPES)[number]

export interface FieldOption {
  readonly label: string
  readonly value: string
}

/** As it was sent: what was left out is left out. */
export interface FormField {
  readonly id: string
  readonly label: string
  readonly type: FieldType
  readonly required?: boolean
  readonly pattern?: string
  readonly placeholder?: string
  readonly help?: string
  /** Of a `select`. */
  readonly options?: readonly FieldOption[]
}

export interface FormStep {
  readonly id?: string
  readonly title?: string
  readonly action?: 'resolve'
  readonly fields?: readonly FormField[]
}

export type FormSchema = Immutable<Static<typeof FormSchemaShape>>

export type ProductPackage = Immutable<Static<typeof ProductPackageShape>>

/** What is paid and how. What the amount mode has no use for is empty. */
export interface ProductDefinition {
  readonly title: string
  readonly amount_mode: AmountMode
  readonly schema: FormSchema
  readonly packages: readonly ProductPackage[]
  readonly min: Amount | null
  readonly max: Amount | null
  readonly presets: readonly Amount[]
  readonly lookup_integration: 'webhook' | 'code'
  readonly lookup_url: string | null
  readonly lookup_code: string | null
  readonly fulfillment_mode: 'none' | 'code'
  readonly fulfillment_code: string | null
}

export type ProductState = 'active' | 'inactive'

interface ProductHead {
  readonly id: string
  /** Slug of the biller. */
  readonly biller: string
  readonly slug: string
  readonly title: string
  readonly amount_mode: AmountMode
  /** From 1; each PUT makes the next. */
  readonly version: number
  readonly state: ProductState
  /** Encrypted under the master key; null when there is none. */
  readonly sealed_secret: string | null
  readonly created_at: string
  readonly updated_at: string
}

export interface WholeProduct extends ProductHead {
  readonly definition: ProductDefinition
}

/** The payload of `product.saved`: everything that a merchant says of a product, whole or as a change. */
export type ProductVersion = WholeProduct | (ProductHead & DefinitionChange)

export interface DefinitionChange {
  /** Of a version that is written whole. */
  readonly whole_position: Position
  readonly changes: Partial<ProductDefinition>
}

/** The payload of `product.activated` and `product.deactivated`. */
export interface ProductSwitch {
  readonly biller: string
  readonly slug: string
  readonly updated_at: string
}

/** A product without its definition. */
export interface ProductRow {
  readonly id: string
  readonly biller: string
  readonly slug: string
  readonly title: string
  readonly amount_mode: AmountMode
  readonly version: number
  readonly state: ProductState
  readonly sealed_secret: string | null
  readonly created_at: string
  readonly updated_at: string
  /** Of its newest `product.saved`. */
  readonly position: Position
}

/** What a biller wrote into the log on one day. */
interface Written {
  /** Days since 1970-01-01. */
  readonly day: number
  readonly length: number
}

const DAY_MS: TimeMs = 86_400_000

declare module '../state.ts' {
  interface State {
    readonly billers: Billers
  }
}

export class Billers extends SnapshotTables {
  readonly #byMerchant = new Map<string, BillerProfile>()
  readonly #productsByBiller = new Map<string, Map<string, ProductRow>>()
  /** Logos that some profile shows or has waiting. */
  readonly logos = new LogoFiles()
  readonly #definitions = new DefinitionCache<ProductDefinition>()

  /** Keyed by slug. */
  readonly profiles = new Table<BillerProfile>(this, 'biller', { boundedBy: 'one row of each merchant' }, (biller, before) => {
    this.logos.replace(logosOf(before), logosOf(biller))
    if (biller !== undefined) this.#byMerchant.set(biller.merchant_id, biller)
  })

  /** By the slugs of biller and product, with a slash between. */
  readonly products: Table<ProductRow>

  /** By the slug of the biller. */
  readonly written = new Table<Written>(this, 'biller_written', { boundedBy: 'one row of each biller' })

  constructor(shared: SharedState) {
    super()
    const bound = countedBy<ProductRow>(shared, PRODUCTS, ({ biller }) => biller)
    this.products = new Table(this, 'biller_product', bound, (product) => {
      if (product === undefined) return
      const products = this.#productsByBiller.get(product.biller) ?? new Map<string, ProductRow>()
      products.set(product.slug, product)
      this.#productsByBiller.set(product.biller, products)
    })
  }

  ofMerchant(merchantId: string): BillerProfile | undefined {
    return this.#byMerchant.get(merchantId)
  }

  product(biller: string, slug: string): ProductRow | undefined {
    return this.#productsByBiller.get(biller)?.get(slug)
  }

  /** In the order of their creation. */
  productsOf(biller: string): readonly ProductRow[] {
    return [...(this.#productsByBiller.get(biller)?.values() ?? [])].sort((one, other) => (one.id < other.id ? -1 : 1))
  }

  /** What the product is now. */
  definitionOf(product: ProductRow, past: Past): ProductDefinition {
    return this.#definitions.of(product.position, () => {
      const saved = past.eventAt(product.position)
      assert(payloadOf<ProductVersion>(saved).id === product.id, 'a product knows its newest version')
      return definitionIn(saved, past)
    })
  }

  /** What the biller has written into the log on the day of `timeMs`. */
  writtenOn(biller: string, timeMs: TimeMs): number {
    const written = this.written.get(biller)
    return written?.day === dayOf(timeMs) ? written.length : 0
  }

  addWritten(biller: string, timeMs: TimeMs, length: number): void {
    this.written.set(biller, { day: dayOf(timeMs), length: this.writtenOn(biller, timeMs) + length })
  }
}

/** The definition as this version has it. */
export function definitionIn(saved: StoredEvent, past: Pick<Past, 'eventAt'>): ProductDefinition {
  const version = payloadOf<ProductVersion>(saved)
  if ('definition' in version) return version.definition
  const whole = payloadOf<WholeProduct>(past.eventAt(version.whole_position))
  assert(whole.id === version.id, 'a change of a product knows where the product is written whole')
  // The keys keep the order of the whole version, so the text of a product reads the same whichever way it was written.
  return { ...whole.definition, ...version.changes }
}

export function productKey(biller: string, slug: string): string {
  return `${biller}/${slug}`
}

function logosOf(biller: BillerProfile | undefined): readonly Logo[] {
  return [biller?.logo ?? null, biller?.pending_logo ?? null].filter((one) => one !== null)
}

function dayOf(timeMs: TimeMs): number {
  return Math.floor(timeMs / DAY_MS)
}
