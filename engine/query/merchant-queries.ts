// Queries for merchants: one by its id or by one of its accounts, the list of all, and reviewed names.
import type { Activation, ActivationFileType } from '../contract/activation.ts'
import type { PageQuery } from '../contract/common.ts'
import type { ListMerchantsQuery } from '../contract/merchant.ts'
import type { LogoChange, NameChange } from '../contract/merchant-account.ts'
import type { PayoutPolicy } from '../contract/payout-policy.ts'
import { logoUrl } from '../domain/logo-files.ts'
import { publicLogoChange } from '../domain/merchant/account-decide.ts'
import { publicActivation } from '../domain/merchant/activation-decide.ts'
import { publicMerchant } from '../domain/merchant/merchant-decide.ts'
import type { ActivationFileAdded } from '../domain/merchant/merchant-evolve.ts'
import type { MerchantRow } from '../domain/merchant/merchant-state.ts'
import { payloadOf } from '../domain/record.ts'
import type { OfAccount } from './account-queries.ts'
import { type ListPage, statePage } from './list-page.ts'
import type { Reads } from './reads.ts'
import { isFoundIn, searchOf } from './search.ts'

export interface ById {
  readonly id: string
}

export function countMerchants({ state }: Reads): number {
  return state.merchants.merchants.size
}

export function merchantById({ state }: Reads, { id }: ById): MerchantRow | null {
  return state.merchants.merchants.get(id) ?? null
}

/** Returns the merchant's name that an operator gave or approved; null when no operator has reviewed it. */
export function reviewedMerchantName({ state }: Reads, { account }: OfAccount): string | null {
  const { merchants, billers, dashboard } = state
  const merchant = merchants.byAccount(account)
  if (merchant === undefined) return null
  const biller = billers.ofMerchant(merchant.id)
  if (biller?.live === true && biller.directory_state === 'published') return biller.display_name
  // A merchant that an operator made has no dashboard user.
  return merchant.past_names === undefined && dashboard.usersOf(merchant.id).length > 0 ? null : merchant.name
}

/** Returns the merchant by its live or its test account. */
export function merchantByAccount({ state }: Reads, { account }: OfAccount): MerchantRow | null {
  return state.merchants.byAccount(account) ?? null
}

export interface ActivationsInput {
  readonly state: Activation['state']
  readonly query: PageQuery
}

/** Lists merchants by the state of their activation. Returns null when the cursor belongs to another kind of list. */
export function listActivations({ state }: Reads, { state: wanted, query }: ActivationsInput): ListPage | null {
  const rows = [...state.merchants.merchants.values()].filter((merchant) => publicActivation(merchant).state === wanted)
  const render = (merchant: MerchantRow): object => ({
    merchant_id: merchant.id,
    merchant_name: merchant.name,
    ...publicActivation(merchant),
  })
  return statePage(query, { rows, render })
}

export interface NameChangesInput {
  readonly state: NameChange['state']
  readonly query: PageQuery
}

/** Lists names that merchants asked for, by their state. Returns null when the cursor belongs to another kind of list. */
export function listNameChanges({ state }: Reads, { state: wanted, query }: NameChangesInput): ListPage | null {
  const rows = kept(state.merchants.merchants.values(), ({ name_change }) => name_change?.state === wanted)
  const render = ({ id, name, name_change }: MerchantRow): object => ({ merchant_id: id, merchant_name: name, ...name_change })
  return statePage(query, { rows, render })
}

export interface LogoChangesInput {
  readonly state: LogoChange['state']
  readonly query: PageQuery
  readonly logosBase: string
}

/** Lists logos that merchants sent, by their state. Returns null when the cursor belongs to another kind of list. */
export function listLogoChanges({ state }: Reads, { state: wanted, query, logosBase }: LogoChangesInput): ListPage | null {
  const rows = kept(state.merchants.merchants.values(), ({ logo_change }) => logo_change?.state === wanted)
  const render = ({ id, name, logo, logo_change }: MerchantRow): object => ({
    ...{ merchant_id: id, merchant_name: name, shown_logo_url: logoUrl(logo ?? null, logosBase) },
    ...(logo_change === undefined ? {} : publicLogoChange(logo_change, logosBase)),
  })
  return statePage(query, { rows, render })
}

export interface ActivationFileInput {
  readonly merchantId: string
  readonly id: string
}

export interface SealedFile {
  readonly contentType: ActivationFileType
  /** The bytes, encrypted under the master key. */
  readonly sealed: string
}

/** Returns a file of the merchant's activation; null where it has none with this id. */
export function activationFile({ state, history }: Reads, { merchantId, id }: ActivationFileInput): SealedFile | null {
  const file = state.merchants.merchants.get(merchantId)?.activation_files?.find((one) => one.id === id)
  if (file === undefined) return null
  const { sealed } = payloadOf<ActivationFileAdded>(history.eventAt(file.position))
  return { contentType: file.content_type, sealed }
}

export interface MerchantsInput {
  readonly query: ListMerchantsQuery
}

/** Lists merchants, those that a text and a state find. Returns null when the cursor belongs to another kind of list. */
export function listMerchants({ state }: Reads, { query }: MerchantsInput): ListPage | null {
  const search = searchOf(query.q)
  const isWanted = (merchant: MerchantRow): boolean =>
    (query.state === undefined || publicMerchant(merchant).state === query.state) &&
    (search === null || isFoundIn(search, textsOf(state, merchant)))
  return statePage(query, { rows: kept(state.merchants.merchants.values(), isWanted), render: publicMerchant })
}

function* kept<Row>(rows: Iterable<Row>, isWanted: (row: Row) => boolean): Generator<Row> {
  for (const row of rows) if (isWanted(row)) yield row
}

/** What operators know a merchant by: its names, e-mail addresses, phone and the address of its page in the directory. */
function textsOf({ billers, dashboard }: Reads['state'], { id, name, email, activation }: MerchantRow): (string | null)[] {
  const details = activation?.details ?? null
  return [
    ...[id, name, email, billers.ofMerchant(id)?.slug ?? null],
    ...[details?.legal_name ?? null, details?.contact_name ?? null, details?.contact_phone ?? null],
    ...dashboard.usersOf(id).map((user) => user.email),
  ]
}

/** Returns the payout policy of an account. */
export function payoutPolicy({ state }: Reads, { account }: OfAccount): PayoutPolicy {
  return { approval_above: state.merchants.approvalAbove(account) }
}
