// The till: what the charges of a period brought in and what was refunded, by member.
import { balance, currency, timestamp, uuid } from './common.ts'
import { type Static, Type } from './schema.ts'

export const TillQuery = Type.Object({
  from: Type.Optional(Type.String({ format: 'date-time', description: 'Inclusive. Default: the start of the day of `to` in UTC.' })),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Exclusive. Default: now.' })),
  member_id: Type.Optional(uuid({ description: 'Only charges that this member made, and those of its payment links.' })),
})

export type TillQuery = Static<typeof TillQuery>

const count = (description: string) => Type.Integer({ minimum: 0, format: 'int32', description, examples: [14] })

const SUMS = {
  paid_count: count('Charges that were paid in the period.'),
  paid_amount: balance({ description: 'Sum of these charges, those included that were refunded later.' }),
  refunded_count: count('Charges that were refunded in the period, whenever they were paid.'),
  refunded_amount: balance({ description: 'Sum of these refunds.', examples: [15000] }),
}

export const TillMember = Type.Object(
  {
    id: uuid({ description: 'Id of the member.' }),
    name: Type.String({ description: 'E-mail address of the member.', examples: ['caisse@boutique-awa.example'] }),
    ...SUMS,
  },
  { $id: 'TillMember', description: 'A payment and its refund count for the member that made the charge or its payment link.' },
)

export const Till = Type.Object(
  {
    from: timestamp({ description: 'Start of the period.' }),
    to: timestamp({ description: 'End of the period.' }),
    currency: currency(),
    ...SUMS,
    net_amount: balance({ description: '`paid_amount` minus `refunded_amount`.', examples: [235000] }),
    by_member: Type.Array(TillMember, { description: 'By name. Charges of API keys and of their links count in the sums above alone.' }),
  },
  { $id: 'Till', description: 'What the charges of a period brought in.' },
)

export type Till = Static<typeof Till>
