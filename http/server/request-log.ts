// The newest API requests of each merchant's test keys, for the developer of the program that sends them. In memory, bounded, without
// queries and bodies. Requests of live keys, sessions and wallets are never part of it.
import { randomBytes } from 'node:crypto'
import type { ErrorCode } from '../../engine/contract/errors.ts'
import type { TestRequest } from '../../engine/contract/request-log.ts'
import { keptForm } from './reply.ts'
import type { Visit } from './server-context.ts'
import { LOGGED_MERCHANTS_MAX, LOGGED_PATH_LENGTH_MAX, LOGGED_REQUESTS_PER_MERCHANT } from './server-limits.ts'

/** What is kept of a request; its text is made when it is read. */
interface Kept {
  readonly number: number
  readonly path: string
  readonly params: readonly string[]
  readonly method: string
  readonly requestId: string
  readonly status: number
  readonly code: ErrorCode | null
  readonly durationMs: number
  readonly atMs: number
}

const CODE = /"code":"([a-z0-9_]+)"/

export class RequestLog {
  /** By merchant, the one that was quiet longest first. */
  readonly #kept = new Map<string, Kept[]>()
  /** Part of each id: numbers begin again with the process. */
  readonly #start = randomBytes(3).toString('hex')
  #count = 0

  /** `operationId` of the route that reads the log is left out. */
  add({ endpoint, principal, requestId, params, answer }: Visit, status: number, durationMs: number): void {
    if (principal.kind !== 'merchant' || principal.environment !== 'test' || principal.publicKey === undefined) return
    const { path, method, operationId } = endpoint.route
    if (operationId === 'listTestRequests') return
    const { id } = principal.merchant
    const rows = this.#kept.get(id) ?? []
    const code =
      status >= 400 ? ((CODE.exec(String(answer === null ? '' : keptForm(answer.payload)))?.[1] ?? null) as ErrorCode | null) : null
    rows.push({
      number: ++this.#count,
      path: path === '' ? operationId : path,
      params,
      method,
      requestId,
      status,
      code,
      durationMs,
      atMs: Date.now(),
    })
    if (rows.length > LOGGED_REQUESTS_PER_MERCHANT) rows.shift()
    this.#kept.delete(id)
    this.#kept.set(id, rows)
    if (this.#kept.size > LOGGED_MERCHANTS_MAX) this.#forgetQuietest()
  }

  /** Newest first. */
  of(merchantId: string): readonly TestRequest[] {
    return (this.#kept.get(merchantId) ?? []).map((kept) => this.#shown(kept)).reverse()
  }

  #forgetQuietest(): void {
    const [quietest] = this.#kept.keys()
    if (quietest !== undefined) this.#kept.delete(quietest)
  }

  #shown({ number, path, params, method, requestId, status, code, durationMs, atMs }: Kept): TestRequest {
    let index = 0
    const filled = path.replaceAll(/\{\w+\}/g, (placeholder) => encodeURIComponent(params[index++] ?? placeholder))
    return {
      id: `${this.#start}-${number}`,
      request_id: requestId,
      ...{ method, path: filled.slice(0, LOGGED_PATH_LENGTH_MAX), status, code },
      duration_ms: Math.round(durationMs * 1000) / 1000,
      created_at: new Date(atMs).toISOString(),
    }
  }
}
