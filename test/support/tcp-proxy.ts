// A TCP proxy that misbehaves as the test says: connections cut, bytes of one direction swallowed until they are cut, or delayed.
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
  /** Of connections that begin from now on. */
  targetPort: number
  /** Time that each chunk waits here. Chunks keep their order. */
  delayMs = 0
  /** Bytes of this direction go nowhere. */
  swallow: Direction | null = null
  /** Called with each chunk before it is passed on; true: the chunk is passed on, then the connection is cut. */
  cutAfter: ((direction: Direction, chunk: Buffer) => boolean) | null = null
  /** The same, but with true the chunk is not passed on. */
  cutBefore: ((direction: Direction, chunk: Buffer) => boolean) | null = null

  private constructor(server: Server, targetPort: number) {
    this.#server = server
    this.targetPort = targetPort
    server.on('connection', (client) => this.#join(client))
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

  #join(client: Socket): void {
    const server = connect(this.targetPort, '127.0.0.1')
    const pair = { client, server }
    this.#pairs.add(pair)
    this.#pass(pair, 'to-server', client, server)
    this.#pass(pair, 'to-client', server, client)
  }

  #pass(pair: Pair, direction: Direction, from: Socket, to: Socket): void {
    const delayed = new DelayedChunks((chunk, isLast) => {
      to.write(chunk, () => {
        if (isLast) this.#end(pair)
      })
    })
    from.on('data', (chunk) => {
      if (this.swallow === direction) return
      if (this.cutBefore?.(direction, chunk) === true) return this.#end(pair)
      delayed.pass(chunk, this.cutAfter?.(direction, chunk) === true, this.delayMs)
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

/** Passes chunks on in their order, each after its delay at the earliest. */
class DelayedChunks {
  readonly #pass: (chunk: Buffer, isLast: boolean) => void
  readonly #waiting: [chunk: Buffer, isLast: boolean][] = []

  constructor(pass: (chunk: Buffer, isLast: boolean) => void) {
    this.#pass = pass
  }

  pass(chunk: Buffer, isLast: boolean, delayMs: number): void {
    if (delayMs === 0 && this.#waiting.length === 0) return this.#pass(chunk, isLast)
    this.#waiting.push([chunk, isLast])
    // Each timer passes the oldest chunk, so timers that end in another order keep the order of the chunks.
    setTimeout(() => {
      const first = this.#waiting.shift()
      if (first !== undefined) this.#pass(...first)
    }, delayMs)
  }
}
