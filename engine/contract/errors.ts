// Catalogue of error codes, each with its kind of rejection. Codes and kinds are stable between releases. An error travels as its
// code and its values; it becomes words where it leaves (`http/text/error-messages.ts`). Only `errorValue` writes one.
import type { RejectionKind } from './outcome-kind.ts'
import type { Because } from './reasons.ts'

export interface ErrorEntry {
  readonly kind: RejectionKind
}

/** Error codes, grouped by routes. A code has one kind on all routes. `PAYOUT_FAILURE_CODES` lists the `failure_code` of payouts. */
export const ERRORS = {
  // Requests in general
  invalid_request: { kind: 'invalid' },
  unknown_field: { kind: 'invalid' },
  invalid_parameter: { kind: 'invalid' },
  invalid_json: { kind: 'invalid' },
  idempotency_key_required: { kind: 'invalid' },
  idempotency_key_reused: { kind: 'unprocessable' },
  not_found: { kind: 'not_found' },
  method_not_allowed: { kind: 'method_not_allowed' },
  payload_too_large: { kind: 'too_large' },
  unsupported_media_type: { kind: 'unsupported_type' },
  rate_limited: { kind: 'rate_limited' },
  quota_exceeded: { kind: 'rate_limited' },
  internal_error: { kind: 'internal_error' },
  unavailable: { kind: 'unavailable' },

  // Merchants: keys and dashboard
  unauthorized: { kind: 'unauthorized' },
  insufficient_scope: { kind: 'forbidden' },
  merchant_suspended: { kind: 'forbidden' },
  live_not_activated: { kind: 'forbidden' },
  signup_closed: { kind: 'forbidden' },
  test_only: { kind: 'forbidden' },
  email_taken: { kind: 'conflict' },
  invalid_credentials: { kind: 'unauthorized' },
  weak_password: { kind: 'invalid' },
  too_many_api_keys: { kind: 'conflict' },
  insufficient_role: { kind: 'forbidden' },
  csrf_failed: { kind: 'forbidden' },

  password_required: { kind: 'unauthorized' },
  totp_required: { kind: 'unauthorized' },
  totp_incorrect: { kind: 'unauthorized' },
  totp_already_enabled: { kind: 'conflict' },
  totp_not_enrolled: { kind: 'conflict' },
  totp_not_enabled: { kind: 'conflict' },
  invalid_token: { kind: 'invalid' },
  last_owner: { kind: 'conflict' },
  too_many_members: { kind: 'conflict' },
  too_many_files: { kind: 'conflict' },
  email_not_confirmed: { kind: 'forbidden' },

  // Charges and checkout
  environment_mismatch: { kind: 'invalid' },
  unsupported_currency: { kind: 'invalid' },
  currency_mismatch: { kind: 'conflict' },
  redirect_url_must_be_https: { kind: 'invalid' },
  webhook_url_must_be_https: { kind: 'invalid' },
  charge_not_pending: { kind: 'conflict' },
  charge_not_paid: { kind: 'conflict' },
  charge_already_refunded: { kind: 'conflict' },
  partial_refund_unsupported: { kind: 'invalid' },
  charge_already_paid: { kind: 'conflict' },
  charge_expired: { kind: 'conflict' },
  charge_cancelled: { kind: 'conflict' },
  funds_paid_out: { kind: 'conflict' },
  wrong_customer: { kind: 'forbidden' },
  qr_expired: { kind: 'invalid' },
  insufficient_balance: { kind: 'insufficient_funds' },
  payment_link_closed: { kind: 'conflict' },

  // Top-ups and withdrawals
  request_not_open: { kind: 'conflict' },

  // Webhooks
  too_many_webhook_endpoints: { kind: 'conflict' },
  no_webhook_endpoint: { kind: 'conflict' },

  // Payouts, transfers and schedules
  invalid_recipient: { kind: 'invalid' },
  recipient_not_found: { kind: 'not_found' },
  recipient_blocked: { kind: 'conflict' },
  recipient_limit_exceeded: { kind: 'conflict' },
  limit_exceeded: { kind: 'forbidden' },
  self_transfer: { kind: 'invalid' },
  batch_too_large: { kind: 'invalid' },
  items_required: { kind: 'invalid' },
  approval_required: { kind: 'forbidden' },
  too_many_items: { kind: 'invalid' },
  invalid_csv: { kind: 'invalid' },
  invalid_disbursement_state: { kind: 'conflict' },
  no_valid_lines: { kind: 'conflict' },
  no_failed_lines: { kind: 'conflict' },
  contact_exists: { kind: 'conflict' },
  problem_open: { kind: 'conflict' },
  problem_closed: { kind: 'conflict' },
  invalid_start_at: { kind: 'invalid' },
  schedule_not_active: { kind: 'conflict' },

  // Billers: profile and logo
  biller_not_found: { kind: 'not_found' },
  invalid_category: { kind: 'invalid' },
  display_name_required: { kind: 'invalid' },
  short_desc_required: { kind: 'invalid' },
  field_frozen: { kind: 'conflict' },
  logo_required: { kind: 'invalid' },
  invalid_account: { kind: 'invalid' },
  invalid_logo_format: { kind: 'invalid' },
  logo_not_square: { kind: 'invalid' },
  logo_too_small: { kind: 'invalid' },
  logo_too_large: { kind: 'too_large' },
  profile_incomplete: { kind: 'invalid' },
  products_required: { kind: 'invalid' },
  invalid_directory_state: { kind: 'conflict' },

  // Billers: products
  invalid_slug: { kind: 'invalid' },
  slug_taken: { kind: 'conflict' },
  title_required: { kind: 'invalid' },
  invalid_amount_mode: { kind: 'invalid' },
  invalid_schema_json: { kind: 'invalid' },
  packages_required: { kind: 'invalid' },
  invalid_package: { kind: 'invalid' },
  invalid_amount_bounds: { kind: 'invalid' },
  identify_fields_required: { kind: 'invalid' },
  amount_field_required: { kind: 'invalid' },
  lookup_url_required: { kind: 'invalid' },
  lookup_url_must_be_https: { kind: 'invalid' },
  lookup_code_required: { kind: 'invalid' },
  fulfillment_code_required: { kind: 'invalid' },
  invalid_lookup_code: { kind: 'invalid' },
  invalid_fulfillment_code: { kind: 'invalid' },
  field_id_label_required: { kind: 'invalid' },
  duplicate_field_id: { kind: 'invalid' },
  invalid_field_type: { kind: 'invalid' },
  invalid_field_pattern: { kind: 'invalid' },
  select_options_required: { kind: 'invalid' },
  invalid_step_action: { kind: 'invalid' },
  too_many_products: { kind: 'conflict' },
  product_not_found: { kind: 'not_found' },
  product_inactive: { kind: 'conflict' },
  lookup_not_configured: { kind: 'conflict' },
  fulfillment_not_configured: { kind: 'conflict' },

  // Paying a bill
  invalid_form_values: { kind: 'invalid' },
  amount_out_of_bounds: { kind: 'invalid' },
  package_not_found: { kind: 'not_found' },
  quote_expired: { kind: 'conflict' },
  already_fulfilled: { kind: 'conflict' },
  fulfillment_running: { kind: 'conflict' },
  bill_already_refunded: { kind: 'conflict' },
  quote_used: { kind: 'conflict' },
  lookup_failed: { kind: 'unprocessable' },
  lookup_unavailable: { kind: 'upstream_failed' },
  lookup_timeout: { kind: 'upstream_timeout' },

  // Wallets
  invalid_tag: { kind: 'invalid' },
  tag_taken: { kind: 'conflict' },
  unsupported_country: { kind: 'invalid' },
  phone_taken: { kind: 'conflict' },
  wallet_blocked: { kind: 'forbidden' },
  wallet_not_found: { kind: 'not_found' },
  signup_incomplete: { kind: 'conflict' },
  weak_pin: { kind: 'invalid' },
  pin_incorrect: { kind: 'unauthorized' },
  pin_locked: { kind: 'locked' },
  otp_incorrect: { kind: 'unauthorized' },
  otp_expired: { kind: 'unauthorized' },
  otp_attempts_exceeded: { kind: 'rate_limited' },
  device_not_registered: { kind: 'unauthorized' },
  invalid_id_token: { kind: 'unauthorized' },

  // Operators
  too_many_operators: { kind: 'conflict' },
  too_many_approvals: { kind: 'conflict' },
  approval_waiting: { kind: 'conflict' },
  account_not_usable_yet: { kind: 'conflict' },
  approval_not_waiting: { kind: 'conflict' },
  second_person_required: { kind: 'forbidden' },

  // Mandates
  amount_required: { kind: 'invalid' },
  customer_not_found: { kind: 'not_found' },
  mandate_not_active: { kind: 'conflict' },
  mandate_not_on_demand: { kind: 'conflict' },
  mandate_not_due: { kind: 'conflict' },
} as const satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof ERRORS

export const ERROR_CODES = Object.keys(ERRORS) as readonly ErrorCode[]

/** Reasons why a payout is `failed`. A failed payout is a success response (201 with `failure_code`), so its codes have no kind here. */
export const PAYOUT_FAILURE_CODES = [
  'insufficient_balance',
  'recipient_not_found',
  'recipient_blocked',
  'recipient_check_limited',
  'recipient_limit_exceeded',
  'key_limit_exceeded',
  'merchant_limit_exceeded',
  'merchant_suspended',
  'live_not_activated',
  'invalid_amount',
  'invalid_recipient',
  'invalid_reference',
  'invalid_note',
  'invalid_json',
  'unknown_field',
  'unsupported_currency',
  'currency_mismatch',
] as const

export type PayoutFailureCode = (typeof PAYOUT_FAILURE_CODES)[number]

/** Members of an error beside `code` and `param`. */
export interface ErrorExtras extends Partial<Because> {
  /** A text of others in place of the words: the biller's reason for `lookup_failed`. It is never translated. */
  readonly message?: string
  readonly attempts_left?: number
  readonly request_id?: string
}

/** Codes whose words name no cause: each rejection with one of them says its reason. */
export type ReasonedCode = 'invalid_request' | 'invalid_parameter'

type Loose = [param?: string | undefined, extras?: ErrorExtras | undefined]

/**
 * What follows the code of a rejection: the dotted path of the field, parameter or header at fault, and further members. A reasoned
 * code without its reason does not compile.
 */
export type ErrorDetails<Code extends ErrorCode> = [ErrorCode] extends [Code]
  ? Loose
  : [Extract<Code, ReasonedCode>] extends [never]
    ? Loose
    : [param: string | undefined, extras: ErrorExtras & Because]

/** An error as it travels, parsed. */
export interface ErrorValue extends ErrorExtras {
  readonly code: ErrorCode
  readonly param?: string
  /** Language of the answer that an idempotency key keeps. Absent: the reader's. */
  readonly language?: 'fr' | 'en'
}

/** Returns an error as it travels: an `ErrorValue` as JSON text. `param` is the dotted path of the field, parameter or header at fault. */
export function errorValue(code: ErrorCode, param?: string, extras?: ErrorExtras): string {
  if (param === undefined && extras === undefined) return BARE[code]
  const { message, reason, values, attempts_left, request_id } = extras ?? {}
  return JSON.stringify({ code, message, reason, values, param, attempts_left, request_id })
}

/** Returns the same error with the id of its request. */
export function withRequestId(error: string, requestId: string): string {
  return `${error.slice(0, -1)},"request_id":${JSON.stringify(requestId)}}`
}

/** Returns an error as its idempotency key keeps it, with the language and the id of the first request: a replay has the same bytes. */
export function keptError(error: string, language: 'fr' | 'en', requestId: string | undefined): string {
  const kept = error.replace(CODE_MEMBER, `$&,"language":"${language}"`)
  return requestId === undefined ? kept : withRequestId(kept, requestId)
}

const CODE_MEMBER = /^\{"code":"\w+"/

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERRORS, text)
}

/** Errors without extras, rendered once: rejections under load (429, 503) must stay cheap. */
const BARE = Object.fromEntries(ERROR_CODES.map((code) => [code, JSON.stringify({ code })])) as Record<ErrorCode, string>
