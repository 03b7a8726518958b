// What keys and members of a merchant did, for its owners.
import { currency, environment, listOf, PAGE_QUERY, timestamp, uuid } from './common.ts'
import { Caller } from './created-by.ts'
import { choice, type Static, Type } from './schema.ts'

export const ACTIVITY_ACTIONS = [
  'disbursement.create',
  'disbursement.start',
  'disbursement.approve',
  'disbursement.reject',
  'disbursement.pause',
  'disbursement.resume',
  'disbursement.cancel',
  'payout_policy.set',
  'account.set',
  'name.request',
  'logo.set',
  'api_key.create',
  'api_key.limits_set',
  'api_key.revoke',
  'session.open',
] as const

export type ActivityAction = (typeof ACTIVITY_ACTIONS)[number]

const { limit, cursor } = PAGE_QUERY

export const ActivityQuery = Type.Object({
  limit,
  cursor,
  action: Type.Optional(choice(ACTIVITY_ACTIONS, { description: 'Only this action.' })),
  by: Type.Optional(uuid({ description: 'Only what the key or the member with this id did.' })),
  from: Type.Optional(Type.String({ format: 'date-time', description: 'Only rows at or after this time.' })),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Only rows before this time.' })),
})

export type ActivityQuery = Static<typeof ActivityQuery>

export const ActivityRow = Type.Object(
  {
    at: timestamp(),
    action: choice(ACTIVITY_ACTIONS, { description: 'What was done.' }),
    summary: Type.String({
      description: 'For people: French, or English for a caller whose Accept-Language prefers it.',
      examples: ['Versement de masse approuvé'],
    }),
    by: Caller,
    environment: Type.Optional(environment({ description: 'Absent for what belongs to both.' })),
    disbursement_id: Type.Optional(uuid({ description: 'Of an act on a disbursement.' })),
    api_key_id: Type.Optional(uuid({ description: 'Of an act on an API key.' })),
    amount: Type.Optional(
      Type.Integer({
        format: 'int64',
        description: 'In the smallest currency unit: the sum of the valid lines of a disbursement, or the new `approval_above`.',
        examples: [250000],
      }),
    ),
    currency: Type.Optional(currency({ description: 'Beside an amount.' })),
    reference: Type.Optional(Type.String({ description: 'Of the disbursement; only where there is one.', examples: ['PAIE-2026-11'] })),
    reason: Type.Optional(Type.String({ description: 'Of a rejection.', examples: ['Le montant de la ligne 12 est faux.'] })),
  },
  { $id: 'ActivityRow' },
)

export type ActivityRow = Static<typeof ActivityRow>

export const Activity = listOf(ActivityRow, 'Activity')
