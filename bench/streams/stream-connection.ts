// One open stream of the listener: reads lines and says what each was. It must stay thin: fifteen thousand of them share
// two cores with what they measure.
import { connect, type Socket } from 'node:net'

/** All streams read into it, one after the other. */
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
  /** Of the loopback: a client address has some thousand ports, and gives a used one back after a minute. */
  readonly localAddress: string | null
}

export class StreamConnection {
  /** Of the last frame; 0 before the first. */
  lastId = 0
  lastHeartbeatMs = 0
  readonly #owner: StreamOwner
  #socket: Socket | null = null
  #isOpen = false
  /** Id of the frame whose data is still to come. */
  #id = 0
  /** A line whose end is still to come. */
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

  /** What the server does then is no failure any more. */
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

  /** Lines of the head and of the chunks' framing are like none of these. */
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
    else this.#owner.failed(`a stream was refused: ${text.slice(from, end)}`)
  }
}
