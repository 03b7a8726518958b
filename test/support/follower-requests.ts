// Requests that only a program sends, for one node of a cluster.
import { RawClient } from './raw-client.ts'

export interface RawPost {
  readonly port: number
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Sends the bytes of the header values as they are (Latin-1 text) and returns the whole answer as text. */
export async function rawPost({ port, path, headers, body }: RawPost): Promise<string> {
  const client = await RawClient.open(port)
  const lines = Object.entries({ host: 'pay.example', 'content-length': String(Buffer.byteLength(body)), connection: 'close', ...headers })
  client.send(`POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`)
  await client.closed()
  return client.received
}
