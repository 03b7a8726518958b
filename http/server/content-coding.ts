// Content codings of public documents: what a client takes, and texts that are kept compressed.
import { hash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { shared } from './public-files.ts'
import type { Call, Header } from './route.ts'

export type ContentCoding = 'identity' | 'gzip' | 'br'

/** Preferred first where the client likes several as much. */
const CODINGS: readonly ContentCoding[] = ['br', 'gzip', 'identity']
const TEXT_CODINGS: readonly ContentCoding[] = ['gzip', 'identity']
/** Texts that are kept: more than there are pages and assets. */
const KEPT_MAX = 4096

/** Compressed texts by their hash. */
const kept = new Map<string, Uint8Array>()

/** Answers a text of a finite set that all callers share. It is compressed once. */
export function answerPublic(
  call: Pick<Call, 'acceptEncoding' | 'answerAs'>,
  status: number,
  text: string | Uint8Array,
  headers: readonly Header[],
): void {
  const varied = withVary(headers)
  if (codingFor(call.acceptEncoding, TEXT_CODINGS) === 'identity') return call.answerAs(status, text, varied)
  call.answerAs(status, compressed(text), [...varied, ['Content-Encoding', 'gzip']])
}

/** Below it a compressed page is hardly smaller. */
const PAGE_LENGTH_MIN = 1024
/** A page of 30 kB takes about 0.7 ms, half of what the default level takes, and is 7 % larger. */
const PAGE_LEVEL = 3

/**
 * Answers a page that is made for its reader. Its tokens stand under masks (`crypto/masked-token.ts`). Clients that name no coding, as curl
 * does, read it as it is.
 */
export function answerPrivate(
  call: Pick<Call, 'acceptEncoding' | 'answerAs'>,
  status: number,
  text: string,
  headers: readonly Header[],
): void {
  const { acceptEncoding } = call
  const coding = acceptEncoding === '' || text.length < PAGE_LENGTH_MIN ? 'identity' : codingFor(acceptEncoding, TEXT_CODINGS)
  if (coding === 'identity') return call.answerAs(status, text, withVary(headers))
  call.answerAs(status, gzipSync(text, { level: PAGE_LEVEL }), [...withVary(headers), ['Content-Encoding', coding]])
}

/** The coding is one more thing that the answer depends on. */
function withVary(headers: readonly Header[]): readonly Header[] {
  const named = headers.filter(([name]) => name === 'Vary').flatMap(([, value]) => value.split(', '))
  return [...headers.filter(([name]) => name !== 'Vary'), ['Vary', [...new Set([...named, 'Accept-Encoding'])].join(', ')]]
}

function compressed(text: string | Uint8Array): Uint8Array {
  const name = hash('sha256', text, 'base64url')
  const known = kept.get(name)
  if (known !== undefined) return known
  const bytes = gzipSync(text)
  if (kept.size >= KEPT_MAX) return bytes
  const made = shared(bytes)
  kept.set(name, made)
  return made
}

/**
 * What `Accept-Encoding` likes best (RFC 9110, section 12.5.3); `identity` where it names nothing that there is. Without the header every
 * coding is acceptable: `gzip`.
 */
export function codingFor(acceptEncoding: string, codings: readonly ContentCoding[] = CODINGS): ContentCoding {
  if (acceptEncoding.trim() === '') return 'gzip'
  const weights = new Map<string, number>()
  for (const item of acceptEncoding.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    if (name !== '') weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)) || 0)
  }
  // Named by neither its name nor `*`, only `identity` is acceptable: last of all.
  const weightOf = (coding: ContentCoding): number => weights.get(coding) ?? weights.get('*') ?? (coding === 'identity' ? MINIMAL : 0)
  const best = codings.reduce((one, other) => (weightOf(other) > weightOf(one) ? other : one))
  return weightOf(best) > 0 ? best : 'identity'
}

const MINIMAL = 1e-6
