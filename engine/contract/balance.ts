// Balance of an account.
import { balance, currency, environment } from './common.ts'
import { type Static, Type } from './schema.ts'

export const Balance = Type.Object(
  {
    available: balance({ description: 'What may be spent now, in the smallest currency unit.' }),
    pending: balance({ description: 'Sum of the holds: money that is still yours and cannot be spent.', examples: [0] }),
    currency: currency(),
    environment: environment(),
  },
  { $id: 'Balance' },
)

export type Balance = Static<typeof Balance>
