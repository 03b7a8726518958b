// What happened in simulated clusters, counted: a run without takeovers and faults shows nothing.
export interface ClusterFigures {
  writes: number
  acknowledged: number
  replayed: number
  reads: number
  readsAnswered: number
  records: number
  /** Frames that readers of streams got. */
  streamFrames: number
  streamConnections: number
  /** Webhooks that were sent, repeated ones included. */
  webhooks: number
  /** Epochs that had an owner. */
  epochs: number
  steps: number
  kills: number
  freezes: number
  stops: number
  cuts: number
  partitions: number
  standbyStops: number
  cancelledWaits: number
  failovers: number
  primaryRestarts: number
}

export function noClusterFigures(): ClusterFigures {
  return {
    ...{ writes: 0, acknowledged: 0, replayed: 0, reads: 0, readsAnswered: 0, records: 0, epochs: 0, steps: 0 },
    ...{ streamFrames: 0, streamConnections: 0, webhooks: 0 },
    ...{ kills: 0, freezes: 0, stops: 0, cuts: 0, partitions: 0, standbyStops: 0, cancelledWaits: 0, failovers: 0, primaryRestarts: 0 },
  }
}

export interface ClusterResult {
  /** Of the trace and the log: the same seed gives the same. */
  readonly hash: string
  readonly figures: ClusterFigures
}
