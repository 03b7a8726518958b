// Messages between the bench and the listener process.

export interface ListenPlan {
  readonly port: number
  /** Access tokens, one stream each. */
  readonly tokens: readonly string[]
}

/** Figures of one window. */
export interface Received {
  readonly frames: number
  readonly heartbeats: number
  /** Number of frames whose id was not the next of their stream. */
  readonly gaps: number
  /** Longest time between two heartbeats of one stream. */
  readonly heartbeatGapMs: number
  /** Latency from the engine's turn of an event to the arrival of its frame: HdrHistogram, compressed base64, microseconds. */
  readonly latency: string
  /** CPU time of the listener. */
  readonly cpuSeconds: number
}

/** Requests to the listener. `call` uses each token once, so that the cost of tokens is not counted with the streams. */
export type ToListener =
  | { readonly kind: 'call'; readonly plan: ListenPlan }
  | { readonly kind: 'open'; readonly plan: ListenPlan }
  | { readonly kind: 'window-opens' }
  | { readonly kind: 'window-closes' }

export type FromListener =
  | { readonly kind: 'done' }
  | { readonly kind: 'received'; readonly received: Received }
  | { readonly kind: 'failed'; readonly reason: string }
