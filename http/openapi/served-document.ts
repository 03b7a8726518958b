// The document as bytes: JSON and YAML, each plain and compressed, made once when it is first asked for.
import { hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { openapiYamlParts } from './openapi.ts'
import type { JsonObject } from './openapi-schemas.ts'

export type DocumentFormat = 'json' | 'yaml'
export type ContentCoding = 'identity' | 'gzip' | 'br'

export interface DocumentCopy {
  readonly bytes: Uint8Array
  /** Strong (RFC 9110, section 8.8.3): each coding has its own. */
  readonly etag: string
}

export type DocumentCopies = Readonly<Record<ContentCoding, DocumentCopy>>

/** Preferred first where the client likes several as much. */
const CODINGS: readonly ContentCoding[] = ['br', 'gzip', 'identity']
/** Of 11: 30 times as fast as the maximum, and a tenth larger. */
const BROTLI_QUALITY = 6

const gzipped = promisify(gzip)
const brotlied = promisify(brotliCompress)

export class ServedDocument {
  readonly #make: () => JsonObject
  #document: JsonObject | null = null
  readonly #copies = new Map<DocumentFormat, Promise<DocumentCopies>>()

  constructor(make: () => JsonObject) {
    this.#make = make
  }

  /** Requests that come while a form is being made wait for the same one. */
  copies(format: DocumentFormat): Promise<DocumentCopies> {
    const known = this.#copies.get(format)
    if (known !== undefined) return known
    this.#document ??= this.#make()
    const made = format === 'json' ? copiesOf(JSON.stringify(this.#document)) : inSlices(openapiYamlParts(this.#document)).then(copiesOf)
    this.#copies.set(format, made)
    return made
  }
}

/** One part a turn of the loop: payouts go on in between. */
async function inSlices(parts: Iterable<string>): Promise<string> {
  let text = ''
  for (const part of parts) {
    text += part
    await nextTurn()
  }
  return text
}

/** One compression after the other: they run in the thread pool that the commits of the log run in. */
async function copiesOf(text: string): Promise<DocumentCopies> {
  const identity = Buffer.from(text)
  const version = hash('sha256', identity, 'hex').slice(0, 32)
  const br = await brotlied(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } })
  const gzip = await gzipped(identity)
  return {
    identity: { bytes: identity, etag: `"${version}"` },
    gzip: { bytes: gzip, etag: `"${version}-gzip"` },
    br: { bytes: br, etag: `"${version}-br"` },
  }
}

/** What `Accept-Encoding` likes best (RFC 9110, section 12.5.3); `identity` where it names nothing that there is. */
export function codingFor(acceptEncoding: string): ContentCoding {
  const weights = new Map<string, number>()
  for (const item of acceptEncoding.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    if (name !== '') weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)) || 0)
  }
  // Named by neither its name nor `*`, only `identity` is acceptable: last of all.
  const weightOf = (coding: ContentCoding): number => weights.get(coding) ?? weights.get('*') ?? (coding === 'identity' ? MINIMAL : 0)
  const best = CODINGS.reduce((one, other) => (weightOf(other) > weightOf(one) ? other : one))
  return weightOf(best) > 0 ? best : 'identity'
}

const MINIMAL = 1e-6

/** Whether `If-None-Match` names the copy (RFC 9110, section 13.1.2): by weak comparison, or `*`. */
export function namesCopy(ifNoneMatch: string, { etag }: DocumentCopy): boolean {
  return ifNoneMatch.split(',').some((item) => {
    const tag = item.trim()
    return tag === '*' || tag === etag || tag === `W/${etag}`
  })
}
