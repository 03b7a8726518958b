// A client that takes nothing on trust: every answer is held against the document before the test sees it.
import { Agent, request as send } from 'node:http'
import type { JsonObject } from '../../http/openapi/openapi-schemas.ts'
import { decodedText } from './decoded-text.ts'
import { CompiledDocument, DocumentCheck, type SeenAnswer } from './document-check.ts'

export interface Outgoing {
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly json?: unknown
  /** Sent as it is. */
  readonly body?: string | Buffer
  /** Takes the place of `Content-Type: application/json`; empty sends none. */
  readonly contentType?: string
}

export interface Answer<Body = Record<string, unknown>> extends SeenAnswer {
  /** Parsed when it is JSON. Of an ErrorBody without `request_id`, which the document's check has compared with the header. */
  readonly body: Body
}

interface Way {
  readonly agent: Agent
  /** Address that connections come from; absent for the usual one. */
  readonly localAddress?: string
}

/** By the documents without the addresses of their servers. */
const documents = new Map<string, CompiledDocument>()
const ADDRESSES = /http:\/\/127\.0\.0\.1:\d+/g

export class Client {
  readonly #baseUrl: string
  readonly #check: DocumentCheck | null
  readonly #headers: Readonly<Record<string, string>>
  readonly #way: Way

  private constructor(baseUrl: string, check: DocumentCheck | null, headers: Readonly<Record<string, string>>, way: Way) {
    this.#baseUrl = baseUrl
    this.#check = check
    this.#headers = headers
    this.#way = way
  }

  /** Fetches the document that it will hold everything against. */
  static async to(baseUrl: string): Promise<Client> {
    const way = { agent: new Agent({ keepAlive: true }) }
    const { text } = await new Client(baseUrl, null, {}, way).#send('GET', '/openapi.json', {}, undefined)
    return new Client(baseUrl, new DocumentCheck(compiled(text)), {}, way)
  }

  get document(): DocumentCheck {
    if (this.#check === null) throw new Error('this client has no document')
    return this.#check
  }

  /** Headers of every request: the credentials of a caller that sends by other means. */
  get headers(): Readonly<Record<string, string>> {
    return this.#headers
  }

  /** The same with these headers on every request. */
  with(headers: Readonly<Record<string, string>>): Client {
    return new Client(this.#baseUrl, this.#check, { ...this.#headers, ...headers }, this.#way)
  }

  /** The same from another address of the loopback (127.0.0.0/8, on Linux): limits per network count it on its own. */
  from(localAddress: string): Client {
    return new Client(this.#baseUrl, this.#check, this.#headers, { ...this.#way, localAddress })
  }

  /** The same credentials in front of the server of `other`: one that was started again. */
  at(other: Client): Client {
    return new Client(other.#baseUrl, other.#check, this.#headers, other.#way)
  }

  get<Body = Record<string, unknown>>(path: string, outgoing: Outgoing = {}): Promise<Answer<Body>> {
    return this.request('GET', path, outgoing)
  }

  /** `json` is the body; a key goes into `headers`. */
  post<Body = Record<string, unknown>>(path: string, json: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer<Body>> {
    return this.request('POST', path, { json, headers })
  }

  async request<Body = Record<string, unknown>>(method: string, path: string, outgoing: Outgoing = {}): Promise<Answer<Body>> {
    const headers = lowerCased({ ...this.#headers, ...outgoing.headers })
    const body = outgoing.json === undefined ? outgoing.body : JSON.stringify(outgoing.json)
    const contentType = outgoing.contentType ?? (body === undefined ? '' : 'application/json')
    if (contentType !== '') headers['content-type'] = contentType
    const answer = await this.#send(method, path, headers, body)
    this.#check?.check({ method, path: path.split('?')[0] ?? '', headers }, answer)
    const isJson = (answer.headers['content-type'] ?? '').startsWith('application/json') && answer.text !== ''
    return { ...answer, body: (isJson ? parsedBody(answer) : undefined) as Body }
  }

  close(): void {
    this.#way.agent.destroy()
  }

  #send(method: string, path: string, headers: Record<string, string>, body: string | Buffer | undefined): Promise<SeenAnswer> {
    return new Promise((resolve, reject) => {
      const outgoing = send(this.#baseUrl + path, { method, ...this.#way, headers }, (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        incoming.once('error', reject)
        incoming.once('end', () => {
          const seen = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]))
          resolve({ status: incoming.statusCode ?? 0, headers: seen, text: decodedText(Buffer.concat(chunks), seen['content-encoding']) })
        })
      })
      outgoing.once('error', (error: NodeJS.ErrnoException) => {
        // On a busy machine an idle connection may be closed before a request on it arrives (see Node's `reusedSocket`).
        if (outgoing.reusedSocket && error.code === 'ECONNRESET') this.#send(method, path, headers, body).then(resolve, reject)
        else reject(error)
      })
      if (body !== undefined) outgoing.setHeader('content-length', Buffer.byteLength(body))
      else if (method === 'POST' || method === 'PUT') outgoing.setHeader('content-length', 0)
      outgoing.end(body)
    })
  }
}

function compiled(text: string): CompiledDocument {
  const key = text.replaceAll(ADDRESSES, '')
  const document = documents.get(key) ?? new CompiledDocument(JSON.parse(text) as JsonObject)
  documents.set(key, document)
  return document
}

function parsedBody({ status, text }: SeenAnswer): unknown {
  const body = JSON.parse(text) as Record<string, unknown>
  if (status < 400) return body
  const { request_id: _id, ...others } = body
  return others
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
