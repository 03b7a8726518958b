// Problems with a payment: what a customer says to the merchant about one, and the answer. No money moves by them.
import { amount, currency, environment, listOf, PAGE_QUERY, partText, tagOutput, timestamp, uuid } from './common.ts'
import { paymentReason, REASON_TEXT_LENGTH_MAX, reasonText } from './payment-reason.ts'
import { choice, nullable, type Static, Type, text } from './schema.ts'

export const PROBLEM_STATES = ['open', 'answered', 'refunded'] as const

export const PROBLEM_PAYMENTS = ['charge', 'bill', 'mandate'] as const

export const OpenProblemBody = Type.Object(
  {
    reason: paymentReason('What is wrong with the payment.'),
    text: Type.Optional(reasonText('Your message to the merchant: at most 500 characters.')),
  },
  { $id: 'OpenProblemBody' },
)

export type OpenProblemBody = Static<typeof OpenProblemBody>

export const AnswerProblemBody = Type.Object(
  {
    text: text({
      lines: 'many',
      minLength: 1,
      maxLength: REASON_TEXT_LENGTH_MAX,
      description: 'What the customer reads: at most 500 characters.',
      examples: ['Votre colis part demain, avec nos excuses.'],
    }),
  },
  { $id: 'AnswerProblemBody' },
)

export type AnswerProblemBody = Static<typeof AnswerProblemBody>

export const Problem = Type.Object(
  {
    id: uuid({ description: 'Id of the problem.' }),
    state: choice(PROBLEM_STATES, {
      description: '`open` until the merchant answers (`answered`) or refunds the payment (`refunded`, also after an answer).',
    }),
    payment: choice(PROBLEM_PAYMENTS, { description: 'What was paid.' }),
    transaction_id: uuid({ description: 'Ledger transaction of the payment.' }),
    charge_token: nullable(Type.String(), { description: 'Token of the charge; null for bills and mandates.' }),
    mandate_id: nullable(uuid(), { description: 'The mandate; null for charges and bills.' }),
    reference: Type.String({ description: 'Reference of the payment; empty when it has none.' }),
    amount: amount(),
    currency: currency(),
    environment: environment(),
    merchant_name: Type.String({ description: 'Who was paid.' }),
    customer_tag: tagOutput(),
    reason: paymentReason('What is wrong with the payment.'),
    text: Type.String({ description: 'Message of the customer; empty without one.' }),
    answer: nullable(Type.String(), { description: 'What the merchant answered; null before.' }),
    created_at: timestamp(),
    answered_at: nullable(timestamp(), { description: 'Null before an answer.' }),
  },
  { $id: 'Problem', description: 'A message of a customer about a payment.' },
)

export type Problem = Static<typeof Problem>

export const ProblemList = listOf(Problem, 'ProblemList')

export const ListProblemsQuery = Type.Object({
  ...PAGE_QUERY,
  state: Type.Optional(choice(PROBLEM_STATES, { description: 'Only problems in this state.' })),
  q: Type.Optional(partText('Reference of the payment, tag or message of the customer, or id of the problem or of the transaction.')),
})

export type ListProblemsQuery = Static<typeof ListProblemsQuery>
