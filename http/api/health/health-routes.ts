// Health check. It needs no key and answers during startup and shutdown too.
import { Health } from '../../../engine/contract/health.ts'
import { type Call, type Header, type Route, route } from '../../server/route.ts'
import { APPEND_WAIT_UNHEALTHY_MS, FOLLOWER_LAG_MAX_MS } from '../../server/server-limits.ts'
import { type NodeTrouble, type Trouble, troubleReason } from './health-trouble.ts'

export interface NodeHealth {
  readonly role: 'owner' | 'follower'
  readonly epoch: number
  /** Sequence number of the last record that this node has applied. */
  readonly sequence: number
  readonly lagMs: number
  /** Name of the owner as this node knows it; empty without one. */
  readonly owner: string
}

export interface HealthRouteParts {
  /** Version of the package. */
  readonly version: string
  /** Checks whether the log's store answers. */
  readonly logCheck: { health(): Promise<{ readonly isHealthy: boolean; readonly oldestAppendMs: number }> }
  /** Returns null for a log that only this process uses, and before the first check of the cluster's log. */
  nodeHealth(): NodeHealth | null
  /** Returns why this node takes no requests or no writes; null when it does. */
  trouble(): Trouble | null
  /** Returns why this node of a cluster must get no requests; null when it may, and without a cluster. */
  nodeTrouble(): NodeTrouble | null
}

export function healthRoute(parts: HealthRouteParts): Route {
  return route({
    method: 'GET',
    path: '/healthz',
    operationId: 'getHealth',
    tag: 'Service',
    summary: 'Liveness, and whether the log can be written and read',
    description:
      "Reads from the log's store on this machine. Answers 503 while the log is being recovered, while the process stops, when the disk " +
      'is nearly full, when the store cannot be read and when the oldest append has waited for 2 s or more. In a cluster also when the ' +
      'node is more than 10 s behind, when PostgreSQL is away, when its clock differs from that of PostgreSQL by more than 10 s, and ' +
      'when its requests do not reach the owner of the log. It opens no connection. `message` names the reason and what to check.',
    auth: 'public',
    idempotency: 'none',
    responses: [
      {
        status: 200,
        description: 'Up, and writing.',
        schema: Health,
        example: { status: 'ok', database: 'ok', version: '1.0.0', oldest_append_ms: 2 },
      },
    ],
    errors: [],
    handle: (call) => {
      const trouble = parts.trouble()
      if (trouble !== null) return refuse(call, trouble)
      const [node, nodeTrouble] = [parts.nodeHealth(), parts.nodeTrouble()]
      if (nodeTrouble !== null) return refuse(call, nodeTrouble.code, nodeTrouble.measuredMs)
      if (node !== null && node.lagMs > FOLLOWER_LAG_MAX_MS) return refuse(call, 'lagging', node.lagMs)
      parts.logCheck
        .health()
        .then(({ isHealthy, oldestAppendMs }) => {
          if (!isHealthy) {
            if (oldestAppendMs >= APPEND_WAIT_UNHEALTHY_MS)
              return refuse(call, node === null ? 'append_waits' : 'postgres_waits', oldestAppendMs)
            return refuse(call, 'log_unreadable')
          }
          const health: Health = {
            status: 'ok',
            database: 'ok',
            version: parts.version,
            oldest_append_ms: oldestAppendMs,
            ...nodeFields(node, call.isPrivate),
          }
          call.answerAs(200, JSON.stringify(health), ownerHeader(node))
        })
        .catch((error: unknown) => call.fail(error))
    },
  })
}

/** Returns whether the route would answer 200 as far as that is known without reading the log's store. */
export function isHealthyNow(parts: Pick<HealthRouteParts, 'trouble' | 'nodeHealth' | 'nodeTrouble'>, oldestAppendMs: number): boolean {
  const lagMs = parts.nodeHealth()?.lagMs ?? 0
  return (
    parts.trouble() === null && parts.nodeTrouble() === null && lagMs <= FOLLOWER_LAG_MAX_MS && oldestAppendMs < APPEND_WAIT_UNHEALTHY_MS
  )
}

function refuse(call: Pick<Call, 'refuse'>, trouble: Trouble, measuredMs?: number): void {
  call.refuse('unavailable', undefined, troubleReason(trouble, measuredMs))
}

/** A proxy reads it to send writes to the owner first. */
function ownerHeader(node: NodeHealth | null): readonly Header[] {
  return node === null || node.owner === '' ? [] : [['Cauri-Owner', node.owner]]
}

/** Only callers that may read `/metrics` by their address see the sequence: it counts the records of the whole service. */
function nodeFields(node: NodeHealth | null, isPrivate: boolean): Pick<Health, 'role' | 'epoch' | 'sequence' | 'lag_ms'> {
  if (node === null) return {}
  return { role: node.role, epoch: node.epoch, ...(isPrivate ? { sequence: node.sequence } : {}), lag_ms: node.lagMs }
}
