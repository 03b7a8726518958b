// One fuzzed request: a row's right request with something changed in path, query, headers, body or caller. The random numbers decide it.
import type { Route } from '../../../http/server/route.ts'
import { PUBLIC_BODY_BYTES_MAX } from '../../../http/server/server-limits.ts'
import type { KeyedRequest } from '../../support/keyed-request.ts'
import type { Prng } from '../../support/prng.ts'
import { edgeText } from './edge-values.ts'
import { type Body, mutatedBody } from './mutated-body.ts'

export interface Attempt {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Body | null
  readonly caller: 'owner' | 'stranger' | 'other'
  /** True when nothing was changed. */
  readonly isRight: boolean
}

export type KnownIds = ReadonlyMap<string, readonly string[]>

type Part = 'body' | 'path' | 'query' | 'headers' | 'caller' | 'method'

/** How often each part is changed, in parts of a hundred; a body twice as often where there is one. */
const PARTS: readonly Part[] = ['body', 'body', 'body', 'body', 'path', 'query', 'headers', 'caller']
const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH']
const KNOWN_ID_CHANCE = 0.7
/** Of a known id: that it is of the noun that the path names. */
const SAME_NOUN_CHANCE = 0.8
const RIGHT_CHANCE = 0.06

/** `ids` are of things that are there, by noun. */
export function attemptOf(random: Prng, route: Route, request: KeyedRequest, ids: KnownIds): Attempt {
  const right = rightAttempt(random, route, request)
  if (random.chance(RIGHT_CHANCE)) return right
  let attempt: Attempt = { ...right, isRight: false }
  for (let count = random.chance(0.25) ? 2 : 1; count > 0; count--) attempt = changed(random, route, request, ids, attempt)
  const isLarge = attempt.body !== null && attempt.body.bytes.length > PUBLIC_BODY_BYTES_MAX
  // Where no route is, a body that strangers may not send is rejected before the method.
  return isLarge && attempt.method !== route.method ? { ...attempt, body: null } : attempt
}

export function rightAttempt(random: Prng, route: Route, { path, json, form }: KeyedRequest): Attempt {
  const key = `${route.operationId}-${random.word()}`
  const bytes = form === undefined ? (json === undefined ? null : Buffer.from(JSON.stringify(json))) : bytesOf(form)
  const contentType = form?.contentType ?? 'application/json'
  return {
    ...{ method: route.method, path, caller: 'owner', isRight: true },
    headers: route.idempotency === 'none' ? {} : { 'idempotency-key': key },
    body: bytes === null ? null : { bytes, contentType },
  }
}

/** A copy. */
function bytesOf({ body = '' }: NonNullable<KeyedRequest['form']>): Buffer {
  return typeof body === 'string' ? Buffer.from(body) : Buffer.from(body)
}

function changed(random: Prng, route: Route, request: KeyedRequest, ids: KnownIds, attempt: Attempt): Attempt {
  const part: Part = random.chance(0.01) ? 'method' : random.pick(PARTS)
  switch (part) {
    case 'method': {
      const method = random.pick(METHODS)
      return { ...attempt, method, body: method === 'POST' || method === 'PUT' ? attempt.body : null }
    }
    case 'path':
      return { ...attempt, path: changedPath(random, route, attempt.path, ids) }
    case 'query':
      return { ...attempt, path: withQuery(random, route, attempt.path) }
    case 'headers':
      return { ...attempt, headers: { ...attempt.headers, ...headersOf(random) } }
    case 'caller':
      return { ...attempt, caller: random.pick(['stranger', 'other']) }
    case 'body':
      if (route.method === 'GET' || route.method === 'DELETE') return { ...attempt, path: withQuery(random, route, attempt.path) }
      return { ...attempt, body: bodyOf(random, route, request) }
  }
}

function bodyOf(random: Prng, route: Route, { json, form }: KeyedRequest): Body {
  const names = Object.keys((route.body as { readonly properties?: object } | undefined)?.properties ?? {})
  if (form === undefined) return mutatedBody(random, (json ?? {}) as Record<string, unknown>, names.length === 0 ? ['a'] : names)
  const bytes = bytesOf(form)
  for (let count = 1 + random.below(4); count > 0; count--) bytes[random.below(random.chance(0.7) ? 260 : bytes.length)] = random.below(256)
  const cut = random.chance(0.3) ? bytes.subarray(0, random.below(bytes.length)) : bytes
  return {
    bytes: cut,
    contentType: random.chance(0.8) ? (form.contentType ?? '') : random.pick(['multipart/form-data', 'application/json']),
  }
}

function changedPath(random: Prng, { path }: Route, asked: string, ids: KnownIds): string {
  const [plain = '', query] = asked.split('?')
  const template = path.split('/')
  const holes = template.flatMap((step, at) => (step.startsWith('{') ? [at] : []))
  if (holes.length === 0) return asked
  const hole = random.pick(holes)
  const steps = plain.split('/')
  const old = steps[hole] ?? ''
  steps[hole] = (random.chance(KNOWN_ID_CHANCE) ? knownId(random, path, ids) : null) ?? encoded(strangeId(random, old))
  return steps.join('/') + (query === undefined ? '' : `?${query}`)
}

/** Of a path with a placeholder the step before it, else the last step. */
export function nounOf(path: string): string {
  const steps = path.split('/')
  const hole = steps.findIndex((step) => step.startsWith('{'))
  return steps[hole < 0 ? steps.length - 1 : hole - 1] ?? ''
}

function knownId(random: Prng, path: string, ids: KnownIds): string | null {
  const same = ids.get(nounOf(path)) ?? []
  const known = random.chance(SAME_NOUN_CHANCE) && same.length > 0 ? same : [...ids.values()].flat()
  return known.length === 0 ? null : random.pick(known)
}

function strangeId(random: Prng, old: string): string {
  const at = random.below(old.length + 1)
  const kind = random.below(4)
  if (kind === 0) return old.toUpperCase()
  if (kind === 1) return old.slice(0, at)
  return kind === 2 ? `${old.slice(0, at)}${edgeText(random)}` : edgeText(random) || 'x'
}

/** A lone surrogate becomes U+FFFD, because no URL holds it. */
function encoded(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString()) || 'x'
}

function withQuery(random: Prng, route: Route, asked: string): string {
  const names = [...Object.keys(route.query?.properties ?? {}), 'unknown', 'cursor', '__proto__', '']
  const pairs = Array.from({ length: 1 + random.below(3) }, () => {
    const name = random.pick(names)
    const value = random.chance(0.15) ? random.pick(['%', '%zz', '%00', '+', '%ff', '%c3%28', '&&', '=']) : encoded(edgeText(random))
    return random.chance(0.9) ? `${encoded(name)}=${value}` : encoded(name)
  })
  return `${asked}${asked.includes('?') ? '&' : '?'}${pairs.join('&')}`
}

const HEADER_VALUES = ['', 'x', '*', '0', '-1', 'W/"1"', '"', ',', ';q=0', 'a'.repeat(300), '!"#$%&()*+,-./:;<=>?@[]^_`{|}~', 'bytes=0-1']
const HEADER_NAMES = [
  ...['idempotency-key', 'x-request-id', 'accept', 'accept-language', 'if-none-match', 'last-event-id', 'range'],
  ...[
    'x-environment',
    'x-http-method-override',
    'origin',
    'referer',
    'sec-fetch-site',
    'cookie',
    'user-agent',
    'x-csrf-token',
    'authorization',
  ],
  ...['x-api-key', 'x-api-secret', 'forwarded', 'via', 'te', 'prefer'],
]
const ACCEPTED = ['*/*', 'text/csv', 'application/json', 'image/png', 'text/html, */*;q=0.1', 'text/csv;q=0', 'application/json;q=2']

function headersOf(random: Prng): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: 1 + random.below(2) }, () => {
      const name = random.pick(HEADER_NAMES)
      if (name === 'idempotency-key') return [name, random.pick(['a', 'b', ...HEADER_VALUES])]
      return [name, name === 'accept' ? random.pick(ACCEPTED) : random.pick(HEADER_VALUES)]
    }),
  )
}
