// What a page weighs on the network: its document with its stylesheets, scripts and pictures, each once, as a browser asks for them.
import assert from 'node:assert/strict'
import { get } from 'node:http'
import { decodedText } from './decoded-text.ts'

const LOADED = /<(?:link|script|img)\b[^>]* (?:href|src)="([^"]+)"/g
/** Smaller ones are not worth it. */
const COMPRESSED_FROM_BYTES = 4096

interface Loaded {
  readonly sizeBytes: number
  readonly text: string
}

export class PageWeights {
  readonly #cookie: string
  /** Assets are the same for all pages. */
  readonly #assets = new Map<string, Promise<Loaded>>()

  constructor(cookie: string) {
    this.#cookie = cookie
  }

  /** Returns the bytes of all bodies. Fails for text that comes as it is though it is long. */
  async of(address: string): Promise<number> {
    const page = await this.#load(address)
    const parts = new Set(Array.from(page.text.matchAll(LOADED), ([, path = '']) => new URL(path.replaceAll('&amp;', '&'), address).href))
    let sum = page.sizeBytes
    for (const part of parts) sum += (await this.#asset(part)).sizeBytes
    return sum
  }

  #asset(address: string): Promise<Loaded> {
    const known = this.#assets.get(address) ?? this.#load(address)
    this.#assets.set(address, known)
    return known
  }

  async #load(address: string): Promise<Loaded> {
    const { status, type, coding, body } = await bytesOf(address, this.#cookie)
    assert.ok(status < 500, `${address}: ${status}`)
    const isText = /^text\//.test(type)
    assert.ok(coding !== undefined || !isText || body.length < COMPRESSED_FROM_BYTES, `${address} is not compressed: ${body.length} bytes`)
    return { sizeBytes: body.length, text: isText ? decodedText(body, coding) : '' }
  }
}

function bytesOf(address: string, cookie: string) {
  return new Promise<{ status: number; type: string; coding: string | undefined; body: Buffer }>((resolve, reject) => {
    const headers = { cookie, 'accept-encoding': 'gzip, deflate, br, zstd' }
    get(address, { headers, agent: false }, (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.once('error', reject)
      incoming.once('end', () => {
        const { 'content-type': type = '', 'content-encoding': coding } = incoming.headers
        resolve({ status: incoming.statusCode ?? 0, type, coding, body: Buffer.concat(chunks) })
      })
    }).once('error', reject)
  })
}
