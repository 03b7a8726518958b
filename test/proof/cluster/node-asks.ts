// What faults ask of one node while they last.
import type { NodeName, TestedCluster } from './tested-cluster.ts'

const HEALTH_MAX_MS = 2000
const READ_MAX_MS = 20_000

/** Body of the health check; empty without an answer. */
export async function healthText(cluster: TestedCluster, name: NodeName): Promise<string> {
  return (await get(`${cluster.baseUrl(name)}/healthz`, {}, HEALTH_MAX_MS))?.text() ?? ''
}

/** Status of a read with the merchant's key; 0 without an answer. */
export async function readStatus(cluster: TestedCluster, name: NodeName, path: string): Promise<number> {
  return (await get(`${cluster.baseUrl(name)}${path}`, cluster.readHeaders, READ_MAX_MS))?.status ?? 0
}

/** Time of the merchant's newest transaction; null when it cannot be read. */
export async function newestTransactionMs(cluster: TestedCluster, name: NodeName): Promise<number | null> {
  const answer = await get(`${cluster.baseUrl(name)}/v1/biz/transactions?limit=1`, cluster.readHeaders, READ_MAX_MS)
  if (answer?.status !== 200) return null
  const { data } = (await answer.json()) as { data: readonly { created_at: string }[] }
  return data[0] === undefined ? null : Date.parse(data[0].created_at)
}

async function get(url: string, headers: Readonly<Record<string, string>>, timeoutMs: number): Promise<Response | null> {
  try {
    return await fetch(url, { headers, signal: AbortSignal.timeout(timeoutMs) })
  } catch {
    return null
  }
}
