// A client of V8's inspector in a server that was started with it (Chrome DevTools Protocol).
import { WebSocket } from 'undici'
import type { CauriServer } from './cauri-server.ts'

/** Absent `id`: an event. */
interface Answer {
  readonly id?: number
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

export class Inspector {
  readonly #socket: WebSocket
  #asked = 0

  private constructor(socket: WebSocket) {
    this.#socket = socket
  }

  static async open({ lastLines }: Pick<CauriServer, 'lastLines'>): Promise<Inspector> {
    const url = lastLines.map((line) => /^Debugger listening on (ws:\S+)$/.exec(line)?.[1]).find((found) => found !== undefined)
    if (url === undefined) throw new Error('the server does not print the address of its inspector')
    const socket = new WebSocket(url)
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener('open', () => resolve())
      socket.addEventListener('error', () => reject(new Error('the inspector cannot be reached')))
    })
    return new Inspector(socket)
  }

  /** Sends a request and returns its result. Events between the two are not read. */
  async ask(method: string, params: object = {}): Promise<unknown> {
    const id = ++this.#asked
    const answer = new Promise<Answer>((resolve) => {
      const onMessage = ({ data }: { readonly data: unknown }): void => {
        const message = JSON.parse(String(data)) as Answer
        if (message.id !== id) return
        this.#socket.removeEventListener('message', onMessage)
        resolve(message)
      }
      this.#socket.addEventListener('message', onMessage)
    })
    this.#socket.send(JSON.stringify({ id, method, params }))
    const { result, error } = await answer
    if (error !== undefined) throw new Error(`the inspector refused ${method}: ${error.message}`)
    return result
  }

  /** Returns the value of an expression in the server's main thread. It must be a plain value. */
  async evaluate(expression: string): Promise<unknown> {
    const answer = (await this.ask('Runtime.evaluate', { expression, returnByValue: true })) as {
      readonly result: { readonly value?: unknown }
      readonly exceptionDetails?: { readonly text: string; readonly exception?: { readonly description?: string } }
    }
    const { exceptionDetails: thrown } = answer
    if (thrown !== undefined) throw new Error(`the server threw: ${thrown.exception?.description ?? thrown.text}`)
    return answer.result.value
  }

  close(): void {
    this.#socket.close()
  }
}
