// Parses one HTTP/1.1 response at a time from a connection without pipelining: status, length and one text to find in the body. It must
// never guess: an unknown format ends the run.

const HEAD_BYTES_MAX = 16 * 1024
const CR = 13
const LF = 10
const SPACE = 32
const COLON = 58
const DIGIT_ZERO = 48
/** `HTTP/1.1 ` */
const STATUS_AT = 9
const LENGTH_NAME = 'content-length'
const EMPTY = Buffer.alloc(0)
const HEAD_END = Buffer.from('\r\n\r\n')

export class ResponseParser {
  /** Status of the last complete response. */
  status = 0
  /** Whether its body contained the text. */
  bodyMatches = false
  readonly #bodyText: Buffer
  /** Bytes of a partial response. `#filled` have arrived; `#total` are needed, known after the head. */
  #pieces = EMPTY
  #filled = 0
  #total = 0
  #lengthAt = 0

  constructor(bodyText: string) {
    this.#bodyText = Buffer.from(bodyText, 'utf8')
  }

  /** Reads `length` bytes of `chunk`, which may be reused afterwards. Returns true when a response is complete. */
  push(chunk: Buffer, length: number): boolean {
    if (this.#filled === 0) return this.#read(chunk, length)
    this.#keep(chunk, length)
    if (this.#filled < this.#total) return false
    const pieces = this.#pieces
    const filled = this.#filled
    this.#filled = 0
    this.#total = 0
    return this.#read(pieces, filled)
  }

  #read(bytes: Buffer, length: number): boolean {
    const bodyAt = bodyOffset(bytes, length)
    if (bodyAt === -1) {
      if (length > HEAD_BYTES_MAX) throw new Error('response head without an end')
      this.#keep(bytes, length)
      return false
    }
    const total = bodyAt + digitsAt(bytes, this.#findLength(bytes, bodyAt))
    if (length > total) throw new Error('bytes after the response, though nothing was pipelined')
    if (length < total) {
      this.#keep(bytes, length)
      this.#total = total
      return false
    }
    this.status = statusOf(bytes)
    this.bodyMatches = this.#matches(bytes, bodyAt, total)
    return true
  }

  /** Returns the offset of Content-Length. It tries the offset of the last response before it searches the head. */
  #findLength(bytes: Buffer, bodyAt: number): number {
    const lineAt = this.#lengthAt - LENGTH_NAME.length - 1
    const known = lineAt > 0 && this.#lengthAt < bodyAt && bytes[lineAt - 1] === LF && isLengthLine(bytes, lineAt)
    if (!known) this.#lengthAt = lengthOffset(bytes, bodyAt)
    return this.#lengthAt
  }

  #matches(bytes: Buffer, bodyAt: number, total: number): boolean {
    if (this.#bodyText.length === 0) return true
    const at = bytes.indexOf(this.#bodyText, bodyAt)
    return at !== -1 && at + this.#bodyText.length <= total
  }

  #keep(chunk: Buffer, length: number): void {
    const needed = this.#filled + length
    if (this.#pieces === chunk) {
      this.#filled = length
      return
    }
    if (this.#pieces.length < needed) {
      const grown = Buffer.allocUnsafe(Math.max(needed * 2, HEAD_BYTES_MAX))
      this.#pieces.copy(grown, 0, 0, this.#filled)
      this.#pieces = grown
    }
    chunk.copy(this.#pieces, this.#filled, 0, length)
    this.#filled = needed
  }
}

/** Returns the offset of the body, -1 while the head is incomplete. Beyond `length` the buffer may hold older bytes. */
function bodyOffset(bytes: Buffer, length: number): number {
  const at = bytes.indexOf(HEAD_END)
  return at === -1 || at + HEAD_END.length > length ? -1 : at + HEAD_END.length
}

function statusOf(bytes: Buffer): number {
  let status = 0
  for (let at = STATUS_AT; at < STATUS_AT + 3; at++) {
    const digit = (bytes[at] ?? 0) - DIGIT_ZERO
    if (digit < 0 || digit > 9) throw new Error(`not a status line: ${bytes.toString('latin1', 0, 32)}`)
    status = status * 10 + digit
  }
  return status
}

/** Returns the offset of the digits of Content-Length. */
function lengthOffset(bytes: Buffer, bodyAt: number): number {
  for (let at = 0; at < bodyAt; at++) {
    if (bytes[at] === LF && isLengthLine(bytes, at + 1)) return at + 1 + LENGTH_NAME.length + 1
  }
  throw new Error('response without Content-Length')
}

function isLengthLine(bytes: Buffer, at: number): boolean {
  if (bytes[at + LENGTH_NAME.length] !== COLON) return false
  for (let index = 0; index < LENGTH_NAME.length; index++) {
    // Setting bit 32 lowers ASCII characters and keeps the hyphen: a comparison without case.
    if (((bytes[at + index] ?? 0) | SPACE) !== LENGTH_NAME.charCodeAt(index)) return false
  }
  return true
}

function digitsAt(bytes: Buffer, at: number): number {
  let value = 0
  let index = at
  while (bytes[index] === SPACE) index++
  for (; bytes[index] !== CR; index++) {
    const digit = (bytes[index] ?? 0) - DIGIT_ZERO
    if (digit < 0 || digit > 9) throw new Error('Content-Length is not a number')
    value = value * 10 + digit
  }
  return value
}
