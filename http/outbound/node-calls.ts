// Calls to other nodes of the cluster over keep-alive connections. Operators set their addresses, so the rules for
// merchants' addresses do not apply. It must never retry: only its caller knows whether that is safe.
import { Agent } from 'undici'
import { NODE_CALL_TIMEOUT_MS, NODE_CONNECTIONS_MAX } from './outbound-limits.ts'

export interface NodeRequest {
  readonly method: string
  /** Path with query. */
  readonly path: string
  /** Names and values in turn. */
  readonly headers: readonly string[]
  readonly body: Uint8Array
}

export interface NodeAnswer {
  readonly status: number
  /** Names and values in turn, as received. */
  readonly headers: readonly string[]
  readonly body: Uint8Array
}

export class NodeCallError extends Error {
  override readonly name = 'NodeCallError'
  /** False when the other node did not receive the request. */
  readonly wasSent: boolean
  constructor(cause: unknown) {
    const { code, message } = cause as { code?: string; message?: string }
    super(`A node of the cluster did not answer: ${message}`, { cause })
    this.wasSent = code === undefined || !NEVER_SENT.has(code)
  }
}

const NEVER_SENT: ReadonlySet<string> = new Set([
  ...['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT'],
])

export class NodeCalls {
  readonly #agent = new Agent({
    connections: NODE_CONNECTIONS_MAX,
    pipelining: 1,
    headersTimeout: NODE_CALL_TIMEOUT_MS,
    bodyTimeout: NODE_CALL_TIMEOUT_MS,
  })

  /** Calls a node. `url` has no trailing slash. Rejects with NodeCallError. */
  async call(url: string, { method, path, headers, body }: NodeRequest): Promise<NodeAnswer> {
    try {
      const options = { origin: url, path, method: method as 'POST', headers: [...headers], body: body.length === 0 ? null : body }
      const response = await this.#agent.request({ ...options, responseHeaders: 'raw' })
      const names = response.headers as unknown as readonly (string | Buffer)[]
      const answer = Buffer.from(await response.body.arrayBuffer())
      return { status: response.statusCode, headers: names.map((part) => part.toString('latin1' as never)), body: answer }
    } catch (error) {
      throw new NodeCallError(error)
    }
  }

  close(): Promise<void> {
    return this.#agent.destroy()
  }
}
