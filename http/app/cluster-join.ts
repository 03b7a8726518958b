// First contact of a node with the log in PostgreSQL: the log, the master key, the cluster secret, the name, and the clock.
import { createHmac, randomUUID } from 'node:crypto'
import { joinCluster } from '../../wal/cluster/join-cluster.ts'
import type { FoundLog } from '../../wal/log/postgres-identity.ts'
import type { PostgresLogOptions } from '../../wal/log/postgres-log.ts'
import { joinMembers } from '../../wal/log/postgres-member.ts'
import { newKeyRing, openKeyRing } from '../crypto/key-ring.ts'
import { ClusterClock } from './cluster-clock.ts'
import type { ClusterSettings } from './cluster-settings.ts'
import type { Logger } from './logging.ts'

export interface JoinedCluster {
  readonly found: FoundLog
  readonly postgres: PostgresLogOptions
  /** Random id of this process. */
  readonly run: string
  readonly clock: ClusterClock
}

/**
 * Connects to PostgreSQL. Throws LogError for a server that is unreachable or may lose data, for another master key or cluster
 * secret, and for a name that a living node has.
 */
export async function joinLog(settings: ClusterSettings, masterKey: Uint8Array, logger: Logger): Promise<JoinedCluster> {
  readSourceMap()
  const postgres: PostgresLogOptions = {
    hosts: settings.hosts,
    name: { node: settings.nodeName, url: settings.nodeUrl },
    allowsUnsafe: settings.allowsUnsafe,
    onWarning: (message) => logger.warn(message),
  }
  const found = await joinCluster(postgres, newKeyRing(masterKey), (ring) => openKeyRing(ring, masterKey) !== null)
  const run = randomUUID()
  const secretCheck = createHmac('sha256', settings.clusterSecret).update(`cauri cluster ${found.logId}`).digest('hex')
  const clock = new ClusterClock(await joinMembers(postgres, { run, secretCheck }))
  return { found, postgres, run, clock }
}

/**
 * Makes the stack of a first error. For it Node.js reads the source map of the bundled program, which stops the event loop for 250 ms:
 * now, instead of when the connections to an owner end, in the middle of a takeover.
 */
function readSourceMap(): void {
  void new Error('read the source map').stack
}
