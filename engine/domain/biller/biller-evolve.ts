// How profiles and products change: each event of a biller holds the whole profile.
import { assert } from '../../kernel/assert.ts'
import { positionOf } from '../../kernel/position.ts'
import { parseRfc3339 } from '../../kernel/time.ts'
import type { EventTable } from '../noun-module.ts'
import type { LogRecord, StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import {
  type BillerProfile,
  type ProductRow,
  type ProductState,
  type ProductSwitch,
  type ProductVersion,
  productKey,
  type StoredLogo,
} from './biller-state.ts'

export const BILLER_EVENTS = {
  'biller.saved@1': setProfile,
  'biller.submitted@1': setProfile,
  'biller.approved@1': setProfile,
  'biller.rejected@1': setProfile,
  'biller.suspended@1': setProfile,
  'biller.reinstated@1': setProfile,
  'biller.logo_set@1': setProfile,
  'biller.logo_approved@1': setProfile,
  'biller.logo_rejected@1': setProfile,
  'logo.stored@1': countLogo,
  'product.saved@1': saveProduct,
  'product.activated@1': activateProduct,
  'product.deactivated@1': deactivateProduct,
} satisfies EventTable

function setProfile(state: State, biller: BillerProfile): void {
  state.billers.profiles.set(biller.slug, biller)
}

/** The profile that shows it follows in the same record. */
function countLogo(state: State, { biller }: StoredLogo, event: StoredEvent, record: LogRecord): void {
  state.billers.addWritten(biller, record.timeMs, event.text.length)
}

function saveProduct(state: State, saved: ProductVersion, event: StoredEvent, record: LogRecord): void {
  const { id, biller, slug, title, amount_mode, version, sealed_secret, created_at, updated_at } = saved
  const position = positionOf(record.sequence, record.events.indexOf(event))
  const product: ProductRow = {
    ...{ id, biller, slug, title, amount_mode, version, state: saved.state },
    ...{ sealed_secret, created_at, updated_at, position },
  }
  state.billers.products.set(productKey(biller, slug), product)
  state.billers.addWritten(biller, parseRfc3339(updated_at), event.text.length)
}

function activateProduct(state: State, change: ProductSwitch): void {
  switchProduct(state, change, 'active')
}

function deactivateProduct(state: State, change: ProductSwitch): void {
  switchProduct(state, change, 'inactive')
}

function switchProduct(state: State, { biller, slug, updated_at }: ProductSwitch, to: ProductState): void {
  const key = productKey(biller, slug)
  const product = state.billers.products.get(key)
  assert(product !== undefined, 'a product that is switched was saved')
  state.billers.products.set(key, { ...product, state: to, updated_at })
}
