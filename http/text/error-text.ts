// Turns an error into words, where it leaves: as an ErrorBody of the API, or as a text of a page.
import type { ErrorValue } from '../../engine/contract/errors.ts'
import type { PlaceReason, Reasons } from '../../engine/contract/reasons.ts'
import { ERROR_MESSAGES } from './error-messages.ts'
import type { Language } from './language.ts'
import { reasonSentence } from './reason-messages.ts'
import { isPlaceReason, schemaSentence } from './schema-messages.ts'
import { Text } from './text.ts'

export interface WordedError {
  /** An `ErrorBody` as JSON text. */
  readonly body: string
  readonly language: Language
}

/** An error whose words depend on its code alone, with what follows its code: rejections under load take no parsing. */
const BY_CODE = /^\{"code":"(\w+)"(?=\}|,"(?:param|attempts_left|request_id)")/

/** Returns the ErrorBody of an error, in the language that its key keeps, else in the reader's. */
export function errorBody(error: string, language: Language): WordedError {
  const code = BY_CODE.exec(error)?.[1]
  if (code !== undefined) {
    const message = ERROR_MESSAGES[language][code as ErrorValue['code']]
    const end = code.length + CODE_START.length + 1
    return { body: `${error.slice(0, end)},"message":${JSON.stringify(message)}${error.slice(end)}`, language }
  }
  const value = JSON.parse(error) as ErrorValue
  const spoken = value.language ?? language
  const { code: own, param, attempts_left, request_id } = value
  return { body: JSON.stringify({ code: own, message: errorMessage(value, spoken), param, attempts_left, request_id }), language: spoken }
}

const CODE_START = '{"code":"'

/** Returns the sentence of an error. A text of others stays as it is. */
export function errorMessage(error: ErrorValue, language: Language): string {
  const { code, message, reason, values } = error
  if (message !== undefined) return message
  if (reason === undefined) return ERROR_MESSAGES[language][code]
  return reasonSentence(language, values === undefined ? { reason } : { reason, values })
}

/** Returns the sentence of an error, in both languages. Beside its field it does not name the field: a reader does not know that name. */
export function errorText(error: ErrorValue): Text {
  return new Text((language) => errorMessage(error, language), textBesideField(error))
}

function textBesideField({ reason, values }: ErrorValue): Text | null {
  if (reason === undefined || !isPlaceReason(reason)) return null
  const place = values as Reasons[PlaceReason]
  return place.noun === 'field' ? new Text((language) => schemaSentence(language, reason, 'this field', place)) : null
}
