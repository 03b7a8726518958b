// Requests about problems with payments.
import type { CommandType } from '../../../../engine/domain/command.ts'
import { type Draw, recent } from '../entry.ts'
import type { Models } from '../models.ts'
import { merchantAccount, text } from './pick.ts'

export const problemDraws = (models: Models) =>
  ({
    OpenProblem: (drawing) => {
      const { prng } = drawing
      const payment = recent(prng, [...models.problems.payments.values()])
      if (payment === undefined) return null
      const other = recent(prng, models.accounts.wallets)?.account ?? payment.customer
      const customer = prng.chance(0.95) ? payment.customer : other
      return { type: 'OpenProblem', customer, position: payment.position, reason: 'not_received', text: text(drawing) }
    },
    AnswerProblem: (drawing) => {
      const { prng } = drawing
      const problem = recent(prng, [...models.problems.problems.values()])
      if (problem === undefined) return null
      const merchant = prng.chance(0.95) ? problem.payment.account : (merchantAccount(models, drawing) ?? problem.payment.account)
      return { type: 'AnswerProblem', merchant, position: problem.position, answer: text(drawing) }
    },
  }) satisfies Partial<Record<CommandType, Draw>>
