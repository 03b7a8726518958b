// A client that sends bytes as they are and waits for what comes back: for requests that no HTTP library would send.
import { connect, type Socket } from 'node:net'
import { Patience } from './patience.ts'

const PATIENCE_MS = 20_000

/** One answer, as far as tests look at it. Header names are lower case. */
export interface RawAnswer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

export class RawClient {
  readonly #socket: Socket
  #received = ''
  #closed = false
  #waiting: (() => void)[] = []

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setEncoding('latin1')
    socket.on('data', (text: string) => {
      this.#received += text
      this.#wake()
    })
    // A reset is one of the ways in which a server may close.
    socket.on('error', () => this.#end())
    socket.on('close', () => this.#end())
  }

  static open(port: number): Promise<RawClient> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1')
      socket.once('connect', () => resolve(new RawClient(socket)))
      socket.once('error', reject)
    })
  }

  get received(): string {
    return this.#received
  }

  get isClosed(): boolean {
    return this.#closed
  }

  send(text: string): this {
    this.#socket.write(Buffer.from(text, 'latin1'))
    return this
  }

  /** Resolves when the kernel has taken everything. */
  flushed(): Promise<void> {
    return new Promise((resolve) => this.#socket.write('', () => resolve()))
  }

  /** FIN: nothing more will be sent. */
  halfClose(): this {
    this.#socket.end()
    return this
  }

  /** RST. */
  reset(): void {
    this.#socket.resetAndDestroy()
  }

  close(): void {
    this.#socket.destroy()
  }

  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  /** The next answer on this connection; those before it are taken off. */
  async answer(): Promise<RawAnswer> {
    await this.#until(() => completeLength(this.#received) !== null, 'a whole answer')
    const length = completeLength(this.#received) as number
    const text = this.#received.slice(0, length)
    this.#received = this.#received.slice(length)
    return parse(text)
  }

  async closed(): Promise<void> {
    await this.#until(() => this.#closed, 'the connection to close')
  }

  async #until(condition: () => boolean, what: string): Promise<void> {
    const patience = new Patience(PATIENCE_MS)
    while (!condition()) {
      if (this.#closed) throw new Error(`waited for ${what}, but the connection closed after ${JSON.stringify(this.#received)}`)
      const { leftMs } = patience
      if (leftMs <= 0) throw new Error(`waited ${PATIENCE_MS} ms for ${what}, got ${JSON.stringify(this.#received)}`)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, leftMs)
        this.#waiting.push(() => {
          clearTimeout(timer)
          resolve()
        })
      })
    }
  }

  #end(): void {
    this.#closed = true
    this.#wake()
  }

  #wake(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const wake of waiting) wake()
  }
}

/** Length of the first answer in the text when all of it is there. Answers to HEAD have a length but no body: ask for `received`. */
function completeLength(text: string): number | null {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd < 0) return null
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, headEnd))?.[1]
  const total = headEnd + 4 + Number(length ?? 0)
  return text.length >= total ? total : null
}

function parse(text: string): RawAnswer {
  const headEnd = text.indexOf('\r\n\r\n')
  const [statusLine = '', ...lines] = text.slice(0, headEnd).split('\r\n')
  const headers = new Map(lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]))
  return { status: Number(statusLine.split(' ')[1]), headers, body: Buffer.from(text.slice(headEnd + 4), 'latin1').toString('utf8') }
}

export interface RequestParts {
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** A well-formed request as text. */
export function request({ method = 'GET', path = '/', headers = {}, body }: RequestParts): string {
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: test']
  if (body !== undefined) lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`)
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`
}

/** Waits for a condition that no event announces. */
export async function eventually(condition: () => boolean, what: string): Promise<void> {
  const patience = new Patience(PATIENCE_MS)
  while (!condition()) {
    if (patience.isOver) throw new Error(`waited ${PATIENCE_MS} ms for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}
