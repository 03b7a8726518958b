// Step: waits for the whole body. What arrives is read here, whether the guards have passed or not.
import { because } from '../../../engine/contract/reasons.ts'
import { BodyCollector, type BodyOwner } from '../body/body-collector.ts'
import { isOpenRule } from '../body/body-limits.ts'
import type { PreparedBody } from '../body/prepared-body.ts'
import { isForOwner, needsBarrier } from '../cluster-role.ts'
import { type HttpRequest, NEXT, resume, type StepResult, WAITING, waitsAt } from '../request.ts'
import type { RequestHead } from '../request-head.ts'
import type { AuthRule, Call, Principal, RouteShape } from '../route.ts'
import type { Core } from '../server-context.ts'
import { ADDRESS_BODIES, DISCARDED_BYTES_MAX, REQUEST_BODIES } from '../server-limits.ts'
import { drain } from './drain.ts'
import { ownBytes } from './own-bytes.ts'
import { bodyBytesMax, bodyTooLarge, sessionOf } from './size.ts'
import { workOwner } from './turn.ts'

export function body(request: HttpRequest): StepResult {
  if (request.bytes === null) return WAITING
  return NEXT
}

/** Takes the whole body, while it is valid: the native layer frees its memory when the call returns. */
export function takeWhole(request: HttpRequest, sent: Buffer): void {
  if (request.isEnded || request.answer !== null) return
  const { origin, server, endpoint, call } = request
  const bytes = origin.sender === null ? sent : origin.sender.openBody(sent)
  if (bytes === null) return call.refuse('invalid_request', 'Cauri-Node', because('node_signature'))
  if (server.cluster !== null && !endpoint.alwaysOpen) boundAnswer(request)
  const isAdmitted = waitsAt(request, body)
  request.bytes = bytes
  if (!isAdmitted) ownBytes(request)
  if (isAdmitted) resume(request, body)
}

/** Takes a chunk of the body. Most bodies have one chunk, which is read in place. */
export function takeChunk(request: HttpRequest, chunk: ArrayBuffer, isLast: boolean): void {
  if (request.isEnded) return
  if (isLast) request.isReceiving = false
  if (request.answer !== null) return discard(request, chunk, isLast)
  if (isLast && request.collector === null && chunk.byteLength <= bodyBytesMax(request)) return end(request, Buffer.from(chunk))
  request.collector ??= openCollector(request)
  const collected = request.collector.add(chunk)
  if (collected !== 'more') {
    if (collected === 'too-large') request.call.refuse(bodyTooLarge(request))
    else request.call.refuse('quota_exceeded', request.collector.owner.quota.name)
    return discard(request, chunk, isLast)
  }
  if (!isLast) return
  request.ownsBytes = true
  end(request, request.collector.take())
}

/** Takes a whole body that an HTTP thread has checked. What waits, and other nodes, need its bytes. */
export function takePrepared(request: HttpRequest, prepared: PreparedBody): void {
  const needsBytes = !waitsAt(request, body) || request.server.cluster !== null || request.server.draining
  if (needsBytes || prepared.sizeBytes > bodyBytesMax(request))
    return takeChunk(request, new Uint8Array(Buffer.from(prepared.text)).buffer, true)
  request.isReceiving = false
  request.bytes = prepared
  resume(request, body)
}

function openCollector(request: HttpRequest): BodyCollector {
  const { server } = request
  server.bodyDeadlines.add(request)
  const maxBytes = bodyBytesMax(request)
  const declaredBytes = request.isChunked ? maxBytes : Number(request.headers.contentLength)
  return new BodyCollector({ maxBytes, declaredBytes }, server.bodies, bodyOwner(request))
}

function bodyOwner(request: HttpRequest): BodyOwner {
  const caller = knownCaller(request)
  if (caller !== null && 'account' in caller && 'environment' in caller) {
    const { account, environment } = caller
    const isProven = request.server.core?.engine.query('accounts.isProven', { account }) === true
    return { quota: REQUEST_BODIES, part: environment, holder: account, isProven }
  }
  // A caller whose address is not read has no name: each of its requests stands for itself.
  const holder = workOwner(request) || request.requestId
  return { quota: ADDRESS_BODIES, part: 'both', holder, isProven: caller?.kind === 'operator' }
}

/** Returns the caller where it is authenticated; null for any other. */
function knownCaller(request: HttpRequest): Principal | null {
  const { passing, server, endpoint, headers, call, principal } = request
  if (passing !== null) return server.core === null ? null : callerEarly(server.core, endpoint.route, headers, call)
  if (!waitsAt(request, body)) return null
  return isOpenRule(endpoint.route.auth) ? sessionOf(request) : principal
}

/**
 * This build parses chunk framing loosely (extensions, line ends). A chunked request is therefore the last of its connection. It is
 * answered outside the parser, where bytes behind it have already closed the connection. A smuggled request behind it is never
 * answered.
 */
function end(request: HttpRequest, bytes: Buffer): void {
  request.server.bodyDeadlines.remove(request)
  if (!request.isChunked) return takeWhole(request, bytes)
  const own = request.ownsBytes ? bytes : Buffer.from(bytes)
  request.ownsBytes = true
  setImmediate(takeWhole, request, own)
}

/** Reads a rejected chunked body to its end before the answer leaves. A body without an end loses the connection. */
function discard(request: HttpRequest, chunk: ArrayBuffer, isLast: boolean): void {
  if (request.isEnded) return
  request.discardedBytes += chunk.byteLength
  if (isLast) setImmediate(resume<HttpRequest>, request, drain)
  else if (request.discardedBytes > DISCARDED_BYTES_MAX) request.socket.close()
}

/** Bounds the time until the answer of a node of a cluster. The request is complete. */
function boundAnswer(request: HttpRequest): void {
  const { server, endpoint, origin } = request
  server.answerDeadlines.add(request)
  const isRead = endpoint.route.method === 'GET' && !isForOwner(endpoint) && needsBarrier(endpoint)
  if (isRead && origin.sender === null && endpoint.route.auth !== 'stream' && server.cluster?.isOwner() === true)
    server.readDeadlines.add(request)
}

/** Auth rules whose credentials can be checked before the body without a side effect. */
const CHECKED_EARLY: ReadonlySet<AuthRule> = new Set(['key', 'key-or-session', 'session'])

/** Returns the caller of a request that this node forwards, where it already knows it. */
function callerEarly(
  { authenticator }: Pick<Core, 'authenticator'>,
  { auth }: Pick<RouteShape, 'auth'>,
  head: RequestHead,
  from: Pick<Call, 'remoteAddress'>,
): Principal | null {
  const caller = authenticator.authenticate(CHECKED_EARLY.has(auth) ? auth : 'session', head, from)
  return typeof caller === 'string' ? null : caller
}
