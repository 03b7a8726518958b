// Names of merchants in the model: the one that customers read, and the one that waits for an operator or was refused.
import assert from 'node:assert/strict'
import type { State } from '../../../../engine/domain/state.ts'
import { type Entry, eventsOf, type NounModel, sent } from '../entry.ts'

interface Asked {
  readonly state: string
  readonly name: string
}

interface ModelProfile {
  readonly address: string | null
  readonly time_zone: string
  readonly email_language: string | null
}

export class MerchantNamesModel implements NounModel {
  /** By merchant. */
  readonly #names = new Map<string, string>()
  readonly #asked = new Map<string, Asked>()
  readonly #profiles = new Map<string, ModelProfile>()

  nameOf(merchantId: string): string | undefined {
    return this.#names.get(merchantId)
  }

  /** The name that waits for an operator; undefined where none does. */
  waiting(merchantId: string): string | undefined {
    const asked = this.#asked.get(merchantId)
    return asked?.state === 'requested' ? asked.name : undefined
  }

  audit(entry: Entry): void {
    for (const { payload } of eventsOf<{ readonly id: string; readonly name: string }>(entry, 'merchant.created'))
      this.#names.set(payload.id, payload.name)
    for (const { payload } of eventsOf<ModelProfile & { readonly merchant_id: string }>(entry, 'merchant.account_set'))
      this.#profiles.set(payload.merchant_id, {
        address: payload.address,
        time_zone: payload.time_zone,
        email_language: payload.email_language,
      })
    for (const { payload } of eventsOf<{ readonly merchant_id: string; readonly name_change: Asked | null }>(
      entry,
      'merchant.name_requested',
    )) {
      const { merchant_id, name_change } = payload
      const command = sent(entry, 'SetMerchantAccount')
      if (command !== null && name_change !== null) assert.deepEqual([name_change.state, name_change.name], ['requested', command.name])
      assert.notEqual(name_change?.name, this.nameOf(merchant_id), 'nobody asks for the name that it has')
      if (name_change === null) this.#asked.delete(merchant_id)
      else this.#asked.set(merchant_id, name_change)
    }
    for (const { payload } of eventsOf<{ readonly merchant_id: string; readonly name: string }>(entry, 'merchant.name_approved')) {
      assert.equal(payload.name, this.waiting(payload.merchant_id), 'an operator approves the name that waits')
      this.#names.set(payload.merchant_id, payload.name)
      this.#asked.delete(payload.merchant_id)
    }
    for (const { payload } of eventsOf<{ readonly merchant_id: string; readonly name_change: Asked }>(entry, 'merchant.name_refused')) {
      assert.equal(payload.name_change.name, this.waiting(payload.merchant_id), 'an operator refuses the name that waits')
      this.#asked.set(payload.merchant_id, payload.name_change)
    }
  }

  compare({ merchants }: State): void {
    for (const { id, name, name_change, profile } of merchants.merchants.values()) {
      assert.equal(name, this.nameOf(id), `name of merchant ${id}`)
      assert.deepEqual(name_change, this.#asked.get(id), `new name of merchant ${id}`)
      assert.deepEqual(profile, this.#profiles.get(id), `account of merchant ${id}`)
    }
  }
}
