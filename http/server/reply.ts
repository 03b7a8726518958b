// Writes responses to a socket: status line and headers as one string, then the body. No header value that holds a
// line break may reach it.
import { STATUS_CODES } from 'node:http'
import type { BodySource } from '../../engine/api.ts'
import { ByteWriter } from '../../engine/kernel/byte-writer.ts'
import type { PreparedBody } from './body/prepared-body.ts'
import type { WorkOwner } from './fair-work.ts'
import { headerLine } from './header-line.ts'
import type { HttpResponse } from './native.ts'
import { endPaced, PACED_PIECE_BYTES, type PacedResponse } from './paced-body.ts'
import type { Header } from './route.ts'
import { KEEP_ALIVE_S } from './server-limits.ts'

/** Gets a chunk of the body, which is valid until it returns; or the whole body, which an HTTP thread has prepared. */
export type BodyHandler = (chunk: ArrayBuffer, isLast: boolean, prepared?: PreparedBody) => void

/** The part of uWebSockets.js's response that is used here. */
export interface ResponseSocket {
  /** True when an HTTP thread has the socket: its handlers run outside the native parser. */
  readonly isRelayed?: boolean
  /** The address as text, where it is known already. */
  readonly peer?: string
  writeStatus(head: string | Uint8Array): unknown
  end(body?: string | Uint8Array, closeConnection?: boolean): unknown
  endWithoutBody(): unknown
  /** Returns false when the socket buffers some of it; write more after `onWritable`. */
  write(chunk: string): boolean
  onWritable(handler: () => boolean): unknown
  cork(write: () => void): unknown
  close(): unknown
  getRemoteAddressAsText(): ArrayBuffer
  /** Of a native response alone. */
  readonly tryEnd?: HttpResponse['tryEnd']
  /** Whose answer it is, where an HTTP thread sends it. */
  owner?: WorkOwner
  onAborted(handler: () => void): unknown
  onData(handler: BodyHandler): unknown
}

/** A body: its text, its bytes, or what writes its text when it is sent. */
export type Payload = string | Uint8Array | BodySource

/** A response that is ready to send. */
export interface Answer {
  status: number
  /** From `jsonHead` or `headOf`. */
  head: string
  /** What follows the head: further lines, and of a `jsonHead` the request id in front of them. */
  lines: string
  /** Value of the Idempotency-Key line behind them; empty: there is none. Joined to the lines it left 0.2 KB of garbage. */
  echoedKey: string
  payload: Payload
  /** True for HEAD: the length is sent, the body is not. */
  withoutBody: boolean
  closeConnection: boolean
  /** Whose turns a large body takes. */
  owner: WorkOwner
}

const GUARDS = 'X-Content-Type-Options: nosniff'
/**
 * The native layer closes connections that are idle for 8 to 12 s; this is not configurable. Clients that read this
 * header (Node.js, undici, Apache HttpClient, Java) close earlier.
 */
const KEEP_ALIVE = `Keep-Alive: timeout=${KEEP_ALIVE_S}`
const JSON_HEADERS = `Content-Type: application/json; charset=utf-8\r\nCache-Control: no-store\r\n${GUARDS}\r\n${KEEP_ALIVE}\r\nX-Request-Id: `
const JSON_HEADS = new Map<number, string>()
const KEY_LINE = '\r\nIdempotency-Key: '

/**
 * Returns status line (without its version) and headers of a JSON response, up to the request id, which is checked by `isRequestId` or
 * generated here. All of a head goes to `writeStatus`, because a call into native code costs 0.4 µs: 2.4 µs instead of 5.4 for eight
 * `writeHeader` (measured, with body).
 */
export function jsonHead(status: number): string {
  return JSON_HEADS.get(status) ?? rememberHead(status)
}

/** Returns the head of any other response. `content-type` and `cache-control` in `headers` replace the defaults. */
export function headOf(status: number, requestId: string, headers: readonly Header[]): string {
  let head = `${statusLine(status)}\r\n${GUARDS}\r\n${KEEP_ALIVE}\r\nX-Request-Id: ${requestId}`
  let named = ''
  for (const [name, value] of headers) {
    head += headerLine(name, value)
    named += `${name.toLowerCase()},`
  }
  if (!named.includes('content-type,')) head += '\r\nContent-Type: application/json; charset=utf-8'
  if (!named.includes('cache-control,')) head += '\r\nCache-Control: no-store'
  return head
}

/** Returns head and lines as one text. */
export function wholeHead({ head, lines, echoedKey }: Pick<Answer, 'head' | 'lines' | 'echoedKey'>): string {
  return head + lines + (echoedKey === '' ? '' : KEY_LINE + echoedKey)
}

/** Returns the head of another node's response, from names and values in turn. */
export function rawHead(status: number, headers: readonly string[]): string {
  let head = `${statusLine(status)}\r\n${KEEP_ALIVE}`
  for (let at = 0; at + 1 < headers.length; at += 2) head += headerLine(headers[at] as string, headers[at + 1] as string)
  return head
}

/** Answers that have left. Few are under way at once: most leave in the call that begins them. */
const spare: Answer[] = []
const SPARE_MAX = 64

/** Returns an answer to fill. One for each request was garbage. */
export function newAnswer(): Answer {
  return spare.pop() ?? { ...EMPTY }
}

const EMPTY: Answer = { status: 0, head: '', lines: '', echoedKey: '', payload: '', withoutBody: false, closeConnection: false, owner: '' }

/** Keeps an answer that has left for another one, without what it held. */
export function dropAnswer(answer: Answer): void {
  answer.head = ''
  answer.lines = ''
  answer.echoedKey = ''
  answer.payload = ''
  answer.owner = ''
  if (spare.length < SPARE_MAX) spare.push(answer)
}

let sending: Answer | null = null
let sendingTo: ResponseSocket | null = null

/** Sends the response in one corked write. `send` is shared by all responses, so no closure is made. */
export function sendAnswer(socket: ResponseSocket, answer: Answer): void {
  sending = answer
  sendingTo = socket
  socket.cork(send)
}

function send(): void {
  const answer = sending as Answer
  const socket = sendingTo as ResponseSocket
  sending = null
  sendingTo = null
  const { status, closeConnection } = answer
  const payload = sentForm(answer.payload, socket)
  const isEmpty = status === 204 || status === 304
  if (answer.withoutBody || (isEmpty && !closeConnection)) {
    // In this build only endWithoutBody() without arguments finishes a response. With a length it waits for a body.
    const length = isEmpty ? '' : `\r\nContent-Length: ${byteLength(payload)}`
    socket.writeStatus(wholeHead(answer) + length + (closeConnection ? headerLine('Connection', 'close') : ''))
    socket.endWithoutBody()
    return
  }
  writeHead(socket, answer)
  if (socket.tryEnd === undefined || !isPaced(payload)) socket.end(payload, closeConnection)
  else {
    // Bytes that a source wrote are valid until the next answer is sent.
    const bytes = payload === answer.payload && typeof payload !== 'string' ? payload : Buffer.from(payload)
    endPaced(socket as unknown as PacedResponse, { payload: bytes, owner: answer.owner, closesConnection: closeConnection })
  }
}

/** Whether the body is sent in pieces. */
export function isPaced(payload: Payload): boolean {
  if (typeof payload === 'string') return payload.length > PACED_PIECE_BYTES
  return !isSource(payload) && payload.byteLength > PACED_PIECE_BYTES
}

const FIRST_BYTES = 1024
const headOut = new ByteWriter(FIRST_BYTES)
const bodyOut = new ByteWriter(FIRST_BYTES)

/** Bytes are valid until the next answer is sent: the native layer copies them. An HTTP thread gets a string. */
function sentForm(payload: Payload, socket: ResponseSocket): string | Uint8Array {
  if (!isSource(payload)) return payload
  if (socket.tryEnd === undefined) return payload.text
  payload.writeText(bodyOut)
  return bodyOut.takeBytes()
}

/** Returns the body as text or bytes that stay. */
export function keptForm(payload: Payload): string | Uint8Array {
  return isSource(payload) ? payload.text : payload
}

function isSource(payload: Payload): payload is BodySource {
  return typeof payload !== 'string' && 'writeText' in payload
}

/** The native layer copies bytes at once, and joining the parts to a string left 0.4 KB of garbage. An HTTP thread gets a string. */
function writeHead(socket: ResponseSocket, answer: Answer): void {
  const { head, lines, echoedKey } = answer
  if (socket.tryEnd === undefined) {
    socket.writeStatus(wholeHead(answer))
    return
  }
  headOut.text(head)
  headOut.text(lines)
  if (echoedKey !== '') {
    headOut.text(KEY_LINE)
    headOut.text(echoedKey)
  }
  socket.writeStatus(headOut.takeBytes())
}

let writingTo: ResponseSocket | null = null
let writing = ''
let isTaken = false

/** Writes one chunk of an open response in one packet. Uncorked, length and end would be separate packets. */
export function writeInOneGo(socket: ResponseSocket, text: string): boolean {
  writingTo = socket
  writing = text
  socket.cork(writeChunk)
  return isTaken
}

function writeChunk(): void {
  isTaken = (writingTo as ResponseSocket).write(writing)
  writingTo = null
}

/** Writes head and first chunk of an open response. */
export function beginInOneGo(socket: ResponseSocket, head: string, first: string): void {
  socket.cork(() => {
    socket.writeStatus(head)
    socket.write(first)
  })
}

function byteLength(payload: string | Uint8Array): number {
  return typeof payload === 'string' ? Buffer.byteLength(payload) : payload.byteLength
}

function rememberHead(status: number): string {
  const head = `${statusLine(status)}\r\n${JSON_HEADERS}`
  JSON_HEADS.set(status, head)
  return head
}

function statusLine(status: number): string {
  return `${status} ${STATUS_CODES[status] ?? 'Unknown'}`
}
