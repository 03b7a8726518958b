// Step: waits for what the authentication needs: the read barrier of a cluster, and the result of a slow check.
import type { ClusterRole } from '../cluster-role.ts'
import { needsBarrier } from '../cluster-role.ts'
import { type HttpRequest, NEXT, resume, type StepResult, WAITING } from '../request.ts'
import { keptSource } from '../request-source.ts'
import type { Core } from '../server-context.ts'
import { isMisdirected } from './cluster.ts'

/** The guards behind it keep their order. The body may arrive meanwhile. */
export function caller(request: HttpRequest): StepResult {
  const waiting = preparation(request)
  if (waiting === null) return NEXT
  request.source = keptSource(request.source, request.endpoint.paramsCount)
  waiting.then(() => resume(request, caller)).catch((error: unknown) => request.call.fail(error))
  return WAITING
}

/** Returns what must resolve before the guards run; null when nothing must. */
function preparation(request: HttpRequest): Promise<unknown> | null {
  const { core, cluster } = request.server
  if (core === null) return null
  if (cluster !== null && waitsForBarrier(request)) return behindBarrier(request, cluster, core)
  return prepared(request, core)
}

/** A write at the owner does not wait for the barrier: its answer waits for the proof. */
function waitsForBarrier(request: HttpRequest): boolean {
  return request.owned === null && !request.origin.isForged && !isMisdirected(request) && needsBarrier(request.endpoint)
}

function behindBarrier(request: HttpRequest, cluster: ClusterRole, core: Core): Promise<unknown> {
  return cluster.barrier().then(
    () => prepared(request, core),
    () => request.call.refuse('unavailable'),
  )
}

function prepared({ endpoint, headers }: HttpRequest, { authenticator }: Core): Promise<unknown> | null {
  return authenticator.prepare(endpoint.route.auth, headers)
}
