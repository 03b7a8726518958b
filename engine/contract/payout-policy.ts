// Payout policy of a merchant's account: above which amount one person alone may not pay.
import { AMOUNT_MAX } from '../kernel/amount.ts'
import { nullable, type Static, Type } from './schema.ts'

export const PayoutPolicy = Type.Object(
  {
    approval_above: nullable(Type.Integer({ format: 'int64', minimum: 0, maximum: AMOUNT_MAX, examples: [500_000] }), {
      description:
        'Amount, in the smallest currency unit. What pays more needs a second person: single payouts, batches, schedules and withdrawals are answered 403 `approval_required`. Null: no limit.',
    }),
  },
  { $id: 'PayoutPolicy', description: 'What one person alone may pay, in one environment.' },
)

export type PayoutPolicy = Static<typeof PayoutPolicy>
