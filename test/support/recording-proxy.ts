// A proxy in front of a server that keeps each request and its answer.
import { createServer, type Server, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Recorded {
  readonly method: string
  /** Without query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly answer: { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly text: string }
}

export class RecordingProxy {
  readonly baseUrl: string
  readonly recorded: Recorded[] = []
  readonly #server: Server

  private constructor(server: Server) {
    this.#server = server
    this.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  static async open(target: string): Promise<RecordingProxy> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const proxy = new RecordingProxy(server)
    server.on('request', (incoming, outgoing) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('end', () => {
        const body = Buffer.concat(chunks)
        const { method = '', url = '', headers } = incoming
        const relayed = { ...headers, connection: 'close', 'content-length': String(body.length) }
        const onward = send(target + url, { method, headers: relayed, agent: false }, (answered) => {
          let text = ''
          answered.setEncoding('utf8').on('data', (chunk: string) => {
            text += chunk
          })
          answered.on('end', () => {
            const { statusCode: status = 0 } = answered
            const shown = Object.entries(answered.headers).map(([name, value = '']) => [name, String(value)])
            const answer = { status, headers: Object.fromEntries(shown) as Record<string, string>, text }
            const [path = ''] = url.split('?')
            proxy.recorded.push({ method, path, headers: headers as Record<string, string>, body: body.toString(), answer })
            outgoing.writeHead(status, { 'content-type': answered.headers['content-type'] ?? 'text/plain' })
            outgoing.end(text)
          })
        })
        onward.on('error', (error) => outgoing.destroy(error))
        onward.end(body)
      })
    })
    return proxy
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}
