// Calls to other nodes of the cluster over keep-alive connections. Operators set their addresses, so the rules for
// merchants' addresses do not apply. It must never retry: only its caller knows whether that is safe.
import { Agent } from 'undici'
import { NODE_ANSWER_BYTES_MAX, NODE_CALL_TIMEOUT_MS, NODE_CONNECT_TIMEOUT_MS, NODE_CONNECTIONS_MAX } from './outbound-limits.ts'

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
    super(`A node of the cluster did not answer: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.wasSent = !wasNeverSent(cause)
  }
}

/** Errors of name resolution and of undici before a request is written. */
const NEVER_SENT: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])

interface SystemError {
  readonly code?: string
  readonly syscall?: string
  /** The attempts at each address of a name. */
  readonly errors?: readonly unknown[]
}

/** Returns whether the connection was never made. A code alone does not decide: ETIMEDOUT also ends established connections. */
function wasNeverSent(cause: unknown): boolean {
  const { code, syscall, errors } = cause as SystemError
  if (cause instanceof AggregateError) return errors?.every(wasNeverSent) === true
  return syscall === 'connect' || (code !== undefined && NEVER_SENT.has(code))
}

class AnswerTooLarge extends Error {}

export class NodeCalls {
  readonly #agent: Agent
  readonly #answerBytesMax: number

  constructor({ timeoutMs = NODE_CALL_TIMEOUT_MS, answerBytesMax = NODE_ANSWER_BYTES_MAX } = {}) {
    const timeouts = { connectTimeout: NODE_CONNECT_TIMEOUT_MS, headersTimeout: timeoutMs, bodyTimeout: timeoutMs }
    this.#agent = new Agent({ connections: NODE_CONNECTIONS_MAX, pipelining: 1, ...timeouts })
    this.#answerBytesMax = answerBytesMax
  }

  /**
   * Calls a node. `url` has no trailing slash. Rejects with NodeCallError: no connection, no complete answer in time, an answer that
   * is too large, or `signal` aborted. Rejects with another error when the request cannot be written as HTTP.
   */
  async call(url: string, { method, path, headers, body }: NodeRequest, signal?: AbortSignal): Promise<NodeAnswer> {
    const options = { origin: url, path, method: method as 'POST', headers: [...headers], body: body.length === 0 ? null : body }
    try {
      const response = await this.#agent.request({ ...options, responseHeaders: 'raw', ...(signal === undefined ? {} : { signal }) })
      const names = response.headers as unknown as readonly (string | Buffer)[]
      const answer = await this.#read(response.body)
      return { status: response.statusCode, headers: names.map((part) => part.toString('latin1' as never)), body: answer }
    } catch (error) {
      if ((error as SystemError).code === 'UND_ERR_INVALID_ARG') throw error
      throw new NodeCallError(error)
    }
  }

  async #read(body: AsyncIterable<Buffer>): Promise<Buffer> {
    const chunks: Buffer[] = []
    let sizeBytes = 0
    for await (const chunk of body) {
      sizeBytes += chunk.length
      if (sizeBytes > this.#answerBytesMax) throw new AnswerTooLarge(`its answer exceeds ${this.#answerBytesMax} bytes`)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks, sizeBytes)
  }

  close(): Promise<void> {
    return this.#agent.destroy()
  }
}
