// `GET /metrics`: figures of the process as Prometheus text, built on request and cached for a second. It must never
// run inside another request.

import { collectDefaultMetrics, Registry } from 'prom-client'
import type { Archive } from '../../engine/actor/ports.ts'
import type { QueryAnswer } from '../../engine/api.ts'
import { OperatorToken } from '../auth/operator/operator.ts'
import type { HttpServer } from '../server/http-server.ts'
import type { RateLimiter } from '../server/rate-limit.ts'
import type { RequestWatch } from '../server/request-watch.ts'
import { type Route, route } from '../server/route.ts'
import type { Endpoint } from '../server/server-context.ts'
import { METRICS_TEXT_MS } from '../server/server-limits.ts'
import { TimedValue } from '../server/timed-value.ts'
import { addCluster, type ClusterFigures } from './cluster-metrics.ts'
import type { Logger } from './logging.ts'
import type { MeteredLog } from './metered-log.ts'
import { histogramSamples, label, PrometheusText } from './prometheus-text.ts'
import type { Workers } from './workers.ts'

/** Sources of the figures. The engine is null until the log is recovered. */
export interface MetricSources {
  readonly endpoints: () => readonly Endpoint[]
  readonly server: () => Pick<HttpServer, 'inFlight' | 'connections' | 'bodiesBytes' | 'threadFigures'>
  readonly figures: () => QueryAnswer<'engine.figures'> | undefined
  /** Empty until the log is recovered. */
  readonly quotas: () => QueryAnswer<'quotas.figures'>
  /** Null until the log is recovered. */
  readonly outside: () => Workers | null
  readonly watch: RequestWatch
  readonly rateLimiter: RateLimiter
  readonly log: MeteredLog
  readonly archive: Pick<Archive, 'indexedThrough'> & {
    /** Log position and time of the stored snapshot; null without one. */
    readonly snapshotPoint: { readonly sequence: number; readonly timeMs: number } | null
  }
  readonly disk: () => { readonly freeBytes: number; readonly reserveBytes: number }
  /** Null without a cluster, and until the log is recovered. */
  readonly cluster: () => ClusterFigures | null
  /** Whether requests reach their handlers and the log takes writes; `/healthz` answers 503 otherwise. */
  readonly isHealthy: () => boolean
  readonly sandbox: () => { readonly running: number; readonly waiting: number } | null
  /** Number of runs that are missing in their product's log. */
  readonly unrecordedRuns: () => number | undefined
}

type QuotaFigures = QueryAnswer<'quotas.figures'>[number]

const SECOND_MS = 1000
const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** The text of `/metrics`, built at most once in METRICS_TEXT_MS. */
export interface Metrics {
  text(): Promise<Buffer>
}

export function createMetrics(sources: MetricSources, textMs: number = METRICS_TEXT_MS): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  // Removed because it reads a directory entry per connection: some 30 ms for 60 000.
  registry.removeSingleMetric('process_open_fds')
  const own = new PrometheusText()
  own.addSingle('gauge', 'cauri_metrics_made_timestamp_seconds', 'When this text was made, in Unix seconds.', () => Date.now() / SECOND_MS)
  addRequests(own, sources)
  addServer(own, sources)
  addEngine(own, sources)
  addOutside(own, sources)
  addBills(own, sources)
  addQuotas(own, sources)
  addStorage(own, sources)
  addDisk(own, sources)
  addCluster(own, sources.cluster)
  addSandbox(own, sources)
  const made = new TimedValue(async () => Buffer.from(`${await registry.metrics()}${await own.text()}`), textMs)
  return { text: () => made.get() }
}

export interface MetricsAccess {
  /** Null when METRICS_TOKEN is not set. */
  readonly token: OperatorToken | null
  readonly onFailure: (error: unknown) => void
}

export function metricsAccess({ metricsToken }: { readonly metricsToken: string | null }, logger: Pick<Logger, 'error'>): MetricsAccess {
  const token = metricsToken === null ? null : new OperatorToken(metricsToken)
  return { token, onFailure: (error) => logger.error({ err: error }, 'metrics failed') }
}

/**
 * Returns the route. Counts reveal the amount of business, so only private addresses or the bearer of METRICS_TOKEN
 * may read them.
 */
export function metricsRoute(metrics: Metrics, { token, onFailure }: MetricsAccess): Route {
  return route({
    method: 'GET',
    path: '/metrics',
    operationId: 'getMetrics',
    tag: 'Service',
    summary: 'Counts for Prometheus',
    description:
      'Answers requests from loopback and private addresses, and requests that carry `Authorization: Bearer <METRICS_TOKEN>`. ' +
      'With `PROXY_HOPS` the forwarded address is judged. The text is made at most once a second.',
    auth: 'public',
    idempotency: 'none',
    takesLong: true,
    responses: [{ status: 200, description: 'Prometheus text format.', contentType: 'text/plain' }],
    errors: ['unauthorized'],
    handle: (call) => {
      if (!call.isPrivate && token?.matches(call.authorization) !== true) return call.refuse('unauthorized')
      metrics.text().then(
        (text) => call.answerAs(200, text, [['content-type', CONTENT_TYPE]]),
        (error: unknown) => {
          onFailure(error)
          call.refuse('internal_error')
        },
      )
    },
  })
}

function addRequests(own: PrometheusText, { endpoints, watch }: MetricSources): void {
  own.add('counter', 'cauri_http_requests_total', 'Requests by operation and status; 499: the client left first.', () =>
    endpoints().flatMap(({ label: operation, withoutBody, meter }) =>
      [...meter.statuses].map(([status, value]) => ({
        suffix: '',
        labels: `${label('operation', withoutBody ? `HEAD ${operation}` : operation)},${label('status', status)}`,
        value,
      })),
    ),
  )
  own.add('histogram', 'cauri_http_request_duration_seconds', 'From the head of a request to its answer, by operation.', () =>
    endpoints()
      .filter(({ meter, withoutBody }) => meter.statuses.size > 0 && !withoutBody)
      .flatMap(({ label: operation, meter }) => histogramSamples(meter.durationsMs, 1 / SECOND_MS, label('operation', operation))),
  )
  own.addSingle(
    'counter',
    'cauri_http_refused_framings_total',
    'Connections closed for a request whose end could not be trusted.',
    () => watch.refusedFramings,
  )
  own.addSingle(
    'counter',
    'cauri_http_refused_connections_total',
    'Connections closed for being one too many.',
    () => watch.refusedConnections,
  )
  own.addSingle('counter', 'cauri_http_handler_failures_total', 'Handlers that threw: bugs.', () => watch.failures)
}

function addServer(own: PrometheusText, { server, rateLimiter, isHealthy }: MetricSources): void {
  own.addSingle('gauge', 'cauri_healthy', '1 while requests are answered, 0 while `/healthz` answers 503.', () => Number(isHealthy()))
  own.addSingle('gauge', 'cauri_http_requests_in_flight', 'Requests without an answer.', () => server().inFlight)
  own.addSingle('gauge', 'cauri_http_connections', 'Open connections.', () => server().connections)
  own.addSingle('gauge', 'cauri_http_body_bytes', 'Bytes of half-arrived bodies.', () => server().bodiesBytes)
  own.addSingle(
    'counter',
    'cauri_http_threads_replaced_total',
    'HTTP threads that ended and were replaced.',
    () => server().threadFigures.replaced,
  )
  own.addSingle(
    'counter',
    'cauri_http_thread_refusals_total',
    'Requests that HTTP threads answered with 503 because the engine did not take them in time.',
    () => server().threadFigures.refusedWhenFull,
  )
  own.addSingle('gauge', 'cauri_rate_limit_buckets', 'Merchants with requests of late, by environment.', () => rateLimiter.bucketCount)
}

function addEngine(own: PrometheusText, { figures, archive }: MetricSources): void {
  own.addSingle('counter', 'cauri_engine_turns_total', 'Commands that were decided.', () => figures()?.turns)
  own.addSingle('counter', 'cauri_engine_records_total', 'Records given to the log.', () => figures()?.records)
  own.addSingle('counter', 'cauri_engine_images_total', 'Snapshots of live state that were stored.', () => figures()?.snapshots)
  own.addSingle('gauge', 'cauri_engine_waiting_commands', 'Commands that wait for their turn.', () => figures()?.waitingCommands)
  own.addSingle('gauge', 'cauri_engine_waiting_answers', 'Answers that wait for the disk.', () => figures()?.waitingAnswers)
  own.addSingle('gauge', 'cauri_engine_sequence', 'Sequence of the last record.', () => figures()?.lastSequence)
  own.addSingle('gauge', 'cauri_engine_durable_sequence', 'Sequence of the last record on disk.', () => figures()?.durableSequence)
  own.addSingle('gauge', 'cauri_archive_lag_records', 'Records whose index entries are not on disk yet.', () => {
    const durable = figures()?.durableSequence
    return durable === undefined ? undefined : Math.max(0, durable - archive.indexedThrough)
  })
}

function addOutside(own: PrometheusText, { figures, outside }: MetricSources): void {
  own.addSingle('gauge', 'cauri_streams', 'Open realtime streams.', () => outside()?.streams.count)
  own.addSingle('gauge', 'cauri_stream_tickets', 'Unused tickets of streams.', () => outside()?.tickets.count)
  own.addSingle('gauge', 'cauri_webhook_deliveries_open', 'Webhook deliveries that go on.', () => figures()?.openDeliveries)
  own.addSingle('gauge', 'cauri_webhook_attempts_under_way', 'Webhook calls without an outcome.', () => outside()?.deliverer.underWay)
  byOutcome(own, 'cauri_webhook_attempts_total', 'Webhook calls by what came of them.', () => outside()?.deliverer.figures)
  own.addSingle(
    'gauge',
    'cauri_messages_open',
    'Text messages, e-mails and failed pushes that no gateway has taken.',
    () => figures()?.openMessages,
  )
  byOutcome(own, 'cauri_message_attempts_total', 'Calls of message gateways by outcome.', () => outside()?.outbox.figures)
}

function addBills(own: PrometheusText, { figures, outside }: MetricSources): void {
  own.addSingle('gauge', 'cauri_lookups_under_way', 'Lookups without an answer.', () => outside()?.lookups.underWay)
  byOutcome(own, 'cauri_lookups_total', 'Lookups by outcome for the customer.', () => outside()?.lookups.figures)
  own.addSingle('gauge', 'cauri_fulfillments_open', 'Paid bills whose fulfillment is not over.', () => figures()?.openFulfillments)
  own.addSingle('gauge', 'cauri_fulfillments_under_way', 'Fulfillments that run.', () => outside()?.fulfiller.underWay)
  byOutcome(own, 'cauri_fulfillments_total', 'Fulfillments by how they ended.', () => outside()?.fulfiller.figures)
}

function addQuotas(own: PrometheusText, { quotas }: MetricSources): void {
  const add = (name: string, help: string, value: (figures: QuotaFigures) => number): void =>
    own.add('gauge', name, help, () =>
      quotas().map((figures) => ({
        suffix: '',
        labels: `${label('quota', figures.name)},${label('part', figures.part)}`,
        value: value(figures),
      })),
    )
  add('cauri_quota_rows', 'Rows of a table that callers fill.', ({ rows }) => rows)
  add('cauri_quota_rows_max', 'Maximum of these rows.', ({ max }) => max)
  add('cauri_quota_largest_holder_rows', 'Rows of the holder with the most.', ({ largest }) => largest)
}

function addStorage(own: PrometheusText, { figures, log }: MetricSources): void {
  own.addSingle('counter', 'cauri_log_flushed_bytes_total', 'Bytes given to the log.', () => figures()?.flushedBytes)
  own.add('histogram', 'cauri_log_flush_duration_seconds', 'From giving a flush to the log to having it on disk.', () =>
    histogramSamples(log.flushesMs, 1 / SECOND_MS, ''),
  )
  own.addSingle('gauge', 'cauri_log_oldest_append_seconds', 'How long the running append has waited.', () => log.oldestAppendMs / SECOND_MS)
  own.add('histogram', 'cauri_log_batch_records', 'Records of a flush.', () => histogramSamples(log.batchRecords, 1, ''))
}

function addDisk(own: PrometheusText, { figures, archive, disk }: MetricSources): void {
  own.addSingle('gauge', 'cauri_disk_free_bytes', 'Free space of the disk of DATA_DIR.', () => disk().freeBytes)
  own.addSingle('gauge', 'cauri_disk_reserve_bytes', 'Space that the log never uses: below it writes get 503.', () => disk().reserveBytes)
  own.addSingle('gauge', 'cauri_snapshot_age_seconds', 'Age of the stored snapshot of live state.', () => {
    const { snapshotPoint } = archive
    return snapshotPoint === null ? undefined : Math.max(0, Date.now() - snapshotPoint.timeMs) / SECOND_MS
  })
  own.addSingle('gauge', 'cauri_snapshot_lag_records', 'Durable records that the stored snapshot lacks: a start replays them.', () => {
    const durable = figures()?.durableSequence
    return durable === undefined ? undefined : Math.max(0, durable - (archive.snapshotPoint?.sequence ?? 0))
  })
}

function addSandbox(own: PrometheusText, { sandbox, unrecordedRuns }: MetricSources): void {
  own.addSingle('gauge', 'cauri_sandbox_running', 'Runs of hosted code that hold a thread.', () => sandbox()?.running)
  own.addSingle('gauge', 'cauri_sandbox_waiting', 'Runs of hosted code that wait for one.', () => sandbox()?.waiting)
  own.addSingle('counter', 'cauri_sandbox_unrecorded_runs_total', 'Runs of hosted code that found no room in the log.', unrecordedRuns)
}

function byOutcome(own: PrometheusText, name: string, help: string, read: () => object | undefined): void {
  own.add('counter', name, help, () =>
    Object.entries(read() ?? {}).map(([outcome, value]) => ({ suffix: '', labels: label('outcome', outcome), value: Number(value) })),
  )
}
