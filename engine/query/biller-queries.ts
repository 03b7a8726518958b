// Queries for billers: the profile of a merchant, billers for review by operators, and logos.
import type { ListBillersQuery, OperatorBiller } from '../contract/biller.ts'
import type { BillerProfile, ProductDefinition, ProductState, StoredLogo } from '../domain/biller/biller-state.ts'
import { billerOf, operatorBiller, reviewState } from '../domain/biller/biller-versions.ts'
import { payloadOf } from '../domain/record.ts'
import type { Position } from '../kernel/position.ts'
import { parseRfc3339 } from '../kernel/time.ts'
import type { OfAccount } from './account-queries.ts'
import { lastDecision, versionAt } from './biller-history.ts'
import { type ListPage, statePage } from './list-page.ts'
import type { Reads } from './reads.ts'

export interface BySlug {
  readonly slug: string
}

/** Input for documents that contain logo addresses. */
export interface WithLogos {
  /** Base address of logos, with a slash at the end. */
  readonly logosBase: string
}

/** Returns the profile of the merchant that owns the account. */
export function billerByAccount({ state }: Reads, { account }: OfAccount): BillerProfile | null {
  return billerOf(state, account) ?? null
}

/** Returns the biller for operators. */
export function billerForOperator({ state }: Reads, { slug, logosBase }: BySlug & WithLogos): OperatorBiller | null {
  const biller = state.billers.profiles.get(slug)
  return biller === undefined ? null : shownToOperator(state, biller, logosBase)
}

export interface BillerListInput extends WithLogos {
  readonly query: ListBillersQuery
}

/** Lists billers for operators. Returns null when the cursor belongs to another kind of list. */
export function listBillers({ state }: Reads, { query: { directory_state, ...query }, logosBase }: BillerListInput): ListPage | null {
  const all = [...state.billers.profiles.values()]
  const rows = directory_state === undefined ? all : all.filter((biller) => reviewState(biller) === directory_state)
  return statePage(query, { rows, render: (biller) => shownToOperator(state, biller, logosBase) })
}

function shownToOperator(state: Reads['state'], biller: BillerProfile, logosBase: string): OperatorBiller {
  return operatorBiller(state, biller, logosBase) as OperatorBiller
}

/** Returns the number of profiles under review and of profiles whose new logo waits for an operator. */
export function countToReview({ state }: Reads): number {
  let count = 0
  for (const biller of state.billers.profiles.values()) if (reviewState(biller) === 'in_review' || biller.pending_logo !== null) count++
  return count
}

export interface WaitingLogo {
  readonly slug: string
  readonly display_name: string
}

/** Lists profiles whose new logo waits for an operator. */
export function waitingLogos({ state }: Reads, { limit }: { readonly limit: number }): WaitingLogo[] {
  const found: WaitingLogo[] = []
  for (const { slug, display_name, pending_logo } of state.billers.profiles.values()) {
    if (pending_logo !== null) found.push({ slug, display_name })
    if (found.length >= limit) break
  }
  return found
}

export interface ProductComparison {
  readonly slug: string
  readonly state: ProductState
  /** Time of the latest operator decision; null when the product did not exist then, or when no operator has decided. */
  readonly before: ProductDefinition | null
  readonly now: ProductDefinition
}

export interface BillerComparison {
  readonly now: BillerProfile
  /** The profile at the latest operator decision; null when no operator has decided. */
  readonly decided: { readonly decidedAt: string; readonly profile: BillerProfile } | null
  readonly products: readonly ProductComparison[]
}

/** Returns the profile and its products, with their state at the latest operator decision. */
export function compareBiller({ state, history }: Reads, { slug }: BySlug): BillerComparison | null {
  const now = state.billers.profiles.get(slug)
  if (now === undefined) return null
  const decided = lastDecision(history, now)
  const products = state.billers.productsOf(slug).map((product) => ({
    slug: product.slug,
    state: product.state,
    before: decided === null ? null : versionAt(history, product, parseRfc3339(decided.decidedAt)),
    now: state.billers.definitionOf(product, history),
  }))
  return { now, decided, products }
}

export interface LogoInput {
  /** File name of the logo. */
  readonly file: string
}

/** Returns whether a biller or a merchant shows the logo or has it under review. */
export function hasLogo({ state }: Reads, { file }: LogoInput): boolean {
  return logoAt(state, file) !== undefined
}

/** Returns the bytes as base64; null when nothing shows the logo or has it under review. */
export function logoContent({ state, history }: Reads, { file }: LogoInput): string | null {
  const position = logoAt(state, file)
  return position === undefined ? null : payloadOf<Pick<StoredLogo, 'base64'>>(history.eventAt(position)).base64
}

function logoAt({ billers, merchants }: Reads['state'], file: string): Position | undefined {
  return billers.logos.at(file) ?? merchants.logos.at(file)
}
