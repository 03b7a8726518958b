// One keep-alive connection of the generator. It sends its next request only after the answer. It must stay cheap: at 70 000 requests
// per second the generator shares two cores with the server.
import { connect, type Socket } from 'node:net'
import { type Draw, EncodedRequest } from './encoded-request.ts'
import type { RequestShape } from './plan.ts'
import { ResponseParser } from './response-parser.ts'

/** Read buffer of all connections. The parser keeps no reference to it. */
const READ_BUFFER = Buffer.allocUnsafe(64 * 1024)

export interface ConnectionOwner {
  /** Called for each answer. The parser of `connection` holds its status and match. */
  answered(connection: Connection): void
  failed(reason: string): void
}

export interface ServerAddress {
  readonly host: string
  readonly port: number
}

export class Connection {
  readonly parser: ResponseParser
  /** Group of its shape; null: none. */
  readonly group: string | null
  /** Intended send time of the pending request, in milliseconds of the process's clock. */
  intendedMs = 0
  readonly #image: EncodedRequest
  readonly #owner: ConnectionOwner
  readonly #address: ServerAddress
  #socket: Socket | null = null

  constructor(owner: ConnectionOwner, address: ServerAddress, shape: RequestShape, bodyText: string) {
    this.#owner = owner
    this.#address = address
    this.#image = new EncodedRequest(shape, `${address.host}:${address.port}`)
    this.parser = new ResponseParser(bodyText)
    this.group = shape.group ?? null
  }

  open(): Promise<void> {
    return new Promise((resolve) => {
      // `onread` passes every read to one function with one buffer, without streams and garbage. With in-place patching it costs 4 µs
      // of JavaScript per request. Writing to the socket's handle directly saved nothing.
      const onread = { buffer: READ_BUFFER, callback: (length: number) => this.#read(length) }
      const socket = connect({ ...this.#address, noDelay: true, onread }, resolve)
      socket.on('error', (error) => this.#owner.failed(`connection failed: ${error.message}`))
      socket.on('end', () => this.#owner.failed('the server closed a connection'))
      this.#socket = socket
    })
  }

  send(sequence: number, draw: Draw, intendedMs: number): void {
    this.intendedMs = intendedMs
    this.#image.patch(sequence, draw)
    this.#socket?.write(this.#image.bytes)
  }

  close(): void {
    this.#socket?.removeAllListeners('end')
    this.#socket?.destroy()
  }

  #read(length: number): boolean {
    let complete = false
    try {
      complete = this.parser.push(READ_BUFFER, length)
    } catch (error) {
      this.#owner.failed(error instanceof Error ? error.message : String(error))
      return false
    }
    if (complete) this.#owner.answered(this)
    return true
  }
}
