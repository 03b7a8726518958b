// For each alert: series of metrics under which it fires, and those of healthy nodes, under which none does. A series has a value for
// each 5 s, in the notation of `promtool test rules`.

export interface AlertCase {
  readonly alert: string
  readonly series: Readonly<Record<string, string>>
  /** A time at which the condition holds, and not yet for long enough; absent for an alert that fires at once. */
  readonly pendingAt?: string
  readonly firesAt: string
  readonly labels: Readonly<Record<string, string>>
  readonly summary: string
}

const NODE = { instance: 'a:8080', job: 'cauri' } as const
const AT_NODE = '{instance="a:8080",job="cauri"}'
const WARNING = { severity: 'warning' } as const
const CRITICAL = { severity: 'critical' } as const

/** A figure of one node that stays the same, or several. */
const steady = (figures: Readonly<Record<string, number>>): Record<string, string> =>
  Object.fromEntries(Object.entries(figures).map(([name, value]) => [`${name}${AT_NODE}`, `${value}x600`]))

/** Durations between 0.1 and 0.2 s. */
const slow = (name: string): Record<string, string> => ({
  [`${name}_bucket{instance="a:8080",le="0.1"}`]: '0x600',
  [`${name}_bucket{instance="a:8080",le="0.2"}`]: '0+10x600',
  [`${name}_bucket{instance="a:8080",le="+Inf"}`]: '0+10x600',
})

const requests = (byStatus: Readonly<Record<string, number>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(byStatus).map(([status, step]) => [`cauri_http_requests_total{instance="a:8080",status="${status}"}`, `0+${step}x600`]),
  )

export const ALERT_CASES: readonly AlertCase[] = [
  {
    alert: 'CauriDown',
    series: steady({ up: 0 }),
    ...{ pendingAt: '30s', firesAt: '2m', labels: { ...NODE, ...CRITICAL }, summary: 'a:8080 does not answer' },
  },
  {
    alert: 'CauriAllMissing',
    series: { 'cauri_healthy{instance="a:8080"}': '1x600' },
    ...{ pendingAt: '1m', firesAt: '3m', labels: { job: 'cauri', ...CRITICAL } },
    summary: 'Prometheus finds no node at all: their targets are gone from discovery',
  },
  {
    alert: 'CauriUnhealthy',
    series: steady({ cauri_healthy: 0 }),
    ...{ pendingAt: '30s', firesAt: '2m', labels: { ...NODE, ...CRITICAL } },
    summary: 'a:8080 answers 503 at /healthz, which names the reason',
  },
  {
    alert: 'CauriNoOwner',
    series: { 'cauri_cluster_owner{instance="a:8080"}': '1x10 0x600', 'cauri_cluster_owner{instance="b:8080"}': '0x600' },
    ...{ pendingAt: '1m', firesAt: '2m', labels: CRITICAL, summary: 'No node owns the log: all writes get 503' },
  },
  {
    alert: 'CauriWritesRefused',
    series: { 'cauri_cluster_without_owner_total{instance="a:8080"}': '0+1x600' },
    ...{ firesAt: '10m', labels: WARNING, summary: '60 writes at followers got 503 within 5 min, because no owner answered' },
  },
  {
    alert: 'CauriTakeovers',
    series: { 'cauri_cluster_takeovers_total{reason="expired"}': '0x100 1 2 3 4 5x600' },
    ...{ firesAt: '30m', labels: WARNING, summary: 'The log changed its owner 5 times within 30 min without a handover' },
  },
  {
    alert: 'CauriForwardingFails',
    series: { 'cauri_cluster_forwarded_total{instance="a:8080",outcome="lost"}': '0+1x600' },
    ...{ firesAt: '10m', labels: { instance: NODE.instance, ...WARNING } },
    summary: '60 requests that a:8080 forwarded within 5 min got 503: their answer was lost, or too many were under way',
  },
  {
    alert: 'CauriCopyWaits',
    series: steady({ cauri_cluster_copy_waiting_bytes: 48 * 1024 ** 2 }),
    ...{ pendingAt: '30s', firesAt: '2m', labels: { ...NODE, ...WARNING } },
    summary: 'The local copy of a:8080 has 48MiB to write: from 64 MiB on its next batch waits',
  },
  {
    alert: 'CauriNodeMissing',
    series: { 'cauri_cluster_nodes{instance="a:8080"}': '3x24 2x600' },
    ...{ pendingAt: '3m', firesAt: '5m', labels: WARNING, summary: '2 nodes report, fewer than within the last hour' },
  },
  {
    alert: 'CauriStandbyMissing',
    series: { 'cauri_cluster_standbys{instance="a:8080"}': '1x10 0x600' },
    ...{ pendingAt: '1m', firesAt: '2m', labels: CRITICAL },
    summary: 'PostgreSQL has no synchronous standby: writes wait and nothing is acknowledged',
  },
  {
    alert: 'CauriClockWrong',
    series: steady({ cauri_cluster_clock_difference_seconds: -14_400 }),
    ...{ pendingAt: '15s', firesAt: '1m', labels: { ...NODE, ...WARNING } },
    summary: "The clock of a:8080 differs from PostgreSQL's by 4h 0m 0s: beyond 10 s the node does not own the log",
  },
  {
    alert: 'CauriOwnerUnreachable',
    series: steady({ cauri_cluster_owner_reachable: 0 }),
    ...{ pendingAt: '10s', firesAt: '1m', labels: { ...NODE, ...CRITICAL } },
    summary: 'a:8080 cannot forward requests to the owner, which lives: its writes get 503',
  },
  {
    alert: 'CauriFollowerLag',
    series: steady({ cauri_cluster_lag_seconds: 7 }),
    ...{ pendingAt: '15s', firesAt: '1m', labels: { ...NODE, ...WARNING }, summary: 'a:8080 is 7s behind the log' },
  },
  {
    alert: 'CauriAppendWaits',
    series: steady({ cauri_log_oldest_append_seconds: 3 }),
    ...{ pendingAt: '5s', firesAt: '15s', labels: { ...NODE, ...CRITICAL } },
    summary: 'The running append of a:8080 has waited for 3s: writes are not acknowledged',
  },
  {
    alert: 'CauriAppendSlow',
    series: slow('cauri_log_flush_duration_seconds'),
    ...{ pendingAt: '3m', firesAt: '12m', labels: { instance: NODE.instance, ...WARNING } },
    summary: 'The 99th percentile of appends at a:8080 is 199ms',
  },
  {
    alert: 'CauriBarrierSlow',
    series: slow('cauri_cluster_barrier_duration_seconds'),
    ...{ pendingAt: '3m', firesAt: '12m', labels: { instance: NODE.instance, ...WARNING } },
    summary: "The 99th percentile of reads' barriers at a:8080 is 199ms",
  },
  {
    alert: 'CauriDiskFull',
    series: steady({ cauri_disk_free_bytes: 1e9, cauri_disk_reserve_bytes: 2e9 }),
    ...{ firesAt: '5s', labels: { ...NODE, ...CRITICAL }, summary: 'The disk of a:8080 has less than its reserve: writes get 503' },
  },
  {
    alert: 'CauriDiskNearlyFull',
    series: steady({ cauri_disk_free_bytes: 5e9, cauri_disk_reserve_bytes: 2e9 }),
    ...{ pendingAt: '5m', firesAt: '11m', labels: { ...NODE, ...WARNING } },
    summary: 'The disk of a:8080 is nearly full, or will be within a day',
  },
  {
    // Much is free, and 2 MB are written each second.
    alert: 'CauriDiskNearlyFull',
    series: {
      [`cauri_disk_reserve_bytes${AT_NODE}`]: '2000000000x3000',
      [`cauri_disk_free_bytes${AT_NODE}`]: '100000000000-10000000x3000',
    },
    // Minutes of history say nothing about a day.
    ...{ pendingAt: '2h', firesAt: '3h12m', labels: { ...NODE, ...WARNING } },
    summary: 'The disk of a:8080 is nearly full, or will be within a day',
  },
  {
    alert: 'CauriPostgresDiskNearlyFull',
    series: {
      'node_filesystem_avail_bytes{job="postgres",instance="pg",mountpoint="/data"}': '5x600',
      'node_filesystem_size_bytes{job="postgres",instance="pg",mountpoint="/data"}': '100x600',
    },
    ...{ pendingAt: '5m', firesAt: '11m', labels: { job: 'postgres', instance: 'pg', mountpoint: '/data', ...CRITICAL } },
    summary: 'The disk /data of PostgreSQL at pg is nearly full, or will be within a day',
  },
  {
    alert: 'CauriSnapshotOld',
    series: steady({ cauri_snapshot_lag_records: 500, cauri_snapshot_age_seconds: 1000 }),
    ...{ pendingAt: '3m', firesAt: '6m', labels: { ...NODE, ...WARNING } },
    summary: 'The snapshot of a:8080 is 500 records behind: its next start takes longer',
  },
  {
    alert: 'CauriArchiveLag',
    series: steady({ cauri_archive_lag_records: 2_500_000 }),
    ...{ pendingAt: '3m', firesAt: '6m', labels: { ...NODE, ...WARNING }, summary: 'The index of a:8080 lacks 2.5M records' },
  },
  {
    alert: 'CauriServerErrors',
    series: requests({ 200: 9, 503: 1 }),
    ...{ pendingAt: '1m', firesAt: '10m', labels: { instance: NODE.instance, ...CRITICAL } },
    summary: '10% of the requests at a:8080 get 5xx',
  },
  {
    alert: 'CauriHandlerFailures',
    series: { [`cauri_http_handler_failures_total${AT_NODE}`]: '0x12 1x600' },
    ...{ firesAt: '2m', labels: { ...NODE, ...WARNING }, summary: 'A handler of a:8080 threw: a bug, with a stack in the log' },
  },
  {
    alert: 'CauriErrorRate',
    series: requests({ 200: 4, 422: 6 }),
    ...{ pendingAt: '10m', firesAt: '31m', labels: WARNING, summary: '60% of all requests get 4xx' },
  },
  {
    alert: 'CauriWebhookBacklog',
    series: steady({ cauri_webhook_deliveries_open: 25_000 }),
    ...{ pendingAt: '10m', firesAt: '16m', labels: WARNING, summary: '25k webhook deliveries have not ended' },
  },
  {
    alert: 'CauriMessageBacklog',
    series: steady({ cauri_messages_open: 2500 }),
    ...{ pendingAt: '10m', firesAt: '16m', labels: WARNING },
    summary: '2.5k text messages, e-mails or pushes wait for their gateway',
  },
  {
    alert: 'CauriQuotaHalfUsed',
    series: {
      'cauri_quota_rows{quota="payment_links",part="test"}': '26000x600',
      'cauri_quota_rows_max{quota="payment_links",part="test"}': '50000x600',
    },
    ...{ pendingAt: '5m', firesAt: '11m', labels: { quota: 'payment_links', part: 'test', ...WARNING } },
    summary: 'More than half of the quota payment_links (test) is used',
  },
  {
    alert: 'CauriFulfillmentBacklog',
    series: steady({ cauri_fulfillments_open: 2500 }),
    ...{ pendingAt: '5m', firesAt: '11m', labels: WARNING, summary: '2.5k paid bills wait for their fulfillment' },
  },
]

/** Nodes of a healthy cluster, one of which handed the log over again and again. */
export const HEALTHY_SERIES: Readonly<Record<string, string>> = {
  ...steady({
    ...{
      up: 1,
      cauri_healthy: 1,
      cauri_cluster_owner: 1,
      cauri_cluster_nodes: 3,
      cauri_cluster_standbys: 1,
      cauri_cluster_lag_seconds: 0.2,
    },
    ...{ cauri_cluster_copy_waiting_bytes: 0, cauri_cluster_without_owner_total: 0, cauri_log_oldest_append_seconds: 0 },
    ...{ cauri_disk_free_bytes: 100e9, cauri_disk_reserve_bytes: 2e9, cauri_snapshot_lag_records: 500, cauri_snapshot_age_seconds: 60 },
    ...{ cauri_archive_lag_records: 10, cauri_http_handler_failures_total: 0, cauri_webhook_deliveries_open: 10 },
    ...{ cauri_messages_open: 1, cauri_fulfillments_open: 1 },
  }),
  ...requests({ 201: 100, 422: 10, 503: 0 }),
  'cauri_cluster_takeovers_total{reason="released"}': '0+1x600',
  'cauri_log_flush_duration_seconds_bucket{instance="a:8080",le="0.1"}': '0+10x600',
  'cauri_log_flush_duration_seconds_bucket{instance="a:8080",le="+Inf"}': '0+10x600',
}
