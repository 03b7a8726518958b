// Runs inside the virtual machine: bodies of requests and responses (fetch.spec.whatwg.org, section 5), whole and without streams.
import { blobBytes, GuestBlob, GuestFormData, multipartOf } from './blob.ts'
import { bufferOf, bytesOf, fromBase64, isBufferSource, toBase64, uncurry, utf8Bytes, utf8Text } from './bytes.ts'
import type { BodyWire } from './host.ts'
import { Parameters } from './url.ts'

const { parse } = JSON
const slice = uncurry(String.prototype.slice)
const getHeader = uncurry(Headers.prototype.get)
const parametersText = uncurry(Parameters.prototype.toString)
const BYTE_ORDER_MARK = '\ufeff'

/** A body and the Content-Type that it implies. */
export type TypedBody = readonly [body: BodyWire, type: string | null]

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
  return [{ text: `${body}` }, 'text/plain;charset=UTF-8']
}

/** Common part of Request and Response. */
export class BodyHolder {
  readonly headers: Headers
  #body: BodyWire
  #used = false

  constructor(body: BodyWire, headers: Headers) {
    this.#body = body
    this.headers = headers
  }

  get bodyUsed(): boolean {
    return this.#used
  }

  async text(): Promise<string> {
    const body = this.#take()
    if (body === null) return ''
    const text = 'base64' in body ? utf8Text(fromBase64(body.base64)) : body.text
    return text[0] === BYTE_ORDER_MARK ? slice(text, 1) : text
  }

  async json(): Promise<unknown> {
    return parse(await this.text())
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return bufferOf(bytesOfBody(this.#take()))
  }

  async blob(): Promise<GuestBlob> {
    return new GuestBlob([bytesOfBody(this.#take())], { type: getHeader(this.headers, 'content-type') ?? '' })
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

  /** Returns the body without using it. Only these files import it. */
  static peek(holder: BodyHolder): BodyWire {
    if (holder.#used) throw new TypeError('the body was read before')
    return holder.#body
  }

  #take(): BodyWire {
    if (this.#used) throw new TypeError('the body was read before')
    const body = this.#body
    this.#used = body !== null
    this.#body = null
    return body
  }
}

/** Captured, and then removed from the class that merchant code gets. */
export const peekBody = BodyHolder.peek
Reflect.deleteProperty(BodyHolder, 'peek')

function bytesOfBody(body: BodyWire): Uint8Array<ArrayBuffer> {
  if (body === null) return new Uint8Array(0)
  return 'base64' in body ? fromBase64(body.base64) : utf8Bytes(body.text)
}
