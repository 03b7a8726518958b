// French messages of `invalid_request` and `invalid_parameter`: why a value breaks its schema.

import { Kind } from '@sinclair/typebox'
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors'
import { type NameFault, nameFault } from '../../../engine/contract/name-text.ts'
import { cutLine } from '../../text/shown-text.ts'

/** What a message names: a field of a body or a parameter of a URL. */
export type FaultNoun = 'champ' | 'paramètre'

/** Returns one sentence. `path` is dotted; empty for the whole body. */
export function reasonText(noun: FaultNoun, path: string, error: ValueError | undefined): string {
  const subject = path === '' ? 'Le corps de la requête' : `Le ${noun} ${path}`
  return `${subject} ${error === undefined ? 'n’est pas valide.' : predicate(error)}`
}

/** Returns the message for a parameter that is sent without a value. */
export function emptyText(name: string): string {
  return `Le paramètre ${name} est vide : indiquez une valeur, ou retirez-le.`
}

export function duplicateText(path: string): string {
  return `Le champ ${path} figure plusieurs fois.`
}

export function reservedText(path: string): string {
  return `Le champ ${path} porte un nom réservé.`
}

export function repeatedHeaderText(name: string): string {
  return `L’en-tête ${name} figure plusieurs fois.`
}

export function repeatedParameterText(name: string): string {
  return `Le paramètre ${name} figure plusieurs fois.`
}

export function unknownParameterText(name: string): string {
  return `Le paramètre ${cutLine(name, 100)} n’existe pas à cette adresse.`
}

export function badlyEncodedText(name: string): string {
  return `Le paramètre ${name} est mal codé.`
}

export const TOO_MANY_VALUES = 'Le corps de la requête comporte trop de valeurs.'

/** Returns the predicate for an error of this API's schemas; for any other, that the value is invalid. */
function predicate(error: ValueError): string {
  const { type, schema, value } = error
  switch (type) {
    case ValueErrorType.ObjectRequiredProperty:
      return 'est obligatoire.'
    case ValueErrorType.Integer:
      return 'doit être un nombre entier.'
    case ValueErrorType.Number:
      return 'doit être un nombre.'
    case ValueErrorType.IntegerMinimum:
    case ValueErrorType.NumberMinimum:
      return `est trop petit : le minimum est ${number(schema.minimum)}.`
    case ValueErrorType.IntegerMaximum:
    case ValueErrorType.NumberMaximum:
      return `est trop grand : le maximum est ${number(schema.maximum)}.`
    case ValueErrorType.Boolean:
      return 'doit être true ou false.'
    case ValueErrorType.Array:
      return 'doit être une liste.'
    case ValueErrorType.ArrayMinItems:
      return `est trop court : le minimum est de ${counted(schema.minItems, 'élément')}.`
    case ValueErrorType.ArrayMaxItems:
      return `est trop long : le maximum est de ${counted(schema.maxItems, 'élément')}.`
    case ValueErrorType.Object:
      return 'doit être un objet.'
    case ValueErrorType.Kind:
      return ofOwnKind(schema, value)
    case ValueErrorType.Union:
      return ofUnion(error)
    default:
      return ofText(error)
  }
}

function ofText({ type, schema }: ValueError): string {
  switch (type) {
    case ValueErrorType.String:
      return 'doit être un texte.'
    case ValueErrorType.StringMinLength:
      return tooShort(schema.minLength)
    case ValueErrorType.StringMaxLength:
      return tooLong(schema.maxLength)
    case ValueErrorType.StringFormat:
      return FORMATS[String(schema.format)] ?? 'n’a pas le format attendu.'
    case ValueErrorType.StringPattern:
      return 'n’a pas le format attendu.'
    default:
      return 'n’est pas valide.'
  }
}

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'doit être un UUID.',
  email: 'doit être une adresse e-mail.',
  uri: 'doit être une adresse valide.',
  'date-time': 'doit être une date et une heure au format RFC 3339.',
}

/** Returns the predicate for `Text` and `Choice` of the contract. */
function ofOwnKind(schema: ValueError['schema'], value: unknown): string {
  if (Array.isArray(schema.enum)) return `doit être l’une de ces valeurs : ${schema.enum.join(', ')}.`
  if (typeof value !== 'string') return 'doit être un texte.'
  const fault = schema[Kind] === 'Name' ? nameFault(value) : null
  if (fault !== null) return NAME_FAULTS[fault]
  const length = [...value].length
  if (length > Number(schema.maxLength)) return tooLong(schema.maxLength)
  if (length < Number(schema.minLength)) return tooShort(schema.minLength)
  return 'contient des caractères qui ne sont pas acceptés.'
}

const NAME_FAULTS: Readonly<Record<NameFault, string>> = {
  control_character: 'contient des caractères qui ne sont pas acceptés.',
  invisible_name: 'est vide : saisissez au moins une lettre ou un chiffre.',
  hidden_character: 'contient un caractère invisible, qui n’est pas accepté dans un nom.',
  mixed_alphabets: 'mélange des alphabets dont les lettres se ressemblent.',
}

/** Returns the first reason of the union's first member; the other members are null and the like. */
function ofUnion({ errors }: ValueError): string {
  const inner = errors[0]?.First()
  return inner === undefined ? 'n’est pas valide.' : predicate(inner)
}

function tooLong(maximum: unknown): string {
  return `est trop long : le maximum est de ${counted(maximum, 'caractère')}.`
}

function tooShort(minimum: unknown): string {
  return `est trop court : le minimum est de ${counted(minimum, 'caractère')}.`
}

function counted(count: unknown, noun: string): string {
  return `${number(count)} ${noun}${Number(count) > 1 ? 's' : ''}`
}

const DIGITS = new Intl.NumberFormat('fr-FR')

function number(value: unknown): string {
  return DIGITS.format(Number(value))
}
