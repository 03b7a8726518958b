// The other side of an outgoing call: a server on a free port of the loopback that remembers what it was asked and answers
// as the test says, well or badly.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, createServer as createRawServer, type Socket } from 'node:net'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { eventually } from './raw-client.ts'

export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Buffer
  /** As UTF-8. */
  readonly body: string
  /** The name that the client asked the certificate for; empty without TLS. */
  readonly servername: string
}

export type Answering = (received: Received, response: ServerResponse, index: number) => void

const pem = (name: string): string => readFileSync(join(import.meta.dirname, 'certificates', name), 'utf8')

/** Signs the certificate of `good.example`. */
export const AUTHORITY = pem('authority.pem')
/** For NODE_EXTRA_CA_CERTS of a server that is to trust a receiver of this machine. */
export const LOCALHOST_CERTIFICATE = join(import.meta.dirname, 'certificates', 'localhost.pem')

export class Receiver {
  readonly received: Received[] = []
  /** Answers 200 unless a test sets it. */
  answering: Answering = (_received, response) => response.end('ok')
  connections = 0
  /** Requests without an answer, now and at the worst. */
  open = 0
  openMost = 0
  readonly #server: Server
  readonly scheme: 'http' | 'https'

  private constructor(server: Server, scheme: 'http' | 'https') {
    this.#server = server
    this.scheme = scheme
    server.on('request', (request, response) => this.#take(request, response))
    server.on('connection', () => this.connections++)
  }

  /** `certificate`: `receiver` is `good.example`'s, signed by the authority; `localhost` has signed its own. */
  static async open(
    scheme: 'http' | 'https' = 'http',
    host = '127.0.0.1',
    certificate: 'receiver' | 'localhost' = 'receiver',
  ): Promise<Receiver> {
    const keys = { key: pem(`${certificate}-key.pem`), cert: pem(`${certificate}.pem`) }
    const server = scheme === 'http' ? createServer() : createSecureServer(keys)
    server.listen(0, host)
    await once(server, 'listening')
    return new Receiver(server as Server, scheme)
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  url(path = '/', host = '127.0.0.1'): string {
    return `${this.scheme}://${host}:${this.port}${path}`
  }

  /** Resolves when this many requests are there. */
  async until(count: number): Promise<readonly Received[]> {
    await eventually(() => this.received.length >= count, `${count} requests, got ${this.received.length}`)
    return this.received
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    this.open++
    this.openMost = Math.max(this.openMost, this.open)
    response.once('close', () => this.open--)
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const bytes = Buffer.concat(chunks)
      const received: Received = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers as Record<string, string>,
        bytes,
        body: bytes.toString('utf8'),
        servername: String((request.socket as Partial<TLSSocket>).servername ?? ''),
      }
      this.received.push(received)
      this.answering(received, response, this.received.length - 1)
    })
  }
}

/** A server that takes connections and sends what the test wants on them. */
export async function rawServer(onSocket: (socket: Socket) => void): Promise<{ readonly port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>()
  const server = createRawServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {
      // The other side may go at any time.
    })
    onSocket(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  }
  return { port: (server.address() as AddressInfo).port, close }
}
