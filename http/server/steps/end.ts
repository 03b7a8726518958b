// The end of a request: it leaves every list that it is in.
import { type HttpRequest, leaveSteps } from '../request.ts'
import { CLIENT_LEFT } from '../server-context.ts'

export function end(request: HttpRequest): void {
  const { server, collector } = request
  request.isEnded = true
  leaveSteps(request)
  server.leave()
  // Kept for a handover. The native layer holds an answered request until the next one of its connection.
  request.owned = null
  if (server.cluster !== null) {
    server.answerDeadlines.remove(request)
    server.readDeadlines.remove(request)
  }
  if (collector !== null) collector.drop()
  server.bodyDeadlines.remove(request)
}

/** The client has left. */
export function abort(request: HttpRequest): void {
  if (request.isEnded) return
  end(request)
  finished(request, CLIENT_LEFT)
}

export function finished(request: HttpRequest, status: number): void {
  request.server.watch.finished(request, status, performance.now() - request.startedMs)
}
