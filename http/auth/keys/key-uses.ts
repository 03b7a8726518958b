// Notes now and then which API keys were used, so that their owners see which one may go. Once a minute, for all keys
// together: a record for each request would cost more than the request.
import type { Engine } from '../../../engine/actor/engine.ts'
import { KEY_USES_BEAT_MS, KEY_USES_PER_RECORD_MAX } from '../../server/server-limits.ts'
import type { ApiKeys } from './api-keys.ts'

export class KeyUses {
  readonly #engine: Pick<Engine, 'state' | 'submit'>
  readonly #keys: Pick<ApiKeys, 'takeUsed'>
  readonly #timer: NodeJS.Timeout

  constructor(engine: Pick<Engine, 'state' | 'submit'>, keys: Pick<ApiKeys, 'takeUsed'>) {
    this.#engine = engine
    this.#keys = keys
    this.#timer = setInterval(() => this.#note(), KEY_USES_BEAT_MS).unref()
  }

  /** Notes the last ones. The engine must still take commands. */
  stop(): void {
    clearInterval(this.#timer)
    this.#note()
  }

  #note(): void {
    const used = this.#keys.takeUsed()
    const mailbox = this.#engine.state.settlementAccount('live')
    for (let from = 0; from < used.length; from += KEY_USES_PER_RECORD_MAX) {
      const publicKeys = used.slice(from, from + KEY_USES_PER_RECORD_MAX)
      // Refused when the house is overloaded or closing: the next use is noted.
      this.#engine.submit({ command: { type: 'NoteKeyUses', publicKeys }, mailbox, idempotency: null }, { settle: () => {} })
    }
  }
}
