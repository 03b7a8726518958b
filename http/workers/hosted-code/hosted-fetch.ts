// Network access of hosted code: one fetch of the Fetch standard (section 4.4) as one or more checked calls. Only
// here are redirects followed, and each target is checked like the first.
import type { FetchAnswer, FetchBroker, FetchRequest } from '../../../sandbox-pool/fetch-broker.ts'
import { type OutboundCalls, OWN_HEADERS } from '../../outbound/outbound-calls.ts'
import type { Answered, OutboundFailure } from '../../outbound/outcome.ts'
import { OUTBOUND_RULES } from '../../outbound/rules.ts'
import { REDIRECTS_MAX } from './hosted-code-limits.ts'

/** One call of a fetch: the first, or a redirect. */
type Hop = Pick<FetchRequest, 'method' | 'url' | 'headers' | 'body'>

export function hostedFetch(outbound: Pick<OutboundCalls, 'call'>): FetchBroker {
  return async ({ method, url, headers, body, withinMs }, signal) => {
    const endsMs = performance.now() + Math.min(withinMs, OUTBOUND_RULES.hostedFetch.totalMs)
    let hop: Hop = { method, url, headers: withoutOwn(headers), body }
    for (let redirects = 0; ; redirects++) {
      const leftMs = endsMs - performance.now()
      const outcome = await outbound.call({ rule: OUTBOUND_RULES.hostedFetch, ...hop, withinMs: leftMs, signal })
      if (outcome.kind === 'failed') return { error: FAILURES[outcome.failure] }
      const next = redirected(hop, outcome)
      if (next === null) return answerOf(outcome, redirects === 0 ? null : hop.url)
      if ('error' in next) return next
      if (redirects === REDIRECTS_MAX) return { error: `more than ${REDIRECTS_MAX} redirects` }
      hop = next
    }
  }
}

function answerOf({ status, headers, bytes }: Answered, redirectedTo: string | null): FetchAnswer {
  return { status, headers, body: bytes, ...(redirectedTo === null ? {} : { url: redirectedTo }) }
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
/** Headers of the body, removed when the body is not sent again. */
const OF_THE_BODY: ReadonlySet<string> = new Set(['content-encoding', 'content-language', 'content-location', 'content-type'])
/** Headers that are not forwarded to another origin. */
const OF_THE_ORIGIN: ReadonlySet<string> = new Set(['authorization', 'cookie', 'proxy-authorization'])

/** Returns the next call of a redirect, or an error; null when the response is final. */
function redirected(hop: Hop, { status, headers }: Answered): Hop | { readonly error: string } | null {
  const location = headers.get('location')
  if (!REDIRECTS.has(status) || location === undefined) return null
  if (!URL.canParse(location, hop.url)) return { error: 'a redirect leads to no valid URL' }
  const target = new URL(location, hop.url)
  target.hash = ''
  const becomesGet = status === 303 ? hop.method !== 'HEAD' : (status === 301 || status === 302) && hop.method === 'POST'
  const leavesOrigin = target.origin !== new URL(hop.url).origin
  const kept = Object.entries(hop.headers).filter(
    ([name]) => !(becomesGet && OF_THE_BODY.has(name)) && !(leavesOrigin && OF_THE_ORIGIN.has(name)),
  )
  return {
    method: becomesGet ? 'GET' : hop.method,
    url: target.href,
    headers: Object.fromEntries(kept),
    body: becomesGet ? null : hop.body,
  }
}

/** Removes hop-by-hop headers silently, as browsers do. */
function withoutOwn(headers: FetchRequest['headers']): FetchRequest['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN_HEADERS.has(name)))
}

/** Messages for the merchant's developers, in English like JavaScript's own errors. */
const FAILURES: Readonly<Record<OutboundFailure, string>> = {
  invalid_url: 'the URL is not valid, or names a user',
  invalid_request: 'the request cannot be sent as it is',
  forbidden_address: 'the address is not public',
  https_required: 'the URL must begin with https://',
  name_not_found: 'the name was not found',
  name_unresolved: 'the name could not be resolved',
  connection_failed: 'the connection failed',
  tls_failed: 'the certificate is not valid for this name',
  timeout: `there was no answer in what was left of the ${OUTBOUND_RULES.hostedFetch.totalMs / 1_000} s of the run`,
  answer_too_large: `the answer is larger than ${OUTBOUND_RULES.hostedFetch.answerBytesMax / 1_024} KB, or its headers are larger than 16 KB`,
  invalid_answer: 'the answer is not HTTP, or compressed without a request for it',
  stopped: 'the call was stopped',
}
