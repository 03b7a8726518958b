// The form of a product, as it was sent: first its shape, then its fields, each check in the place that the API gives
// it. What the API does not know is left out; what was left out stays out.

import { FIELD_TYPES } from '../../contract/biller-product.ts'
import type { ErrorCode, ReasonedCode } from '../../contract/errors.ts'
import type { PlainReason } from '../../contract/reasons.ts'
import { isName, isText } from '../../contract/schema.ts'
import { refusedPattern } from '../pattern.ts'
import {
  FIELDS_MAX,
  HELP_LENGTH_MAX,
  ID_LENGTH_MAX,
  LABEL_LENGTH_MAX,
  OPTIONS_MAX,
  OPTIONS_TOTAL_MAX,
  PATTERN_LENGTH_MAX,
  SCHEMA_JSON_LENGTH_MAX,
  STEPS_MAX,
} from './biller-limits.ts'
import type { AmountMode, FieldOption, FormField, FormSchema, FormStep } from './biller-state.ts'

export const DEFINITION_FAULTS = [
  'title_required',
  'invalid_request',
  'invalid_amount_mode',
  'invalid_schema_json',
  'packages_required',
  'invalid_package',
  'invalid_amount_bounds',
  'amount_field_required',
  'identify_fields_required',
  'lookup_url_required',
  'lookup_url_must_be_https',
  'lookup_code_required',
  'fulfillment_code_required',
  'field_id_label_required',
  'duplicate_field_id',
  'invalid_field_type',
  'invalid_field_pattern',
  'select_options_required',
  'invalid_step_action',
] as const satisfies readonly ErrorCode[]

/** What is wrong, and where: a dotted path. */
export type DefinitionFault =
  | { readonly code: Exclude<(typeof DEFINITION_FAULTS)[number], ReasonedCode>; readonly param: string }
  | { readonly code: 'invalid_request'; readonly param: string; readonly reason: PlainReason }

export type Sent = Readonly<Record<string, unknown>>

/** A part of what was sent, and its path. */
interface Part {
  readonly sent: Sent
  readonly path: string
}

interface SentStep extends Part {
  readonly fields: readonly Part[] | undefined
}

/** A form whose shape is right. */
export interface SentForm {
  readonly steps: readonly SentStep[]
  /** Of all steps. */
  readonly fields: readonly Part[]
}

export function isObject(value: unknown): value is Sent {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Null, `undefined` and absent are the same. */
export function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null
}

/** Steps and fields as such. `invalid_schema_json` otherwise. */
export function readForm(schema: unknown): SentForm | DefinitionFault {
  if (!isObject(schema) || !Array.isArray(schema.steps)) return malformed('schema')
  if (schema.steps.length > STEPS_MAX) return malformed('schema.steps')
  const steps: SentStep[] = []
  let count = 0
  for (const [index, sent] of (schema.steps as readonly unknown[]).entries()) {
    const step = readStep(sent, `schema.steps.${index}`, FIELDS_MAX - count)
    if ('code' in step) return step
    steps.push(step)
    count += step.fields?.length ?? 0
  }
  const fields = steps.flatMap((step) => step.fields ?? [])
  return firstFault(fields, textsFault) ?? { steps, fields }
}

function readStep(sent: unknown, path: string, fieldsMax: number): SentStep | DefinitionFault {
  if (!isObject(sent)) return malformed(path)
  for (const name of ['id', 'title']) if (!isOptionalText(sent[name], LABEL_LENGTH_MAX)) return malformed(`${path}.${name}`)
  if (isAbsent(sent.fields)) return { sent, path, fields: undefined }
  if (!Array.isArray(sent.fields) || sent.fields.length > fieldsMax) return malformed(`${path}.fields`)
  const fields = sent.fields as readonly unknown[]
  const wrong = fields.findIndex((field) => !isObject(field))
  if (wrong >= 0) return malformed(`${path}.fields.${wrong}`)
  return { sent, path, fields: fields.map((field, at) => ({ sent: field as Sent, path: `${path}.fields.${at}` })) }
}

export function hasFieldOf({ fields }: SentForm, types: readonly string[]): boolean {
  return fields.some(({ sent }) => types.includes(sent.type as string))
}

/** The checks of fields and actions, one kind after the other over the whole form. */
export function formFault(form: SentForm, mode: AmountMode): DefinitionFault | null {
  const { fields, steps } = form
  return (
    firstFault(fields, idAndLabelFault) ??
    duplicateFault(fields) ??
    firstFault(fields, ({ sent, path }) => (isFieldType(sent.type) ? null : { code: 'invalid_field_type', param: `${path}.type` })) ??
    patternsFault(fields) ??
    optionsFault(fields) ??
    firstFault(steps, ({ sent, path }) => actionFault(sent.action, mode, path)) ??
    sizeFault(form)
  )
}

/** The form as it is kept. Everything in it was checked before. */
export function keptForm({ steps }: SentForm): FormSchema {
  return { steps: steps.map(keptStep) }
}

function keptStep({ sent, fields }: SentStep): FormStep {
  const { id, title, action } = sent as FormStep
  return present({ id, title, action: action === ('' as string) ? undefined : action, fields: fields?.map(keptField) }) as FormStep
}

function keptField({ sent }: Part): FormField {
  const { id, label, type, required, pattern, placeholder, help, options } = sent as unknown as FormField
  const kept = type === 'select' ? options?.map(({ label: name, value }) => ({ label: name, value })) : undefined
  return present({
    id,
    label,
    type,
    required,
    pattern: pattern === '' ? undefined : pattern,
    placeholder,
    help,
    options: kept,
  }) as FormField
}

/** Without what is absent. */
function present<Fields extends object>(fields: Fields): Partial<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isAbsent(value))) as Partial<Fields>
}

function firstFault<One>(parts: readonly One[], faultOf: (part: One) => DefinitionFault | null): DefinitionFault | null {
  for (const part of parts) {
    const fault = faultOf(part)
    if (fault !== null) return fault
  }
  return null
}

function malformed(param: string): DefinitionFault {
  return { code: 'invalid_schema_json', param }
}

/** What has no code of its own. */
function textsFault({ sent, path }: Part): DefinitionFault | null {
  if (!isAbsent(sent.required) && typeof sent.required !== 'boolean') return malformed(`${path}.required`)
  for (const name of ['placeholder', 'help']) if (!isOptionalText(sent[name], HELP_LENGTH_MAX)) return malformed(`${path}.${name}`)
  return null
}

/** Names with a meaning for JavaScript objects. No JSON body may have such a key, so the field could not be filled in. */
export const UNUSABLE_IDS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

function idAndLabelFault({ sent, path }: Part): DefinitionFault | null {
  for (const name of ['id', 'label'] as const) {
    const value = sent[name]
    if (typeof value !== 'string' || value.trim() === '') return { code: 'field_id_label_required', param: `${path}.${name}` }
    const isRight = name === 'id' ? isText(value, 'one', ID_LENGTH_MAX) : isName(value, LABEL_LENGTH_MAX)
    if (!isRight) return malformed(`${path}.${name}`)
  }
  return UNUSABLE_IDS.has(sent.id as string) ? malformed(`${path}.id`) : null
}

function duplicateFault(fields: readonly Part[]): DefinitionFault | null {
  const seen = new Set<unknown>()
  return firstFault(fields, ({ sent, path }) => {
    if (seen.has(sent.id)) return { code: 'duplicate_field_id', param: `${path}.id` }
    seen.add(sent.id)
    return null
  })
}

function isFieldType(type: unknown): boolean {
  return (FIELD_TYPES as readonly unknown[]).includes(type)
}

function patternsFault(fields: readonly Part[]): DefinitionFault | null {
  const withPattern = fields.filter(({ sent: { pattern } }) => !isAbsent(pattern) && pattern !== '')
  const noText = withPattern.findIndex(({ sent: { pattern } }) => !isText(pattern, 'one', PATTERN_LENGTH_MAX))
  const texts = withPattern.slice(0, noText < 0 ? withPattern.length : noText).map(({ sent }) => sent.pattern as string)
  const refused = withPattern[refusedPattern(texts) ?? noText]
  return refused === undefined ? null : { code: 'invalid_field_pattern', param: `${refused.path}.pattern` }
}

function optionsFault(fields: readonly Part[]): DefinitionFault | null {
  let total = 0
  return firstFault(fields, ({ sent, path }) => {
    if (sent.type !== 'select') return null
    const { options } = sent
    const param = `${path}.options`
    if (!Array.isArray(options) || options.length === 0) return { code: 'select_options_required', param }
    total += options.length
    if (options.length > OPTIONS_MAX || total > OPTIONS_TOTAL_MAX) return malformed(param)
    return optionFault(options, param)
  })
}

/** Two options with one value could not be distinguished. */
function optionFault(options: readonly unknown[], param: string): DefinitionFault | null {
  const values = new Set<string>()
  for (const [index, option] of options.entries()) {
    const { label, value } = (isObject(option) ? option : {}) as Partial<FieldOption>
    const path = `${param}.${index}`
    for (const text of [label, value]) {
      if (typeof text !== 'string' || text.trim() === '') return { code: 'select_options_required', param: path }
      if (!isName(text, LABEL_LENGTH_MAX)) return malformed(path)
    }
    if (values.has(value as string)) return malformed(path)
    values.add(value as string)
  }
  return null
}

function actionFault(action: unknown, mode: AmountMode, path: string): DefinitionFault | null {
  if (isAbsent(action) || action === '') return null
  return action === 'resolve' && mode === 'lookup' ? null : { code: 'invalid_step_action', param: `${path}.action` }
}

function sizeFault(form: SentForm): DefinitionFault | null {
  return JSON.stringify(keptForm(form)).length > SCHEMA_JSON_LENGTH_MAX ? malformed('schema') : null
}

function isOptionalText(value: unknown, lengthMax: number): boolean {
  return isAbsent(value) || isText(value, 'many', lengthMax)
}
