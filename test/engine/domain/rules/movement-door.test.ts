// A planned transaction comes from the rules of movements alone: a noun that makes one by itself does not compile. The architecture test
// keeps nouns from importing its class.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { PlannedTransaction } from '../../../../engine/domain/decision.ts'
import { plannedPosting } from '../../../../engine/ledger/transaction.ts'

it('a transaction that a noun writes down by itself is no planned one', () => {
  const posting = plannedPosting(1, 2, 5)
  const moved = { type: 'payout', currency: 'XOF', postings: [], posting, fee: null, nearsLimit: false } as const
  const about = { ...moved, id: 'a', reference: '', eventIndex: 0 }
  // @ts-expect-error: `passedRules` is private, and only the rules make one.
  const planned: PlannedTransaction = about
  assert.equal(planned.posting, posting)
})
