// What the handlers of routes stand on.
import type { Engine } from '../engine/actor/engine.ts'
import type { Seal } from './auth/seal.ts'

export interface House {
  readonly engine: Engine
  readonly seal: Seal
  /** Where merchants reach the API, without a slash at the end. */
  readonly baseUrl: string
}
