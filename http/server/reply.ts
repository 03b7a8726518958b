// How answers are put on a socket: status line and headers as one piece of text, then the body. No header value gets
// here that could hold a line break.
import { STATUS_CODES } from 'node:http'
import { assert } from '../../engine/kernel/assert.ts'
import type { Header } from './route.ts'
import { KEEP_ALIVE_S, RETRY_AFTER_S } from './server-limits.ts'

/** The part of uWebSockets.js's response that answers use. */
export interface ResponseSocket {
  writeStatus(status: string): unknown
  end(body?: string | Uint8Array, closeConnection?: boolean): unknown
  endWithoutBody(): unknown
  /** False when not all of it has left: the rest is on its way, more should wait for `onWritable`. */
  write(chunk: string): boolean
  onWritable(handler: () => boolean): unknown
  cork(write: () => void): unknown
  close(): unknown
  getRemoteAddressAsText(): ArrayBuffer
  onAborted(handler: () => void): unknown
  onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): unknown
}

/** One answer, ready to leave. */
export interface Answer {
  readonly socket: ResponseSocket
  readonly status: number
  /** From `jsonHead` or `headOf`, request id and further headers included. */
  readonly head: string
  readonly payload: string | Uint8Array
  /** Answer to HEAD: the length, not the body. */
  readonly withoutBody: boolean
  readonly closeConnection: boolean
}

const GUARDS = 'X-Content-Type-Options: nosniff'
/**
 * The native layer closes connections that are idle for 8 to 12 s and lets nobody change that. Clients that read this
 * header (Node.js, undici, Apache HttpClient, Java) give a connection up earlier than that.
 */
const KEEP_ALIVE = `Keep-Alive: timeout=${KEEP_ALIVE_S}`
const JSON_HEADERS = `Content-Type: application/json; charset=utf-8\r\nCache-Control: no-store\r\n${GUARDS}\r\n${KEEP_ALIVE}\r\nX-Request-Id: `
const JSON_HEADS = new Map<number, string>()

/**
 * Status line (without its version) and headers of a JSON answer. Handing everything to `writeStatus` in one piece is
 * on purpose: a call into native code costs 0.4 µs, so this head takes 2.4 µs where eight `writeHeader` take 5.4
 * (measured, body included). `requestId` is checked by `isRequestId` or our own.
 */
export function jsonHead(status: number, requestId: string): string {
  return (JSON_HEADS.get(status) ?? rememberHead(status)) + requestId
}

/** The same for any other answer. `content-type` and `cache-control` among the headers take the place of ours. */
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

const NAME = /^[A-Za-z][A-Za-z0-9-]*$/
const VALUE = /^[ -~]*$/

/** The head of an answer that another node made: names and values in turn, as that node's own server wrote them. */
export function rawHead(status: number, headers: readonly string[]): string {
  let head = `${statusLine(status)}\r\n${KEEP_ALIVE}`
  for (let at = 0; at + 1 < headers.length; at += 2) head += headerLine(headers[at] as string, headers[at + 1] as string)
  return head
}

/** One more line for a head. A value that could end the line is a bug, and stops here. */
export function headerLine(name: string, value: string): string {
  assert(NAME.test(name) && VALUE.test(value), `the header ${name} holds printable ASCII`)
  return `\r\n${name}: ${value}`
}

/** The line that every 429 and 503 carries: when the request may be tried again. Empty for other statuses. */
export function retryLine(status: number, retryAfterS = RETRY_AFTER_S): string {
  return status === 429 || status === 503 ? headerLine('Retry-After', String(retryAfterS)) : ''
}

let sending: Answer | null = null

/** Puts the answer on its socket in one go. `send` is one function for all answers: no closure is made for each. */
export function sendAnswer(answer: Answer): void {
  sending = answer
  answer.socket.cork(send)
}

function send(): void {
  const answer = sending as Answer
  sending = null
  const { socket, status, head, payload, closeConnection } = answer
  const isEmpty = status === 204 || status === 304
  if (answer.withoutBody || (isEmpty && !closeConnection)) {
    // In this build only endWithoutBody() without arguments finishes a response: with a length it waits for the body.
    const length = isEmpty ? '' : `\r\nContent-Length: ${byteLength(payload)}`
    socket.writeStatus(head + length + (closeConnection ? headerLine('Connection', 'close') : ''))
    socket.endWithoutBody()
    return
  }
  socket.writeStatus(head)
  socket.end(payload, closeConnection)
}

let writingTo: ResponseSocket | null = null
let writing = ''
let isTaken = false

/** One chunk of a response that stays open, in one packet: uncorked, its length and its end would be sent by themselves. */
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

/** Head and first chunk of a response that stays open. */
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
