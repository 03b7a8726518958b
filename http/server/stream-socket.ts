// A response that stays open: text goes out piece by piece until one side ends it. It keeps nothing of the request that
// began it, and must never touch its socket once that is gone.

import { beginInOneGo, type ResponseSocket, writeInOneGo } from './reply.ts'
import type { OpenStream, StreamListener } from './route.ts'

export class StreamSocket implements OpenStream {
  #socket: ResponseSocket | null
  readonly #listener: StreamListener
  #hearsWritable = false

  /** `head` as `headOf` makes it. `first` leaves with it: without a first piece a client would not see the head. */
  constructor(socket: ResponseSocket, listener: StreamListener, head: string, first: string) {
    this.#socket = socket
    this.#listener = listener
    // In the place of the exchange's own: from here on nothing holds on to the exchange.
    socket.onAborted(() => this.#leave())
    beginInOneGo(socket, head, first)
  }

  write(text: string): boolean {
    const socket = this.#socket
    if (socket === null) return false
    const isTaken = writeInOneGo(socket, text)
    if (!isTaken && !this.#hearsWritable) {
      this.#hearsWritable = true
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
    // Not by `end(body, true)`: after chunks this build puts the header `Connection: close` into the body. The head asked for it.
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
