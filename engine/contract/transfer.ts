// Transfers from wallet to wallet.
import { pin } from './auth.ts'
import { amount, balance, currency, note, tagInput, tagOutput, timestamp, uuid } from './common.ts'
import { feeTaken } from './fees.ts'
import { moneyBody } from './money-body.ts'
import { type Static, Type } from './schema.ts'

export const CreateTransferBody = moneyBody(
  {
    recipient: tagInput({ description: 'Tag of the wallet to pay, with or without its `@`.', 'x-error': 'invalid_recipient' }),
    amount: amount(),
    note: Type.Optional(note({ description: 'Shown to the recipient; at most 500 characters.' })),
    pin: pin(),
  },
  { $id: 'CreateTransferBody' },
)

export type CreateTransferBody = Static<typeof CreateTransferBody>

export const Transfer = Type.Object(
  {
    transaction_id: uuid({ description: 'Ledger transaction of the transfer.' }),
    recipient: tagOutput(),
    amount: amount(),
    currency: currency(),
    fee: feeTaken(),
    note: Type.String({ description: 'As sent; empty when none was sent.' }),
    balance_after: balance({ description: 'Your balance after it and its fee.' }),
    created_at: timestamp(),
  },
  { $id: 'Transfer' },
)

export type Transfer = Static<typeof Transfer>
