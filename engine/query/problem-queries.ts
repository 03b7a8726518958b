// Queries for problems with payments: the merchant's list and one of it, that of a wallet's payment, and the places that commands take.
import type { Hit } from '../actor/index-hit.ts'
import type { ListProblemsQuery } from '../contract/problem.ts'
import { problemIndexKey, problemsIndexKey, problemsOfPaymentIndexKey } from '../domain/problem/problem-index-keys.ts'
import type { Problem, ProblemOpened } from '../domain/problem/problem-state.ts'
import { problemOutcome, shownProblem } from '../domain/problem/problem-versions.ts'
import { payloadOf } from '../domain/record.ts'
import { paymentAt } from '../domain/wallet-payment.ts'
import type { Position } from '../kernel/position.ts'
import type { AccountNumber } from '../ledger/transaction.ts'
import { type DocumentSlice, documentSlice, type SliceInput } from './document-slice.ts'
import type { OwnId } from './payout-queries.ts'
import type { Reads } from './reads.ts'
import { isFoundIn, searchOf } from './search.ts'
import { transactionHit } from './transaction-search.ts'

interface OfMaker {
  /** Id of the cashier that reads: only problems with payments that it asked for. Null: all. */
  readonly maker: string | null
}

/** Returns null when the cursor belongs to another kind of list. */
export function listProblems(reads: Reads, { account, query, maker }: SliceInput<ListProblemsQuery> & OfMaker): DocumentSlice | null {
  const search = searchOf(query.q)
  const keep = ({ event }: Hit): boolean => {
    if (event.type !== 'problem.opened' || event.account !== account) return false
    const opened = payloadOf<ProblemOpened>(event)
    if (!isSeenBy(opened, maker)) return false
    const { id, transaction_id, customer_tag, reference, text } = opened.problem
    return search === null || isFoundIn(search, [id, transaction_id, customer_tag, reference, text])
  }
  return documentSlice(reads.history, query, {
    indexKeys: [[problemsIndexKey(account)]],
    keep,
    current: (hit) => {
      const problem = problemOf(reads, hit)
      return query.state === undefined || query.state === problem.state ? JSON.stringify(problem) : null
    },
  })
}

/** Returns JSON text of the merchant's problem; null when it has none with this id. */
export function getProblem(reads: Reads, input: OwnId & OfMaker): string | null {
  const hit = problemHit(reads, input)
  return hit === null ? null : JSON.stringify(problemOf(reads, hit))
}

/** Returns the place of the merchant's problem, which a command takes; null when it has none with this id. */
export function problemPosition(reads: Reads, input: OwnId & OfMaker): Position | null {
  return problemHit(reads, input)?.position ?? null
}

/** Returns the newest problem of a wallet with the payment of this transaction; null without one. */
export function problemOfPayment(reads: Reads, { account, id: given }: OwnId): string | null {
  const id = given.toLowerCase()
  const found = reads.history.newest(problemsOfPaymentIndexKey(id), (event) => {
    if (event.type !== 'problem.opened') return false
    const { wallet, problem } = payloadOf<ProblemOpened>(event)
    return wallet === account && problem.transaction_id === id
  })
  return found === null ? null : JSON.stringify(problemOf(reads, found))
}

/** Returns the place of a wallet's payment of a charge, bill or mandate, which a command takes; null for another transaction. */
export function paymentPosition(reads: Reads, { account, id }: OwnId): Position | null {
  const hit = transactionHit(reads.history, account, id.toLowerCase())
  if (hit === null) return null
  const sources = { past: reads.history, timeMs: reads.nowMs() }
  return paymentAt(reads.state, sources, account, hit.position) === null ? null : hit.position
}

/** Returns the number of open problems with payments of a merchant's account. */
export function openProblems({ state }: Reads, { account }: { readonly account: AccountNumber }): number {
  return state.problems.openOf(account)
}

function problemHit({ history }: Reads, { account, id: given, maker }: OwnId & OfMaker): Hit | null {
  const id = given.toLowerCase()
  return history.first(problemIndexKey(id), ({ event }) => {
    if (event.type !== 'problem.opened' || event.account !== account) return false
    const opened = payloadOf<ProblemOpened>(event)
    return opened.problem.id === id && isSeenBy(opened, maker)
  })
}

function isSeenBy({ made_by }: ProblemOpened, maker: string | null): boolean {
  return maker === null || made_by.includes(maker)
}

function problemOf(reads: Reads, { event }: Pick<Hit, 'event'>): Problem {
  const opened = payloadOf<ProblemOpened>(event)
  const sources = { past: reads.history, timeMs: reads.nowMs() }
  return shownProblem(reads.state, opened, event.account, problemOutcome(reads.state, sources, opened))
}

export const PROBLEM_QUERIES = {
  'problems.get': getProblem,
  'problems.list': listProblems,
  'problems.ofPayment': problemOfPayment,
  'problems.open': openProblems,
  'problems.payment': paymentPosition,
  'problems.position': problemPosition,
} as const
