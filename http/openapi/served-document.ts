// The document as bytes: JSON and YAML, each plain and compressed, each made once when it is first asked for.
import { hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { ContentCoding } from '../server/content-coding.ts'
import { shared } from '../server/public-files.ts'
import { openapiYamlParts } from './openapi.ts'
import type { JsonObject } from './openapi-schemas.ts'

export type DocumentFormat = 'json' | 'yaml'

export interface DocumentCopy {
  readonly bytes: Uint8Array
  /** Strong (RFC 9110, section 8.8.3): each coding has its own. */
  readonly etag: string
}

/** Of 11: 30 times as fast as the maximum, and a tenth larger. */
const BROTLI_QUALITY = 6

const gzipped = promisify(gzip)
const brotlied = promisify(brotliCompress)

export class ServedDocument {
  readonly #make: () => JsonObject
  #document: JsonObject | null = null
  readonly #plain = new Map<DocumentFormat, Promise<PlainCopy>>()
  readonly #copies = new Map<string, Promise<DocumentCopy>>()
  /** The last compression: one at a time, so that the commits of the log keep the other threads of the pool. */
  #compressed: Promise<unknown> = Promise.resolve()

  constructor(make: () => JsonObject) {
    this.#make = make
  }

  /** Requests that come while a copy is being made wait for the same one. */
  copy(format: DocumentFormat, coding: ContentCoding): Promise<DocumentCopy> {
    const name = `${format} ${coding}`
    const made = this.#copies.get(name) ?? this.#plainCopy(format).then((plain) => this.#coded(plain, coding))
    this.#copies.set(name, made)
    return made
  }

  #coded(plain: PlainCopy, coding: ContentCoding): Promise<DocumentCopy> {
    if (coding === 'identity') return coded(plain, coding)
    const made = this.#compressed.then(() => coded(plain, coding))
    this.#compressed = made
    return made
  }

  #plainCopy(format: DocumentFormat): Promise<PlainCopy> {
    this.#document ??= this.#make()
    const made = this.#plain.get(format) ?? textOf(this.#document, format).then(plainCopy)
    this.#plain.set(format, made)
    return made
  }
}

interface PlainCopy {
  readonly bytes: Buffer
  /** Of the text, in each coding. */
  readonly version: string
}

async function textOf(document: JsonObject, format: DocumentFormat): Promise<string> {
  return format === 'json' ? JSON.stringify(document) : inSlices(openapiYamlParts(document))
}

function plainCopy(text: string): PlainCopy {
  const bytes = Buffer.from(text)
  return { bytes, version: hash('sha256', bytes, 'hex').slice(0, 32) }
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

/** Compression runs in the thread pool that the commits of the log run in. */
async function coded({ bytes, version }: PlainCopy, coding: ContentCoding): Promise<DocumentCopy> {
  if (coding === 'identity') return { bytes: shared(bytes), etag: `"${version}"` }
  const made = coding === 'gzip' ? gzipped(bytes) : brotlied(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } })
  return { bytes: shared(await made), etag: `"${version}-${coding}"` }
}

/** Whether `If-None-Match` names the copy (RFC 9110, section 13.1.2): by weak comparison, or `*`. */
export function namesCopy(ifNoneMatch: string, { etag }: DocumentCopy): boolean {
  return ifNoneMatch.split(',').some((item) => {
    const tag = item.trim()
    return tag === '*' || tag === etag || tag === `W/${etag}`
  })
}
