// The merchant's stream of events, over connections that are opened again and resume behind the last event.
import { BACKOFF_CEILING_MS, FRAME_LENGTH_MAX, STREAM_IDLE_MAX_MS } from './client-limits.ts'
import { ApiError, CauriError, ConnectionError } from './errors.ts'
import { pause, waitMs } from './retry-plan.ts'
import type { Transport } from './transport.ts'
import type { EventType, WebhookEvent } from './types.ts'

export interface StreamOptions {
  /** `stream_id` of the last event that was processed. 0 begins with the first event; without it the stream begins now. */
  readonly lastId?: number
  /** Only these types are returned. */
  readonly types?: readonly EventType[]
  readonly signal?: AbortSignal
  /** Called each time a connection is open. */
  readonly onOpen?: () => void
  /** Called each time a connection is lost, before the wait. */
  readonly onLost?: (error: CauriError, waitMs: number) => void
}

/** An event with its place in the stream. */
export type StreamEvent = WebhookEvent & {
  /** Place in the stream: store it once the event is processed, and resume with it. */
  readonly stream_id: number
  /** Id of the event. The same event comes with the same id by webhook. */
  readonly id: string
  readonly created_at: string
}

const PATH = '/v1/biz/events/stream'
/** The backoff has reached its ceiling long before. */
const FAILURES_COUNTED_MAX = 16

/**
 * Returns events until the caller stops or aborts. A lost connection is opened again and goes on behind the last event, without
 * an end of tries. Throws the ApiError of a rejection that waiting does not mend, such as a revoked key.
 */
export async function* streamEvents(transport: Transport, options: StreamOptions): AsyncGenerator<StreamEvent, void, undefined> {
  const { signal, types, onLost } = options
  let lastId = options.lastId ?? null
  for (let failures = 0; ; ) {
    try {
      for await (const { id, data } of connection(transport, lastId, options)) {
        failures = 0
        lastId = id
        if (data === null) continue
        const event = { ...(JSON.parse(data) as object), stream_id: id } as StreamEvent
        if (types === undefined || types.includes(event.type)) yield event
      }
    } catch (error) {
      if (signal?.aborted === true) return
      const wait = reconnectMs(++failures, error)
      onLost?.(error as CauriError, wait)
      await pause(wait, signal).catch(ended)
    }
  }
}

/** Returns the frames of one connection. It ends by an error. */
async function* connection(
  transport: Transport,
  lastId: number | null,
  { signal, onOpen }: StreamOptions,
): AsyncGenerator<Frame, never, undefined> {
  const ending = new AbortController()
  const onAbort = (): void => ending.abort(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    signal?.throwIfAborted()
    const headers = lastId === null ? {} : { 'Last-Event-ID': String(lastId) }
    const response = await transport.open(PATH, 'text/event-stream', { signal: ending.signal }, headers)
    onOpen?.()
    yield* framesOf(response, ending)
    throw lost('the service ended the stream', null)
  } finally {
    signal?.removeEventListener('abort', onAbort)
    ending.abort()
  }
}

/** An abort during the wait ends the stream with the next round. */
function ended(): void {
  // The signal itself is read there.
}

/** Returns the wait before the next connection. Throws an error that waiting does not mend. */
function reconnectMs(failures: number, error: unknown): number {
  if (!(error instanceof CauriError)) throw error
  if (error instanceof ApiError && error.status !== 429 && error.status < 500) throw error
  const plan = { retries: Number.POSITIVE_INFINITY, retryAfterMaxMs: Number.POSITIVE_INFINITY }
  return waitMs(plan, Math.min(failures, FAILURES_COUNTED_MAX), error instanceof ApiError ? error.retryAfterMs : null) ?? BACKOFF_CEILING_MS
}

function lost(message: string, cause: unknown): ConnectionError {
  return new ConnectionError(message, { cause, isTimeout: false, idempotencyKey: null })
}

interface Frame {
  readonly id: number
  /** JSON; null for a frame that only names the place where the stream begins. */
  readonly data: string | null
}

/** Reads the frames of a connection. A connection without a byte for STREAM_IDLE_MAX_MS is ended. */
async function* framesOf(response: Response, ending: AbortController): AsyncGenerator<Frame, void, undefined> {
  if (response.body === null) return
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const chunk = await readWithin(reader, ending)
      if (chunk === null) return
      text += decoder.decode(chunk, { stream: true })
      if (text.length > FRAME_LENGTH_MAX) throw lost('a frame of the stream is too long', null)
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const frame = frameOf(block)
        if (frame !== null) yield frame
      }
    }
  } finally {
    ending.abort()
  }
}

async function readWithin(reader: ReadableStreamDefaultReader<Uint8Array>, ending: AbortController): Promise<Uint8Array | null> {
  const timer = setTimeout(() => ending.abort(), STREAM_IDLE_MAX_MS)
  try {
    const { done, value } = await reader.read()
    return done ? null : value
  } catch (cause) {
    throw lost('the connection of the stream was lost', cause)
  } finally {
    clearTimeout(timer)
  }
}

/** Returns null for a block without an id: a comment, or `retry`. */
function frameOf(block: string): Frame | null {
  let id: number | null = null
  const data: string[] = []
  for (const line of block.split('\n')) {
    if (line.startsWith('id: ')) id = Number(line.slice('id: '.length))
    else if (line.startsWith('data: ')) data.push(line.slice('data: '.length))
  }
  return id === null ? null : { id, data: data.length === 0 ? null : data.join('\n') }
}
