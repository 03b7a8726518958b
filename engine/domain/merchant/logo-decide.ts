// The logo of a merchant. Customers see a new one once an operator has approved it.
import type { Caller } from '../../contract/created-by.ts'
import { positionOf } from '../../kernel/position.ts'
import { rfc3339 } from '../../kernel/time.ts'
import { type Context, type Decision, event } from '../decision.ts'
import { aboutMerchant } from '../operator/audit-subject.ts'
import { operatorActed } from '../operator/operator-decide.ts'
import type { State } from '../state.ts'
import { accepted, publicAccount } from './account-decide.ts'
import { publicMerchant } from './merchant-decide.ts'
import { type LogoChangeRow, type MerchantLogoDecided, type MerchantLogoSet, withLogo } from './merchant-logo.ts'

export interface SetMerchantLogo {
  readonly type: 'SetMerchantLogo'
  readonly merchantId: string
  /** Null removes the logo that customers see, and the one that waits. */
  readonly logo: { readonly file: string; readonly base64: string } | null
  readonly actedBy: Caller
  readonly logosBase: string
}

export interface ReviewMerchantLogo {
  readonly type: 'ReviewMerchantLogo'
  readonly merchantId: string
  readonly decision: { readonly approved: true /** The file that the operator has seen. */; readonly file: string } | Refusal
}

interface Refusal {
  readonly approved: false
  readonly reason: string
}

export const SET_MERCHANT_LOGO_REJECTIONS = ['not_found'] as const

/**
 * Returns `ok` and the account. The logo that customers see withdraws what waits; a logo that waits already keeps its place. Rejections:
 * not_found.
 */
export function decideSetMerchantLogo(
  state: State,
  { merchantId, logo: sent, actedBy, logosBase }: SetMerchantLogo,
  context: Context,
): Decision<(typeof SET_MERCHANT_LOGO_REJECTIONS)[number]> {
  const merchant = state.merchants.merchants.get(merchantId)
  if (merchant === undefined) return { refusal: 'not_found' }
  const { logo: shown = null, logo_change: before = null } = merchant
  const waits = before?.state === 'requested' ? before.file : null
  const isShown = sent === null ? shown === null : sent.file === shown?.file
  if (isShown ? before === null : sent !== null && sent.file === waits) return accepted([], publicAccount(merchant, logosBase))
  const requested: Omit<LogoChangeRow, 'file'> = {
    ...{ state: 'requested', position: positionOf(context.sequence, 0) },
    ...{ reason: null, requested_at: rfc3339(context.timeMs), decided_at: null },
  }
  const logo = sent === null ? null : shown
  const logo_change = isShown || sent === null ? null : { ...requested, file: sent.file }
  const payload: MerchantLogoSet = {
    ...{ merchant_id: merchantId, logo, logo_change, acted_by: actedBy },
    ...(logo_change === null || sent === null ? {} : { base64: sent.base64 }),
  }
  return accepted([event('merchant.logo_set', 1, merchant.accounts.live, payload)], publicAccount(withLogo(merchant, payload), logosBase))
}

export const REVIEW_MERCHANT_LOGO_REJECTIONS = ['not_found', 'request_not_open'] as const

/** Returns `ok` and the merchant. Rejections: not_found, request_not_open (no logo waits, or another one than the operator has seen). */
export function decideReviewMerchantLogo(
  state: State,
  { merchantId, decision }: ReviewMerchantLogo,
  context: Context,
): Decision<(typeof REVIEW_MERCHANT_LOGO_REJECTIONS)[number]> {
  const merchant = state.merchants.merchants.get(merchantId)
  if (merchant === undefined) return { refusal: 'not_found' }
  const { logo: shown = null, logo_change: before } = merchant
  if (before?.state !== 'requested' || (decision.approved && decision.file !== before.file)) return { refusal: 'request_not_open' }
  const { file, position } = before
  const payload: MerchantLogoDecided = decision.approved
    ? { merchant_id: merchantId, logo: { file, position }, logo_change: null }
    : {
        ...{ merchant_id: merchantId, logo: shown },
        logo_change: { ...before, state: 'refused', reason: decision.reason, decided_at: rfc3339(context.timeMs) },
      }
  const details = decision.approved ? { file } : { file, reason: decision.reason }
  const action = decision.approved ? 'merchant.logo_approve' : 'merchant.logo_refuse'
  const type = decision.approved ? 'merchant.logo_approved' : 'merchant.logo_refused'
  const audit = operatorActed(context, { ...aboutMerchant(merchant), action, details })
  return accepted([event(type, 1, merchant.accounts.live, payload), audit], publicMerchant(merchant))
}
