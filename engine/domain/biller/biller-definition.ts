// Whether a product's definition is right, as it was sent. Checks run in the order of the API's table of errors, and
// the first that fails is the answer. What the amount mode has no use for is neither judged nor kept.
import { AMOUNT_MODES } from '../../contract/biller-product.ts'
import { isName, isText } from '../../contract/schema.ts'
import { AMOUNT_MAX, type Amount, isAmount } from '../../kernel/amount.ts'
import {
  ID_LENGTH_MAX,
  LABEL_LENGTH_MAX,
  LOOKUP_URL_LENGTH_MAX,
  PACKAGES_MAX,
  PRESETS_MAX,
  SOURCE_BYTES_MAX,
  TITLE_LENGTH_MAX,
} from './biller-limits.ts'
import type { AmountMode, ProductDefinition, ProductPackage } from './biller-state.ts'
import {
  type DefinitionFault,
  formFault,
  hasFieldOf,
  isAbsent,
  isObject,
  keptForm,
  readForm,
  type Sent,
  type SentForm,
} from './form-schema.ts'

/** A package as it is sent: one without an id gets one. */
export interface SentPackage extends Omit<ProductPackage, 'id'> {
  readonly id: string | null
}

/** A definition that is right, but for the ids of its packages. */
export interface SentDefinition extends Omit<ProductDefinition, 'packages'> {
  readonly packages: readonly SentPackage[]
}

/** Customers are known by what these hold. */
const IDENTIFYING_TYPES = ['text', 'number', 'phone', 'select']

export function readDefinition(body: Sent): SentDefinition | DefinitionFault {
  const { title, amount_mode, schema } = body
  if (typeof title !== 'string' || title.trim() === '') return { code: 'title_required', param: 'title' }
  if (!isName(title, TITLE_LENGTH_MAX)) return { code: 'invalid_request', param: 'title', reason: 'product_title' }
  if (!isMode(amount_mode)) return { code: 'invalid_amount_mode', param: 'amount_mode' }
  const form = readForm(schema)
  if ('code' in form) return form
  const fault = amountFault(body, amount_mode, form) ?? callsFault(body, amount_mode) ?? formFault(form, amount_mode)
  return fault ?? keptDefinition(body, title.trim(), amount_mode, form)
}

function isMode(mode: unknown): mode is AmountMode {
  return (AMOUNT_MODES as readonly unknown[]).includes(mode)
}

function amountFault(body: Sent, mode: AmountMode, form: SentForm): DefinitionFault | null {
  switch (mode) {
    case 'fixed':
      return packagesFault(body.packages)
    case 'user':
      return boundsFault(body) ?? (hasFieldOf(form, ['amount']) ? null : { code: 'amount_field_required', param: 'schema' })
    case 'lookup':
      return hasFieldOf(form, IDENTIFYING_TYPES) ? null : { code: 'identify_fields_required', param: 'schema' }
  }
}

function packagesFault(packages: unknown): DefinitionFault | null {
  if (!Array.isArray(packages) || packages.length === 0) return { code: 'packages_required', param: 'packages' }
  if (packages.length > PACKAGES_MAX) return { code: 'invalid_request', param: 'packages', reason: 'too_many_packages' }
  const ids = new Set<unknown>()
  for (const [index, one] of (packages as readonly unknown[]).entries()) {
    const { id, label, amount } = isObject(one) ? one : {}
    const path = `packages.${index}`
    if (!isLabel(label)) return { code: 'invalid_package', param: `${path}.label` }
    if (!isAmount(amount)) return { code: 'invalid_package', param: `${path}.amount` }
    if (isAbsent(id)) continue
    if (!isText(id, 'one', ID_LENGTH_MAX) || id.trim() === '' || ids.has(id)) return { code: 'invalid_package', param: `${path}.id` }
    ids.add(id)
  }
  return null
}

function isLabel(label: unknown): boolean {
  return isName(label, LABEL_LENGTH_MAX) && label.trim() !== ''
}

/** A bound of 0 is the same as none: no amount is below 1. */
function boundsFault({ min, max, presets }: Sent): DefinitionFault | null {
  const code = 'invalid_amount_bounds'
  if (!isAbsent(min) && min !== 0 && !isAmount(min)) return { code, param: 'min' }
  if (!isAbsent(max) && !isAmount(max)) return { code, param: 'max' }
  const [lowest, highest] = [(min ?? 1) as Amount, (max ?? AMOUNT_MAX) as Amount]
  if (lowest > highest) return { code, param: 'min' }
  if (isAbsent(presets)) return null
  if (!Array.isArray(presets)) return { code, param: 'presets' }
  if (presets.length > PRESETS_MAX) return { code: 'invalid_request', param: 'presets', reason: 'too_many_presets' }
  const wrong = presets.findIndex((preset) => !isAmount(preset) || preset < lowest || preset > highest)
  return wrong < 0 ? null : { code, param: `presets.${wrong}` }
}

/** Lookup, then fulfillment. */
function callsFault(body: Sent, mode: AmountMode): DefinitionFault | null {
  const { fulfillment_mode, fulfillment_code } = body
  const fault = mode === 'lookup' ? lookupFault(body) : null
  if (fault !== null) return fault
  if (!isOneOf(fulfillment_mode, ['none', 'code']))
    return { code: 'invalid_request', param: 'fulfillment_mode', reason: 'fulfillment_mode' }
  return sourceFault(fulfillment_code, 'fulfillment_code', fulfillment_mode === 'code')
}

function lookupFault({ lookup_integration, lookup_url, lookup_code }: Sent): DefinitionFault | null {
  if (!isOneOf(lookup_integration, ['webhook', 'code']))
    return { code: 'invalid_request', param: 'lookup_integration', reason: 'lookup_integration' }
  const byCode = lookup_integration === 'code'
  if (!isAbsent(lookup_url) && typeof lookup_url !== 'string') return { code: 'invalid_request', param: 'lookup_url', reason: 'lookup_url' }
  if (isAbsent(lookup_url) || lookup_url.trim() === '') {
    if (!byCode) return { code: 'lookup_url_required', param: 'lookup_url' }
  } else {
    const fault = lookupUrlFault(lookup_url)
    if (fault !== null) return fault
  }
  return sourceFault(lookup_code, 'lookup_code', byCode)
}

/** HTTPS always, and without user info: the secret signs the call, nothing else travels with it. */
function lookupUrlFault(address: string): DefinitionFault | null {
  const param = 'lookup_url'
  if (!/^https:\/\//i.test(address)) return { code: 'lookup_url_must_be_https', param }
  const invalid = { code: 'invalid_request', param, reason: 'lookup_url' } as const
  if (!isText(address, 'one', LOOKUP_URL_LENGTH_MAX) || address !== address.trim() || !URL.canParse(address)) return invalid
  const { username, password } = new URL(address)
  return username === '' && password === '' ? null : invalid
}

function sourceFault(source: unknown, param: 'lookup_code' | 'fulfillment_code', isRequired: boolean): DefinitionFault | null {
  if (isAbsent(source) || (typeof source === 'string' && source.trim() === '')) {
    return isRequired ? { code: `${param}_required`, param } : null
  }
  const isGood = typeof source === 'string' && !LONE_SURROGATE.test(source) && utf8Length(source) <= SOURCE_BYTES_MAX
  return isGood ? null : { code: 'invalid_request', param, reason: 'source_code' }
}

const LONE_SURROGATE = /\p{Cs}/u

function utf8Length(text: string): number {
  let length = text.length
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    // Each half of a pair stands for two of its four bytes.
    if (unit >= 0x80) length += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2
  }
  return length
}

/** Absent is fine: there is a default. */
function isOneOf(value: unknown, words: readonly string[]): boolean {
  return isAbsent(value) || words.includes(value as string)
}

/** Everything was checked before. */
function keptDefinition(body: Sent, title: string, mode: AmountMode, form: SentForm): SentDefinition {
  const isUser = mode === 'user'
  const isLookup = mode === 'lookup'
  return {
    title,
    amount_mode: mode,
    schema: keptForm(form),
    packages: mode === 'fixed' ? (body.packages as readonly Sent[]).map(keptPackage) : [],
    min: isUser ? ((body.min ?? null) as Amount | null) : null,
    max: isUser ? ((body.max ?? null) as Amount | null) : null,
    presets: isUser ? ((body.presets ?? []) as readonly Amount[]) : [],
    lookup_integration: isLookup && body.lookup_integration === 'code' ? 'code' : 'webhook',
    lookup_url: isLookup ? textOrNull(body.lookup_url) : null,
    lookup_code: isLookup ? textOrNull(body.lookup_code) : null,
    fulfillment_mode: body.fulfillment_mode === 'code' ? 'code' : 'none',
    fulfillment_code: textOrNull(body.fulfillment_code),
  }
}

function keptPackage({ id, label, amount }: Sent): SentPackage {
  return { id: (id ?? null) as string | null, label: label as string, amount: amount as Amount }
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null
}
