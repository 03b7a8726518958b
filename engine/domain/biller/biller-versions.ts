// How the profile of a biller is found, shown and moved on.
import type { SuccessKind } from '../../contract/outcome-kind.ts'
import { assert } from '../../kernel/assert.ts'
import type { Environment } from '../../kernel/environment.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Accepted, event } from '../decision.ts'
import { logoUrl } from '../logo-files.ts'
import type { MerchantRow } from '../merchant/merchant-state.ts'
import type { StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { BILLER_MOVE_TABLE, type BillerMove, type BillerProfile, type DirectoryState } from './biller-state.ts'

/** The profile as its merchant sees it. */
export interface PublicBiller extends Omit<BillerProfile, 'id' | 'merchant_id' | 'logo' | 'pending_logo'> {
  readonly logo_url: string | null
  readonly pending_logo_url: string | null
}

/** As the operator sees it. */
export interface OperatorBiller extends PublicBiller {
  readonly merchant_id: string
  readonly merchant_name: string
}

/** `logosBase` is where logos are served, with a slash at the end. */
export function publicBiller(biller: BillerProfile, logosBase: string): PublicBiller {
  const { slug, display_name, category, short_desc, logo, pending_logo, directory_state, live } = biller
  const { reject_reason, suspend_reason, created_at, submitted_at, published_at } = biller
  return {
    ...{ slug, display_name, category, short_desc },
    logo_url: logoUrl(logo, logosBase),
    pending_logo_url: logoUrl(pending_logo, logosBase),
    ...{ directory_state, live, reject_reason, suspend_reason, created_at, submitted_at, published_at },
  }
}

export function operatorBiller(state: State, biller: BillerProfile, logosBase: string): OperatorBiller {
  const { id, name } = merchantOf(state, biller)
  return { ...publicBiller(biller, logosBase), directory_state: reviewState(biller), merchant_id: id, merchant_name: name }
}

/** Where it stands for an operator: what only the test helper has approved still waits for a review. */
export function reviewState({ directory_state, live }: BillerProfile): DirectoryState {
  return directory_state === 'published' && !live ? 'in_review' : directory_state
}

export function mayMove(from: DirectoryState, move: BillerMove): boolean {
  return (BILLER_MOVE_TABLE[move].from as readonly DirectoryState[]).includes(from)
}

/** From its publication on a profile's name, category and logo are what an operator has seen. */
export function isFrozen({ directory_state }: Pick<BillerProfile, 'directory_state'>): boolean {
  return directory_state === 'published' || directory_state === 'suspended'
}

export function billerOf(state: State, account: AccountNumber): BillerProfile | undefined {
  const merchant = state.merchants.byAccount(account)
  return merchant === undefined ? undefined : state.billers.ofMerchant(merchant.id)
}

export function merchantOf(state: State, { merchant_id }: BillerProfile): MerchantRow {
  const merchant = state.merchants.merchants.get(merchant_id)
  assert(merchant !== undefined, 'a biller is a merchant')
  return merchant
}

/** A profile belongs to both environments; its events are indexed under the live account. */
export function billerEvent(state: State, type: string, biller: BillerProfile): StoredEvent {
  return event(`biller.${type}`, 1, merchantOf(state, biller).accounts.live, biller)
}

/** A decision that moves no money. `body`: what is answered, or the index of the event whose document it is. */
export function answered(
  environment: Environment,
  events: readonly StoredEvent[],
  body: object | number,
  kind: SuccessKind = 'ok',
): Accepted {
  return { environment, events, transactions: [], frames: [], kind, body: typeof body === 'number' ? body : JSON.stringify(body) }
}
