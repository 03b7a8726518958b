// Checks addresses that merchants configure for redirects and webhooks. A webhook's address is checked again when it
// is sent.

import type { ErrorCode } from '../../engine/contract/errors.ts'
import { type Because, because } from '../../engine/contract/reasons.ts'
import type { Environment } from '../../engine/kernel/environment.ts'

/** Code of a rejection, and its reason where the code names none. */
export interface AddressFault {
  readonly code: ErrorCode
  readonly extras: Because | undefined
}

const INVALID: AddressFault = { code: 'invalid_request', extras: because('address') }
const HTTP = /^https?:\/\//i

/**
 * Returns why a redirect to the address is rejected; null when allowed. HTTPS only; the test environment also allows
 * the developer's own machine.
 */
export function redirectFault(address: string, environment: Environment): AddressFault | null {
  const url = parsed(address)
  if (url === null) return HTTP.test(address) ? INVALID : { code: 'redirect_url_must_be_https', extras: undefined }
  if (url.protocol === 'https:' || (environment === 'test' && url.hostname === 'localhost')) return null
  return { code: 'redirect_url_must_be_https', extras: undefined }
}

/** Same as `redirectFault`, for webhooks. `allowPrivate` is the setting OUTBOUND_ALLOW_PRIVATE. */
export function webhookFault(address: string, environment: Environment, allowPrivate: boolean): AddressFault | null {
  const url = parsed(address)
  if (url === null) return HTTP.test(address) ? INVALID : { code: 'webhook_url_must_be_https', extras: undefined }
  return url.protocol === 'https:' || (environment === 'test' && allowPrivate)
    ? null
    : { code: 'webhook_url_must_be_https', extras: undefined }
}

/** Parses an absolute http or https address; null with user info or surrounding spaces. */
function parsed(address: string): URL | null {
  if (!HTTP.test(address) || address !== address.trim() || !URL.canParse(address)) return null
  const url = new URL(address)
  return url.username === '' && url.password === '' ? url : null
}
