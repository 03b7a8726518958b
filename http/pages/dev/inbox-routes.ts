// The routes of the development inbox: the page, and its updates as server-sent events. An update has no content: the
// browser loads the page again, so that messages are rendered in one place.
import { type Static, Type } from '../../../engine/contract/schema.ts'
import { type Call, type Header, type OpenStream, type Route, type RouteShape, route, type StreamListener } from '../../server/route.ts'
import { isSameSite } from '../../server/same-site.ts'
import { INBOX_MAX } from '../../server/server-limits.ts'
import type { Inbox } from '../../workers/gateways/inbox.ts'
import { answerPage } from '../shared/layout.ts'
import { INBOX_SHOWN_MAX, INBOX_STREAMS_MAX } from './dev-limits.ts'
import { inboxPage } from './inbox-page.ts'
import { onlyHere } from './local-guard.ts'

const PAGE = { tag: 'Pages', method: 'GET', auth: 'public', idempotency: 'none', errors: [] } as const satisfies Partial<RouteShape>

const NewsQuery = Type.Object({ after: Type.Optional(Type.Integer({ minimum: 0 })) })

const STREAM_HEADERS: readonly Header[] = [
  ['Content-Type', 'text/event-stream; charset=utf-8'],
  ['Connection', 'close'],
]

export function inboxRoutes(inbox: Inbox): readonly Route[] {
  const streams = new Set<InboxStream>()
  return [
    route({
      ...PAGE,
      path: '/dev',
      operationId: 'showInbox',
      summary: 'Outgoing messages',
      responses: [{ status: 200, description: 'The page.', contentType: 'text/html' }],
      handle: (call) => onlyHere(call, '', () => showInbox(inbox, call)),
    }),
    route({
      ...PAGE,
      path: '/dev/news',
      operationId: 'streamInboxNews',
      summary: 'News for the page',
      query: NewsQuery,
      responses: [{ status: 200, description: 'Server-sent events.', contentType: 'text/event-stream' }],
      handle: (call) => onlyHere(call, '../', () => openNews(inbox, streams, call)),
    }),
  ]
}

function showInbox(inbox: Inbox, call: Pick<Call, 'answerAs' | 'browser' | 'acceptEncoding' | 'queryText' | 'body'>): void {
  answerPage(call, 200, inboxPage({ entries: inbox.newest(INBOX_SHOWN_MAX), lastNumber: inbox.lastNumber, keptMax: INBOX_MAX }))
}

const NEWS = 'event: news\ndata: 1\n\n'

type NewsCall = Pick<Call<unknown, Static<typeof NewsQuery>>, 'query' | 'browser' | 'stream' | 'refuse'>

/** Opens the updates. Messages that arrived after the page was rendered are reported at once. */
function openNews(inbox: Inbox, streams: Set<InboxStream>, call: NewsCall): void {
  if (!isSameSite(call)) return call.refuse('csrf_failed')
  const [oldest] = streams
  if (streams.size >= INBOX_STREAMS_MAX) oldest?.end()
  const stream = new InboxStream(inbox, (ended) => streams.delete(ended))
  const first = call.query.after === inbox.lastNumber ? '' : NEWS
  const socket = call.stream(STREAM_HEADERS, `retry: 2000\n\n${first}`, stream)
  if (socket === null) return
  streams.add(stream)
  stream.begin(socket)
}

/** One open page. A stalled client gets one update when it is writable again. */
class InboxStream implements StreamListener {
  readonly #inbox: Inbox
  readonly #ended: (stream: InboxStream) => void
  #socket: OpenStream | null = null
  #unwatch: () => void = () => {}
  #isStalled = false
  #hasNews = false

  constructor(inbox: Inbox, ended: (stream: InboxStream) => void) {
    this.#inbox = inbox
    this.#ended = ended
  }

  begin(socket: OpenStream): void {
    this.#socket = socket
    this.#unwatch = this.#inbox.watch(() => this.#notify())
  }

  onWritable(): void {
    this.#isStalled = false
    if (this.#hasNews) this.#notify()
  }

  onClosed(): void {
    this.#over()
  }

  end(): void {
    const socket = this.#socket
    this.#over()
    socket?.end()
  }

  #notify(): void {
    this.#hasNews = this.#isStalled
    if (!this.#isStalled) this.#isStalled = this.#socket?.write(NEWS) === false
  }

  #over(): void {
    this.#unwatch()
    this.#socket = null
    this.#ended(this)
  }
}
