// Health: answers without a key, from the first moment of the process to its last.
import { Health } from '../../engine/contract/health.ts'
import type { House } from '../house.ts'
import { type Route, route } from '../route.ts'

export function healthRoute(house: Pick<House, 'version' | 'isHealthy'>): Route {
  return route({
    method: 'GET',
    path: '/healthz',
    operationId: 'getHealth',
    tag: 'Service',
    summary: 'Liveness, and whether the log can be written',
    auth: 'public',
    idempotency: 'none',
    responses: [{ status: 200, description: 'Up, and writing.', schema: Health }],
    errors: [],
    handle: (call) => {
      if (!house.isHealthy()) return call.refuse('unavailable')
      call.answer(200, JSON.stringify({ status: 'ok', database: 'ok', version: house.version } satisfies Health))
    },
  })
}
