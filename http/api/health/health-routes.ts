// Health: answers without a key, from the first moment of the process to its last.
import { Health } from '../../../engine/contract/health.ts'
import type { House } from '../../app/house.ts'
import { type Route, route } from '../../server/route.ts'

export function healthRoute(house: Pick<House, 'version' | 'isHealthy' | 'logCheck'>): Route {
  return route({
    method: 'GET',
    path: '/healthz',
    operationId: 'getHealth',
    tag: 'Service',
    summary: 'Liveness, and whether the log can be written and read',
    description:
      "Reads from the log's store. Answers 503 while the log is being recovered, while the process stops, when the disk is " +
      'nearly full, when the store cannot be read, and when the oldest append has waited for 2 s or more.',
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
      if (!house.isHealthy()) return call.refuse('unavailable')
      house.logCheck
        .health()
        .then(({ isHealthy, oldestAppendMs }) => {
          if (!isHealthy) return call.refuse('unavailable')
          const health: Health = { status: 'ok', database: 'ok', version: house.version, oldest_append_ms: oldestAppendMs }
          call.answer(200, JSON.stringify(health))
        })
        .catch((error: unknown) => call.fail(error))
    },
  })
}
