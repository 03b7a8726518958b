// Reasons of `invalid_request` and `invalid_parameter`: why a value breaks its schema.

import { Kind } from '@sinclair/typebox'
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors'
import { isBlank, type NameFault, nameFault } from '../../../engine/contract/name-text.ts'
import { type Because, because, type Reasons } from '../../../engine/contract/reasons.ts'

/** The value that a reason is about: a field of a body (`path` is dotted, empty for the whole body), or a parameter of a URL. */
type Place = Reasons['missing']

/** Returns the reason for an error of this API's schemas; for any other, that the value is invalid. */
export function schemaReason(place: Place, error: ValueError | undefined): Because {
  if (error === undefined) return because('invalid_value', place)
  const { type, schema, value } = error
  switch (type) {
    case ValueErrorType.ObjectRequiredProperty:
      return because('missing', place)
    case ValueErrorType.Integer:
      return because('not_integer', place)
    case ValueErrorType.Number:
      return because('not_number', place)
    case ValueErrorType.IntegerMinimum:
    case ValueErrorType.NumberMinimum:
      return because('below_minimum', { ...place, bound: Number(schema.minimum) })
    case ValueErrorType.IntegerMaximum:
    case ValueErrorType.NumberMaximum:
      return because('above_maximum', { ...place, bound: Number(schema.maximum) })
    case ValueErrorType.Boolean:
      return because('not_boolean', place)
    case ValueErrorType.Array:
      return because('not_list', place)
    case ValueErrorType.ArrayMinItems:
      return because('too_few_items', { ...place, bound: Number(schema.minItems) })
    case ValueErrorType.ArrayMaxItems:
      return because('too_many_items', { ...place, bound: Number(schema.maxItems) })
    case ValueErrorType.Object:
      return because('not_object', place)
    case ValueErrorType.Kind:
      return ofOwnKind(place, schema, value)
    case ValueErrorType.Union:
      // The first reason of the union's first member: the other members are null and the like.
      return schemaReason(place, error.errors[0]?.First())
    default:
      return ofText(place, error)
  }
}

function ofText(place: Place, { type, schema }: ValueError): Because {
  switch (type) {
    case ValueErrorType.String:
      return because('not_text', place)
    case ValueErrorType.StringMinLength:
      return because('too_short', { ...place, bound: Number(schema.minLength) })
    case ValueErrorType.StringMaxLength:
      return because('too_long', { ...place, bound: Number(schema.maxLength) })
    case ValueErrorType.StringFormat:
      return because(FORMATS[String(schema.format)] ?? 'wrong_format', place)
    case ValueErrorType.StringPattern:
      return because('wrong_format', place)
    default:
      return because('invalid_value', place)
  }
}

const FORMATS: Readonly<Record<string, 'not_uuid' | 'not_email' | 'not_uri' | 'not_time'>> = {
  uuid: 'not_uuid',
  email: 'not_email',
  uri: 'not_uri',
  'date-time': 'not_time',
}

/** Returns the reason for `Text` and `Choice` of the contract. */
function ofOwnKind(place: Place, schema: ValueError['schema'], value: unknown): Because {
  if (Array.isArray(schema.enum)) return because('not_one_of', { ...place, choices: schema.enum.join(', ') })
  if (typeof value !== 'string') return because('not_text', place)
  const fault = schema[Kind] === 'Name' ? nameFault(value) : null
  if (fault !== null) return because(NAME_FAULTS[fault], place)
  const length = [...value].length
  if (length > Number(schema.maxLength)) return because('too_long', { ...place, bound: Number(schema.maxLength) })
  if (length < Number(schema.minLength)) return because('too_short', { ...place, bound: Number(schema.minLength) })
  return because(isSeen(schema, value) ? 'bad_characters' : 'invisible_name', place)
}

/** False for a blank text where the schema asks for one. */
function isSeen({ minLength }: ValueError['schema'], value: string): boolean {
  return Number(minLength) === 0 || !isBlank(value)
}

const NAME_FAULTS = {
  control_character: 'bad_characters',
  invisible_name: 'invisible_name',
  hidden_character: 'hidden_character',
  mixed_alphabets: 'mixed_alphabets',
} as const satisfies Readonly<Record<NameFault, keyof Reasons>>
