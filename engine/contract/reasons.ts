// Reasons of rejections whose code names no cause, each with its values. A reason travels in its error; its words stand in
// `http/text/reason-messages.ts`.
import type { Currency } from '../kernel/currency.ts'

type NoValues = undefined

/** A value of a body (`path` is dotted, empty for the whole body), or a parameter of an address. */
interface Place {
  readonly noun: 'field' | 'parameter'
  readonly path: string
}

interface Bound extends Place {
  readonly bound: number
}

interface Named {
  readonly name: string
}

/** What a limit still allows. */
interface Left {
  readonly left: number
  readonly currency: Currency
}

/** An error in code of a merchant. `line` is null where it is not known. */
interface CodeError {
  readonly line: number | null
  readonly error: string
}

/** Of a node in trouble: lag or wait. */
interface Measured {
  readonly seconds: number
}

/** Values by the name of the reason. */
export interface Reasons {
  // Bills
  quote_not_taken: NoValues
  quote_required: NoValues
  package_not_taken: NoValues
  package_required: NoValues
  package_amount_differs: NoValues
  quote_amount_differs: NoValues
  // Mandates and payment links
  end_too_early: NoValues
  expires_too_early: NoValues
  // Periods of reports
  period_reversed: NoValues
  provider_required: NoValues
  one_destination: NoValues
  group_or_items: NoValues
  empty_group: NoValues
  no_valid_line: NoValues
  rejection_reason: NoValues
  items_or_disbursement: NoValues
  sum_above_account: NoValues
  amount_without_group: NoValues
  period_too_long: NoValues
  biller_of_bill: NoValues
  // Products of billers
  product_title: NoValues
  too_many_packages: NoValues
  too_many_presets: NoValues
  fulfillment_mode: NoValues
  lookup_integration: NoValues
  lookup_url: NoValues
  lookup_secret: NoValues
  source_code: NoValues
  // Billers
  display_name: NoValues
  short_desc: NoValues
  // Activation
  activation_file: NoValues
  // Addresses, lists, streams
  address: NoValues
  cursor: NoValues
  currency_not_kept: NoValues
  payment_reference: NoValues
  merchant_id: NoValues
  last_event_id: NoValues
  // Requests
  node_signature: NoValues
  environment_header: NoValues
  too_many_form_fields: NoValues
  boundary: NoValues
  parts: NoValues
  too_many_parameters: NoValues
  parameter_name: NoValues
  idempotency_key: NoValues
  repeated_header: Named
  repeated_parameter: Named
  /** A file of payments, in the words of its reader. */
  unreadable_file: { readonly fr: string; readonly en: string }
  unknown_parameter: Named
  empty_parameter: Named
  badly_encoded_parameter: Named
  duplicate_field: Named
  reserved_field: Named
  too_many_values: NoValues
  metadata_too_large: NoValues
  // Limits and rules of the operator
  name_twice: NoValues
  tier_unknown: NoValues
  plan_unknown: NoValues
  max_below_min: NoValues
  sent_day_left: Left
  sent_month_left: Left
  charge_max_left: Left
  unknown_recipients: NoValues
  daily_log_volume: NoValues
  // Code of merchants
  lookup_code_error: CodeError
  fulfillment_code_error: CodeError
  // Values that break their schema
  invalid_value: Place
  missing: Place
  not_integer: Place
  not_number: Place
  below_minimum: Bound
  above_maximum: Bound
  not_boolean: Place
  not_list: Place
  too_few_items: Bound
  too_many_items: Bound
  not_object: Place
  not_text: Place
  too_short: Bound
  too_long: Bound
  wrong_format: Place
  not_uuid: Place
  not_email: Place
  not_uri: Place
  not_time: Place
  not_one_of: Place & { readonly choices: string }
  bad_characters: Place
  invisible_name: Place
  hidden_character: Place
  mixed_alphabets: Place
  // Nodes in trouble
  recovering: NoValues
  stopping: NoValues
  disk_full: NoValues
  log_stopped: NoValues
  lagging: Measured
  log_unreadable: NoValues
  append_waits: Measured
  clock_wrong: Measured
  postgres_away: Measured
  postgres_waits: Measured
  owner_unreachable: Measured
  secret_rejected: Measured
}

export type Reason = keyof Reasons

/** Reasons without values. */
export type PlainReason = { [Name in Reason]: Reasons[Name] extends NoValues ? Name : never }[Reason]

/** Reasons of a value that breaks its schema. */
export type PlaceReason = { [Name in Reason]: Reasons[Name] extends Place ? Name : never }[Reason]

/** A reason with its values, as a member of an error. */
export interface Because {
  readonly reason: Reason
  readonly values?: Reasons[Reason]
}

export function because<Name extends Reason>(reason: Name, ...[values]: Reasons[Name] extends NoValues ? [] : [Reasons[Name]]): Because {
  return values === undefined ? { reason } : { reason, values }
}
