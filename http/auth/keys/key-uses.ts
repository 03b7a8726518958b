// Records once a minute which API keys were used, so that merchants see which ones they can revoke. One record covers
// all keys, because a record per request would cost more than the request.
import type { EngineApi } from '../../../engine/api.ts'
import { KEY_USES_BEAT_MS, KEY_USES_PER_RECORD_MAX } from '../../server/server-limits.ts'
import type { ApiKeys } from './api-keys.ts'

export class KeyUses {
  readonly #engine: Pick<EngineApi, 'query' | 'submit'>
  readonly #keys: Pick<ApiKeys, 'takeUsed'>
  readonly #timer: NodeJS.Timeout

  constructor(engine: Pick<EngineApi, 'query' | 'submit'>, keys: Pick<ApiKeys, 'takeUsed'>) {
    this.#engine = engine
    this.#keys = keys
    this.#timer = setInterval(() => this.#note(), KEY_USES_BEAT_MS).unref()
  }

  /** Records the last uses. The engine must still accept commands. */
  stop(): void {
    clearInterval(this.#timer)
    this.#note()
  }

  #note(): void {
    const used = this.#keys.takeUsed()
    const mailbox = this.#engine.query('accounts.settlement', { environment: 'live' })
    for (let from = 0; from < used.length; from += KEY_USES_PER_RECORD_MAX) {
      const publicKeys = used.slice(from, from + KEY_USES_PER_RECORD_MAX)
      // A rejected command is dropped: the next use is recorded instead.
      this.#engine.submit({ command: { type: 'NoteKeyUses', publicKeys }, mailbox, idempotency: null }, { settle: () => {} })
    }
  }
}
