// Top-ups: money that a merchant sends from outside, credited when an operator has confirmed that it arrived.
import { amount, currency, environment, listOf, PAGE_QUERY, partText, reference, timestamp, uuid } from './common.ts'
import { moneyBody } from './money-body.ts'
import { choice, nullable, type Static, Type, text } from './schema.ts'

export const TOP_UP_STATES = ['requested', 'confirmed', 'refused', 'cancelled'] as const

export const REASON_LENGTH_MAX = 500

/** Shared by top-ups and withdrawals. */
export const FINISHED_FIELDS = {
  settlement_reference: nullable(Type.String(), {
    description: 'Reference of the bank transfer or payment, as the operator entered it; null until then.',
    examples: ['VIR-2026-118'],
  }),
  reason: nullable(Type.String(), { description: 'Why the operator refused it; null otherwise.' }),
  transaction_id: nullable(uuid(), { description: 'Ledger transaction; null until the money has moved.' }),
  environment: environment(),
  created_at: timestamp(),
  finished_at: nullable(timestamp(), { description: 'When it left the state `requested`; null until then.' }),
}

/** How a merchant sends money. */
export const TOP_UP_KINDS = ['bank', 'mobile_money'] as const

export type TopUpKind = (typeof TOP_UP_KINDS)[number]

export const CreateTopUpBody = moneyBody(
  {
    amount: amount(),
    reference: Type.Optional(reference()),
    kind: Type.Optional(
      choice(TOP_UP_KINDS, { description: 'How you send it: `instructions` are those of this kind. Without it: of each.' }),
    ),
  },
  { $id: 'CreateTopUpBody' },
)

export type CreateTopUpBody = Static<typeof CreateTopUpBody>

/** Any text in which an operator may send one: the handler checks it. */
const paymentReference = () =>
  Type.Optional(
    Type.String({
      minLength: 8,
      maxLength: 9,
      description: 'Only the top-up with this payment reference; capitals and the dash are optional. A wrong check character: 400.',
      examples: ['K7M2-9PX4'],
    }),
  )

const TOP_UP_FIELDS = {
  id: uuid({ description: 'Id of the top-up.' }),
  state: choice(TOP_UP_STATES, { description: 'All but `requested` are final.' }),
  amount: amount({ description: 'As requested.' }),
  confirmed_amount: nullable(amount(), { description: 'What arrived and was credited; null until it is confirmed.' }),
  currency: currency(),
  reference: Type.String({ description: 'Your own reference as sent; empty when none was sent.' }),
  payment_reference: Type.String({
    pattern: '^[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{4}$',
    description:
      'Write it on the transfer, so that the money is recognized. Unique, with a check character; without 0, 1, I, L and O, which are misread.',
    examples: ['K7M2-9PX4'],
  }),
  instructions: Type.String({ description: 'Where and how to send the money, in French: the text of the moment of the request.' }),
  ...FINISHED_FIELDS,
}

export const TopUp = Type.Object(TOP_UP_FIELDS, { $id: 'TopUp' })

export type TopUp = Static<typeof TopUp>

/** What operators see beside the merchant's record. */
export const OWNER_FIELDS = {
  merchant_id: uuid({ description: 'Merchant who asked.' }),
  merchant_name: Type.String({ description: 'Its name.', examples: ['Boutique Awa'] }),
  approval_id: nullable(
    uuid({ description: 'The movement that waits for a second operator (OPERATOR_DUAL_CONTROL, OPERATOR_DAY_CONTROL).' }),
    {
      description: 'Null when none waits.',
    },
  ),
}

export const OperatorTopUp = Type.Object({ ...TOP_UP_FIELDS, ...OWNER_FIELDS }, { $id: 'OperatorTopUp' })

export type OperatorTopUp = Static<typeof OperatorTopUp>

export const OperatorTopUpList = listOf(OperatorTopUp, 'OperatorTopUpList')

/** Filters of what waits for an operator. */
export const OPEN_REQUESTS_QUERY = {
  ...PAGE_QUERY,
  environment: Type.Optional(environment({ description: 'Only this environment; both without it.' })),
  merchant_id: Type.Optional(uuid({ description: 'Only requests of this merchant.' })),
}

export const ListOpenTopUpsQuery = Type.Object({ ...OPEN_REQUESTS_QUERY, payment_reference: paymentReference() })

export type ListOpenTopUpsQuery = Static<typeof ListOpenTopUpsQuery>

export const TopUpList = listOf(TopUp, 'TopUpList')

export const ListTopUpsQuery = Type.Object({
  ...PAGE_QUERY,
  state: Type.Optional(choice(TOP_UP_STATES, { description: 'Only top-ups in this state.' })),
  reference: Type.Optional(reference()),
  q: Type.Optional(partText('Your reference, the payment reference, the reference of the transfer, or the id.')),
})

export type ListTopUpsQuery = Static<typeof ListTopUpsQuery>

const settlementReference = (docs: object = {}) =>
  text({ lines: 'one', minLength: 1, maxLength: 140, description: 'Reference of the transfer in the bank’s statement.', ...docs })

export const reasonText = () =>
  text({ lines: 'one', minLength: 1, maxLength: REASON_LENGTH_MAX, description: 'Shown to the merchant, so in French.' })

export const ConfirmTopUpBody = moneyBody(
  {
    amount: amount({ description: 'What arrived: this is credited, also where it differs from the request.' }),
    reference: settlementReference(),
  },
  { $id: 'ConfirmTopUpBody' },
)

export type ConfirmTopUpBody = Static<typeof ConfirmTopUpBody>

export const ConfirmTestTopUpBody = moneyBody(
  {
    amount: Type.Optional(amount({ description: 'Default: the amount of the request.' })),
    reference: Type.Optional(settlementReference({ description: 'Default: `TEST`.' })),
  },
  { $id: 'ConfirmTestTopUpBody' },
)

export type ConfirmTestTopUpBody = Static<typeof ConfirmTestTopUpBody>

export const PayWithdrawalBody = moneyBody({ reference: settlementReference() }, { $id: 'PayWithdrawalBody' })

export type PayWithdrawalBody = Static<typeof PayWithdrawalBody>

export const PayTestWithdrawalBody = moneyBody(
  { reference: Type.Optional(settlementReference({ description: 'Default: `TEST`.' })) },
  { $id: 'PayTestWithdrawalBody' },
)

export type PayTestWithdrawalBody = Static<typeof PayTestWithdrawalBody>

export const RefuseRequestBody = moneyBody({ reason: reasonText() }, { $id: 'RefuseRequestBody' })

export type RefuseRequestBody = Static<typeof RefuseRequestBody>
