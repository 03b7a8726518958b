// Answers that stand for the JSON of a 503 where it does not help the client: a stream at a node that stops, and a page.
import type { Language } from '../text/language.ts'
import { errorStatus } from './outcome-status.ts'
import type { Header, RouteShape } from './route.ts'
import type { ServerContext } from './server-context.ts'

type Server = Pick<ServerContext<never>, 'cluster' | 'retiring' | 'draining' | 'core' | 'unavailablePage'>

const HTML = 'text/html'

interface UnavailableAnswer {
  readonly status: number
  readonly headers: readonly Header[]
  readonly body: string
}

/**
 * Returns whether another node must open the stream, because this one stops or still starts. 503 would end an EventSource for good,
 * and a ticket must not be used up here.
 */
export function isLeavingStream(
  { cluster, retiring, draining, core }: Omit<Server, 'unavailablePage'>,
  { auth }: Pick<RouteShape, 'auth'>,
): boolean {
  return cluster !== null && (retiring || draining || core === null) && auth === 'stream'
}

/** `target` is path and query as sent. Returns null where the JSON is right. */
export function unavailableAnswer(
  server: Server,
  route: Pick<RouteShape, 'auth' | 'path' | 'responses'>,
  target: string,
  language: Language,
): UnavailableAnswer | null {
  if (isLeavingStream(server, route)) {
    // Relative, because a proxy may add a path prefix.
    return { status: 307, headers: [['Location', target.slice(route.path.lastIndexOf('/') + 1)]], body: '' }
  }
  const isPage = route.responses.some(({ contentType }) => contentType === HTML)
  const page = isPage ? server.unavailablePage?.(route.path, language) : undefined
  return page === undefined ? null : { status: errorStatus('unavailable'), ...page }
}
