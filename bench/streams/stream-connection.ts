// One open stream of the listener: parses lines and reports them. It must stay cheap: fifteen thousand streams share two cores with the
// server.
import { connect, type Socket } from 'node:net'

/** Read buffer of all streams. */
const READ_BUFFER = Buffer.allocUnsafe(64 * 1024)
const HEARTBEAT = ': heartbeat'
const ID = 'id: '
const CREATED_AT = '"created_at":"'
const TIME_LENGTH = '2026-11-20T10:00:00.000Z'.length

export interface StreamOwner {
  opened(stream: StreamConnection): void
  frame(stream: StreamConnection, id: number, createdMs: number): void
  heartbeat(stream: StreamConnection): void
  failed(reason: string): void
}

export interface StreamTarget {
  readonly port: number
  readonly token: string
  /** Source address on the loopback: one address has some thousand ports, and a used port is blocked for a minute. */
  readonly localAddress: string | null
}

export class StreamConnection {
  /** Id of the last frame; 0 before the first. */
  lastId = 0
  lastHeartbeatMs = 0
  readonly #owner: StreamOwner
  #socket: Socket | null = null
  #isOpen = false
  /** Id of the frame whose data has not arrived yet. */
  #id = 0
  /** Incomplete line. */
  #rest = ''

  constructor(owner: StreamOwner) {
    this.#owner = owner
  }

  open({ port, token, localAddress }: StreamTarget): void {
    const onread = { buffer: READ_BUFFER, callback: (length: number) => this.#read(length) }
    const source = localAddress === null ? {} : { localAddress }
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread, ...source })
    socket.write(`GET /v1/me/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n\r\n`)
    socket.on('error', (error) => this.#owner.failed(`a stream failed: ${error.message}`))
    socket.on('end', () => this.#owner.failed('the server ended a stream'))
    this.#socket = socket
  }

  /** Closes the stream. Later events of the socket are no failures. */
  close(): void {
    this.#socket?.removeAllListeners('end')
    this.#socket?.destroy()
  }

  #read(length: number): boolean {
    const text = this.#rest + READ_BUFFER.toString('latin1', 0, length)
    let from = 0
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      this.#line(text, from, end)
      from = end + 1
    }
    this.#rest = text.slice(from)
    return true
  }

  /** Handles one line. Lines of the response head and of the chunked encoding match none of the prefixes. */
  #line(text: string, from: number, end: number): void {
    if (text.startsWith(HEARTBEAT, from)) this.#owner.heartbeat(this)
    else if (text.startsWith(ID, from)) this.#id = Number(text.slice(from + ID.length, end))
    else if (text.startsWith('data: ', from)) {
      const at = text.indexOf(CREATED_AT, from) + CREATED_AT.length
      this.#owner.frame(this, this.#id, Date.parse(text.slice(at, at + TIME_LENGTH)))
    } else if (!this.#isOpen) this.#firstLine(text, from, end)
  }

  #firstLine(text: string, from: number, end: number): void {
    this.#isOpen = true
    if (text.startsWith('HTTP/1.1 200 ', from)) this.#owner.opened(this)
    else this.#owner.failed(`a stream was rejected: ${text.slice(from, end)}`)
  }
}
