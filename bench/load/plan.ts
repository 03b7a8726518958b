// Plan and result of a load run, as messages between the bench and the generator process.

/**
 * Template of a request. In `headers` and `body`, `{{sequence:W}}` becomes W digits that differ in every request of
 * the run, and `{{random:W:N}}` becomes W digits of a number drawn evenly from 0 to N-1.
 */
export interface RequestShape {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface LoadPlan {
  readonly port: number
  readonly connections: number
  /** Templates: connection i sends shape i modulo their number. */
  readonly shapes: readonly RequestShape[]
  /** Expected response. Every response is checked; others are counted separately. */
  readonly expect: { readonly status: number; readonly bodyText: string }
  readonly warmupSeconds: number
  readonly seconds: number
  /** Null: closed loop, each connection sends as soon as it has its answer. Else open loop at this fixed rate. */
  readonly ratePerSecond: number | null
  readonly seed: number
}

export interface LoadResult {
  /** Expected responses within the window. */
  readonly done: number
  readonly seconds: number
  readonly perSecond: number
  /** Latency of expected responses: HdrHistogram, compressed base64, microseconds. Open loop counts from the intended send time. */
  readonly latency: string
  /** Latency of all other responses. */
  readonly refusalLatency: string
  /** Delay of the generator's own sends, open loop only. */
  readonly sendLag: string
  readonly statuses: Readonly<Record<string, number>>
  /** Requests that were due in the window and had no answer seconds after it, open loop only. */
  readonly unfinished: number
  /** CPU time of the generator within the window. */
  readonly cpuSeconds: number
}

export type ToGenerator = { readonly kind: 'run'; readonly plan: LoadPlan }

export type FromGenerator =
  | { readonly kind: 'window-opens' }
  | { readonly kind: 'window-closes' }
  | { readonly kind: 'result'; readonly result: LoadResult }
  | { readonly kind: 'failed'; readonly reason: string }
