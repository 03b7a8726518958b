// Live activation. A merchant that signed up under approval moves live money once an operator has activated it.
import {
  ACTIVATION_FILES_MAX,
  type Activation,
  type ActivationDetails,
  type ActivationFile,
  type ActivationFileType,
} from '../../contract/activation.ts'
import type { Immutable } from '../../contract/schema.ts'
import { positionOf } from '../../kernel/position.ts'
import { rfc3339 } from '../../kernel/time.ts'
import { type Accepted, type Context, type Decision, event } from '../decision.ts'
import { aboutMerchant } from '../operator/audit-subject.ts'
import { operatorActed } from '../operator/operator-decide.ts'
import type { StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { publicMerchant } from './merchant-decide.ts'
import type { ActivationChanged, ActivationFileAdded, ActivationFileDeleted } from './merchant-evolve.ts'
import { type ActivationFileRow, isActive, type MerchantActivation, type MerchantRow } from './merchant-state.ts'
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

export interface AddActivationFile {
  readonly type: 'AddActivationFile'
  readonly merchantId: string
  readonly contentType: ActivationFileType
  readonly sizeBytes: number
  /** The bytes encrypted under the master key: the log never holds them in clear. */
  readonly sealed: string
}

export interface DeleteActivationFile {
  readonly type: 'DeleteActivationFile'
  readonly merchantId: string
  readonly id: string
}

/** The activation as the merchant sees it. */
export function publicActivation(merchant: Pick<MerchantRow, 'activation' | 'activation_files'>): Immutable<Activation> {
  return { ...activationOf(merchant), files: (merchant.activation_files ?? []).map(publicFile) }
}

function activationOf({ activation }: Pick<MerchantRow, 'activation'>): MerchantActivation {
  return activation ?? { ...NO_ACTIVATION, state: 'active' }
}

function publicFile({ position: _, activated_on: __, ...file }: ActivationFileRow): Immutable<ActivationFile> {
  return file
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
  return accepted([changed('requested', merchant, activation)], publicActivation({ ...merchant, activation }))
}

export const ADD_ACTIVATION_FILE_REJECTIONS = ['not_found', 'too_many_files'] as const

/**
 * Returns `created` and the file, in each state of the activation: an operator may ask an active merchant for a document. Files stay,
 * also after a refusal, until the merchant deletes them. Rejections: not_found, too_many_files.
 */
export function decideAddActivationFile(
  state: State,
  { merchantId, contentType, sizeBytes, sealed }: AddActivationFile,
  context: Context,
): Decision<(typeof ADD_ACTIVATION_FILE_REJECTIONS)[number]> {
  const merchant = state.merchants.merchants.get(merchantId)
  if (merchant === undefined) return { refusal: 'not_found' }
  if ((merchant.activation_files ?? []).length >= ACTIVATION_FILES_MAX) return { refusal: 'too_many_files', param: 'file' }
  const about = { id: context.newId(), content_type: contentType, size_bytes: sizeBytes, created_at: rfc3339(context.timeMs) }
  const payload: ActivationFileAdded = { merchant_id: merchantId, file: { ...about, position: positionOf(context.sequence, 0) }, sealed }
  return { ...accepted([event('merchant.activation_file_added', 1, merchant.accounts.live, payload)], about), kind: 'created' }
}

export const DELETE_ACTIVATION_FILE_REJECTIONS = ['not_found', 'request_not_open'] as const

/**
 * Returns `ok` and the id. The sealed bytes stay in the log. Rejections: not_found, request_not_open (an operator activated the merchant
 * with this file).
 */
export function decideDeleteActivationFile(
  state: State,
  { merchantId, id }: DeleteActivationFile,
  _context: Context,
): Decision<(typeof DELETE_ACTIVATION_FILE_REJECTIONS)[number]> {
  const merchant = state.merchants.merchants.get(merchantId)
  const file = merchant?.activation_files?.find((row) => row.id === id)
  if (merchant === undefined || file === undefined) return { refusal: 'not_found' }
  if (file.activated_on === true) return { refusal: 'request_not_open' }
  const payload: ActivationFileDeleted = { merchant_id: merchantId, id }
  return accepted([event('merchant.activation_file_deleted', 1, merchant.accounts.live, payload)], { id, deleted: true })
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
    ...activationOf(merchant),
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
