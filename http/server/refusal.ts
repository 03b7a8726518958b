// Parts of an error response beside its code: the request id, the language of its message, and the challenge of a 401.

import { withRequestId as addRequestId, errorValue } from '../../engine/contract/errors.ts'
import { errorBody } from '../text/error-text.ts'
import { acceptedLanguage, type Language } from '../text/language.ts'
import type { Payload } from './reply.ts'
import type { AuthRule } from './route.ts'

const ERROR_START = '{"code":"'
const HAS_REQUEST_ID = '"request_id":"'

/**
 * Adds `request_id` to an error that has none. Other bodies stay unchanged. A stored error got its id in its turn,
 * so that a replay has the same bytes.
 */
export function withRequestId<Body extends Payload>(status: number, body: Body, requestId: string): Body | string {
  if (status < 400 || typeof body !== 'string') return body
  return body.startsWith(ERROR_START) && !body.includes(HAS_REQUEST_ID) ? addRequestId(body, requestId) : body
}

/** Returns whether the payload of a response is an error, without its words. */
export function isErrorBody(status: number, payload: Payload): payload is string {
  return status >= 400 && typeof payload === 'string' && payload.startsWith(ERROR_START)
}

const FRENCH = '\r\nContent-Language: fr\r\nVary: Accept-Language'
const ENGLISH = '\r\nContent-Language: en\r\nVary: Accept-Language'

/** Returns the ErrorBody of an error in the language of the caller, or in that of the stored error, and the header lines that name it. */
export function errorInLanguage(error: string, reader: Language): { readonly body: string; readonly lines: string } {
  const { body, language } = errorBody(error, reader)
  return { body, lines: language === 'fr' ? FRENCH : ENGLISH }
}

/** Returns the 503 of a thread that cannot reach the engine. */
export function unavailableError(requestId: string, acceptLanguage: string): { readonly body: string; readonly lines: string } {
  return errorInLanguage(addRequestId(errorValue('unavailable'), requestId), acceptedLanguage(acceptLanguage))
}

const BEARER = '\r\nWWW-Authenticate: Bearer realm="cauri"'
/**
 * `ApiKey` names the headers X-Api-Key and X-Api-Secret, `Session` the dashboard's cookie. Neither is a registered
 * scheme.
 */
const API_KEY = '\r\nWWW-Authenticate: ApiKey realm="cauri"'
const SESSION = '\r\nWWW-Authenticate: Session realm="cauri"'

const CHALLENGES = {
  public: BEARER,
  key: API_KEY,
  'key-or-session': API_KEY,
  session: SESSION,
  wallet: BEARER,
  stream: BEARER,
  signup: BEARER,
  login: BEARER,
  operator: BEARER,
} as const satisfies Record<AuthRule, string>

/** Returns the header line of a 401 (RFC 9110, section 15.5.2). */
export function challengeLine(auth: AuthRule): string {
  return CHALLENGES[auth]
}
