// `events list`, `events resend` and `listen`: events of the merchant, also forwarded to a program under development.
import type { StreamEvent } from '../../event-stream.ts'
import type { EventType, Row } from '../../types.ts'
import { sign } from '../../webhook-signature.ts'
import type { Command, CommandContext } from '../command.ts'
import { UsageError } from '../command-errors.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { defined } from '../given.ts'
import { columns, fields, type Output } from '../output.ts'

const ROWS_DEFAULT = 20
/** As the service waits for an endpoint. */
const FORWARD_MAX_MS = 15_000

export const LIST_EVENTS: Command = {
  name: ['events', 'list'],
  summary: 'List events, newest first',
  options: {
    type: { type: 'string', value: 'TYPE', about: 'for example charge.succeeded' },
    failed: { type: 'boolean', about: 'only events with a delivery that has not succeeded' },
    limit: { type: 'string', value: 'COUNT', about: 'rows; 20 without it' },
  },
  examples: [
    ['cauri events list --type charge.succeeded --limit 5', 'the last five payments'],
    ['cauri events list --failed --json', 'what endpoints did not take, for a script'],
  ],
  run: async ({ given, output, client, signal }) => {
    const type = given.text('type') as EventType | undefined
    const query = defined({ type, delivery_success: given.flag('failed') ? false : undefined })
    const rows = await client()
      .events.list(query, { signal })
      .toArray(given.whole('limit', 1) ?? ROWS_DEFAULT)
    if (output.isJson) for (const row of rows) output.result(row, [])
    else output.result(null, columns(rows.map(eventRow)))
    return EXIT.done
  },
}

function eventRow({ created_at, type, delivery_state, id }: Row<'listEvents'>): string[] {
  return [created_at, type, delivery_state, id]
}

export const RESEND_EVENT: Command = {
  name: ['events', 'resend'],
  takes: '<event id>',
  summary: 'Send an event to its endpoints again',
  options: {},
  examples: [['cauri events resend 01965c1e-7a2b-7c3d-8e4f-5a6b7c8d9e0f', 'one event']],
  run: async ({ given, output, client }) => {
    const event = await client().events.redeliver(given.argument('event id'))
    output.result(event, fields({ id: event.id, type: event.type, delivery: event.delivery_state }))
    return EXIT.done
  },
}

export const LISTEN: Command = {
  name: ['listen'],
  summary: 'Show events as they happen, and forward them to a program on this machine',
  about: `Each event is posted as a webhook: the same body and headers, signed again with --secret, or else with the default secret of the
merchant, which is printed. Lost connections are opened again, and nothing is left out. An event that the program does not take is
reported and not sent again; "cauri listen --since" starts behind an event.`,
  options: {
    'forward-to': { type: 'string', value: 'URL', about: 'address of your program' },
    secret: { type: 'string', value: 'WHSEC', about: 'secret that signs, for example that of your endpoint' },
    events: { type: 'string', value: 'TYPES', about: 'only these types, separated by commas' },
    since: { type: 'string', value: 'ID', about: 'begin behind this place of the stream; 0 begins with the first event' },
    count: { type: 'string', value: 'COUNT', about: 'end after so many events' },
  },
  examples: [
    ['cauri listen --forward-to http://localhost:3000/hook', 'your webhook receiver without a public address'],
    ['cauri listen --events charge.succeeded --json | jq .data.reference', 'events for a script'],
  ],
  run: listen,
}

async function listen({ given, output, client, signal }: CommandContext): Promise<ExitCode> {
  const api = client()
  const target = given.text('forward-to')
  if (target !== undefined && !/^https?:\/\//.test(target)) throw new UsageError('--forward-to is an http or https address')
  const secret = target === undefined ? '' : (given.text('secret') ?? (await api.webhookEndpoints.defaultSecret({ signal })))
  if (target !== undefined && given.text('secret') === undefined) output.note(`signed with ${secret}`)
  const count = given.whole('count', 1) ?? Number.POSITIVE_INFINITY
  const types = given.text('events')?.split(',') as EventType[] | undefined
  // The service names a type that there is not: listening to it would wait for ever.
  for (const type of types ?? []) await api.events.list({ type, limit: 1 }, { signal }).page()
  const stream = api.events.stream({
    ...defined({ lastId: given.whole('since', 0), types, signal }),
    onOpen: () => output.note(target === undefined ? 'listening' : `listening, forwarding to ${target}`),
    onLost: (error, wait) => output.note(`${error.message}; again in ${(wait / 1000).toFixed(1)} s`),
  })
  let done = 0
  for await (const event of stream) {
    const taken = target === undefined ? null : await forward(event, target, secret)
    show(output, event, taken)
    if (++done >= count) return EXIT.done
  }
  return EXIT.interrupted
}

interface Forwarded {
  readonly status: number | null
  readonly error: string | null
  readonly durationMs: number
}

async function forward({ type, data, id, stream_id }: StreamEvent, target: string, secret: string): Promise<Forwarded> {
  const body = JSON.stringify({ type, data })
  const startedMs = Date.now()
  const headers = {
    'Content-Type': 'application/json',
    'X-Service-Signature': await sign(body, secret),
    'X-Service-Event-Id': id,
    'X-Service-Delivery-Id': `listen-${stream_id}`,
    'X-Service-Attempt': '1',
  }
  try {
    const signal = AbortSignal.timeout(FORWARD_MAX_MS)
    const { status, body: answer } = await fetch(target, { method: 'POST', headers, body, redirect: 'manual', signal })
    await answer?.cancel()
    return { status, error: null, durationMs: Date.now() - startedMs }
  } catch (error) {
    const { cause, message } = error as Error
    return { status: null, error: cause instanceof Error ? cause.message : message, durationMs: Date.now() - startedMs }
  }
}

function show(output: Output, event: StreamEvent, taken: Forwarded | null): void {
  const how = taken === null ? [] : [taken.status === null ? `not taken: ${taken.error}` : `HTTP ${taken.status} in ${taken.durationMs} ms`]
  const json = taken === null ? event : { ...event, forwarded: { status: taken.status, error: taken.error, duration_ms: taken.durationMs } }
  output.result(json, [[event.created_at, event.type, `stream_id ${event.stream_id}`, ...how].join('  ')])
}
