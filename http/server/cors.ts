// Cross-origin requests (CORS, Fetch Standard) from the origins of CORS_ORIGINS. They are allowed on routes of wallets and
// of the checkout alone, never on routes with API keys: a browser must not hold a secret key. Credentials in cookies are
// not allowed; wallets send a bearer token.
import { headerLine } from './header-line.ts'
import type { AuthRule, Header } from './route.ts'

const PREFIXES = ['/v1/auth/', '/v1/me/', '/v1/biz/checkout/'] as const
const WHOLE = '/v1/me'
const NEVER: ReadonlySet<AuthRule> = new Set(['key', 'key-or-session', 'session', 'operator'])
/** Headers that browsers may send beside the safelisted ones. */
const REQUEST_HEADERS = 'Authorization, Content-Type, Idempotency-Key, Last-Event-ID, X-Request-Id'
/** Headers that scripts may read beside the safelisted ones. */
const ANSWER_HEADERS = 'Idempotency-Key, Idempotent-Replayed, Retry-After, X-Request-Id'
/** Seconds for which a browser may remember a preflight. */
const PREFLIGHT_MAX_AGE_S = 600

/** Whether other origins may call the path, for these auth rules of its methods. */
export function isCrossOriginPath(path: string, rules: readonly AuthRule[]): boolean {
  const isListed = path === WHOLE || PREFIXES.some((prefix) => path.startsWith(prefix))
  return isListed && rules.every((rule) => !NEVER.has(rule))
}

export class CrossOrigins {
  readonly #allowed: ReadonlySet<string>

  /** Origins as browsers send them: scheme, host, and port unless it is the scheme's own. */
  constructor(origins: readonly string[]) {
    this.#allowed = new Set(origins)
  }

  /** Returns header lines of every answer of a cross-origin path; empty when no origin is allowed. */
  lines(origin: string): string {
    if (this.#allowed.size === 0) return ''
    const vary = headerLine('Vary', 'Origin')
    if (!this.#allowed.has(origin)) return vary
    return vary + headerLine('Access-Control-Allow-Origin', origin) + headerLine('Access-Control-Expose-Headers', ANSWER_HEADERS)
  }
}

/** Returns further headers of the answer to a preflight. Without an allowed origin browsers ignore them. */
export function preflightHeaders(methods: readonly string[]): readonly Header[] {
  return [
    ['Access-Control-Allow-Methods', methods.join(', ')],
    ['Access-Control-Allow-Headers', REQUEST_HEADERS],
    ['Access-Control-Max-Age', String(PREFLIGHT_MAX_AGE_S)],
  ]
}
