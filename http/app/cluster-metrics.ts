// Metrics of a node with WAL=postgres. Without a cluster none of them has a line.
import type { TakeoverReason } from '../../wal/cluster/owner-watch.ts'
import type { SettledCounts } from '../../wal/log/postgres-log.ts'
import type { Tally } from '../server/tally.ts'
import type { ForwardOutcome } from './owner-calls.ts'
import { histogramSamples, label, type PrometheusText } from './prometheus-text.ts'

export interface ClusterFigures {
  readonly isOwner: boolean
  readonly epoch: number
  readonly sequence: number
  readonly lagMs: number
  /** How often this node became the owner, by reason. */
  readonly takeovers: Readonly<Record<TakeoverReason, number>>
  /** Requests that this node forwarded to the owner. */
  readonly forwarded: Readonly<Record<ForwardOutcome, number>>
  /** Records in PostgreSQL, at the last look, that this node has not applied. */
  readonly behindRecords: number
  /** Bytes of applied batches that the local copy has not written to disk. */
  readonly copyWaitingBytes: number
  /** Waits of reads for the barrier. */
  readonly barriersMs: Tally
  /** Clock of this machine minus PostgreSQL's. */
  readonly clockMs: number
  /** False at a follower whose requests do not reach a living owner. */
  readonly reachesOwner: boolean
  /** Nodes that reported lately, and connected synchronous standbys. Undefined while that is not known. */
  readonly liveNodes: number | undefined
  readonly standbys: number | undefined
  /** Appends with an unknown outcome, by their determined outcome. Null at a follower. */
  readonly settled: SettledCounts | null
  /** Forwarded requests that got 503 because no node took them in time. */
  readonly withoutOwner: number
}

const SECOND_MS = 1000
const OUTCOMES: Readonly<Record<keyof SettledCounts, string>> = { stored: 'stored', appendedAgain: 'appended_again' }

export function addCluster(own: PrometheusText, cluster: () => ClusterFigures | null): void {
  const single = (type: 'counter' | 'gauge', name: string, help: string, read: (figures: ClusterFigures) => number | undefined): void =>
    own.addSingle(type, name, help, () => {
      const figures = cluster()
      return figures === null ? undefined : read(figures)
    })
  single('gauge', 'cauri_cluster_owner', '1 where this node owns the log, 0 where it follows.', ({ isOwner }) => Number(isOwner))
  single('gauge', 'cauri_cluster_epoch', 'Epoch of the owner, raised by each takeover.', ({ epoch }) => epoch)
  single('gauge', 'cauri_cluster_sequence', 'Sequence of the last record that this node has.', ({ sequence }) => sequence)
  single(
    'gauge',
    'cauri_cluster_lag_seconds',
    'Time since this node was known to have the newest records; 0 at the owner.',
    ({ lagMs }) => lagMs / SECOND_MS,
  )
  single(
    'gauge',
    'cauri_cluster_behind_records',
    'Records that PostgreSQL held at the last look and that this node has not applied.',
    ({ behindRecords }) => behindRecords,
  )
  single(
    'gauge',
    'cauri_cluster_copy_waiting_bytes',
    'Bytes of batches in memory that the local copy has not written to disk.',
    ({ copyWaitingBytes }) => copyWaitingBytes,
  )
  single(
    'gauge',
    'cauri_cluster_clock_difference_seconds',
    "Clock of this machine minus PostgreSQL's. Beyond 10 s the node does not own the log.",
    ({ clockMs }) => clockMs / SECOND_MS,
  )
  single(
    'gauge',
    'cauri_cluster_owner_reachable',
    '0 at a follower that cannot forward requests although the owner lives.',
    ({ reachesOwner }) => Number(reachesOwner),
  )
  single('gauge', 'cauri_cluster_nodes', 'Nodes that reported within 10 s.', ({ liveNodes }) => liveNodes)
  single('gauge', 'cauri_cluster_standbys', 'Connected synchronous standbys of PostgreSQL.', ({ standbys }) => standbys)
  single(
    'counter',
    'cauri_cluster_without_owner_total',
    'Forwarded requests that no node took in time: they got 503.',
    ({ withoutOwner }) => withoutOwner,
  )
  addCounts(own, cluster)
  own.add('counter', 'cauri_cluster_appends_settled_total', 'Appends whose outcome was unknown, by the outcome that was read back.', () => {
    const settled = cluster()?.settled
    return Object.entries(settled ?? {}).map(([outcome, value]) => ({
      suffix: '',
      labels: label('outcome', OUTCOMES[outcome as keyof SettledCounts]),
      value: Number(value),
    }))
  })
  own.add('histogram', 'cauri_cluster_barrier_duration_seconds', 'Waits of reads for the barrier.', () => {
    const figures = cluster()
    return figures === null ? [] : histogramSamples(figures.barriersMs, 1 / SECOND_MS, '')
  })
}

function addCounts(own: PrometheusText, cluster: () => ClusterFigures | null): void {
  const counted = (
    name: string,
    help: string,
    labelName: string,
    read: (figures: ClusterFigures) => Readonly<Record<string, number>>,
  ): void =>
    own.add('counter', name, help, () => {
      const figures = cluster()
      const counts = Object.entries(figures === null ? {} : read(figures))
      return counts.map(([key, value]) => ({ suffix: '', labels: label(labelName, key), value }))
    })
  counted(
    'cauri_cluster_takeovers_total',
    'How often this node became the owner: the log was released, its owner was silent, or this node itself had owned it before a restart.',
    'reason',
    ({ takeovers }) => takeovers,
  )
  counted(
    'cauri_cluster_forwarded_total',
    'Requests that this node forwarded to the owner, by outcome.',
    'outcome',
    ({ forwarded }) => forwarded,
  )
}
