// Live activation. A merchant that signed up under approval moves live money once an operator has activated it.
import type { ActivationDetails } from '../../contract/activation.ts'
import { rfc3339 } from '../../kernel/time.ts'
import { type Accepted, type Context, type Decision, event } from '../decision.ts'
import { aboutMerchant } from '../operator/audit-subject.ts'
import { operatorActed } from '../operator/operator-decide.ts'
import type { StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { publicMerchant } from './merchant-decide.ts'
import type { ActivationChanged } from './merchant-evolve.ts'
import { isActive, type MerchantActivation, type MerchantRow } from './merchant-state.ts'
import { NO_ACTIVATION } from './new-merchant.ts'

export interface RequestActivation {
  readonly type: 'RequestActivation'
  readonly merchantId: string
  readonly details: ActivationDetails
}

export interface ActivateMerchant {
  readonly type: 'ActivateMerchant'
  readonly merchantId: string
}

export interface RefuseActivation {
  readonly type: 'RefuseActivation'
  readonly merchantId: string
  readonly reason: string
}

/** The activation as the merchant sees it. */
export function publicActivation({ activation }: Pick<MerchantRow, 'activation'>): MerchantActivation {
  return activation ?? { ...NO_ACTIVATION, state: 'active' }
}

export const REQUEST_ACTIVATION_REJECTIONS = ['not_found'] as const

/**
 * Returns `ok` and the activation. Details that are sent again replace the ones before; those of an active merchant change
 * nothing. Rejections: not_found.
 */
export function decideRequestActivation(
  state: State,
  { merchantId, details }: RequestActivation,
  context: Context,
): Decision<(typeof REQUEST_ACTIVATION_REJECTIONS)[number]> {
  const merchant = state.merchants.merchants.get(merchantId)
  if (merchant === undefined) return { refusal: 'not_found' }
  if (isActive(merchant)) return accepted([], publicActivation(merchant))
  const { legal_name, registration_number, address, contact_name, contact_phone, activity, informal } = details
  const register = informal === true ? { registration_number, informal } : { registration_number }
  const activation: MerchantActivation = {
    state: 'requested',
    reason: null,
    requested_at: rfc3339(context.timeMs),
    decided_at: null,
    details: { legal_name, ...register, address, contact_name, contact_phone, activity },
  }
  return accepted([changed('requested', merchant, activation)], activation)
}

export const ACTIVATE_MERCHANT_REJECTIONS = ['not_found'] as const

/** Returns `ok` and the merchant, also when it was active before. Rejections: not_found. */
export function decideActivateMerchant(
  state: State,
  { merchantId }: ActivateMerchant,
  context: Context,
): Decision<(typeof ACTIVATE_MERCHANT_REJECTIONS)[number]> {
  const merchant = state.merchants.merchants.get(merchantId)
  if (merchant === undefined) return { refusal: 'not_found' }
  if (isActive(merchant)) return accepted([], publicMerchant(merchant))
  const activation: MerchantActivation = {
    ...publicActivation(merchant),
    ...{ state: 'active', reason: null, decided_at: rfc3339(context.timeMs) },
  }
  const audit = operatorActed(context, { ...aboutMerchant(merchant), action: 'merchant.activate', details: {} })
  return accepted([changed('activated', merchant, activation), audit], publicMerchant({ ...merchant, activation }))
}

export const REFUSE_ACTIVATION_REJECTIONS = ['not_found', 'request_not_open'] as const

/** Returns `ok` and the merchant. Rejections: not_found, request_not_open (it has sent no details since the last decision). */
export function decideRefuseActivation(
  state: State,
  { merchantId, reason }: RefuseActivation,
  context: Context,
): Decision<(typeof REFUSE_ACTIVATION_REJECTIONS)[number]> {
  const merchant = state.merchants.merchants.get(merchantId)
  if (merchant === undefined) return { refusal: 'not_found' }
  if (merchant.activation?.state !== 'requested') return { refusal: 'request_not_open' }
  const activation: MerchantActivation = { ...merchant.activation, state: 'refused', reason, decided_at: rfc3339(context.timeMs) }
  const audit = operatorActed(context, { ...aboutMerchant(merchant), action: 'merchant.refuse', details: { reason } })
  return accepted([changed('refused', merchant, activation), audit], publicMerchant({ ...merchant, activation }))
}

const TYPES = {
  requested: 'merchant.activation_requested',
  refused: 'merchant.activation_refused',
  activated: 'merchant.activated',
} as const

function changed(what: keyof typeof TYPES, { id, accounts }: MerchantRow, activation: MerchantActivation): StoredEvent {
  const payload: ActivationChanged = { merchant_id: id, activation }
  return event(TYPES[what], 1, accounts.live, payload)
}

function accepted(events: readonly StoredEvent[], body: object): Accepted {
  return { environment: 'live', events, transactions: [], frames: [], kind: 'ok', body: JSON.stringify(body) }
}
