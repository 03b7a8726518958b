// Records finished requests: counts always, one log line each at `debug`. It must never record a query, a header, a
// body, or a path that is a capability.
import { InvariantError } from '../../engine/kernel/assert.ts'
import type { Logger } from './logger.ts'
import { RequestLog } from './request-log.ts'
import type { Visit, Watch } from './server-context.ts'

/** Placeholders whose values are capabilities. */
const CAPABILITIES: ReadonlySet<string> = new Set(['token', 'ticket', 'payload'])

export class RequestWatch implements Watch {
  /** What merchants read of the requests of their test keys. */
  readonly requestLog = new RequestLog()
  refusedFramings = 0
  refusedConnections = 0
  failures = 0
  readonly #logger: Logger
  readonly #logsRequests: boolean
  readonly #onBug: (error: InvariantError) => void

  /** `onBug` receives a broken invariant: the process must stop. */
  constructor(logger: Logger, onBug: (error: InvariantError) => void) {
    this.#logger = logger
    this.#logsRequests = logger.isLevelEnabled('debug')
    this.#onBug = onBug
  }

  finished(visit: Visit, status: number, durationMs: number): void {
    visit.endpoint.meter.count(status, durationMs)
    this.requestLog.add(visit, status, durationMs)
    if (this.#logsRequests) this.#logger.debug(requestLine(visit, status, durationMs), 'request')
  }

  failed(visit: Visit, error: unknown): void {
    this.failures++
    this.#logger.error({ err: error, request_id: visit.requestId, route: visit.endpoint.label }, 'a handler failed')
    if (error instanceof InvariantError) this.#onBug(error)
  }

  refusedFraming(): void {
    this.refusedFramings++
  }

  refusedConnection(): void {
    this.refusedConnections++
  }
}

function requestLine({ endpoint, requestId, principal, params }: Visit, status: number, durationMs: number): object {
  const { method, path, operationId } = endpoint.route
  let index = 0
  const shown = path.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = params[index++]
    return value === undefined || CAPABILITIES.has(name) ? placeholder : encodeURIComponent(value)
  })
  return {
    method: endpoint.withoutBody ? 'HEAD' : method,
    // Unknown paths and wrong methods get a fixed label, because the sent path may hold anything.
    path: path === '' ? operationId : shown,
    status,
    duration_ms: Math.round(durationMs * 1000) / 1000,
    request_id: requestId,
    ...(principal.kind === 'merchant' ? { merchant_id: principal.merchant.id, environment: principal.environment } : {}),
    ...(principal.kind === 'wallet' ? { user_id: principal.wallet.id, environment: principal.environment } : {}),
  }
}
