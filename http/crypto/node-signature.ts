// Signatures between nodes of a cluster: HMAC-SHA-256 under CLUSTER_SECRET over time, sender, number, receiver, method,
// path, caller and body. The receiver accepts each signature once.
import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { ReplayWindow } from './replay-window.ts'

/** A request that one node forwards to another. */
export interface PassedOn {
  readonly method: string
  /** Path with query, as sent. */
  readonly path: string
  /** Address of the caller, as the receiving node counts it. */
  readonly address: string
  /** True when the caller is on the machine of the forwarding node. */
  readonly isLocal: boolean
  /** SHA-256 of the body, hex. */
  readonly bodyHash: string
}

/** Maximum clock difference between nodes; beyond, the signature is rejected. */
export const CLOCK_DIFFERENCE_MAX_MS = 30_000
/** Processes whose numbers are kept, 8 KiB each. A restarted node is another sender. */
export const SENDERS_MAX = 256
const SENDER_BYTES = 12
const PARTS = 7

interface Sender {
  readonly window: ReplayWindow
  newestMs: number
}

export interface NodeSignaturesParts {
  readonly secret: Uint8Array
  /** URL of this node. A signature for another node is rejected. */
  readonly url: string
  /** Wall clock, which all nodes share. */
  readonly nowMs: () => number
}

export class NodeSignatures {
  readonly #parts: NodeSignaturesParts
  readonly #sender = randomBytes(SENDER_BYTES).toString('base64url')
  readonly #senders = new Map<string, Sender>()
  #number = 0

  constructor(parts: NodeSignaturesParts) {
    this.#parts = parts
  }

  /** Returns the value of the `Cauri-Node` header for the node with this URL. Each call returns another value. */
  sign(url: string, request: PassedOn): string {
    const { address, isLocal, bodyHash } = request
    const parts = [this.#parts.nowMs(), this.#sender, ++this.#number, address, isLocal ? 'local' : 'remote', bodyHash]
    return `${parts.join(' ')} ${this.#macOf(parts.join(' '), url, request).toString('hex')}`
  }

  /**
   * Returns the request as the sender described it. Null unless the header is fresh, comes for the first time and was signed by a
   * node of the cluster for this request and this node.
   */
  read(header: string, method: string, path: string): PassedOn | null {
    const parts = header.split(' ', PARTS + 1)
    const [time = '', sender = '', number = '', address = '', local = '', bodyHash = '', mac = ''] = parts
    if (parts.length !== PARTS || (local !== 'local' && local !== 'remote')) return null
    const request = { method, path, address, isLocal: local === 'local', bodyHash }
    const given = Buffer.from(mac, 'hex')
    const expected = this.#macOf(parts.slice(0, PARTS - 1).join(' '), this.#parts.url, request)
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
    return this.#isFirst(sender, Number(number), Number(time)) ? request : null
  }

  #isFirst(name: string, number: number, timeMs: number): boolean {
    const nowMs = this.#parts.nowMs()
    if (!(Math.abs(nowMs - timeMs) <= CLOCK_DIFFERENCE_MAX_MS)) return false
    const sender = this.#senders.get(name) ?? this.#newSender(name, nowMs)
    if (sender === null) return false
    sender.newestMs = Math.max(sender.newestMs, timeMs)
    return sender.window.take(number)
  }

  /** Returns null when all kept senders may still send. A sender is dropped when all its signatures are too old. */
  #newSender(name: string, nowMs: number): Sender | null {
    if (this.#senders.size >= SENDERS_MAX) {
      for (const [old, { newestMs }] of this.#senders) if (nowMs - newestMs > CLOCK_DIFFERENCE_MAX_MS) this.#senders.delete(old)
    }
    if (this.#senders.size >= SENDERS_MAX) return null
    const sender = { window: new ReplayWindow(), newestMs: 0 }
    this.#senders.set(name, sender)
    return sender
  }

  #macOf(signed: string, url: string, { method, path }: Pick<PassedOn, 'method' | 'path'>): Buffer {
    return createHmac('sha256', this.#parts.secret).update(['v1', url, method, path, signed].join('\n')).digest()
  }
}

export function bodyHashOf(body: Uint8Array): string {
  return hash('sha256', body, 'hex')
}
