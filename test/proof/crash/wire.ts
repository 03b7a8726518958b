// The smallest HTTP client that a merchant could write: one agent, JSON in and out, and it keeps answers as text.
import { Agent, request } from 'node:http'

/** All duplicates of the keys of one round are under way at once. */
const SOCKETS_MAX = 320
/** Less than the server's idle time: it must not close a connection that a request has just taken. */
const IDLE_MAX_MS = 4000

export interface Told {
  readonly status: number
  readonly text: string
  /** The server says that it has answered this before. */
  readonly replayed: boolean
  /** Where a redirection leads; empty without one. */
  readonly location: string
}

export class Wire {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: SOCKETS_MAX, timeout: IDLE_MAX_MS })
  readonly #baseUrl: string
  readonly #timeoutMs: number | undefined

  constructor(baseUrl: string, timeoutMs?: number) {
    this.#baseUrl = baseUrl
    this.#timeoutMs = timeoutMs
  }

  /** Rejects when the connection breaks before the whole answer is there: then the result is unknown. */
  send(method: 'GET' | 'POST', path: string, headers: Readonly<Record<string, string>>, body: string | null = null): Promise<Told> {
    return new Promise((resolve, reject) => {
      const contentType = body === null ? {} : { 'content-type': 'application/json' }
      const outgoing = request(
        this.#baseUrl + path,
        { method, agent: this.#agent, headers: { ...contentType, ...headers } },
        (incoming) => {
          let text = ''
          incoming.setEncoding('utf8').on('data', (chunk: string) => {
            text += chunk
          })
          incoming.once('error', reject)
          incoming.once('end', () => {
            if (!incoming.complete) return reject(new Error('the answer broke off'))
            const { statusCode: status = 0, headers: answered } = incoming
            resolve({ status, text, replayed: answered['idempotent-replayed'] === 'true', location: answered.location ?? '' })
          })
        },
      )
      outgoing.once('error', reject)
      if (this.#timeoutMs !== undefined) outgoing.setTimeout(this.#timeoutMs, () => outgoing.destroy(new Error('no answer in time')))
      outgoing.end(body ?? undefined)
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}
