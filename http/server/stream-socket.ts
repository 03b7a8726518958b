// A response that stays open until one side ends it. It keeps nothing of its request. It must never use its socket
// after the end.

import { beginInOneGo, type ResponseSocket, writeInOneGo } from './reply.ts'
import type { OpenStream, StreamListener } from './route.ts'

export class StreamSocket implements OpenStream {
  #socket: ResponseSocket | null
  readonly #listener: StreamListener
  #waitsWritable = false

  /** `head` as `headOf` returns it. `first` is sent with it, because a client sees no head without a first chunk. */
  constructor(socket: ResponseSocket, listener: StreamListener, head: string, first: string) {
    this.#socket = socket
    this.#listener = listener
    // Replaces the request's handler, so that nothing references the request any more.
    socket.onAborted(() => this.#leave())
    beginInOneGo(socket, head, first)
  }

  write(text: string): boolean {
    const socket = this.#socket
    if (socket === null) return false
    const isTaken = writeInOneGo(socket, text)
    if (!isTaken && !this.#waitsWritable) {
      this.#waitsWritable = true
      socket.onWritable(() => {
        if (this.#socket !== null) this.#listener.onWritable()
        return true
      })
    }
    return isTaken
  }

  end(): void {
    const socket = this.#socket
    this.#socket = null
    // Not `end(body, true)`: after chunks this build writes `Connection: close` into the body. The head has it
    // already.
    socket?.cork(() => socket.end())
  }

  cut(): void {
    const socket = this.#socket
    this.#socket = null
    socket?.close()
  }

  #leave(): void {
    if (this.#socket === null) return
    this.#socket = null
    this.#listener.onClosed()
  }
}
