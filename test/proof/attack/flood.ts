// Requests that are sent again as soon as their answer is there, over connections of their own. Answers are counted, not parsed: what
// an attacker's own work costs must not slow the attack down.
import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

export interface FloodRequest {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The attacker leaves after this time: an answer that does not end is counted as `ended`. */
  readonly endsAfterMs?: number
}

/** Wait after a refusal or a broken connection: an attacker does not gain by asking again at once. */
const REFUSED_PAUSE_MS = 5

export class Flood {
  /** Answers by status as `s201`, connections that broke as `broken`, bytes of bodies. */
  readonly figures: Record<string, number> = { bytes: 0 }
  readonly #baseUrl: string
  readonly #signal: AbortSignal
  readonly #agent = new Agent({ keepAlive: true })

  constructor(baseUrl: string, signal: AbortSignal) {
    this.#baseUrl = baseUrl
    this.#signal = signal
    signal.addEventListener('abort', () => this.#agent.destroy())
  }

  /** Keeps so many requests under way until the attack ends. */
  async repeat(connections: number, next: () => FloodRequest): Promise<void> {
    const one = async (): Promise<void> => {
      while (!this.#signal.aborted) {
        const name = await this.#send(next())
        this.figures[name] = (this.figures[name] ?? 0) + 1
        if (name === 'broken' || name > 's4') await delay(REFUSED_PAUSE_MS)
      }
    }
    await Promise.all(Array.from({ length: connections }, one))
  }

  #send({ method, path, headers, body, endsAfterMs }: FloodRequest): Promise<string> {
    return new Promise((resolve) => {
      const outgoing = request(
        this.#baseUrl + path,
        { method, agent: this.#agent, ...(headers === undefined ? {} : { headers }) },
        (answer) => {
          answer.on('data', (chunk: Buffer) => {
            this.figures.bytes = (this.figures.bytes ?? 0) + chunk.byteLength
          })
          if (endsAfterMs !== undefined && answer.statusCode === 200) {
            setTimeout(() => {
              resolve('ended')
              outgoing.destroy()
            }, endsAfterMs)
          }
          answer.once('error', () => resolve('broken'))
          answer.once('end', () => resolve(`s${answer.statusCode}`))
        },
      )
      outgoing.once('error', () => resolve('broken'))
      outgoing.end(body)
    })
  }
}
