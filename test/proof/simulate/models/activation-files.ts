// Files of activations in the model: each accepted one is there once until it is deleted, in the order of the log; four of a merchant at most.
import assert from 'node:assert/strict'
import type { State } from '../../../../engine/domain/state.ts'
import { type Entry, eventsOf, type NounModel, sent } from '../entry.ts'

interface Added {
  readonly merchant_id: string
  readonly file: { readonly id: string; readonly content_type: string; readonly size_bytes: number }
}

interface Deleted {
  readonly merchant_id: string
  readonly id: string
}

/** What the engine's maximum is meant to be, written down a second time. */
const FILES_MAX = 4

export class ActivationFilesModel implements NounModel {
  /** Ids by merchant. */
  readonly #files = new Map<string, readonly string[]>()
  /** Ids of files that an operator has activated their merchant with. */
  readonly #kept = new Set<string>()

  isFull(merchantId: string): boolean {
    return this.idsOf(merchantId).length >= FILES_MAX
  }

  audit(entry: Entry): void {
    for (const { payload } of eventsOf<Added>(entry, 'merchant.activation_file_added')) {
      const { merchant_id, file } = payload
      const command = sent(entry, 'AddActivationFile')
      const told = command === null ? null : [command.merchantId, command.contentType, command.sizeBytes]
      if (told !== null) assert.deepEqual([merchant_id, file.content_type, file.size_bytes], told)
      assert.ok(!this.isFull(merchant_id), 'an activation has four files at most')
      this.#files.set(merchant_id, [...this.idsOf(merchant_id), file.id])
    }
    for (const { payload } of eventsOf<{ readonly merchant_id: string }>(entry, 'merchant.activated'))
      for (const id of this.idsOf(payload.merchant_id)) this.#kept.add(id)
    for (const { payload } of eventsOf<Deleted>(entry, 'merchant.activation_file_deleted')) {
      const command = sent(entry, 'DeleteActivationFile')
      if (command !== null) assert.deepEqual([payload.merchant_id, payload.id], [command.merchantId, command.id])
      assert.ok(!this.isKept(payload.id), 'a file that a merchant was activated with stays')
      const rest = this.idsOf(payload.merchant_id).filter((id) => id !== payload.id)
      this.#files.set(payload.merchant_id, rest)
    }
  }

  compare({ merchants }: State): void {
    for (const { id, activation_files = [] } of merchants.merchants.values()) {
      const found = activation_files.map((file) => file.id)
      assert.deepEqual(found, this.idsOf(id), `files of merchant ${id}`)
    }
  }

  isKept(id: string): boolean {
    return this.#kept.has(id)
  }

  idsOf(merchantId: string): readonly string[] {
    return this.#files.get(merchantId) ?? []
  }
}
