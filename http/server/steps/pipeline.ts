// The request pipeline: the lists of steps that a request goes through, in their order. A request that waits continues behind the
// step that waited; one that is answered continues with the steps of its answer. Pages call the API through the same steps behind
// a list of their own (http/pages/shared/api-calls.ts).
//
// Who waits for whom: `caller` for a slow check of the caller or the read barrier of a cluster, `body` for the last byte, `turn` for
// the turn of its caller; behind `handle` the handler waits for the engine, which settles when a command is durable. An answer waits
// in `drain` for the end of a rejected body, in `leaveParser` for the native parser, in `prove` for the proof of the ownership.
import type { PreparedBody } from '../body/prepared-body.ts'
import { advance, type HttpRequest, type RequestWay, type Step } from '../request.ts'
import { isFromNode, isLocal, isPrivate, remoteAddress } from './address.ts'
import { authenticate } from './authenticate.ts'
import { body, takeChunk, takePrepared, takeWhole } from './body.ts'
import { RequestCall, type Transport } from './call.ts'
import { caller } from './caller.ts'
import { closeConnection } from './close-connection.ts'
import { chooseNode } from './cluster.ts'
import { cors } from './cors.ts'
import { csrf } from './csrf.ts'
import { drain } from './drain.ts'
import { echoKey } from './echo-key.ts'
import { abort } from './end.ts'
import { environment } from './environment.ts'
import { forward } from './forward.ts'
import { frame } from './frame.ts'
import { handle } from './handle.ts'
import { keptAnswer } from './kept-answer.ts'
import { key } from './key.ts'
import { enterParser, leaveParser } from './leave-parser.ts'
import { node } from './node.ts'
import { open } from './open.ts'
import { ownCurrency } from './own-currency.ts'
import { ownReads } from './own-reads.ts'
import { ownSite } from './own-site.ts'
import { params } from './params.ts'
import { pause } from './pause.ts'
import { prove } from './prove.ts'
import { query } from './query.ts'
import { rateLimit, spend } from './rate-limit.ts'
import { readFile } from './read-file.ts'
import { fail, refuse } from './refuse.ts'
import { rights } from './rights.ts'
import { seal } from './seal.ts'
import { send } from './send.ts'
import { answerAs, answerJson, settle, stream } from './settle.ts'
import { singleHeaders } from './single-headers.ts'
import { size } from './size.ts'
import { turn } from './turn.ts'
import { validate } from './validate.ts'

type HttpSteps = readonly Step<HttpRequest>[]

/** A request that this node answers. Behind `handle` its handler submits a command or answers. */
export const ANSWERED_HERE: HttpSteps = [
  // What comes in, and which node it is for.
  ...[cors, frame, caller, node],
  // Who calls, and what the caller may do.
  ...[singleHeaders, environment, ownSite, authenticate, rateLimit, csrf, rights, ownReads],
  // What the head asks for.
  ...[params, query, key, echoKey, size, pause],
  // The body, once it is whole.
  ...[body, open, forward, turn, readFile, validate],
  // The answer of an earlier request with this key, or that of the handler.
  ...[keptAnswer, ownCurrency, handle],
]

/** A path that answers from start to stop: health, metrics, documents. */
export const ALWAYS_OPEN: HttpSteps = [
  ...[cors, frame],
  ...[params, query, key, echoKey, size, pause],
  ...[body, turn, validate],
  ...[keptAnswer, handle],
]

/** A request that the owner of the log answers. */
export const FORWARDED: HttpSteps = [cors, frame, node, size, body, open, forward]

/** An answer, from its head and body to the socket. */
export const ANSWER: HttpSteps = [drain, leaveParser, prove, closeConnection, seal, send]

const HTTP: Transport<HttpRequest> = {
  ...{ remoteAddress, isLocal, isPrivate, isFromNode },
  ...{ settle, answer: answerJson, answerAs, refuse, spend, stream, fail },
}

export const HTTP_WAY: RequestWay = { answerSteps: ANSWER, callOf: (request) => new RequestCall(request, HTTP) }

/** Begins a request, inside the native handler. Its source is invalid afterwards. */
export function begin(request: HttpRequest): void {
  const { server, socket } = request
  server.enter()
  enterParser(request)
  chooseNode(request)
  request.steps = request.endpoint.alwaysOpen ? ALWAYS_OPEN : request.passing === null ? ANSWERED_HERE : FORWARDED
  const listener = listenerOf(request)
  socket.onAborted(listener)
  if (request.isReceiving) {
    if (request.isChunked) server.bodyDeadlines.add(request)
    socket.onData(listener)
  }
  advance(request)
  if (!request.isReceiving) takeWhole(request, NO_BYTES)
}

const NO_BYTES = Buffer.alloc(0)

/** Returns one function for both: it is called without a chunk when the client has left. */
function listenerOf(request: HttpRequest): (chunk?: ArrayBuffer, isLast?: boolean, prepared?: PreparedBody) => void {
  return (chunk, isLast, prepared) => {
    if (chunk === undefined) return abort(request)
    enterParser(request)
    if (prepared === undefined) takeChunk(request, chunk, isLast === true)
    else takePrepared(request, prepared)
  }
}
