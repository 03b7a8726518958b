// What a load run is, as data: it crosses the process border to the generator and its result comes back.

/**
 * One request with holes. In `headers` and `body`, `{{sequence:W}}` becomes W digits that differ in every request of
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
  /** Connection i sends shape i modulo their count. */
  readonly shapes: readonly RequestShape[]
  /** What counts as done; every response is checked, all others are counted apart. */
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
  /** HdrHistogram, compressed base64, microseconds: of expected responses; open loop counts from the intended send time. */
  readonly latency: string
  /** The same of all other responses. */
  readonly refusalLatency: string
  /** How late the generator itself sent, open loop only. */
  readonly sendLag: string
  readonly statuses: Readonly<Record<string, number>>
  /** Requests that were due in the window and had no answer seconds after it, open loop only. */
  readonly unfinished: number
  /** Of the generator within the window. */
  readonly cpuSeconds: number
}

export type ToGenerator = { readonly kind: 'run'; readonly plan: LoadPlan }

export type FromGenerator =
  | { readonly kind: 'window-opens' }
  | { readonly kind: 'window-closes' }
  | { readonly kind: 'result'; readonly result: LoadResult }
  | { readonly kind: 'failed'; readonly reason: string }
