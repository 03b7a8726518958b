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

/** Paths of the document that answer a stream, or something of the node itself. */
const OF_THE_NODE = new Set(['/v1/me/events', '/v1/biz/events/stream', '/metrics', '/healthz', '/v1/biz/test/requests'])

/** Where the default of a parameter is the moment of the request. */
const DAY = '?from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z'
const QUERIES: Readonly<Record<string, string>> = { '/v1/biz/till': DAY, '/v1/operator/reports/fees': DAY }

/** Credentials by the beginning of the path. */
export type Credentials = Readonly<Record<'/v1/biz' | '/v1/me' | '/v1/operator' | '/v1/dashboard', Readonly<Record<string, string>>>>

/** Asks every GET of the API at both nodes; returns the paths whose answers differ or are no answers. */
export async function differingReads(one: string, other: string, credentials: Credentials): Promise<string[]> {
  const { paths } = (await (await fetch(`${one}/openapi.json`)).json()) as { paths: Record<string, object> }
  const reads = Object.entries(paths).flatMap(([path, methods]) => ('get' in methods && !OF_THE_NODE.has(path) ? [path] : []))
  const differing: string[] = []
  for (const path of reads) {
    const filled = path.replaceAll(/\{\w+\}/g, 'x') + (QUERIES[path] ?? '')
    const headers = Object.entries(credentials).find(([start]) => path.startsWith(start))?.[1] ?? {}
    const answers = await Promise.all([one, other].map((url) => wholeAnswer(url + filled, headers)))
    const [mine, theirs] = answers.map(({ status, text }) => `${status} ${text.replace(/"request_id":"[^"]+"/, '')}`)
    const isAnswered = answers.every(({ status }) => [200, 400, 404].includes(status))
    if (mine !== theirs || !isAnswered) differing.push(`${filled}: ${mine?.slice(0, 200)} / ${theirs?.slice(0, 200)}`)
  }
  return differing
}

/** Follows the links of a page to pages of the same section; returns those that are not answered 200. */
export async function brokenLinks(baseUrl: string, start: string, cookie: string): Promise<string[]> {
  const html = await (await fetch(baseUrl + start, { headers: { cookie } })).text()
  const links = Array.from(html.matchAll(/href="([^"#]+)"/g), ([, href]) => new URL(String(href).replaceAll('&amp;', '&'), baseUrl + start))
  const own = new Set(links.filter(({ origin, pathname }) => origin === baseUrl && pathname.startsWith(start)).map(({ href }) => href))
  if (own.size === 0) return [`${start} has no links`]
  const statuses = await Promise.all(Array.from(own, async (href) => ({ href, status: (await wholeAnswer(href, { cookie })).status })))
  return statuses.filter(({ status }) => status !== 200).map(({ href, status }) => `${href} ${status}`)
}

/** Reads each body at once: undici 7 ends the process where a connection closes behind a body that no one reads (nodejs/undici#5360). */
async function wholeAnswer(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly status: number; readonly text: string }> {
  const answer = await fetch(url, { headers })
  return { status: answer.status, text: await answer.text() }
}
