// An HTTP proxy that does to each request what the test says: passes it on, answers itself, or cuts the connection before or
// after the service has done the work.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'

export type Deed =
  | 'pass'
  /** The connection is cut; the service gets nothing. */
  | 'cut-before'
  /** The service answers; the connection is cut instead of the answer. */
  | 'cut-after'
  /** Head and half of the body arrive, then the connection is cut. */
  | 'cut-within'
  /** The service answers; the client gets nothing, and its connection stays open. */
  | 'hold'
  /** The first part of the answer arrives, then the connection ends. Without `isFramed` its length stands nowhere, as with HTTP/1.0. */
  | { readonly part: AnswerPart; readonly isFramed: boolean }
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }

/** Where an answer ends too early. */
export const ANSWER_PARTS = {
  'its status line': ({ head }) => head.indexOf('\r\n'),
  'half of its head': ({ head }) => head.length >> 1,
  'its head': ({ head }) => head.length,
  'half of its body': ({ head, body }) => head.length + (body.length >> 1),
  'all but its last byte': ({ head, body }) => head.length + body.length - 1,
} as const satisfies Readonly<Record<string, (answer: { head: string; body: string }) => number>>

export type AnswerPart = keyof typeof ANSWER_PARTS

export interface Passed {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
}

export class FaultyHttpProxy {
  readonly #server: Server
  readonly #targetPort: number
  /** What happens to the next requests, in order; then all are passed on. */
  deeds: Deed[] = []
  readonly seen: Passed[] = []

  private constructor(server: Server, targetPort: number) {
    this.#server = server
    this.#targetPort = targetPort
    server.on('request', (incoming, outgoing) => this.#take(incoming, outgoing))
  }

  static async start(targetPort: number): Promise<FaultyHttpProxy> {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new FaultyHttpProxy(server, targetPort)
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Values of the header in the order of the requests. */
  sent(header: string): unknown[] {
    return this.seen.map(({ headers }) => headers[header])
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #take(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { method = '', url = '', headers } = incoming
    this.seen.push({ method, path: url, headers })
    const deed = this.deeds.shift() ?? 'pass'
    if (deed === 'cut-before') return void incoming.socket.destroy()
    if (typeof deed === 'object' && 'status' in deed) {
      incoming.resume()
      outgoing.writeHead(deed.status, { 'Content-Type': 'application/json', ...deed.headers }).end(deed.body ?? '')
      return
    }
    const forwarded = request({ host: '127.0.0.1', port: this.#targetPort, method, path: url, headers, agent: false }, (answer) => {
      if (deed === 'cut-after') {
        answer.resume().once('end', () => incoming.socket.destroy())
        return
      }
      if (deed === 'hold') return void answer.resume()
      if (typeof deed === 'object') return void sendPart(answer, incoming.socket, deed)
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      if (deed === 'pass') return void answer.pipe(outgoing)
      answer.once('data', (chunk: Buffer) => outgoing.write(chunk.subarray(0, chunk.length >> 1), () => incoming.socket.destroy()))
    })
    forwarded.once('error', () => incoming.socket.destroy())
    incoming.pipe(forwarded)
  }
}

async function sendPart(
  answer: IncomingMessage,
  socket: Socket,
  { part, isFramed }: Exclude<Deed, string | { status: number }>,
): Promise<void> {
  const body = await text(answer)
  const pairs = Object.entries(answer.headers).filter(([name]) => !FRAMING.includes(name))
  const framing = isFramed ? ['content-length', String(Buffer.byteLength(body))] : ['connection', 'close']
  const lines = [...pairs, framing].map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}\r\n${lines.join('')}\r\n`
  const raw = Buffer.from(head + body)
  socket.end(raw.subarray(0, ANSWER_PARTS[part]({ head, body })))
}

const FRAMING = ['content-length', 'transfer-encoding', 'connection', 'keep-alive']
