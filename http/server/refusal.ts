// Parts of an error response beside its code: the request id, and the challenge of a 401.
import { withRequestId as addRequestId } from '../../engine/contract/errors.ts'
import type { AuthRule } from './route.ts'

const ERROR_START = '{"code":"'
const HAS_REQUEST_ID = '"request_id":"'

/**
 * Adds `request_id` to an ErrorBody that has none. Other bodies stay unchanged. A stored body got its id in its turn,
 * so that a replay has the same bytes.
 */
export function withRequestId<Body extends string | Uint8Array>(status: number, body: Body, requestId: string): Body | string {
  if (status < 400 || typeof body !== 'string') return body
  return body.startsWith(ERROR_START) && !body.includes(HAS_REQUEST_ID) ? addRequestId(body, requestId) : body
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
