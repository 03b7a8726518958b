// Withdrawals: money that a merchant takes out, held from the request on until an operator has paid or refused it.
import { amount, currency, listOf, PAGE_QUERY, partText, reference, uuid } from './common.ts'
import { feeTaken } from './fees.ts'
import { moneyBody } from './money-body.ts'
import { choice, nameText, nullable, type Static, Type, text } from './schema.ts'
import { FINISHED_FIELDS, OPEN_REQUESTS_QUERY, OWNER_FIELDS } from './top-up.ts'
import { DESTINATION_KINDS, provider } from './withdrawal-account.ts'

export const WITHDRAWAL_STATES = ['requested', 'paid', 'refused', 'cancelled'] as const

const DESTINATION_FIELDS = {
  kind: choice(DESTINATION_KINDS, { description: 'A bank account or a mobile money account.' }),
  name: nameText({ maxLength: 140, description: 'Holder of the account.', examples: ['Boutique Awa SARL'] }),
  account: text({
    lines: 'one',
    minLength: 1,
    maxLength: 64,
    description: 'IBAN or account number; for mobile money the phone in E.164.',
    examples: ['SN08SN0100152000048500003035'],
  }),
  provider: Type.Optional(provider()),
}

const Destination = Type.Object(DESTINATION_FIELDS, { $id: 'WithdrawalDestination', description: 'Where the money goes.' })

const DestinationInput = Type.Object(DESTINATION_FIELDS, {
  $id: 'WithdrawalDestinationInput',
  additionalProperties: false,
  description: 'Where the money goes.',
})

export const CreateWithdrawalBody = moneyBody(
  {
    amount: amount(),
    destination: Type.Optional(DestinationInput),
    withdrawal_account_id: Type.Optional(uuid({ description: 'A saved account, in the place of `destination`.' })),
    reference: Type.Optional(reference()),
  },
  { $id: 'CreateWithdrawalBody' },
)

export type CreateWithdrawalBody = Static<typeof CreateWithdrawalBody>

const WITHDRAWAL_FIELDS = {
  id: uuid({ description: 'Id of the withdrawal.' }),
  state: choice(WITHDRAWAL_STATES, { description: 'All but `requested` are final.' }),
  amount: amount({
    description: 'Held from the request on: it leaves `available` and counts as `pending` until the withdrawal is finished.',
  }),
  currency: currency(),
  fee: feeTaken('The fee, held beside the amount and taken with the payment; 0 without one.'),
  reference: Type.String({ description: 'Your own reference as sent; empty when none was sent.' }),
  destination: Destination,
  withdrawal_account_id: nullable(uuid({ description: 'The saved account that it goes to.' }), {
    description: 'Null where the withdrawal named its destination itself.',
  }),
  ...FINISHED_FIELDS,
}

export const Withdrawal = Type.Object(WITHDRAWAL_FIELDS, { $id: 'Withdrawal' })

export type Withdrawal = Static<typeof Withdrawal>

export const OperatorWithdrawal = Type.Object({ ...WITHDRAWAL_FIELDS, ...OWNER_FIELDS }, { $id: 'OperatorWithdrawal' })

export type OperatorWithdrawal = Static<typeof OperatorWithdrawal>

export const OperatorWithdrawalList = listOf(OperatorWithdrawal, 'OperatorWithdrawalList')

export const ListOpenWithdrawalsQuery = Type.Object(OPEN_REQUESTS_QUERY)

export type ListOpenWithdrawalsQuery = Static<typeof ListOpenWithdrawalsQuery>

export const WithdrawalList = listOf(Withdrawal, 'WithdrawalList')

export const ListWithdrawalsQuery = Type.Object({
  ...PAGE_QUERY,
  state: Type.Optional(choice(WITHDRAWAL_STATES, { description: 'Only withdrawals in this state.' })),
  reference: Type.Optional(reference()),
  q: Type.Optional(partText('Your reference, the holder or number of the account, the reference of the transfer, or the id.')),
})

export type ListWithdrawalsQuery = Static<typeof ListWithdrawalsQuery>
