// Parses `multipart/form-data` (RFC 7578, RFC 2046 section 5.1) without copying. It is strict where two readers could
// disagree. Each step moves forward, so the time is linear in the length.

import type { ErrorCode } from '../../../engine/contract/errors.ts'
import { type Because, because } from '../../../engine/contract/reasons.ts'

/** Error of a body: the wrong type, or malformed content. */
export interface MultipartFault {
  readonly code: Extract<ErrorCode, 'unsupported_media_type' | 'invalid_request'>
  readonly param?: string
  /** The reason of `invalid_request`. */
  readonly because?: Because
}

/** Content of each named part, as views into the body. */
export type Multipart = Readonly<Record<string, Buffer>>

/** Returns whether parsing failed. Parts are buffers, never strings. */
export function isMultipartFault(parsed: Multipart | MultipartFault): parsed is MultipartFault {
  return typeof parsed.code === 'string'
}

const PARTS_MAX = 16
const PART_HEAD_BYTES_MAX = 4096
const TYPE = /^multipart\/form-data[ \t]*;(.*)$/i
/** RFC 2046: up to 70 characters, the last of them no space. */
const BOUNDARY = /^[0-9A-Za-z'()+_,\-./:=? ]{0,69}[0-9A-Za-z'()+_,\-./:=?]$/
const LINE_END = Buffer.from('\r\n')
const HEAD_END = Buffer.from('\r\n\r\n')
const SPACE = 0x20
const TAB = 0x09
const HYPHEN = 0x2d

/** Returns the parts with these names and ignores others. A duplicate part is a fault. */
export function parseMultipart(contentType: string, body: Buffer, names: readonly string[]): Multipart | MultipartFault {
  const type = TYPE.exec(contentType)
  if (type === null) return { code: 'unsupported_media_type' }
  const boundary = parametersOf(type[1] as string)?.get('boundary')
  if (boundary === undefined || !BOUNDARY.test(boundary))
    return { code: 'invalid_request', param: 'Content-Type', because: because('boundary') }
  const parts = readParts(body, Buffer.from(`--${boundary}`))
  if (parts === null) return { code: 'invalid_request', because: because('parts') }
  const wanted: Record<string, Buffer> = {}
  for (const { name, content } of parts) {
    if (!names.includes(name)) continue
    if (Object.hasOwn(wanted, name)) return { code: 'invalid_request', param: name, because: because('duplicate_field', { name }) }
    wanted[name] = content
  }
  return wanted
}

/**
 * Returns the bytes that identify a request. Boundaries and file names are left out, because they differ between
 * retries.
 */
export function multipartIdentity(parts: Multipart): Buffer {
  return Buffer.concat(Object.entries(parts).flatMap(([name, content]) => [Buffer.from(`${name}:${content.length}:`), content]))
}

interface Part {
  readonly name: string
  readonly content: Buffer
}

/** Returns all parts; null when the body is malformed. */
function readParts(body: Buffer, dashBoundary: Buffer): Part[] | null {
  const delimiter = Buffer.concat([LINE_END, dashBoundary])
  const opening = body.indexOf(dashBoundary)
  // The preamble before the first delimiter is ignored and ends with a line break.
  if (opening < 0 || (opening > 0 && !body.subarray(opening - 2, opening).equals(LINE_END))) return null
  const parts: Part[] = []
  let at = opening + dashBoundary.length
  while (!isClosing(body, at)) {
    const start = afterLine(body, at)
    const end = start === null ? -1 : body.indexOf(delimiter, start - LINE_END.length)
    if (start === null || end < 0 || parts.length === PARTS_MAX) return null
    const part = readPart(body.subarray(start, Math.max(start, end)))
    if (part === null) return null
    parts.push(part)
    at = end + delimiter.length
  }
  return parts
}

function isClosing(body: Buffer, at: number): boolean {
  return body[at] === HYPHEN && body[at + 1] === HYPHEN
}

/** Returns the index behind the delimiter's line; null when the line holds more than blanks. */
function afterLine(body: Buffer, at: number): number | null {
  let index = at
  while (body[index] === SPACE || body[index] === TAB) index++
  return body.subarray(index, index + 2).equals(LINE_END) ? index + 2 : null
}

/** Splits a part into head and content at the empty line. */
function readPart(part: Buffer): Part | null {
  const headEnd = part.indexOf(HEAD_END)
  if (headEnd < 0 || headEnd > PART_HEAD_BYTES_MAX) return null
  const name = nameOf(part.toString('latin1', 0, headEnd))
  return name === null ? null : { name, content: part.subarray(headEnd + HEAD_END.length) }
}

const DISPOSITION = /^content-disposition:[ \t]*form-data[ \t]*;(.*)$/i

/** Returns the part's name; null unless exactly one header line gives it. */
function nameOf(head: string): string | null {
  const found = head.split('\r\n').flatMap((line) => DISPOSITION.exec(line)?.[1] ?? [])
  const [only] = found
  return only === undefined || found.length > 1 ? null : (parametersOf(only)?.get('name') ?? null)
}

/** `name=token` or `name="text"`, with optional blanks. */
const PARAMETER = /[ \t]*([!#$%&'*+.^_`|~0-9A-Za-z-]{1,64})=(?:"((?:[^"\\\r\n]|\\[^\r\n])*)"|([!#$%&'*+.^_`|~0-9A-Za-z-]+))[ \t]*(?:;|$)/y

/** Returns the parameters by lower-case name; null when malformed or when a name is repeated. */
function parametersOf(text: string): ReadonlyMap<string, string> | null {
  const parameters = new Map<string, string>()
  PARAMETER.lastIndex = 0
  while (PARAMETER.lastIndex < text.length) {
    const found = PARAMETER.exec(text)
    if (found === null) return null
    const name = (found[1] as string).toLowerCase()
    if (parameters.has(name)) return null
    parameters.set(name, found[3] ?? (found[2] as string).replaceAll(/\\(.)/g, '$1'))
  }
  return parameters
}
