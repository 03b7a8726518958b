// Reads a merchant's stream over real HTTP by fetch.
import assert from 'node:assert/strict'

export const MERCHANT_STREAM = '/v1/biz/events/stream'

export interface MerchantFrame {
  readonly id: number
  readonly event: string
  readonly data: { readonly id: string; readonly type: string; readonly data: Record<string, unknown> }
}

/** Reads at once, whether a caller waits or not. */
export class Reading {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>
  readonly #decoder = new TextDecoder()
  readonly #end: Promise<void>
  #isOver = false
  #wake = (): void => undefined
  #text = ''
  readonly frames: MerchantFrame[] = []

  constructor(response: Response) {
    this.#reader = (response.body ?? assert.fail('a stream has a body')).getReader()
    this.#end = this.#readAll()
    // Who waits for frames or for the end gets the fault.
    this.#end.catch(() => undefined)
  }

  static async open(baseUrl: string, headers: Record<string, string>, query = '', path: string = MERCHANT_STREAM): Promise<Reading> {
    const response = await fetch(`${baseUrl}${path}${query}`, { headers })
    assert.equal(response.status, 200)
    assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/)
    return new Reading(response)
  }

  async until(count: number): Promise<MerchantFrame[]> {
    while (this.frames.length < count) {
      if (this.#isOver) {
        await this.#end
        assert.fail(`the stream ended after ${this.frames.length}`)
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    return this.frames
  }

  /** Resolves when the server ends the stream. */
  ended(): Promise<void> {
    return this.#end
  }

  async close(): Promise<void> {
    await this.#reader.cancel()
  }

  async #readAll(): Promise<void> {
    try {
      for (;;) {
        const { done, value } = await this.#reader.read()
        if (done) return
        this.#take(value)
        this.#wake()
      }
    } finally {
      this.#isOver = true
      this.#wake()
    }
  }

  #take(bytes: Uint8Array): void {
    this.#text += this.#decoder.decode(bytes, { stream: true })
    const blocks = this.#text.split('\n\n')
    this.#text = blocks.pop() ?? ''
    for (const block of blocks) {
      const [, id, event, data] = /^id: (\d+)\nevent: (.*)\ndata: (.*)$/.exec(block) ?? []
      if (id !== undefined) this.frames.push({ id: Number(id), event: event ?? '', data: JSON.parse(data ?? '') as MerchantFrame['data'] })
    }
  }
}
