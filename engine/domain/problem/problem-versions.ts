// A problem as it stands now: what was opened, its answer, and the refund of its payment.
import { assert } from '../../kernel/assert.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import type { Context } from '../decision.ts'
import { payloadOf, type StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { isRefundedPayment } from '../wallet-payment.ts'
import { problemIndexKey } from './problem-index-keys.ts'
import type { Problem, ProblemAnswered, ProblemOpened } from './problem-state.ts'

export interface ProblemOutcome {
  readonly state: Problem['state']
  readonly answered: ProblemAnswered | null
}

/** Returns what became of a problem. A refund after an answer is what counts. */
export function problemOutcome(state: State, sources: Pick<Context, 'past' | 'timeMs'>, opened: ProblemOpened): ProblemOutcome {
  const { id, transaction_id } = opened.problem
  const live = state.problems.open.get(transaction_id)
  if (live !== undefined && payloadOf<ProblemOpened>(sources.past.eventAt(live.position)).problem.id === id)
    return { state: 'open', answered: null }
  const found = sources.past.latest(problemIndexKey(id), (event) => isAnswerTo(event, id))
  const answered = found === null ? null : payloadOf<ProblemAnswered>(found)
  return {
    state: isRefundedPayment(state, sources, { fields: opened.problem, position: opened.payment_position }) ? 'refunded' : 'answered',
    answered,
  }
}

function isAnswerTo(event: StoredEvent, id: string): boolean {
  return event.type === 'problem.answered' && payloadOf<ProblemAnswered>(event).id === id
}

/** Returns the problem as its customer and its merchant see it. */
export function shownProblem(state: State, opened: ProblemOpened, merchant: AccountNumber, outcome: ProblemOutcome): Problem {
  const name = state.merchants.byAccount(merchant)?.name
  assert(name !== undefined, 'a merchant was paid')
  const { id, payment, transaction_id, charge_token, mandate_id, reference, amount, currency, environment, ...said } = opened.problem
  const { customer_tag, reason, text, created_at } = said
  return {
    ...{ id, state: outcome.state, payment, transaction_id, charge_token, mandate_id, reference, amount, currency, environment },
    ...{ merchant_name: name, customer_tag, reason, text, answer: outcome.answered?.answer ?? null },
    ...{ created_at, answered_at: outcome.answered?.answered_at ?? null },
  }
}
