// Checks addresses that merchants configure for redirects and webhooks. A webhook's address is checked again when it
// is sent.
import type { ErrorCode } from '../../engine/contract/errors.ts'
import type { Environment } from '../../engine/kernel/environment.ts'

const HTTP = /^https?:\/\//i

/**
 * Returns why a redirect to the address is rejected; null when allowed. HTTPS only; the test environment also allows
 * the developer's own machine.
 */
export function redirectFault(address: string, environment: Environment): ErrorCode | null {
  const url = parsed(address)
  if (url === null) return HTTP.test(address) ? 'invalid_request' : 'redirect_url_must_be_https'
  if (url.protocol === 'https:' || (environment === 'test' && url.hostname === 'localhost')) return null
  return 'redirect_url_must_be_https'
}

/** Same as `redirectFault`, for webhooks. `allowPrivate` is the setting OUTBOUND_ALLOW_PRIVATE. */
export function webhookFault(address: string, environment: Environment, allowPrivate: boolean): ErrorCode | null {
  const url = parsed(address)
  if (url === null) return HTTP.test(address) ? 'invalid_request' : 'webhook_url_must_be_https'
  return url.protocol === 'https:' || (environment === 'test' && allowPrivate) ? null : 'webhook_url_must_be_https'
}

/** Parses an absolute http or https address; null with user info or surrounding spaces. */
function parsed(address: string): URL | null {
  if (!HTTP.test(address) || address !== address.trim() || !URL.canParse(address)) return null
  const url = new URL(address)
  return url.username === '' && url.password === '' ? url : null
}
