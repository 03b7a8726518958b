// What merchants do with their profile: write it, bring a logo, submit it. What operators decide about it is in
// biller-curation-decide.ts.
import { assert } from '../../kernel/assert.ts'
import { positionOf } from '../../kernel/position.ts'
import { rfc3339 } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Context, type Decision, event } from '../decision.ts'
import { type Logo, logoUrl } from '../logo-files.ts'
import type { State } from '../state.ts'
import { SLUG_NUMBER_MAX, WRITTEN_PER_DAY_MAX } from './biller-limits.ts'
import { slugOf, slugWith } from './biller-slug.ts'
import type { BillerProfile, StoredLogo } from './biller-state.ts'
import { answered, billerEvent, billerOf, isFrozen, mayMove, merchantOf, publicBiller } from './biller-versions.ts'

export interface SaveBiller {
  readonly type: 'SaveBiller'
  /** The merchant's account in either environment. */
  readonly merchant: AccountNumber
  /** Null: not sent, which only a frozen profile takes. */
  readonly displayName: string | null
  readonly category: string | null
  readonly shortDesc: string
  readonly logosBase: string
}

export interface SetBillerLogo {
  readonly type: 'SetBillerLogo'
  readonly merchant: AccountNumber
  /** SHA-256 of the bytes and what they are. */
  readonly file: string
  readonly contentType: string
  readonly base64: string
  readonly logosBase: string
}

export interface SubmitBiller {
  readonly type: 'SubmitBiller'
  readonly merchant: AccountNumber
  readonly logosBase: string
}

export const SAVE_BILLER_REJECTIONS = ['display_name_required', 'invalid_category', 'field_frozen'] as const

/**
 * Returns `ok` and the profile. Rejections: display_name_required, invalid_category (absent and not frozen),
 * field_frozen. A change under review is a new submission, so that an operator approves only what is displayed.
 */
export function decideSaveBiller(state: State, command: SaveBiller, context: Context): Decision<(typeof SAVE_BILLER_REJECTIONS)[number]> {
  const { merchant, displayName, category, shortDesc, logosBase } = command
  const before = billerOf(state, merchant)
  const frozen = before !== undefined && isFrozen(before)
  if (displayName === null && !frozen) return { refusal: 'display_name_required', param: 'display_name' }
  if (category === null && !frozen) return { refusal: 'invalid_category', param: 'category' }
  const display_name = displayName ?? before?.display_name ?? ''
  const named = { display_name, category: category ?? before?.category ?? '' }
  const changed = firstChange(before, named)
  if (frozen && changed !== null) return { refusal: 'field_frozen', param: changed }
  const biller =
    before === undefined
      ? newBiller(state, context, merchant, { ...named, short_desc: shortDesc })
      : { ...before, ...named, short_desc: shortDesc, ...(changed === null ? {} : resubmitted(before, context)) }
  const isSame = before !== undefined && changed === null && before.short_desc === shortDesc
  return answered(
    state.accounts.environment(merchant),
    isSame ? [] : [billerEvent(state, 'saved', biller)],
    publicBiller(biller, logosBase),
  )
}

export const SET_BILLER_LOGO_REJECTIONS = ['biller_not_found', 'rate_limited'] as const

/**
 * Returns `ok` and `{logo_url, pending}`: after the publication the displayed one stays until an operator decides.
 * Rejections: biller_not_found, rate_limited.
 */
export function decideSetBillerLogo(
  state: State,
  command: SetBillerLogo,
  context: Context,
): Decision<(typeof SET_BILLER_LOGO_REJECTIONS)[number]> {
  const { merchant, file, contentType, base64, logosBase } = command
  const before = billerOf(state, merchant)
  if (before === undefined) return { refusal: 'biller_not_found' }
  const { slug } = before
  const known = [before.logo, before.pending_logo].find((logo) => logo?.file === file) ?? null
  if (known === null && isOverBudget(state, slug, base64.length, context)) return { refusal: 'rate_limited' }
  const logo: Logo = known ?? { file, position: positionOf(context.sequence, 0) }
  const pending = isFrozen(before)
  const biller: BillerProfile = pending ? { ...before, pending_logo: logo } : { ...before, logo, ...resubmitted(before, context) }
  const bytes: StoredLogo = { biller: slug, file, content_type: contentType, base64 }
  const { live } = merchantOf(state, before).accounts
  const stored = known === null ? [event('logo.stored', 1, live, bytes)] : []
  return answered(state.accounts.environment(merchant), [...stored, billerEvent(state, 'logo_set', biller)], {
    logo_url: logoUrl(biller.logo, logosBase),
    pending,
  })
}

export const SUBMIT_BILLER_REJECTIONS = ['biller_not_found', 'invalid_directory_state', 'profile_incomplete', 'products_required'] as const

/**
 * Returns `ok` and the profile. Rejections: biller_not_found, invalid_directory_state, profile_incomplete,
 * products_required.
 */
export function decideSubmitBiller(
  state: State,
  command: SubmitBiller,
  context: Context,
): Decision<(typeof SUBMIT_BILLER_REJECTIONS)[number]> {
  const { merchant, logosBase } = command
  const before = billerOf(state, merchant)
  if (before === undefined) return { refusal: 'biller_not_found' }
  if (!mayMove(before.directory_state, 'submitted')) return { refusal: 'invalid_directory_state' }
  // The other parts are never empty: a profile is written whole.
  if (before.logo === null) return { refusal: 'profile_incomplete', param: 'logo' }
  if (!state.billers.productsOf(before.slug).some((product) => product.state === 'active')) return { refusal: 'products_required' }
  const submitted_at = rfc3339(context.timeMs)
  const biller: BillerProfile = { ...before, directory_state: 'in_review', reject_reason: null, submitted_at }
  return answered(state.accounts.environment(merchant), [billerEvent(state, 'submitted', biller)], publicBiller(biller, logosBase))
}

/** Whether another `length` would be more than a biller may write in a day. */
export function isOverBudget(state: State, biller: string, length: number, { timeMs }: Context): boolean {
  return state.billers.writtenOn(biller, timeMs) + length > WRITTEN_PER_DAY_MAX
}

type Named = Pick<BillerProfile, 'display_name' | 'category'>

/** The first of the fields that freeze which is not what it was; null for a new profile too. */
function firstChange(before: BillerProfile | undefined, { display_name, category }: Named): keyof Named | null {
  if (before === undefined) return null
  if (display_name !== before.display_name) return 'display_name'
  return category === before.category ? null : 'category'
}

function resubmitted({ directory_state, submitted_at }: BillerProfile, { timeMs }: Context): Pick<BillerProfile, 'submitted_at'> {
  return { submitted_at: directory_state === 'in_review' ? rfc3339(timeMs) : submitted_at }
}

/** Slugs that are taken get a number; where many share a name, a part of the id. */
function newBiller(
  state: State,
  context: Context,
  account: AccountNumber,
  fields: Named & Pick<BillerProfile, 'short_desc'>,
): BillerProfile {
  const merchant = state.merchants.byAccount(account)
  assert(merchant !== undefined, 'the account is a merchant’s')
  const id = context.newId()
  return {
    ...{ id, slug: freeSlug(state, fields.display_name, id), merchant_id: merchant.id },
    ...fields,
    logo: null,
    pending_logo: null,
    directory_state: 'draft',
    live: false,
    reject_reason: null,
    suspend_reason: null,
    created_at: rfc3339(context.timeMs),
    submitted_at: null,
    published_at: null,
  }
}

function freeSlug(state: State, displayName: string, id: string): string {
  const { profiles } = state.billers
  const slug = slugOf(displayName)
  if (profiles.get(slug) === undefined) return slug
  for (let number = 2; number <= SLUG_NUMBER_MAX; number++) {
    const numbered = slugWith(slug, String(number))
    if (profiles.get(numbered) === undefined) return numbered
  }
  // The last 12 digits of an id are random.
  const unique = slugWith(slug, id.slice(-12))
  assert(profiles.get(unique) === undefined, 'ids differ in their random part')
  return unique
}
