// Movements that wait for a second operator (dual control): deposits, withdrawals, confirmed top-ups and paid withdrawals.
import { amount, balance, currency, environment, listOf, PAGE_QUERY, reference, timestamp, uuid } from './common.ts'
import { moneyBody } from './money-body.ts'
import { AuditSubject, OperatorName } from './operator.ts'
import { choice, nullable, type Static, Type, text } from './schema.ts'

export const APPROVAL_STATES = ['waiting', 'approved', 'refused'] as const

export const Approval = Type.Object(
  {
    id: uuid({ description: 'Id of the request, for approving or refusing it.' }),
    state: choice(APPROVAL_STATES, { description: '`waiting` until a second operator decides.' }),
    kind: choice(['deposit', 'withdrawal', 'top_up_confirmation', 'withdrawal_payment', 'rule_change'], {
      description: 'What the operator asked for. Administrators decide a `rule_change`, finance the others.',
    }),
    because: choice(['amount', 'day_sum', 'rules'], {
      description:
        'Why it waits: its amount is above OPERATOR_DUAL_CONTROL, it brings the sum of its operator and day above OPERATOR_DAY_CONTROL, or it changes live rules.',
    }),
    request_id: nullable(uuid({ description: 'Top-up or withdrawal of a merchant that the movement finishes.' }), {
      description: 'Null for deposits and withdrawals that an operator makes, and for rules.',
    }),
    merchant_id: nullable(uuid({ description: 'Merchant whose balance changes.' }), {
      description: 'Null for a wallet, and for rules of a whole environment.',
    }),
    tag: nullable(Type.String({ description: 'Tag of the wallet whose balance changes.', examples: ['awa_diallo'] }), {
      description: 'Null for a merchant, and for rules of a whole environment.',
    }),
    subject: AuditSubject,
    environment: environment(),
    amount: nullable(amount(), { description: 'Null for a change of rules.' }),
    currency: nullable(currency(), { description: 'Null for a change of rules.' }),
    reference: reference(),
    change: Type.Optional(
      Type.Object({}, { additionalProperties: true, description: 'The rules as they will be; present only in a `rule_change`.' }),
    ),
    before: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description: 'The rules that the change replaces; while it waits, the present ones. Present only in a `rule_change`.',
        },
      ),
    ),
    requested_by: OperatorName,
    decided_by: nullable(OperatorName, { description: 'The second operator; null while it waits.' }),
    reason: nullable(Type.String(), { description: 'Why it was refused; otherwise null.' }),
    transaction_id: nullable(uuid({ description: 'Ledger transaction.' }), { description: 'Null unless approved.' }),
    balance_before: nullable(balance(), {
      description: 'Balance of the account before the transaction; while it waits, the present one. Null for a change of rules.',
    }),
    balance_after: nullable(balance(), {
      description: 'Balance of the account after the transaction; while it waits, as it would be now. Null for a change of rules.',
    }),
    created_at: timestamp(),
    decided_at: nullable(timestamp(), { description: 'Null while it waits.' }),
  },
  {
    $id: 'Approval',
    description:
      'A movement of live money above OPERATOR_DUAL_CONTROL, or that brings the sum of its operator and day above OPERATOR_DAY_CONTROL; or a change of live rules while either is set.',
  },
)

export type Approval = Static<typeof Approval>

export const ApprovalList = listOf(Approval, 'ApprovalList')

export const ListApprovalsQuery = Type.Object({
  ...PAGE_QUERY,
  state: Type.Optional(choice(APPROVAL_STATES, { default: 'waiting', description: 'Requests in this state.' })),
})

export type ListApprovalsQuery = Static<typeof ListApprovalsQuery>

export const RefuseApprovalBody = moneyBody(
  {
    reason: text({
      lines: 'one',
      minLength: 1,
      maxLength: 500,
      description: 'Shown to the operator who asked.',
      examples: ['Le virement n’est pas arrivé.'],
    }),
  },
  { $id: 'RefuseApprovalBody' },
)

export type RefuseApprovalBody = Static<typeof RefuseApprovalBody>
