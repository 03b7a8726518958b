// Closes the parts of the application, in reverse order of their start.

import { DRAIN_MAX_MS, RETIRE_MAX_MS } from '../server/server-limits.ts'
import { FULFILLMENT_HANDOVER_WAIT_MS } from '../workers/fulfillment/fulfillment-limits.ts'
import type { Cluster } from './cluster.ts'
import type { OpenedParts } from './opened-parts.ts'

/** Closes everything in reverse order: requests, the engine, the log, the data folder. */
export async function closeAll(standing: OpenedParts): Promise<void> {
  // The new owner takes runs that go on for lost ones, so they end before it takes the log.
  if (standing.cluster !== null) await standing.outside?.endRuns(FULFILLMENT_HANDOVER_WAIT_MS)
  standing.isStopping = true
  const workersStopped = standing.outside?.stop()
  if (standing.cluster !== null) await leaveCluster(standing, standing.cluster)
  await standing.server?.drain(DRAIN_MAX_MS)
  await workersStopped
  await standing.sandbox?.close()
  standing.keyUses?.stop()
  await standing.cluster?.prepareStop()
  const closing = standing.opened?.close()
  await standing.cluster?.close(closing)
  await closing
  await standing.outbound?.close()
  await standing.threads?.close()
  await standing.folder?.close()
}

/**
 * Hands the log over first, so that another node takes writes within milliseconds. What workers still run is repeated by the new
 * owner. Requests that arrive meanwhile are forwarded.
 */
async function leaveCluster({ server, opened, keyUses }: OpenedParts, cluster: Cluster): Promise<void> {
  const retired = server?.retire(RETIRE_MAX_MS)
  keyUses?.stop()
  if (opened !== null) await cluster.handOver(() => opened.close())
  await retired
}
