// Fills a quota without its rows: as many rows of a holder as a test needs, counted and not made.
import type { State } from '../../engine/domain/state.ts'
import type { Quota, QuotaHolder, QuotaPart } from '../../engine/kernel/quota.ts'

export interface QuotaFill {
  readonly part: QuotaPart
  readonly holder: QuotaHolder
  readonly rows: number
}

export function fillQuota({ quotas }: State, quota: Quota, { part, holder, rows }: QuotaFill): void {
  for (let count = 0; count < rows; count++) quotas.use(quota).change(part, holder, 1)
}

/** Strangers with as many rows as they can get: each below its share, until the next one has less than one row. */
export function fillByStrangers({ quotas }: State, quota: Quota, part: QuotaPart, strangers: number): void {
  const use = quotas.use(quota)
  for (let stranger = 0; stranger < strangers; stranger++) {
    const holder = `stranger ${stranger}`
    while (use.hasRoom(part, holder, false)) use.change(part, holder, 1)
  }
}
