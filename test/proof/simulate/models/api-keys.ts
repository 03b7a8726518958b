// API keys and recorded runs of code in the model.
import assert from 'node:assert/strict'
import type { State } from '../../../../engine/domain/state.ts'
import { type Entry, eventsOf, type NounModel, sameRows } from '../entry.ts'

export interface ModelKey {
  readonly id: string
  readonly merchantId: string
  readonly publicKey: string
  /** The member who made it; null: an operator. */
  readonly madeBy: string | null
}

interface Key {
  readonly id: string
  readonly merchant_id: string
  readonly public_key: string
  readonly made_by?: string | null
}

export class ApiKeysModel implements NounModel {
  /** By public key. */
  readonly keys = new Map<string, ModelKey>()
  readonly #runs = new Map<string, number>()

  audit(entry: Entry): void {
    for (const { payload } of eventsOf<Key>(entry, 'api_key.created')) {
      const { id, merchant_id, public_key, made_by = null } = payload
      this.keys.set(public_key, { id, merchantId: merchant_id, publicKey: public_key, madeBy: made_by })
    }
    for (const { payload } of eventsOf<Key>(entry, 'api_key.revoked'))
      assert.ok(this.keys.delete(payload.public_key), 'a key is revoked once')
    for (const { event, payload } of eventsOf<{ readonly product: string; readonly number: number }>(entry, 'code_run.recorded')) {
      const key = `${event.account}:${payload.product}`
      const count = (this.#runs.get(key) ?? 0) + 1
      assert.equal(payload.number, count, 'runs are numbered without gaps')
      this.#runs.set(key, count)
    }
  }

  compare({ merchants, codeRuns }: State): void {
    sameRows(
      [...merchants.apiKeys.values()].map(({ public_key }) => public_key),
      this.keys.keys(),
      'API keys',
    )
    for (const [key, count] of this.#runs) {
      const [account, product = ''] = key.split(':')
      assert.equal(codeRuns.countOf(Number(account), product), count, `runs of ${key}`)
    }
  }
}
