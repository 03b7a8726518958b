// Compares lists of payouts, page by page with random filters, with the plain list that the auditor kept.
import assert from 'node:assert/strict'
import type { History } from '../../../engine/actor/history.ts'
import type { Hit } from '../../../engine/actor/hit.ts'
import { type PayoutFilters, payoutIndexKey, payoutsIndexKeys } from '../../../engine/domain/payout/payout-index-keys.ts'
import type { Prng } from '../../support/prng.ts'
import type { AuditedPayout } from './auditor.ts'

const FILTERS = ['state', 'recipient', 'reference'] as const satisfies readonly (keyof PayoutFilters)[]

type Filters = Partial<Record<(typeof FILTERS)[number], string>>

interface Range {
  readonly createdFromMs?: number
  readonly createdToMs?: number
}

export function checkLists(history: History, payouts: readonly AuditedPayout[], prng: Prng): void {
  if (payouts.length === 0) return
  const sample = prng.pick(payouts)
  const filters: Filters = {}
  for (const filter of FILTERS) if (sample[filter] !== '' && prng.chance(0.4)) filters[filter] = sample[filter]
  const range: Range = {
    ...(prng.chance(0.3) ? { createdFromMs: prng.pick(payouts).timeMs } : {}),
    ...(prng.chance(0.3) ? { createdToMs: prng.pick(payouts).timeMs } : {}),
  }
  const expected = payouts.filter((payout) => isIn(payout, sample.merchant, filters, range)).map(({ id }) => id)
  const listed = listAll(history, sample.merchant, filters, range, 1 + prng.below(5))
  assert.deepEqual(listed, expected.reverse(), `payouts by ${JSON.stringify({ filters, range })}`)
  const found = history.byId(payoutIndexKey(sample.id), (hit) => hit.event.type.startsWith('payout.') && fieldOf(hit, 'id') === sample.id)
  assert.equal(found?.record.sequence, sample.sequence)
}

function isIn(payout: AuditedPayout, merchant: number, filters: Filters, { createdFromMs, createdToMs }: Range): boolean {
  if (payout.merchant !== merchant || FILTERS.some((filter) => filters[filter] !== undefined && filters[filter] !== payout[filter]))
    return false
  return payout.timeMs >= (createdFromMs ?? 0) && payout.timeMs < (createdToMs ?? Number.POSITIVE_INFINITY)
}

function listAll(history: History, merchant: number, filters: Filters, range: Range, limit: number): string[] {
  const indexKeys = payoutsIndexKeys(merchant, filters)
  const keep = (hit: Hit): boolean =>
    hit.event.type.startsWith('payout.') &&
    hit.event.account === merchant &&
    FILTERS.every((name) => filters[name] === undefined || fieldOf(hit, name) === filters[name])
  const ids: string[] = []
  for (let below: number | null | undefined; below !== null; ) {
    const page = history.page({ indexKeys, limit, keep, ...range, ...(below === undefined ? {} : { below }) })
    assert.ok(page.hits.length <= limit)
    assert.ok(page.next === null || page.hits.length === limit, 'only a full page has another')
    ids.push(...page.hits.map((hit) => fieldOf(hit, 'id')))
    below = page.next
  }
  return ids
}

function fieldOf(hit: Hit, field: string): string {
  return String((JSON.parse(hit.event.text) as Record<string, unknown>)[field])
}
