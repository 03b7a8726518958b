// Logos of merchants in the model: the one that customers see, and the one that waits for an operator or was refused.
import assert from 'node:assert/strict'
import type { State } from '../../../../engine/domain/state.ts'
import { type Entry, eventsOf, type NounModel, sent } from '../entry.ts'

interface Changed {
  readonly merchant_id: string
  readonly logo: { readonly file: string } | null
  readonly logo_change: { readonly file: string; readonly state: string } | null
}

export class MerchantLogosModel implements NounModel {
  /** File names by merchant. */
  readonly #shown = new Map<string, string>()
  readonly #waiting = new Map<string, string>()
  readonly #refused = new Map<string, string>()

  shown(merchantId: string): string | undefined {
    return this.#shown.get(merchantId)
  }

  /** The logo that waits for an operator; undefined where none does. */
  waiting(merchantId: string): string | undefined {
    return this.#waiting.get(merchantId)
  }

  audit(entry: Entry): void {
    for (const { payload } of eventsOf<Changed>(entry, 'merchant.logo_set')) {
      const { merchant_id: id, logo, logo_change } = payload
      const command = sent(entry, 'SetMerchantLogo')
      if (command !== null) assert.equal(command.logo === null ? null : (logo_change ?? logo)?.file, command.logo?.file ?? null)
      assert.ok(logo === null || logo.file === this.shown(id), 'an owner shows no logo by itself')
      assert.notEqual(logo_change?.state, 'refused', 'an owner refuses no logo')
      put(this.#shown, id, logo?.file)
      put(this.#waiting, id, logo_change?.file)
      this.#refused.delete(id)
    }
    for (const { payload } of eventsOf<Changed>(entry, 'merchant.logo_approved')) {
      const { merchant_id: id, logo } = payload
      assert.ok(logo !== null && logo.file === this.waiting(id), 'an operator approves the logo that waits')
      this.#shown.set(id, logo.file)
      this.#waiting.delete(id)
    }
    for (const { payload } of eventsOf<Changed>(entry, 'merchant.logo_refused')) {
      const { merchant_id: id, logo, logo_change } = payload
      assert.equal(logo_change?.file, this.waiting(id), 'an operator refuses the logo that waits')
      assert.equal(logo?.file, this.shown(id), 'customers see what they saw before')
      put(this.#refused, id, logo_change?.file)
      this.#waiting.delete(id)
    }
  }

  compare({ merchants }: State): void {
    const served = new Set([...this.#shown.values(), ...this.#waiting.values()])
    for (const { id, logo, logo_change } of merchants.merchants.values()) {
      assert.equal(logo?.file, this.shown(id), `logo of merchant ${id}`)
      const change = [logo_change?.state, logo_change?.file]
      const expected =
        this.waiting(id) === undefined
          ? [this.#refused.has(id) ? 'refused' : undefined, this.#refused.get(id)]
          : ['requested', this.waiting(id)]
      assert.deepEqual(change, expected, `new logo of merchant ${id}`)
    }
    for (const file of ['one.png', 'two.jpg'])
      assert.equal(merchants.logos.at(file) !== undefined, served.has(file), `${file} is served while it is used`)
  }
}

function put(map: Map<string, string>, id: string, file: string | undefined): void {
  if (file === undefined) map.delete(id)
  else map.set(id, file)
}
