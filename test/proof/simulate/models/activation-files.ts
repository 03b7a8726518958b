// Files of activations in the model: each accepted one is there once, in the order of the log, and a merchant has four at most.
import assert from 'node:assert/strict'
import type { State } from '../../../../engine/domain/state.ts'
import { type Entry, eventsOf, type NounModel, sent } from '../entry.ts'

interface Added {
  readonly merchant_id: string
  readonly file: { readonly id: string; readonly content_type: string; readonly size_bytes: number }
}

/** What the engine's maximum is meant to be, written down a second time. */
const FILES_MAX = 4

export class ActivationFilesModel implements NounModel {
  /** Ids by merchant. */
  readonly #files = new Map<string, readonly string[]>()

  isFull(merchantId: string): boolean {
    return this.#of(merchantId).length >= FILES_MAX
  }

  audit(entry: Entry): void {
    for (const { payload } of eventsOf<Added>(entry, 'merchant.activation_file_added')) {
      const { merchant_id, file } = payload
      const command = sent(entry, 'AddActivationFile')
      const told = command === null ? null : [command.merchantId, command.contentType, command.sizeBytes]
      if (told !== null) assert.deepEqual([merchant_id, file.content_type, file.size_bytes], told)
      assert.ok(!this.isFull(merchant_id), 'an activation has four files at most')
      this.#files.set(merchant_id, [...this.#of(merchant_id), file.id])
    }
  }

  compare({ merchants }: State): void {
    for (const { id, activation_files = [] } of merchants.merchants.values()) {
      const found = activation_files.map((file) => file.id)
      assert.deepEqual(found, this.#of(id), `files of merchant ${id}`)
    }
  }

  #of(merchantId: string): readonly string[] {
    return this.#files.get(merchantId) ?? []
  }
}
