// A proxy in front of the nodes of a cluster: each request goes to the next node that is up. A request whose node cannot be
// reached, and a GET whose node fails, goes to the one after; any other failure is answered 502.
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export class RoundRobin {
  readonly #agent = new Agent({ keepAlive: true })
  readonly #urls: string[]
  #next = 0
  /** Number of requests by URL of the node. */
  readonly counts = new Map<string, number>()
  readonly #server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.once('end', () => this.#pass(incoming, Buffer.concat(chunks), outgoing, this.#urls.length))
  })

  private constructor(urls: readonly string[]) {
    this.#urls = [...urls]
  }

  static async open(urls: readonly string[]): Promise<RoundRobin> {
    const proxy = new RoundRobin(urls)
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve))
    return proxy
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  close(): void {
    this.#agent.destroy()
    this.#server.closeAllConnections()
    this.#server.close()
  }

  #pass(incoming: IncomingMessage, body: Buffer, outgoing: ServerResponse, triesLeft: number): void {
    const url = this.#urls[this.#next++ % this.#urls.length] as string
    const { method, url: path, rawHeaders } = incoming
    const node = request(url + path, { method, headers: withAddress(rawHeaders, incoming), agent: this.#agent, setHost: false })
    node.once('response', (answer) => {
      this.counts.set(url, (this.counts.get(url) ?? 0) + 1)
      outgoing.writeHead(answer.statusCode ?? 502, kept(answer.rawHeaders))
      answer.pipe(outgoing)
      answer.once('error', () => outgoing.destroy())
    })
    node.once('error', (error: NodeJS.ErrnoException) => {
      if (outgoing.headersSent) return outgoing.destroy()
      const isSafe = error.code === 'ECONNREFUSED' || method === 'GET'
      if (isSafe && triesLeft > 1) return this.#pass(incoming, body, outgoing, triesLeft - 1)
      outgoing.writeHead(502).end()
    })
    outgoing.once('close', () => node.destroy())
    node.end(body)
  }
}

/** As nginx does with `$proxy_add_x_forwarded_for`. */
function withAddress(rawHeaders: readonly string[], { socket }: IncomingMessage): string[] {
  return [...kept(rawHeaders), 'X-Forwarded-For', socket.remoteAddress ?? '']
}

const HOP = new Set(['connection', 'keep-alive', 'transfer-encoding'])

function kept(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_, at) => !HOP.has((rawHeaders[at - (at % 2)] as string).toLowerCase()))
}
