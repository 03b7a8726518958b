// The bytes of one request, built once and patched in place for each send: a generator that formats strings would measure itself.
import type { RequestShape } from './plan.ts'

const PLACEHOLDER = /\{\{(sequence|random):(\d+)(?::(\d+))?\}\}/g
const DIGIT_ZERO = 48

interface Slot {
  readonly offset: number
  readonly width: number
  /** 0 for the sequence; otherwise the number of random values. */
  readonly drawFrom: number
}

/** Returns an integer from 0 to `below - 1`. */
export type Draw = (below: number) => number

export class EncodedRequest {
  readonly bytes: Buffer
  readonly #slots: readonly Slot[]

  constructor(shape: RequestShape, host: string) {
    const body = shape.body.replace(PLACEHOLDER, (_, _kind: string, width: string) => '0'.repeat(Number(width)))
    const head = [
      `${shape.method} ${shape.path} HTTP/1.1`,
      `Host: ${host}`,
      ...Object.entries(shape.headers).map(([name, value]) => `${name}: ${value}`),
      ...(shape.body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
      '\r\n',
    ].join('\r\n')
    const { text, slots } = cutSlots(head + shape.body)
    this.bytes = Buffer.from(text, 'latin1')
    this.#slots = slots
  }

  /** Writes the numbers of this send into `bytes`. The send before must be complete. */
  patch(sequence: number, draw: Draw): void {
    for (const slot of this.#slots) {
      const value = slot.drawFrom === 0 ? sequence : draw(slot.drawFrom)
      writeDigits(this.bytes, slot.offset, slot.width, value)
    }
  }
}

function cutSlots(template: string): { text: string; slots: Slot[] } {
  const slots: Slot[] = []
  let shift = 0
  const text = template.replace(PLACEHOLDER, (match, kind: string, width: string, drawFrom: string | undefined, at: number) => {
    const digits = Number(width)
    if ((kind === 'random') !== (drawFrom !== undefined)) throw new Error(`bad placeholder ${match}`)
    slots.push({ offset: at - shift, width: digits, drawFrom: Number(drawFrom ?? 0) })
    shift += match.length - digits
    return '0'.repeat(digits)
  })
  // Offsets count characters. They are byte offsets only if every character is one byte.
  if (Buffer.byteLength(text) !== text.length) throw new Error('a request shape must be ASCII')
  return { text, slots }
}

function writeDigits(bytes: Buffer, offset: number, width: number, value: number): void {
  let rest = value
  for (let at = offset + width - 1; at >= offset; at--) {
    const higher = Math.floor(rest / 10)
    bytes[at] = DIGIT_ZERO + rest - higher * 10
    rest = higher
  }
}

/** Returns a seeded generator (xorshift32, Marsaglia 2003): the same plan pays the same recipients. */
export function seededDraw(seed: number): Draw {
  let state = (seed | 0) === 0 ? 0x9e3779b9 : seed | 0
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}
