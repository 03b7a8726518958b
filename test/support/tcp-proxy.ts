// A TCP proxy that misbehaves as the test says: connections cut, or bytes of one direction swallowed until they are cut.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

export type Direction = 'to-server' | 'to-client'

interface Pair {
  readonly client: Socket
  readonly server: Socket
}

export class TcpProxy {
  readonly #server: Server
  readonly #pairs = new Set<Pair>()
  /** Bytes of this direction go nowhere. */
  swallow: Direction | null = null
  /** Called with each chunk before it is passed on; true: the chunk is passed on, then the connection is cut. */
  cutAfter: ((direction: Direction, chunk: Buffer) => boolean) | null = null

  private constructor(server: Server, targetPort: number) {
    this.#server = server
    server.on('connection', (client) => this.#join(client, targetPort))
  }

  static async start(targetPort: number): Promise<TcpProxy> {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new TcpProxy(server, targetPort)
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  cut(): void {
    for (const { client, server } of this.#pairs) {
      client.destroy()
      server.destroy()
    }
    this.#pairs.clear()
  }

  async close(): Promise<void> {
    this.#server.close()
    this.cut()
    await once(this.#server, 'close')
  }

  #join(client: Socket, targetPort: number): void {
    const server = connect(targetPort, '127.0.0.1')
    const pair = { client, server }
    this.#pairs.add(pair)
    this.#pass(pair, 'to-server', client, server)
    this.#pass(pair, 'to-client', server, client)
  }

  #pass(pair: Pair, direction: Direction, from: Socket, to: Socket): void {
    from.on('data', (chunk) => {
      if (this.swallow === direction) return
      const isLast = this.cutAfter?.(direction, chunk) === true
      to.write(chunk, () => {
        if (isLast) this.#end(pair)
      })
    })
    from.on('error', () => this.#end(pair))
    from.on('close', () => this.#end(pair))
  }

  #end(pair: Pair): void {
    this.#pairs.delete(pair)
    pair.client.destroy()
    pair.server.destroy()
  }
}
