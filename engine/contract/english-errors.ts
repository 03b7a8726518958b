// English of the error messages of the catalogue, by code. Each code has one: a missing one does not compile.
import { ERRORS, type ErrorCode, isErrorCode, type PayoutFailureCode } from './errors.ts'

export const ENGLISH_ERRORS = {
  // Requests in general
  invalid_request: 'The request has a missing or invalid value.',
  unknown_field: 'This operation does not know this field. Nothing was done: check how the field is spelled, or leave it out.',
  invalid_parameter: 'A parameter of the address is unknown or invalid.',
  invalid_json: 'The body of the request is not valid JSON.',
  idempotency_key_required: 'This operation requires the Idempotency-Key header.',
  idempotency_key_reused: 'This idempotency key was already used for another request.',
  not_found: 'The requested resource does not exist.',
  method_not_allowed: 'This method is not allowed at this address.',
  payload_too_large: 'The body of the request is too large.',
  unsupported_media_type: 'The content type of the request is not supported.',
  rate_limited: 'Too many requests. Please wait before you try again.',
  quota_exceeded: 'Your account has used up its share of this resource. Finish or close some items, or try again later.',
  internal_error: 'An error occurred on our side. Please try again later.',
  unavailable: 'The service is unavailable for the moment. Please try again in a few moments.',

  // Merchants: keys and dashboard
  unauthorized: 'Authentication is required, or the credentials are invalid.',
  insufficient_scope: 'Your API key does not have the permission that this operation needs.',
  merchant_suspended: 'This merchant account is suspended: no money can move.',
  live_not_activated: 'This merchant account is not activated yet: no real money can move.',
  signup_closed: 'Sign-up is closed. Please contact the service.',
  test_only: 'This operation exists in the test environment only.',
  email_taken: 'This e-mail address is already in use.',
  invalid_credentials: 'The e-mail address or the password is incorrect.',
  weak_password: 'This password is too weak. Please choose a longer or less common one.',
  too_many_api_keys: 'You have the maximum number of API keys. Revoke one first.',
  insufficient_role: 'Your role does not allow this operation.',
  csrf_failed: 'Your session could not be verified. Please reload the page and try again.',
  password_required: 'Confirm this change with your password.',
  totp_required: 'The two-step verification code is required.',
  totp_incorrect: 'The two-step verification code is incorrect or was already used.',
  totp_already_enabled: 'Two-step verification is already on.',
  totp_not_enrolled: 'The setup of two-step verification has changed. Start it again.',
  totp_not_enabled: 'Two-step verification is off.',
  invalid_token: 'This link is no longer valid. Ask for a new one.',
  last_owner: 'The last owner cannot leave the account.',
  too_many_members: 'You have the maximum number of members. Remove one first.',
  email_not_confirmed: 'First confirm your e-mail address by the link that you received.',

  // Charges and checkout
  environment_mismatch: 'The environment is not the one of the API key.',
  unsupported_currency: 'This currency is not the one of the account.',
  redirect_url_must_be_https: 'The redirect address must begin with https://.',
  webhook_url_must_be_https: 'The address of the webhook must begin with https://.',
  charge_not_pending: 'This payment request is no longer pending.',
  charge_not_paid: 'This payment request has not been paid.',
  charge_already_refunded: 'This payment was already refunded.',
  partial_refund_unsupported: 'Only the whole amount can be refunded. Give it, or leave the field amount out.',
  charge_already_paid: 'This payment request was already paid.',
  charge_expired: 'This payment request has expired.',
  charge_cancelled: 'This payment request was cancelled.',
  funds_paid_out: 'The balance of the merchant no longer covers the amount to refund.',
  wrong_customer: 'This payment request is for another customer.',
  qr_expired: 'This QR code is no longer valid. Please scan the code that is shown now.',
  insufficient_balance: 'The balance is not sufficient for this operation.',
  payment_link_closed: 'This payment link is closed.',

  // Top-ups and withdrawals
  request_not_open: 'This request has already ended.',

  // Webhooks
  too_many_webhook_endpoints: 'You have the maximum number of webhook endpoints. Delete one first.',
  no_webhook_endpoint: 'No active endpoint receives this event.',

  // Payouts, transfers and schedules
  invalid_recipient: 'The recipient is not valid: enter a @tag, or a phone with its + and country code.',
  recipient_not_found: 'No wallet matches this recipient.',
  recipient_blocked: 'The wallet of the recipient cannot receive money at present.',
  recipient_limit_exceeded: 'This payout would exceed the limit of the recipient’s account.',
  self_transfer: 'You cannot send money to yourself.',
  batch_too_large: 'The list exceeds the maximum of 500 lines.',
  items_required: 'The list needs at least one line.',
  invalid_start_at: 'The start date must be in the future.',
  schedule_not_active: 'The state of this schedule does not allow this operation.',

  // Billers: profile and logo
  biller_not_found: 'No biller matches this request.',
  invalid_category: 'This category does not exist.',
  display_name_required: 'The display name is required.',
  short_desc_required: 'The short description is required.',
  field_frozen: 'This field can no longer change after the publication.',
  logo_required: 'The file of the logo is required.',
  invalid_logo_format: 'The logo must be a PNG, JPEG or WebP image.',
  logo_not_square: 'The logo must be square.',
  logo_too_small: 'The logo must measure at least 128 × 128 pixels.',
  logo_too_large: 'The logo must not exceed 512 KB.',
  profile_incomplete: 'The profile needs a name, a category, a description and a logo.',
  products_required: 'At least one active product is necessary.',
  invalid_directory_state: 'The present state of the biller does not allow this operation.',

  // Billers: products
  invalid_slug: 'The identifier of the product takes lower-case letters, digits and hyphens only.',
  slug_taken: 'Another product has this identifier.',
  title_required: 'The title is required.',
  invalid_amount_mode: 'The amount mode must be fixed, user or lookup.',
  invalid_schema_json: 'The schema of the form is absent or malformed.',
  packages_required: 'The mode fixed needs at least one package.',
  invalid_package: 'Each package needs a label and a whole amount above zero.',
  invalid_amount_bounds: 'The bounds or the suggested amounts are not valid.',
  identify_fields_required: 'The mode lookup needs at least one identification field.',
  amount_field_required: 'The mode user needs a field of type amount.',
  lookup_url_required: 'The lookup address is required.',
  lookup_url_must_be_https: 'The lookup address must begin with https://.',
  lookup_code_required: 'The code of the lookup function is required.',
  fulfillment_code_required: 'The code of the delivery function is required.',
  invalid_lookup_code: 'The code of the lookup function has an error.',
  invalid_fulfillment_code: 'The code of the delivery function has an error.',
  field_id_label_required: 'Each field needs an identifier and a label.',
  duplicate_field_id: 'Two fields have the same identifier.',
  invalid_field_type: 'The type of a field must be text, number, phone, select or amount.',
  invalid_field_pattern: 'The regular expression of a field is not valid or not supported.',
  select_options_required: 'A select field needs options, each with a value and a label.',
  invalid_step_action: 'The action of a step is unknown or does not fit the amount mode.',
  too_many_products: 'You have the maximum number of products.',
  product_not_found: 'This product does not exist.',
  product_inactive: 'This product is unavailable for the moment.',
  lookup_not_configured: 'This product has no lookup.',
  fulfillment_not_configured: 'This product has no delivery.',

  // Paying a bill
  invalid_form_values: 'A value of the form is missing or invalid.',
  amount_out_of_bounds: 'The amount is outside the allowed bounds.',
  package_not_found: 'This package does not exist.',
  quote_expired: 'This quote has expired. Please start the lookup again.',
  already_fulfilled: 'The delivery of this bill has already succeeded.',
  fulfillment_running: 'The delivery of this bill is in progress. Please try again when it has ended.',
  bill_already_refunded: 'This bill was already refunded.',
  quote_used: 'This quote was already used.',
  lookup_failed: 'The biller found no amount to pay.',
  lookup_unavailable: 'The biller does not answer correctly. Please try again later.',
  lookup_timeout: 'The biller takes too long to answer. Please try again later.',

  // Wallets
  invalid_tag: 'A tag has 3 to 20 lower-case letters, digits or underscores, at least one letter, and is no reserved word.',
  tag_taken: 'This tag is already taken.',
  unsupported_country: 'Numbers of this country are not supported. Please use a number of a country where the service is available.',
  phone_taken: 'This phone number already has a wallet.',
  wallet_blocked: 'This wallet is blocked: it can neither pay nor receive. Contact the service.',
  wallet_not_found: 'This wallet does not exist.',
  signup_incomplete: 'An earlier step of the sign-up is not complete.',
  weak_pin: 'This PIN is too easy to guess. Please choose another one.',
  pin_incorrect: 'The PIN is incorrect.',
  pin_locked: 'The PIN is locked after several errors. Please try again later.',
  otp_incorrect: 'The code received by SMS is incorrect.',
  otp_expired: 'The code received by SMS has expired. Please ask for a new one.',
  otp_attempts_exceeded: 'Too many incorrect codes. Please ask for a new code.',
  device_not_registered: 'This device is not registered. Please sign in again.',
  invalid_id_token: 'The identity token is not valid.',

  // Operators
  too_many_operators: 'The maximum number of operators is reached. Revoke one first.',
  too_many_approvals: 'Too many requests wait for a second person. Decide some of them first.',
  approval_waiting: 'A second person must first decide on this movement.',
  approval_not_waiting: 'A decision was already taken on this request.',
  second_person_required: 'This request must be approved by a person other than the one who made it.',

  // Mandates
  amount_required: 'An amount or a maximum amount is required.',
  customer_not_found: 'No customer matches this tag.',
  mandate_not_active: 'The state of this mandate does not allow this operation.',
  mandate_not_on_demand: 'This mandate is collected automatically: no payment can be requested.',
  mandate_not_due: 'The next payment of this mandate cannot be requested yet.',
} as const satisfies Readonly<Record<ErrorCode, string>>

export const ENGLISH_PAYOUT_FAILURES = {
  insufficient_balance: 'The payout balance was not sufficient.',
  recipient_not_found: 'No wallet matches this recipient.',
  recipient_blocked: 'The wallet of the recipient could not receive money.',
  recipient_check_limited: 'The limit of unknown recipients was reached, and this recipient had never been paid.',
  recipient_limit_exceeded: 'The payout exceeded the limit of the recipient’s account.',
  merchant_suspended: 'The merchant account was suspended.',
  live_not_activated: 'The merchant account was not activated yet.',
  invalid_amount: 'The amount of the line is not valid.',
  invalid_recipient: 'The recipient is not valid: enter a @tag, or a phone with its + and country code.',
  invalid_reference: 'The reference of the line is not valid.',
  invalid_note: 'The note of the line is not valid.',
  unknown_field: 'The line has an unknown field.',
  unsupported_currency: 'The currency of the line is not that of the account.',
} as const satisfies Readonly<Record<PayoutFailureCode, string>>

/** Returns the ErrorBody in English; unchanged where its message is not the catalogue's. */
export function catalogueErrorInEnglish(body: string): string {
  const error = JSON.parse(body) as { readonly code: string; readonly message: string }
  const { code, message } = error
  if (!isErrorCode(code) || message !== ERRORS[code].message) return body
  return JSON.stringify({ ...error, message: ENGLISH_ERRORS[code] })
}

/** Returns whether the message of an ErrorBody is English of the catalogue. */
export function isCatalogueEnglish(body: string): boolean {
  const { code, message } = JSON.parse(body) as { readonly code: string; readonly message: string }
  return isErrorCode(code) && message === ENGLISH_ERRORS[code]
}
