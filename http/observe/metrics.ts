// `GET /metrics`: the counts of all rooms as Prometheus text, put together when somebody asks. Nothing here runs on the
// way of a request.
import { collectDefaultMetrics, type Metric, Registry } from 'prom-client'
import type { Engine } from '../../engine/actor/engine.ts'
import type { Archive } from '../../engine/actor/ports.ts'
import type { Outside } from '../outside.ts'
import { type Route, route } from '../route.ts'
import type { Endpoint } from '../transport/front.ts'
import type { RateLimiter } from '../transport/rate-limit.ts'
import type { RequestWatch } from '../transport/request-watch.ts'
import type { MeteredLog } from './metered-log.ts'
import type { Tally } from './tally.ts'

/** What the figures are read from. The engine is null until the log is recovered. */
export interface MetricSources {
  readonly endpoints: () => readonly Endpoint[]
  readonly server: () => { readonly inFlight: number; readonly connections: number; readonly bodiesBytes: number }
  readonly engine: () => Engine | null
  /** Null until the log is recovered, like the engine. */
  readonly outside: () => Outside | null
  readonly watch: RequestWatch
  readonly rateLimiter: RateLimiter
  readonly log: MeteredLog
  readonly archive: Pick<Archive, 'indexedThrough'>
  readonly sandbox: () => { readonly running: number; readonly waiting: number } | null
  /** Runs that are not in their product's log. */
  readonly unrecordedRuns: () => number | undefined
}

interface Sample {
  readonly labels?: Readonly<Record<string, string | number>>
  readonly value: number
  readonly metricName?: string
}

type Labels = Readonly<Record<string, string>>

const SECOND_MS = 1000

export function createMetrics(sources: MetricSources): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  addRequests(registry, sources)
  addServer(registry, sources)
  addEngine(registry, sources)
  addOutside(registry, sources)
  addBills(registry, sources)
  addStorage(registry, sources)
  addSandbox(registry, sources)
  return registry
}

/** Open to whoever reaches the port, as Prometheus expects: it holds counts and nothing of anybody. */
export function metricsRoute(registry: Registry, onFailure: (error: unknown) => void): Route {
  return route({
    method: 'GET',
    path: '/metrics',
    operationId: 'getMetrics',
    tag: 'Service',
    summary: 'Counts for Prometheus',
    auth: 'public',
    idempotency: 'none',
    responses: [{ status: 200, description: 'Prometheus text format.', contentType: 'text/plain' }],
    errors: [],
    handle: (call) => {
      registry.metrics().then(
        (text) => call.answerAs(200, text, [['content-type', registry.contentType]]),
        (error: unknown) => {
          onFailure(error)
          call.refuse('internal_error')
        },
      )
    },
  })
}

function addRequests(registry: Registry, { endpoints, watch }: MetricSources): void {
  add(registry, 'counter', 'cauri_http_requests_total', 'Requests by operation and status; 499: the client left first.', () =>
    endpoints().flatMap(({ label, withoutBody, meter }) =>
      [...meter.statuses].map(([status, value]) => ({ labels: { operation: withoutBody ? `HEAD ${label}` : label, status }, value })),
    ),
  )
  add(registry, 'histogram', 'cauri_http_request_duration_seconds', 'From the head of a request to its answer, by operation.', () =>
    endpoints()
      .filter(({ meter, withoutBody }) => meter.statuses.size > 0 && !withoutBody)
      .flatMap(({ label, meter }) =>
        histogramSamples('cauri_http_request_duration_seconds', meter.durationsMs, 1 / SECOND_MS, { operation: label }),
      ),
  )
  count(
    registry,
    'cauri_http_refused_framings_total',
    'Connections closed for a request whose end could not be trusted.',
    () => watch.refusedFramings,
  )
  count(registry, 'cauri_http_refused_connections_total', 'Connections closed for being one too many.', () => watch.refusedConnections)
  count(registry, 'cauri_http_handler_failures_total', 'Handlers that threw: bugs.', () => watch.failures)
}

function addServer(registry: Registry, { server, rateLimiter }: MetricSources): void {
  gauge(registry, 'cauri_http_requests_in_flight', 'Requests without an answer.', () => server().inFlight)
  gauge(registry, 'cauri_http_connections', 'Open connections.', () => server().connections)
  gauge(registry, 'cauri_http_body_bytes', 'Bytes of half-arrived bodies.', () => server().bodiesBytes)
  gauge(registry, 'cauri_rate_limit_buckets', 'Merchants with requests of late, by environment.', () => rateLimiter.bucketCount)
}

function addEngine(registry: Registry, { engine, archive }: MetricSources): void {
  count(registry, 'cauri_engine_turns_total', 'Commands that were decided.', () => engine()?.figures.turns)
  count(registry, 'cauri_engine_records_total', 'Records given to the log.', () => engine()?.figures.records)
  count(registry, 'cauri_engine_images_total', 'Images of live state that were stored.', () => engine()?.figures.images)
  gauge(registry, 'cauri_engine_waiting_commands', 'Commands that wait for their turn.', () => engine()?.waitingCommands)
  gauge(registry, 'cauri_engine_waiting_answers', 'Answers that wait for the disk.', () => engine()?.waitingAnswers)
  gauge(registry, 'cauri_engine_sequence', 'Sequence of the last record.', () => engine()?.lastSequence)
  gauge(registry, 'cauri_engine_durable_sequence', 'Sequence of the last record on disk.', () => engine()?.durableSequence)
  gauge(registry, 'cauri_archive_lag_records', 'Records whose index entries are not on disk yet.', () => {
    const durable = engine()?.durableSequence
    return durable === undefined ? undefined : Math.max(0, durable - archive.indexedThrough)
  })
}

function addOutside(registry: Registry, { engine, outside }: MetricSources): void {
  gauge(registry, 'cauri_streams', 'Open realtime streams.', () => outside()?.streams.count)
  gauge(registry, 'cauri_stream_tickets', 'Tickets that nobody has used yet.', () => outside()?.tickets.count)
  gauge(registry, 'cauri_webhook_deliveries_open', 'Webhook deliveries that go on.', () => engine()?.state.webhooks.deliveries.size)
  gauge(registry, 'cauri_webhook_attempts_under_way', 'Webhook calls without an outcome.', () => outside()?.deliverer.underWay)
  byOutcome(registry, 'cauri_webhook_attempts_total', 'Webhook calls by what came of them.', () => outside()?.deliverer.figures)
}

function addBills(registry: Registry, { engine, outside }: MetricSources): void {
  gauge(registry, 'cauri_lookups_under_way', 'Lookups without an answer.', () => outside()?.lookups.underWay)
  byOutcome(registry, 'cauri_lookups_total', 'Lookups by what the customer was told.', () => outside()?.lookups.figures)
  gauge(registry, 'cauri_fulfillments_open', 'Paid bills whose fulfillment is not over.', () => engine()?.state.bills.fulfilling.size)
  gauge(registry, 'cauri_fulfillments_under_way', 'Fulfillments that run.', () => outside()?.fulfiller.underWay)
  byOutcome(registry, 'cauri_fulfillments_total', 'Fulfillments by how they ended.', () => outside()?.fulfiller.figures)
}

function addStorage(registry: Registry, { engine, log }: MetricSources): void {
  count(registry, 'cauri_log_flushed_bytes_total', 'Bytes given to the log.', () => engine()?.figures.flushedBytes)
  add(registry, 'histogram', 'cauri_log_flush_duration_seconds', 'From giving a batch to the log to having it on disk.', () =>
    histogramSamples('cauri_log_flush_duration_seconds', log.flushesMs, 1 / SECOND_MS, {}),
  )
  add(registry, 'histogram', 'cauri_log_batch_records', 'Records of a batch.', () =>
    histogramSamples('cauri_log_batch_records', log.batchRecords, 1, {}),
  )
}

function addSandbox(registry: Registry, { sandbox, unrecordedRuns }: MetricSources): void {
  gauge(registry, 'cauri_sandbox_running', 'Runs of hosted code that hold a thread.', () => sandbox()?.running)
  gauge(registry, 'cauri_sandbox_waiting', 'Runs of hosted code that wait for one.', () => sandbox()?.waiting)
  count(registry, 'cauri_sandbox_unrecorded_runs_total', 'Runs of hosted code that found no room in the log.', unrecordedRuns)
}

function byOutcome(registry: Registry, name: string, help: string, read: () => object | undefined): void {
  add(registry, 'counter', name, help, () => Object.entries(read() ?? {}).map(([outcome, value]) => ({ labels: { outcome }, value })))
}

function count(registry: Registry, name: string, help: string, read: () => number | undefined): void {
  add(registry, 'counter', name, help, () => single(read()))
}

function gauge(registry: Registry, name: string, help: string, read: () => number | undefined): void {
  add(registry, 'gauge', name, help, () => single(read()))
}

/** A figure that nobody has yet is left out rather than shown as zero. */
function single(value: number | undefined): Sample[] {
  return value === undefined ? [] : [{ value }]
}

/** Buckets are cumulative (Prometheus text format), and bounds are in the metric's unit. */
function histogramSamples(name: string, tally: Tally, unit: number, labels: Labels): Sample[] {
  const samples: Sample[] = []
  let total = 0
  for (const [place, bound] of [...tally.bounds, Number.POSITIVE_INFINITY].entries()) {
    total += tally.counts[place] as number
    const le = Number.isFinite(bound) ? bound * unit : '+Inf'
    samples.push({ metricName: `${name}_bucket`, labels: { ...labels, le }, value: total })
  }
  samples.push({ metricName: `${name}_sum`, labels, value: tally.sum * unit }, { metricName: `${name}_count`, labels, value: total })
  return samples
}

function add(registry: Registry, type: 'counter' | 'gauge' | 'histogram', name: string, help: string, collect: () => Sample[]): void {
  const metric = { name, help, type, aggregator: 'sum', get: async () => ({ name, help, type, aggregator: 'sum', values: collect() }) }
  // The registry asks a metric for nothing but `name` and `get`; its own classes would count a second time, on the hot path.
  registry.registerMetric(metric as unknown as Metric)
}
