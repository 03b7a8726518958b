// Headers of a route's request, as data that each language of the samples writes in its own way.
import type { RouteShape } from '../../server/route.ts'

export interface RequestHeader {
  readonly name: string
  /** Text before the variable, or the whole value. */
  readonly text: string
  /** Variable of the environment, or a new idempotency key. */
  readonly value?: { readonly variable: string } | 'key'
}

const bearer = (variable: string): readonly RequestHeader[] => [{ name: 'Authorization', text: 'Bearer ', value: { variable } }]

const KEY_PAIR: readonly RequestHeader[] = [
  { name: 'X-Api-Key', text: '', value: { variable: 'CAURI_API_KEY' } },
  { name: 'X-Api-Secret', text: '', value: { variable: 'CAURI_API_SECRET' } },
]
const COOKIE: RequestHeader = { name: 'Cookie', text: '', value: { variable: 'SESSION_COOKIE' } }
const CSRF: RequestHeader = { name: 'X-CSRF-Token', text: '', value: { variable: 'CSRF_TOKEN' } }

const CREDENTIALS: Readonly<Record<RouteShape['auth'], readonly RequestHeader[]>> = {
  public: [],
  key: KEY_PAIR,
  'key-or-session': KEY_PAIR,
  session: [COOKIE],
  wallet: bearer('ACCESS_TOKEN'),
  stream: bearer('ACCESS_TOKEN'),
  signup: bearer('SIGNUP_TOKEN'),
  login: bearer('LOGIN_TOKEN'),
  operator: bearer('OPERATOR_TOKEN'),
}

type Asked = Pick<RouteShape, 'auth' | 'method' | 'idempotency' | 'bodyExample'>

export function requestHeaders({ auth, method, idempotency, bodyExample }: Asked): readonly RequestHeader[] {
  return [
    ...CREDENTIALS[auth],
    ...(auth === 'session' && method !== 'GET' ? [CSRF] : []),
    ...(idempotency === 'none' ? [] : [{ name: 'Idempotency-Key', text: '', value: 'key' } as const]),
    ...(bodyExample === undefined ? [] : [{ name: 'Content-Type', text: 'application/json' }]),
  ]
}
