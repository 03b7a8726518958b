// What requests about problems must come to.
import type { Verdicts } from '../entry.ts'
import type { Models } from '../models.ts'

export const problemVerdicts = ({ problems }: Models) =>
  ({
    OpenProblem: ({ customer, position }) => {
      const payment = problems.payments.get(position)
      if (payment === undefined || payment.customer !== customer) return 'not_found'
      if (payment.isRefunded) return payment.kind === 'bill' ? 'bill_already_refunded' : 'charge_already_refunded'
      return problems.openOf(payment) === undefined ? null : 'problem_open'
    },
    AnswerProblem: ({ merchant, position }) => {
      const problem = problems.problems.get(position)
      if (problem?.payment.account !== merchant) return 'not_found'
      return problem.state === 'open' ? null : 'problem_closed'
    },
  }) satisfies Verdicts
