// A planned transaction comes from the rules of movements alone: a noun that makes one by itself does not compile. The architecture test
// keeps nouns from importing its class.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { PlannedTransaction } from '../../../../engine/domain/decision.ts'

it('a transaction that a noun writes down by itself is no planned one', () => {
  const posting = { debit: 1, credit: 2, amount: 5 }
  const about = { id: 'a', type: 'payout', currency: 'XOF', reference: '', eventIndex: 0, postings: [], posting, fee: null } as const
  // @ts-expect-error: `passedRules` is private, and only the rules make one.
  const planned: PlannedTransaction = about
  assert.equal(planned.posting, posting)
})
