// The catalogue of errors: complete, stable, and French that may be shown as it is.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ERROR_CODES, ERRORS, type ErrorCode, errorValue, isErrorCode, PAYOUT_FAILURE_CODES } from '../../../engine/contract/errors.ts'
import { because } from '../../../engine/contract/reasons.ts'
import { ERROR_MESSAGES } from '../../../http/text/error-messages.ts'
import { PAYOUT_FAILURE_MESSAGES } from '../../../http/text/payout-failure-messages.ts'
import { outcomeStatus } from '../../support/outcome-status.ts'

/** Released codes and statuses: a row may be added, never changed or removed. */
const RELEASED: Record<number, string> = {
  400: `unknown_field partial_refund_unsupported amount_field_required amount_out_of_bounds amount_required batch_too_large display_name_required duplicate_field_id
    environment_mismatch field_id_label_required fulfillment_code_required idempotency_key_required identify_fields_required
    invalid_account invalid_amount_bounds invalid_amount_mode invalid_category invalid_field_pattern invalid_field_type invalid_form_values
    invalid_fulfillment_code invalid_json invalid_lookup_code
    invalid_logo_format invalid_package invalid_parameter invalid_recipient invalid_request invalid_schema_json invalid_csv invalid_slug
    invalid_start_at invalid_step_action invalid_tag invalid_token items_required logo_not_square logo_required logo_too_small lookup_code_required
    lookup_url_must_be_https lookup_url_required packages_required products_required profile_incomplete qr_expired
    redirect_url_must_be_https select_options_required self_transfer short_desc_required title_required unsupported_country unsupported_currency
    too_many_items weak_password weak_pin webhook_url_must_be_https`,
  401: `device_not_registered invalid_credentials invalid_id_token otp_expired otp_incorrect password_required pin_incorrect totp_incorrect totp_required unauthorized`,
  402: `insufficient_balance`,
  403: `approval_required csrf_failed limit_exceeded live_not_activated signup_closed merchant_suspended wallet_blocked email_not_confirmed insufficient_role insufficient_scope second_person_required test_only wrong_customer`,
  404: `biller_not_found customer_not_found not_found package_not_found product_not_found recipient_not_found wallet_not_found`,
  405: `method_not_allowed`,
  409: `account_not_usable_yet contact_exists problem_open problem_closed currency_mismatch already_fulfilled approval_not_waiting approval_waiting last_owner too_many_approvals too_many_members too_many_operators totp_already_enabled totp_not_enabled totp_not_enrolled bill_already_refunded fulfillment_running charge_already_paid charge_already_refunded charge_cancelled charge_expired
    charge_not_paid charge_not_pending email_taken payment_link_closed request_not_open
    field_frozen fulfillment_not_configured funds_paid_out invalid_directory_state lookup_not_configured mandate_not_active
    mandate_not_due mandate_not_on_demand no_webhook_endpoint phone_taken product_inactive
    quote_expired quote_used recipient_blocked recipient_limit_exceeded invalid_disbursement_state no_failed_lines no_valid_lines schedule_not_active signup_incomplete slug_taken tag_taken
    too_many_api_keys too_many_files too_many_products too_many_webhook_endpoints`,
  413: `logo_too_large payload_too_large`,
  415: `unsupported_media_type`,
  422: `idempotency_key_reused lookup_failed`,
  423: `pin_locked`,
  429: `otp_attempts_exceeded quota_exceeded rate_limited`,
  500: `internal_error`,
  502: `lookup_unavailable`,
  503: `unavailable`,
  504: `lookup_timeout`,
}

test('every released code still has its status', () => {
  for (const [status, codes] of Object.entries(RELEASED)) {
    for (const code of codes.split(/\s+/)) {
      assert.ok(isErrorCode(code), `${code} is in the catalogue`)
      assert.equal(outcomeStatus(ERRORS[code]), Number(status), code)
    }
  }
})

test('no code is in the catalogue that is not written down as released', () => {
  const released = new Set(Object.values(RELEASED).flatMap((codes) => codes.split(/\s+/)))
  assert.deepEqual(
    ERROR_CODES.filter((code) => !released.has(code)),
    [],
  )
})

test('payout failures are those of a payout, of batch lines and of schedules of stopped merchants', () => {
  assert.deepEqual([...PAYOUT_FAILURE_CODES].sort(), [
    'currency_mismatch',
    'insufficient_balance',
    'invalid_amount',
    'invalid_json',
    'invalid_note',
    'invalid_recipient',
    'invalid_reference',
    'key_limit_exceeded',
    'live_not_activated',
    'merchant_limit_exceeded',
    'merchant_suspended',
    'recipient_blocked',
    'recipient_check_limited',
    'recipient_limit_exceeded',
    'recipient_not_found',
    'unknown_field',
    'unsupported_currency',
  ])
})

const MESSAGES = [...Object.entries(ERROR_MESSAGES.fr), ...Object.entries(PAYOUT_FAILURE_MESSAGES.fr)]

test('messages are French sentences ready to display', () => {
  for (const [code, message] of MESSAGES) {
    assert.match(message, /^[A-ZÀÉÊ]/, `${code}: starts with a capital`)
    assert.match(message, /\.$/, `${code}: ends with a full stop`)
    assert.doesNotMatch(message, /'/, `${code}: the apostrophe is ’`)
    assert.doesNotMatch(message, /\s{2}|^\s|\s$/, `${code}: single spaces`)
    assert.doesNotMatch(message, /(?<!\p{L})(tu|ton|ta|tes|toi)(?!\p{L})/iu, `${code}: says vous`)
    assert.doesNotMatch(message, /(?<!\p{L})(the|is|not|must|invalid|error|please|your)(?!\p{L})/iu, `${code}: no English`)
    assert.doesNotMatch(message, /[^\u00a0\u202f][;!?]/, `${code}: a space that does not break before ; ! ?`)
    assert.equal(message, message.normalize('NFC'), `${code}: composed accents`)
    assert.ok(message.length <= 120, `${code}: fits a notice`)
  }
})

test('two codes never share a sentence', () => {
  const messages = Object.values(ERROR_MESSAGES.fr)
  assert.equal(new Set(messages).size, messages.length)
})

const BODIES: { name: string; given: Parameters<typeof errorValue>; then: object }[] = [
  { name: 'a bare code', given: ['not_found'], then: { code: 'not_found' } },
  {
    name: 'a param',
    given: ['invalid_request', 'items.3.amount'],
    then: { code: 'invalid_request', param: 'items.3.amount' },
  },
  {
    name: 'a message of its own',
    given: ['lookup_failed', undefined, { message: 'Contrat "12" inconnu' }],
    then: { code: 'lookup_failed', message: 'Contrat "12" inconnu' },
  },
  {
    name: 'a reason with its values',
    given: ['invalid_request', 'amount', because('too_long', { noun: 'field', path: 'amount', bound: 20 })],
    then: { code: 'invalid_request', reason: 'too_long', values: { noun: 'field', path: 'amount', bound: 20 }, param: 'amount' },
  },
  {
    name: 'attempts left and request id',
    given: ['pin_incorrect', undefined, { attempts_left: 0, request_id: 'abc' }],
    then: { code: 'pin_incorrect', attempts_left: 0, request_id: 'abc' },
  },
]

for (const { name, given, then } of BODIES) {
  test(`errorValue: ${name}`, () => assert.deepEqual(JSON.parse(errorValue(...given)), then))
}

test('isErrorCode knows the catalogue and nothing of Object.prototype', () => {
  assert.equal(isErrorCode('unauthorized' satisfies ErrorCode), true)
  assert.equal(isErrorCode('constructor'), false)
  assert.equal(isErrorCode(''), false)
})
