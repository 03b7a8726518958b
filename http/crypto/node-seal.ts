// Requests between nodes of a cluster, sealed: they carry secrets of callers, and the network between machines need not be private.
// AES-256-GCM under keys derived from CLUSTER_SECRET by HKDF (RFC 5869) covers headers and body; method, path, receiver, time and number
// are its additional data. Each process has a key of its own and counts its requests, so no nonce comes twice; answers have a key for each
// pair of processes. The receiver accepts each number once.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { ReplayWindow } from './replay-window.ts'

/** A request that one node forwards to another. */
export interface SealableRequest {
  readonly method: string
  /** Path with query, as sent. */
  readonly path: string
  /** Names and values in turn. */
  readonly headers: readonly string[]
  readonly body: Uint8Array
  /** Address of the caller, as the receiving node counts it. */
  readonly address: string
  /** True when the caller is on the machine of the forwarding node. */
  readonly isLocal: boolean
}

export interface SealedRequest {
  /** Value of the `Cauri-Node` header. */
  readonly header: string
  /** Empty for an empty body. */
  readonly body: Buffer
  /** Opens the answer. Null unless a node of the cluster sealed it for this request. */
  open(header: string, body: Uint8Array): OpenedAnswer | null
}

export interface OpenedAnswer {
  /** Status line and header lines. */
  readonly head: string
  readonly body: Buffer
}

/** A request as its sender sealed it. */
export interface OpenedRequest extends Pick<SealableRequest, 'headers' | 'address' | 'isLocal'> {
  /** Returns the body; null unless it is that of the request. */
  openBody(sealed: Uint8Array): Buffer | null
  /** Seals the one answer to this request. */
  sealAnswer(head: string, body: Uint8Array): { readonly header: string; readonly body: Buffer }
}

/** Maximum clock difference between nodes; beyond, the request is rejected. Both use PostgreSQL's clock. */
export const CLOCK_DIFFERENCE_MAX_MS = 30_000
/** Processes whose numbers are kept, 8 KiB each. A restarted node is another sender. */
export const SENDERS_MAX = 256
/** Bytes that sealing adds to a body. */
export const SEAL_BYTES = 16
const SENDER_BYTES = 12
const PARTS = 4
const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const KINDS = { head: 0, body: 1, 'answer head': 2, 'answer body': 3 } as const
type Kind = keyof typeof KINDS

interface Sender {
  readonly window: ReplayWindow
  readonly requestKey: Buffer
  /** Made when its first request is accepted: a forged header costs one derivation. */
  answerKey: Buffer | null
  newestMs: number
}

export interface NodeSealsParts {
  readonly secret: Uint8Array
  /** URL of this node. A request for another node is rejected. */
  readonly url: string
  /** Clock that all nodes share. */
  readonly nowMs: () => number
}

export class NodeSeals {
  readonly #parts: NodeSealsParts
  /** Id of this process, as a sender and as a receiver. */
  readonly #id = randomBytes(SENDER_BYTES).toString('base64url')
  readonly #requestKey: Buffer
  /** Requests from before this process are rejected: it does not know which of them were accepted. */
  readonly #startedMs: number
  readonly #senders = new Map<string, Sender>()
  readonly #answerKeys = new Map<string, Buffer>()
  #number = 0

  constructor(parts: NodeSealsParts) {
    this.#parts = parts
    this.#requestKey = this.#keyOf('request', this.#id)
    this.#startedMs = parts.nowMs()
  }

  /** Seals a request for the node with this URL. Each call gives another result. */
  seal(url: string, { method, path, headers, body, address, isLocal }: SealableRequest): SealedRequest {
    const number = ++this.#number
    const head = [Math.floor(this.#parts.nowMs()), this.#id, number].join('.')
    const bound = [url, method, path, head].join('\n')
    const plain = Buffer.from(JSON.stringify([address, isLocal, body.length, headers]))
    const sealed = encrypted(this.#requestKey, 'head', number, bound, plain).toString('base64url')
    return {
      header: `${head}.${sealed}`,
      body: body.length === 0 ? Buffer.alloc(0) : encrypted(this.#requestKey, 'body', number, head, body),
      open: (header, sealedBody) => this.#openAnswer(number, header, sealedBody),
    }
  }

  /**
   * Returns the request as the sender sealed it. Null unless the header is fresh, comes for the first time and was made by a node of
   * the cluster for this request and this node.
   */
  read(header: string, method: string, path: string): OpenedRequest | null {
    const parts = header.split('.', PARTS + 1)
    const [time = '', id = '', numberText = '', sealed = ''] = parts
    const number = Number(numberText)
    if (parts.length !== PARTS || !Number.isSafeInteger(number)) return null
    const sender = this.#senders.get(id) ?? this.#unknownSender(id)
    const head = [time, id, numberText].join('.')
    const bound = [this.#parts.url, method, path, head].join('\n')
    const plain = decrypted(sender.requestKey, 'head', number, bound, Buffer.from(sealed, 'base64url'))
    if (plain === null || !this.#isFirst(id, sender, number, Number(time))) return null
    const [address, isLocal, bodyBytes, headers] = JSON.parse(plain.toString()) as [string, boolean, number, string[]]
    const openBody = (bytes: Uint8Array): Buffer | null => {
      if (bodyBytes === 0) return bytes.length === 0 ? Buffer.alloc(0) : null
      return decrypted(sender.requestKey, 'body', number, head, bytes)
    }
    sender.answerKey ??= this.#keyOf('answer', `${id}.${this.#id}`)
    const { answerKey } = sender
    return { headers, address, isLocal, openBody, sealAnswer: (lines, body) => this.#sealAnswer(answerKey, number, lines, body) }
  }

  #sealAnswer(key: Buffer, number: number, lines: string, body: Uint8Array): { readonly header: string; readonly body: Buffer } {
    const plain = Buffer.from(JSON.stringify([body.length, lines]))
    const header = `${this.#id}.${encrypted(key, 'answer head', number, '', plain).toString('base64url')}`
    return { header, body: body.length === 0 ? Buffer.alloc(0) : encrypted(key, 'answer body', number, '', body) }
  }

  #openAnswer(number: number, header: string, sealedBody: Uint8Array): OpenedAnswer | null {
    const [receiver = '', sealed = ''] = header.split('.', 2)
    const key = this.#answerKeys.get(receiver) ?? this.#keyOf('answer', `${this.#id}.${receiver}`)
    const plain = decrypted(key, 'answer head', number, '', Buffer.from(sealed, 'base64url'))
    if (plain === null) return null
    if (this.#answerKeys.size >= SENDERS_MAX) this.#answerKeys.clear()
    this.#answerKeys.set(receiver, key)
    const [bodyBytes, head] = JSON.parse(plain.toString()) as [number, string]
    // The answer to HEAD comes without its body.
    if (sealedBody.length === 0) return { head, body: Buffer.alloc(0) }
    const body = bodyBytes === 0 ? null : decrypted(key, 'answer body', number, '', sealedBody)
    return body === null ? null : { head, body }
  }

  #keyOf(use: 'request' | 'answer', salt: string): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#parts.secret, salt, `cauri/node-${use}/v2`, KEY_BYTES))
  }

  #isFirst(id: string, sender: Sender, number: number, timeMs: number): boolean {
    const nowMs = this.#parts.nowMs()
    if (!(Math.abs(nowMs - timeMs) <= CLOCK_DIFFERENCE_MAX_MS) || timeMs < Math.floor(this.#startedMs)) return false
    if (!this.#senders.has(id) && !this.#keepSender(id, sender, nowMs)) return false
    sender.newestMs = Math.max(sender.newestMs, timeMs)
    return sender.window.take(number)
  }

  /** It is kept when its first request is accepted. */
  #unknownSender(id: string): Sender {
    return { window: new ReplayWindow(), requestKey: this.#keyOf('request', id), answerKey: null, newestMs: 0 }
  }

  /** Returns false when all kept senders may still send. A sender is dropped when all its requests are too old. */
  #keepSender(id: string, sender: Sender, nowMs: number): boolean {
    if (this.#senders.size >= SENDERS_MAX) {
      for (const [old, { newestMs }] of this.#senders) if (nowMs - newestMs > CLOCK_DIFFERENCE_MAX_MS) this.#senders.delete(old)
    }
    if (this.#senders.size >= SENDERS_MAX) return false
    this.#senders.set(id, sender)
    return true
  }
}

function nonceOf(kind: Kind, number: number): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES)
  nonce.writeUInt32BE(KINDS[kind])
  nonce.writeBigUInt64BE(BigInt(number), 4)
  return nonce
}

/** Returns ciphertext and tag. */
function encrypted(key: Buffer, kind: Kind, number: number, bound: string, plain: Uint8Array): Buffer {
  const cipher = createCipheriv(CIPHER, key, nonceOf(kind, number))
  cipher.setAAD(Buffer.from(bound))
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/** Returns null for bytes that were not sealed so. */
function decrypted(key: Buffer, kind: Kind, number: number, bound: string, sealed: Uint8Array): Buffer | null {
  const bodyBytes = sealed.length - SEAL_BYTES
  if (bodyBytes < 0 || number < 1) return null
  const decipher = createDecipheriv(CIPHER, key, nonceOf(kind, number))
  decipher.setAAD(Buffer.from(bound))
  decipher.setAuthTag(sealed.subarray(bodyBytes))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, bodyBytes)), decipher.final()])
  } catch {
    // A wrong tag: `final` throws nothing else.
    return null
  }
}
