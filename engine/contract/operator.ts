// What only the operator sees: the trial balance and the audit trail.
import { balance, environment, listOf, timestamp, uuid } from './common.ts'
import { choice, nullable, type Static, Type } from './schema.ts'

export const ACCOUNT_TYPES = ['settlement', 'clearing', 'merchant', 'wallet'] as const

export const TrialBalanceQuery = Type.Object({ environment: Type.Optional(environment({ default: 'live' })) })

export type TrialBalanceQuery = Static<typeof TrialBalanceQuery>

export const TrialBalance = Type.Object(
  {
    balanced: Type.Boolean({ description: 'Whether the debits of all accounts equal their credits.' }),
    accounts: Type.Array(
      Type.Object({
        type: choice(ACCOUNT_TYPES),
        count: Type.Integer({ minimum: 0 }),
        debit: balance({ minimum: 0, description: 'Sum of the balances that stand on the debit side.' } as object),
        credit: balance({ minimum: 0, description: 'Sum of the balances that stand on the credit side.' } as object),
      }),
    ),
    transactions: Type.Integer({ minimum: 0, description: 'Ledger transactions of the environment so far.' }),
    last_sequence: Type.Integer({ minimum: 0, description: 'Log sequence that this is the state of.' }),
  },
  { $id: 'TrialBalance' },
)

export type TrialBalance = Static<typeof TrialBalance>

export const OperatorAction = Type.Object(
  {
    id: uuid(),
    action: Type.String({ examples: ['merchant.create'] }),
    target: Type.String({ description: 'Id, or tag with its `@`, of what it was done to.' }),
    environment: nullable(environment(), { description: 'Null for what belongs to both environments.' }),
    details: Type.Object({}, { additionalProperties: true, description: 'What was asked for, without secrets.' }),
    created_at: timestamp(),
  },
  { $id: 'OperatorAction' },
)

export type OperatorAction = Static<typeof OperatorAction>

export const OperatorActionList = listOf(OperatorAction, 'OperatorActionList')
