// Runs inside the virtual machine: bodies of requests and responses (fetch.spec.whatwg.org, section 5). A body is whole; its stream is
// made on demand. Only a body that merchant code gives as a stream is read piece by piece.
import { blobBytes, GuestBlob, GuestFormData, multipartOf } from './blob.ts'
import { bufferOf, bytesOf, fromBase64, isBufferSource, toBase64, uncurry, utf8Bytes, utf8Text } from './bytes.ts'
import type { BodyWire } from './host.ts'
import { bytesOfStream, isDisturbed, ReadableStream, streamOf } from './streams.ts'
import { Parameters } from './url.ts'

const { parse } = JSON
const slice = uncurry(String.prototype.slice)
const getHeader = uncurry(Headers.prototype.get)
const parametersText = uncurry(Parameters.prototype.toString)
const BYTE_ORDER_MARK = '\ufeff'

/** A whole body, or the stream that merchant code gave. */
export type BodyContent = BodyWire | { readonly stream: ReadableStream }

/** A body and the Content-Type that it implies. */
export type TypedBody = readonly [body: BodyContent, type: string | null]

/** Returns any value that fetch takes as a body. `newBoundary` makes the boundary of a form. */
export function bodyOf(body: unknown, newBoundary: () => string): TypedBody {
  if (body === undefined || body === null) return [null, null]
  if (isBufferSource(body)) return [{ base64: toBase64(bytesOf(body)) }, null]
  if (body instanceof Parameters) return [{ text: parametersText(body) }, 'application/x-www-form-urlencoded;charset=UTF-8']
  if (body instanceof GuestBlob) return [{ base64: toBase64(blobBytes(body)) }, body.type === '' ? null : body.type]
  if (body instanceof GuestFormData) {
    const boundary = newBoundary()
    return [{ base64: toBase64(multipartOf(body, boundary)) }, `multipart/form-data; boundary=${boundary}`]
  }
  if (body instanceof ReadableStream) {
    if (body.locked || isDisturbed(body)) throw new TypeError('the stream of a body was read before, or is being read')
    return [{ stream: body }, null]
  }
  return [{ text: `${body}` }, 'text/plain;charset=UTF-8']
}

/** Common part of Request and Response. */
export class BodyHolder {
  readonly headers: Headers
  #body: BodyContent
  /** Made when merchant code asks for it, or given by it. */
  #stream: ReadableStream | null
  #used = false

  constructor(body: BodyContent, headers: Headers) {
    this.#body = body
    this.#stream = streamIn(body)
    this.headers = headers
  }

  get body(): ReadableStream | null {
    const body = this.#body
    if (this.#stream !== null || (body !== null && 'stream' in body)) return this.#stream
    if (body !== null) this.#stream = streamOf(() => bytesOfBody(body))
    else if (this.#used) this.#stream = readStream()
    return this.#stream
  }

  get bodyUsed(): boolean {
    return this.#used || (this.#stream !== null && isDisturbed(this.#stream))
  }

  async text(): Promise<string> {
    const body = await this.#take()
    if (body === null) return ''
    const text = 'base64' in body ? utf8Text(fromBase64(body.base64)) : body.text
    return text[0] === BYTE_ORDER_MARK ? slice(text, 1) : text
  }

  async json(): Promise<unknown> {
    return parse(await this.text())
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return bufferOf(bytesOfBody(await this.#take()))
  }

  async blob(): Promise<GuestBlob> {
    return new GuestBlob([bytesOfBody(await this.#take())], { type: getHeader(this.headers, 'content-type') ?? '' })
  }

  /** Only forms without files: a body of multipart/form-data is refused. */
  async formData(): Promise<GuestFormData> {
    const type = getHeader(this.headers, 'content-type') ?? ''
    if (!type.startsWith('application/x-www-form-urlencoded'))
      throw new TypeError('formData: only application/x-www-form-urlencoded is read')
    const form = new GuestFormData()
    for (const [name, value] of new Parameters(await this.text()).entries()) form.append(name, value)
    return form
  }

  /** Returns the body for a second holder, without using it. Only these files import it. */
  static peek(holder: BodyHolder): BodyContent {
    holder.#assertUnread()
    const body = holder.#body
    if (body === null || !('stream' in body)) return body
    const [first, second] = body.stream.tee()
    holder.#stream = first
    holder.#body = { stream: first }
    return { stream: second }
  }

  /** Uses the body, which must not be larger. Only these files import it. */
  static async take(holder: BodyHolder, sizeBytesMax: number): Promise<BodyWire> {
    return holder.#take(sizeBytesMax)
  }

  #assertUnread(): void {
    if (this.bodyUsed || this.#stream?.locked === true) throw new TypeError('the body was read before')
  }

  #take(sizeBytesMax = Number.POSITIVE_INFINITY): BodyWire | Promise<BodyWire> {
    this.#assertUnread()
    const body = this.#body
    if (body === null) return null
    this.#used = true
    this.#body = null
    if ('stream' in body) return wireOfStream(body.stream, sizeBytesMax)
    void this.#stream?.cancel()
    return body
  }
}

/** Captured, and then removed from the class that merchant code gets. */
export const peekBody = BodyHolder.peek
export const takeBody = BodyHolder.take
Reflect.deleteProperty(BodyHolder, 'peek')
Reflect.deleteProperty(BodyHolder, 'take')

/** Returns the stream of a body that was read. */
function readStream(): ReadableStream {
  const stream = streamOf(() => new Uint8Array(0))
  void stream.cancel()
  return stream
}

function streamIn(body: BodyContent): ReadableStream | null {
  return body !== null && 'stream' in body ? body.stream : null
}

async function wireOfStream(stream: ReadableStream, sizeBytesMax: number): Promise<BodyWire> {
  return { base64: toBase64(await bytesOfStream(stream, sizeBytesMax)) }
}

function bytesOfBody(body: BodyWire): Uint8Array<ArrayBuffer> {
  if (body === null) return new Uint8Array(0)
  return 'base64' in body ? fromBase64(body.base64) : utf8Bytes(body.text)
}
