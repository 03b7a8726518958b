// The engine of a test with its queries beside it, so that a test reads state and http reads by queries.
import type { Engine } from '../../engine/actor/engine.ts'
import { type EngineApi, engineApi } from '../../engine/api.ts'

export function withQueries(engine: Engine): Engine & EngineApi {
  const { query } = engineApi(engine)
  return Object.assign(engine, { query })
}
