// Reads a merchant's stream over real HTTP by fetch.
import assert from 'node:assert/strict'

export const MERCHANT_STREAM = '/v1/biz/events/stream'

export interface MerchantFrame {
  readonly id: number
  readonly event: string
  readonly data: { readonly id: string; readonly type: string; readonly data: Record<string, unknown> }
}

export class Reading {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>
  readonly #decoder = new TextDecoder()
  #text = ''
  readonly frames: MerchantFrame[] = []

  constructor(response: Response) {
    this.#reader = (response.body ?? assert.fail('a stream has a body')).getReader()
  }

  static async open(baseUrl: string, headers: Record<string, string>, query = '', path: string = MERCHANT_STREAM): Promise<Reading> {
    const response = await fetch(`${baseUrl}${path}${query}`, { headers })
    assert.equal(response.status, 200)
    assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/)
    return new Reading(response)
  }

  async until(count: number): Promise<MerchantFrame[]> {
    while (this.frames.length < count) assert.ok(await this.#more(), `the stream ended after ${this.frames.length}`)
    return this.frames
  }

  /** Resolves when the server ends the stream. */
  async ended(): Promise<void> {
    while (await this.#more());
  }

  async close(): Promise<void> {
    await this.#reader.cancel()
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#reader.read()
    if (done) return false
    this.#text += this.#decoder.decode(value, { stream: true })
    const blocks = this.#text.split('\n\n')
    this.#text = blocks.pop() ?? ''
    for (const block of blocks) {
      const [, id, event, data] = /^id: (\d+)\nevent: (.*)\ndata: (.*)$/.exec(block) ?? []
      if (id !== undefined) this.frames.push({ id: Number(id), event: event ?? '', data: JSON.parse(data ?? '') as MerchantFrame['data'] })
    }
    return true
  }
}
