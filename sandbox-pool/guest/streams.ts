// Runs inside the virtual machine: the streams of the web (streams.spec.whatwg.org) by the package `web-streams-polyfill`, and the
// streams of the Encoding Standard (encoding.spec.whatwg.org, section 7). A stream holds only what fits into the machine.
import {
  ByteLengthQueuingStrategy,
  CountQueuingStrategy,
  ReadableByteStreamController,
  ReadableStream,
  ReadableStreamBYOBReader,
  ReadableStreamBYOBRequest,
  ReadableStreamDefaultController,
  ReadableStreamDefaultReader,
  TransformStream,
  TransformStreamDefaultController,
  WritableStream,
  WritableStreamDefaultController,
  WritableStreamDefaultWriter,
} from 'web-streams-polyfill'
import { concatBytes, utf8Bytes } from './bytes.ts'
import { AnyDecoder } from './text-decoder.ts'

export { ReadableStream }

/** Returns a stream of bytes with one chunk, which is made when it is read. */
export function streamOf(read: () => Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    type: 'bytes',
    pull(controller) {
      const bytes = read()
      if (bytes.length > 0) controller.enqueue(bytes)
      controller.close()
      controller.byobRequest?.respond(0)
    },
  })
}

/** Returns whether a chunk was read or the stream was cancelled. The standard has no public name for it, the package has this one. */
export function isDisturbed(stream: ReadableStream): boolean {
  return (stream as unknown as { readonly _disturbed: boolean })._disturbed
}

/** Reads a stream of bytes to its end. Throws when it gives more than the maximum, or a chunk that is no Uint8Array. */
export async function bytesOfStream(stream: ReadableStream, sizeBytesMax: number): Promise<Uint8Array<ArrayBuffer>> {
  const reader = stream.getReader()
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return concatBytes(chunks)
    if (!(value instanceof Uint8Array)) throw await refusedBy(reader, 'a chunk of a body must be a Uint8Array')
    sizeBytes += value.length
    if (sizeBytes > sizeBytesMax) throw await refusedBy(reader, `fetch: the body is larger than ${sizeBytesMax} bytes`)
    chunks[chunks.length] = value
  }
}

async function refusedBy(reader: ReadableStreamDefaultReader, message: string): Promise<TypeError> {
  const error = new TypeError(message)
  await reader.cancel(error)
  return error
}

class DecoderStream {
  readonly #decoder: AnyDecoder
  readonly readable: ReadableStream<string>
  readonly writable: WritableStream

  constructor(label?: unknown, options?: ConstructorParameters<typeof AnyDecoder>[1]) {
    const decoder = new AnyDecoder(label, options)
    const { readable, writable } = new TransformStream<unknown, string>({
      transform: (chunk, controller) => sendText(decoder.decode(chunk, { stream: true }), controller),
      flush: (controller) => sendText(decoder.decode(), controller),
    })
    this.#decoder = decoder
    this.readable = readable
    this.writable = writable
  }

  get encoding(): string {
    return this.#decoder.encoding
  }

  get fatal(): boolean {
    return this.#decoder.fatal
  }

  get ignoreBOM(): boolean {
    return this.#decoder.ignoreBOM
  }
}

function sendText(text: string, controller: TransformStreamDefaultController<string>): void {
  if (text !== '') controller.enqueue(text)
}

class EncoderStream {
  readonly encoding = 'utf-8'
  readonly readable: ReadableStream<Uint8Array>
  readonly writable: WritableStream

  constructor() {
    // A chunk may end between the two halves of a character.
    let half = ''
    const { readable, writable } = new TransformStream<unknown, Uint8Array>({
      transform(chunk, controller) {
        const text = `${half}${chunk}`
        half = /[\ud800-\udbff]$/.test(text) ? text.slice(-1) : ''
        sendBytes(half === '' ? text : text.slice(0, -1), controller)
      },
      flush: (controller) => sendBytes(half, controller),
    })
    this.readable = readable
    this.writable = writable
  }
}

function sendBytes(text: string, controller: TransformStreamDefaultController<Uint8Array>): void {
  if (text !== '') controller.enqueue(utf8Bytes(text))
}

/** Every global of streams, by name. */
export const STREAMS: Readonly<Record<string, unknown>> = {
  ReadableStream,
  ReadableStreamDefaultReader,
  ReadableStreamBYOBReader,
  ReadableStreamDefaultController,
  ReadableByteStreamController,
  ReadableStreamBYOBRequest,
  WritableStream,
  WritableStreamDefaultWriter,
  WritableStreamDefaultController,
  TransformStream,
  TransformStreamDefaultController,
  ByteLengthQueuingStrategy,
  CountQueuingStrategy,
  TextDecoderStream: DecoderStream,
  TextEncoderStream: EncoderStream,
}
