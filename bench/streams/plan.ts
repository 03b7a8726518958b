// What the listener's process is asked and what it answers, as data.

export interface ListenPlan {
  readonly port: number
  /** One stream each. */
  readonly tokens: readonly string[]
}

/** What arrived between two edges of a window. */
export interface Heard {
  readonly frames: number
  readonly heartbeats: number
  /** Frames whose id was not the next of their stream. */
  readonly gaps: number
  /** Longest time between two heartbeats of one stream. */
  readonly heartbeatGapMs: number
  /** HdrHistogram, compressed base64, microseconds: from the turn that decided what a frame tells of to its arrival. */
  readonly latency: string
  /** Of the listener. */
  readonly cpuSeconds: number
}

/** `call`: each token is used once for an ordinary request, so that what tokens cost is not counted with the streams. */
export type ToListener =
  | { readonly kind: 'call'; readonly plan: ListenPlan }
  | { readonly kind: 'open'; readonly plan: ListenPlan }
  | { readonly kind: 'window-opens' }
  | { readonly kind: 'window-closes' }

export type FromListener =
  | { readonly kind: 'done' }
  | { readonly kind: 'heard'; readonly heard: Heard }
  | { readonly kind: 'failed'; readonly reason: string }
