// Checks an address against its rule before any name is resolved. It uses the parser that also connects.
import { isIP } from 'node:net'
import type { OutboundFailure } from './outcome.ts'
import { isPublicAddress } from './public-address.ts'
import type { OutboundRule } from './rules.ts'

export interface Target {
  readonly origin: string
  /** Path with query. */
  readonly path: string
}

const URL_LENGTH_MAX = 2048

/** Returns the target, or the failure when the rule forbids it. */
export function targetOf(text: string, rule: OutboundRule, allowPrivate: boolean): Target | OutboundFailure {
  if (text.length > URL_LENGTH_MAX || !URL.canParse(text)) return 'invalid_url'
  const { protocol, username, password, hostname, origin, pathname, search } = new URL(text)
  if ((protocol !== 'https:' && protocol !== 'http:') || username !== '' || password !== '' || hostname === '') return 'invalid_url'
  const isPlainAllowed = rule.plainHttp === 'always' || (rule.plainHttp === 'with-private' && allowPrivate)
  if (protocol === 'http:' && !isPlainAllowed) return 'https_required'
  // A literal is never resolved, so it is checked here.
  const literal = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  if (rule.reach === 'public' && !allowPrivate && isIP(literal) !== 0 && !isPublicAddress(literal)) return 'forbidden_address'
  return { origin, path: pathname + search }
}
