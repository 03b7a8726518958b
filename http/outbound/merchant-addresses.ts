// Addresses that merchants give us to send a browser or a webhook to: which ones are taken. Where a webhook may really
// go is looked at again when it is sent.
import type { ErrorCode } from '../../engine/contract/errors.ts'
import type { Environment } from '../../engine/kernel/environment.ts'

const HTTP = /^https?:\/\//i

/** Why a browser is not sent there, null when it may be. HTTPS, in the test environment also the developer's own machine. */
export function redirectFault(address: string, environment: Environment): ErrorCode | null {
  const url = parsed(address)
  if (url === null) return HTTP.test(address) ? 'invalid_request' : 'redirect_url_must_be_https'
  if (url.protocol === 'https:' || (environment === 'test' && url.hostname === 'localhost')) return null
  return 'redirect_url_must_be_https'
}

/** The same for webhooks. `allowPrivate` is the setting OUTBOUND_ALLOW_PRIVATE. */
export function webhookFault(address: string, environment: Environment, allowPrivate: boolean): ErrorCode | null {
  const url = parsed(address)
  if (url === null) return HTTP.test(address) ? 'invalid_request' : 'webhook_url_must_be_https'
  return url.protocol === 'https:' || (environment === 'test' && allowPrivate) ? null : 'webhook_url_must_be_https'
}

/** Null for anything but an absolute http or https address without user info, written without spaces around it. */
function parsed(address: string): URL | null {
  if (!HTTP.test(address) || address !== address.trim() || !URL.canParse(address)) return null
  const url = new URL(address)
  return url.username === '' && url.password === '' ? url : null
}
