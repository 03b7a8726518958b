// Runs inside the virtual machine: `Blob`, `File` and `FormData` (w3.org/TR/FileAPI, xhr.spec.whatwg.org).
import { bufferOf, bytesOf, concatBytes, isBufferSource, utf8Bytes, utf8Text } from './bytes.ts'
import { type ReadableStream, streamOf } from './streams.ts'

interface BlobOptions {
  readonly type?: unknown
  readonly lastModified?: unknown
}

export class GuestBlob {
  readonly #bytes: Uint8Array<ArrayBuffer>
  readonly #type: string

  constructor(parts: Iterable<unknown> = [], options: BlobOptions = {}) {
    const type = `${options.type ?? ''}`
    this.#type = /[^\x20-\x7e]/.test(type) ? '' : type.toLowerCase()
    this.#bytes = concatBytes([...parts].map(partBytes))
  }

  get size(): number {
    return this.#bytes.length
  }

  get type(): string {
    return this.#type
  }

  slice(start?: number, end?: number, type: unknown = ''): GuestBlob {
    return new GuestBlob([this.#bytes.slice(start, end)], { type })
  }

  async text(): Promise<string> {
    return utf8Text(this.#bytes)
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return bufferOf(this.#bytes)
  }

  stream(): ReadableStream<Uint8Array> {
    return streamOf(() => concatBytes([this.#bytes]))
  }

  /** Returns the bytes of a blob. Only these files import it. */
  static bytes(blob: GuestBlob): Uint8Array<ArrayBuffer> {
    return blob.#bytes
  }
}

/** Captured, and then removed from the class that merchant code gets. */
export const blobBytes = GuestBlob.bytes
Reflect.deleteProperty(GuestBlob, 'bytes')

function partBytes(part: unknown): Uint8Array<ArrayBuffer> {
  if (part instanceof GuestBlob) return blobBytes(part)
  return isBufferSource(part) ? bytesOf(part) : utf8Bytes(`${part}`)
}

export class GuestFile extends GuestBlob {
  readonly name: string
  readonly lastModified: number

  constructor(parts: Iterable<unknown>, name: unknown, options: BlobOptions = {}) {
    super(parts, options)
    this.name = `${name}`
    this.lastModified = Number(options.lastModified ?? Date.now())
  }
}

type FormValue = string | GuestFile
type FormPair = readonly [name: string, value: FormValue]

export class GuestFormData {
  #pairs: FormPair[] = []

  append(name: unknown, value: unknown, fileName?: unknown): void {
    this.#pairs.push(pairOf(name, value, fileName))
  }

  set(name: unknown, value: unknown, fileName?: unknown): void {
    const pair = pairOf(name, value, fileName)
    const at = this.#pairs.findIndex(([known]) => known === pair[0])
    if (at === -1) this.#pairs.push(pair)
    else this.#pairs = this.#pairs.flatMap((known, index) => (index === at ? [pair] : known[0] === pair[0] ? [] : [known]))
  }

  delete(name: unknown): void {
    this.#pairs = this.#pairs.filter(([known]) => known !== `${name}`)
  }

  get(name: unknown): FormValue | null {
    return this.#pairs.find(([known]) => known === `${name}`)?.[1] ?? null
  }

  getAll(name: unknown): FormValue[] {
    return this.#pairs.flatMap(([known, value]) => (known === `${name}` ? [value] : []))
  }

  has(name: unknown): boolean {
    return this.#pairs.some(([known]) => known === `${name}`)
  }

  forEach(callback: (value: FormValue, name: string, form: GuestFormData) => void, self?: unknown): void {
    for (const [name, value] of this.#pairs) callback.call(self, value, name, this)
  }

  *entries(): IterableIterator<[string, FormValue]> {
    for (const [name, value] of this.#pairs) yield [name, value]
  }

  *keys(): IterableIterator<string> {
    for (const [name] of this.#pairs) yield name
  }

  *values(): IterableIterator<FormValue> {
    for (const [, value] of this.#pairs) yield value
  }

  [Symbol.iterator](): IterableIterator<[string, FormValue]> {
    return this.entries()
  }
}

function pairOf(name: unknown, value: unknown, fileName: unknown): FormPair {
  if (!(value instanceof GuestBlob)) {
    if (fileName !== undefined) throw new TypeError('FormData: only a Blob has a file name')
    return [`${name}`, `${value}`]
  }
  if (value instanceof GuestFile && fileName === undefined) return [`${name}`, value]
  return [`${name}`, new GuestFile([value], fileName ?? 'blob', { type: value.type })]
}

/** Returns the form as a body of multipart/form-data (RFC 7578). `boundary` must not occur in the values. */
export function multipartOf(form: GuestFormData, boundary: string): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  const quoted = (text: string): string => `"${text.replace(/\r?\n|\r/g, '%0D%0A').replaceAll('"', '%22')}"`
  for (const [name, value] of form.entries()) {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name=${quoted(name)}`
    if (typeof value === 'string') parts.push(utf8Bytes(`${head}\r\n\r\n${value.replace(/\r?\n|\r/g, '\r\n')}\r\n`))
    else {
      const type = value.type === '' ? 'application/octet-stream' : value.type
      parts.push(utf8Bytes(`${head}; filename=${quoted(value.name)}\r\nContent-Type: ${type}\r\n\r\n`), blobBytes(value), utf8Bytes('\r\n'))
    }
  }
  return concatBytes([...parts, utf8Bytes(`--${boundary}--\r\n`)])
}
