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
  /** Requests of one group have a latency of their own in the result. */
  readonly group?: string
}

/** Behaviour of an open loop. */
export interface OpenLoop {
  /** `sleep`: the generator sleeps until a request is due. `spin`: it asks for the time in a loop, which takes a core. */
  readonly pacing: 'sleep' | 'spin'
  /** A generator that sleeps is woken no more often than this; requests due meanwhile are sent together. */
  readonly wakeUpUs: number
  /** A due request without a free connection waits, and its latency counts from its due time; or the client gives it up. */
  readonly whenBusy: 'wait' | 'drop'
}

export interface LoadPlan {
  readonly host: string
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
  readonly openLoop: OpenLoop
  readonly seed: number
}

export interface LoadResult {
  /** Expected responses within the window. */
  readonly done: number
  readonly seconds: number
  readonly perSecond: number
  /** Latency of expected responses: HdrHistogram, compressed base64, microseconds. Open loop counts from the intended send time. */
  readonly latency: string
  /** Latency of expected responses by the group of their shape. */
  readonly groups: Readonly<Record<string, string>>
  /** Latency of all other responses. */
  readonly refusalLatency: string
  /** Delay of the generator's own sends, open loop only. */
  readonly sendLag: string
  readonly statuses: Readonly<Record<string, number>>
  /** Requests that were due in the window and had no answer seconds after it, open loop only. */
  readonly unfinished: number
  /** Requests that were due in the window and dropped, because no connection was free. */
  readonly dropped: number
  /** CPU time of the generator within the window. */
  readonly cpuSeconds: number
}

export type ToGenerator = { readonly kind: 'run'; readonly plan: LoadPlan }

export type FromGenerator =
  | { readonly kind: 'window-opens' }
  | { readonly kind: 'window-closes' }
  | { readonly kind: 'result'; readonly result: LoadResult }
  | { readonly kind: 'failed'; readonly reason: string }
