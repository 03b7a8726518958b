// What owners say about their merchant. A new name is shown to customers once an operator has approved it.
import type { Caller } from '../../contract/created-by.ts'
import type { EmailLanguage, LogoChange, MerchantAccount, NameChange } from '../../contract/merchant-account.ts'
import { rfc3339 } from '../../kernel/time.ts'
import { DEFAULT_TIME_ZONE, type TimeZone } from '../../kernel/time-zone.ts'
import { type Accepted, type Context, type Decision, event } from '../decision.ts'
import { logoUrl } from '../logo-files.ts'
import { aboutMerchant } from '../operator/audit-subject.ts'
import { operatorActed } from '../operator/operator-decide.ts'
import type { StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { publicMerchant } from './merchant-decide.ts'
import type { LogoChangeRow } from './merchant-logo.ts'
import type {
  MerchantAccountSet,
  MerchantNameApproved,
  MerchantNameRefused,
  MerchantNameRequested,
  MerchantProfile,
  MerchantRow,
} from './merchant-state.ts'

export interface SetMerchantAccount {
  readonly type: 'SetMerchantAccount'
  readonly merchantId: string
  /** Absent fields stay as they are. */
  readonly name?: string
  readonly address?: string | null
  readonly timeZone?: TimeZone
  readonly emailLanguage?: EmailLanguage | null
  readonly actedBy: Caller
  readonly logosBase: string
}

export interface ApproveMerchantName {
  readonly type: 'ApproveMerchantName'
  readonly merchantId: string
  /** The name that the operator has seen. */
  readonly name: string
}

export interface RefuseMerchantName {
  readonly type: 'RefuseMerchantName'
  readonly merchantId: string
  readonly reason: string
}

export const NO_PROFILE: MerchantProfile = { address: null, time_zone: DEFAULT_TIME_ZONE, email_language: null }

/** The account as its members see it. */
export function publicAccount(
  { id, name, profile = NO_PROFILE, name_change, logo, logo_change }: MerchantRow,
  logosBase: string,
): MerchantAccount {
  const { address, time_zone, email_language } = profile
  return {
    ...{ merchant_id: id, name, name_change: name_change ?? null },
    ...{
      logo_url: logoUrl(logo ?? null, logosBase),
      logo_change: logo_change === undefined ? null : publicLogoChange(logo_change, logosBase),
    },
    ...{ address, time_zone, email_language },
  }
}

/** A refused logo has no address: its file is served no more. */
export function publicLogoChange({ file, state, reason, requested_at, decided_at }: LogoChangeRow, logosBase: string): LogoChange {
  return { state, logo_url: state === 'requested' ? logoUrl({ file }, logosBase) : null, reason, requested_at, decided_at }
}

export const SET_MERCHANT_ACCOUNT_REJECTIONS = ['not_found'] as const

/** Returns `ok` and the account. Rejections: not_found. */
export function decideSetMerchantAccount(
  state: State,
  command: SetMerchantAccount,
  context: Context,
): Decision<(typeof SET_MERCHANT_ACCOUNT_REJECTIONS)[number]> {
  const merchant = state.merchants.merchants.get(command.merchantId)
  if (merchant === undefined) return { refusal: 'not_found' }
  const { merchantId: merchant_id, actedBy: acted_by } = command
  const { profile: before = NO_PROFILE, name_change: changeBefore = null, accounts } = merchant
  const {
    address = before.address,
    timeZone: time_zone = before.time_zone,
    emailLanguage: email_language = before.email_language,
  } = command
  const profile: MerchantProfile = { address, time_zone, email_language }
  const name_change = nameChangeOf(merchant, command, context)
  const events: StoredEvent[] = []
  if (address !== before.address || time_zone !== before.time_zone || email_language !== before.email_language) {
    const set: MerchantAccountSet = { merchant_id, ...profile, acted_by }
    events.push(event('merchant.account_set', 1, accounts.live, set))
  }
  if (name_change !== changeBefore) {
    const requested: MerchantNameRequested = { merchant_id, name_change, acted_by }
    events.push(event('merchant.name_requested', 1, accounts.live, requested))
  }
  const { name_change: _, ...rest } = merchant
  return accepted(events, publicAccount({ ...rest, profile, ...(name_change === null ? {} : { name_change }) }, command.logosBase))
}

/** The present name withdraws what waits. A name that waits already keeps its place. */
function nameChangeOf({ name: present, name_change }: MerchantRow, { name }: SetMerchantAccount, context: Context): NameChange | null {
  if (name === undefined) return name_change ?? null
  if (name === present) return null
  if (name_change?.state === 'requested' && name_change.name === name) return name_change
  return { state: 'requested', name, reason: null, requested_at: rfc3339(context.timeMs), decided_at: null }
}

export const APPROVE_MERCHANT_NAME_REJECTIONS = ['not_found', 'request_not_open'] as const

/** Returns `ok` and the merchant. Rejections: not_found, request_not_open (no name waits, or another one than the operator has seen). */
export function decideApproveMerchantName(
  state: State,
  { merchantId, name }: ApproveMerchantName,
  context: Context,
): Decision<(typeof APPROVE_MERCHANT_NAME_REJECTIONS)[number]> {
  const merchant = state.merchants.merchants.get(merchantId)
  if (merchant === undefined) return { refusal: 'not_found' }
  const { name_change } = merchant
  if (name_change?.state !== 'requested' || name_change.name !== name) return { refusal: 'request_not_open' }
  const approved: MerchantNameApproved = { merchant_id: merchantId, name }
  const details = { before: merchant.name, name }
  const audit = operatorActed(context, { ...aboutMerchant(merchant), action: 'merchant.name_approve', details })
  return accepted([event('merchant.name_approved', 1, merchant.accounts.live, approved), audit], publicMerchant({ ...merchant, name }))
}

export const REFUSE_MERCHANT_NAME_REJECTIONS = ['not_found', 'request_not_open'] as const

/** Returns `ok` and the merchant. Rejections: not_found, request_not_open (no name waits). */
export function decideRefuseMerchantName(
  state: State,
  { merchantId, reason }: RefuseMerchantName,
  context: Context,
): Decision<(typeof REFUSE_MERCHANT_NAME_REJECTIONS)[number]> {
  const merchant = state.merchants.merchants.get(merchantId)
  if (merchant === undefined) return { refusal: 'not_found' }
  const { name_change: before } = merchant
  if (before?.state !== 'requested') return { refusal: 'request_not_open' }
  const name_change: NameChange = { ...before, state: 'refused', reason, decided_at: rfc3339(context.timeMs) }
  const refused: MerchantNameRefused = { merchant_id: merchantId, name_change }
  const details = { name: before.name, reason }
  const audit = operatorActed(context, { ...aboutMerchant(merchant), action: 'merchant.name_refuse', details })
  return accepted([event('merchant.name_refused', 1, merchant.accounts.live, refused), audit], publicMerchant(merchant))
}

/** Returns `ok` and the body. */
export function accepted(events: readonly StoredEvent[], body: object): Accepted {
  return { environment: 'live', events, transactions: [], frames: [], kind: 'ok', body: JSON.stringify(body) }
}
