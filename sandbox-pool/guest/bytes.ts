// Runs inside the virtual machine: bytes as text and back, by built-ins that are captured before merchant code runs.

/** Base64 and hex methods of newer engines, which the compiler's library does not know yet. */
interface EncodedBytes {
  toBase64(options?: { readonly alphabet: 'base64' | 'base64url'; readonly omitPadding: boolean }): string
  toHex(): string
}
interface BytesDecoder {
  fromBase64(text: string, options?: { readonly alphabet: 'base64' | 'base64url' }): Uint8Array<ArrayBuffer>
}

const Bytes = Uint8Array
const { isView } = ArrayBuffer
const decoding = Uint8Array as unknown as BytesDecoder
const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Returns a method as a function of its object, so that code cannot replace it later. */
export const uncurry = <Arguments extends unknown[], Result>(method: (...given: Arguments) => Result) =>
  Function.prototype.call.bind(method) as unknown as (self: unknown, ...given: Arguments) => Result

const encode = uncurry(TextEncoder.prototype.encode)
const decode = uncurry(TextDecoder.prototype.decode)
const setBytes = uncurry(Uint8Array.prototype.set)

export const toBase64 = uncurry((Uint8Array.prototype as unknown as EncodedBytes).toBase64)
export const toHex = uncurry((Uint8Array.prototype as unknown as EncodedBytes).toHex)
export const fromBase64 = decoding.fromBase64.bind(decoding)

export function utf8Bytes(text: string): Uint8Array<ArrayBuffer> {
  return encode(encoder, text) as Uint8Array<ArrayBuffer>
}

/** Keeps a byte order mark. Invalid bytes become U+FFFD. */
export function utf8Text(bytes: Uint8Array): string {
  return decode(decoder, bytes)
}

export function isBufferSource(value: unknown): value is ArrayBuffer | ArrayBufferView<ArrayBuffer> {
  return value instanceof ArrayBuffer || isView(value)
}

/** Returns a view of an ArrayBuffer, a typed array or a DataView. */
export function bytesOf(source: unknown): Uint8Array<ArrayBuffer> {
  if (source instanceof ArrayBuffer) return new Bytes(source)
  if (!isView(source)) throw new TypeError('expected an ArrayBuffer, a typed array, a DataView or a Buffer')
  return new Bytes(source.buffer as ArrayBuffer, source.byteOffset, source.byteLength)
}

export function concatBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  let size = 0
  for (let index = 0; index < parts.length; index++) size += parts[index]?.length ?? 0
  const whole = new Bytes(size)
  let at = 0
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index] as Uint8Array
    setBytes(whole, part, at)
    at += part.length
  }
  return whole
}

/** Returns a buffer of its own with exactly these bytes. */
export function bufferOf(bytes: Uint8Array): ArrayBuffer {
  return concatBytes([bytes]).buffer
}
