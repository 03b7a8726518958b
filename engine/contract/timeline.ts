// Timelines of a merchant and of a wallet, for operators: movements, requests, decisions, sessions and notes.
import { currency, environment, listOf, PAGE_QUERY, timestamp, uuid } from './common.ts'
import { OperatorName } from './operator.ts'
import { choice, type Static, Type, text } from './schema.ts'

export const TIMELINE_KINDS = ['movement', 'request', 'decision', 'session', 'note'] as const

export type TimelineKind = (typeof TIMELINE_KINDS)[number]

const { limit, cursor } = PAGE_QUERY

export const TimelineQuery = Type.Object({
  limit,
  cursor,
  environment: Type.Optional(environment({ default: 'live', description: 'What belongs to both environments is in both timelines.' })),
  type: Type.Optional(choice(TIMELINE_KINDS, { description: 'Only rows of this kind.' })),
  from: Type.Optional(Type.String({ format: 'date-time', description: 'Only rows at or after this time.' })),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Only rows before this time.' })),
})

export type TimelineQuery = Static<typeof TimelineQuery>

export const TimelineRow = Type.Object(
  {
    at: timestamp(),
    kind: choice(TIMELINE_KINDS, {
      description:
        '`movement`: money came or went; `request`: the merchant asked for a decision, or for a payout that failed, or an operator asked for a second person; `decision`: an operator acted; `session`: a sign-in; `note`: a note of an operator.',
    }),
    summary: Type.String({
      description: 'For people: French, or English for a caller whose Accept-Language prefers it. Of a note: its text.',
      examples: ['Approvisionnement crédité'],
    }),
    amount: Type.Optional(
      Type.Integer({ format: 'int64', description: 'In the smallest currency unit; of a movement signed.', examples: [250000] }),
    ),
    currency: Type.Optional(currency({ description: 'Beside an amount.' })),
    reference: Type.Optional(Type.String({ description: 'Only where there is one.', examples: ['VIR-2026-118'] })),
    operator: Type.Optional(OperatorName),
    transaction_id: Type.Optional(uuid({ description: 'Ledger transaction of a movement.' })),
  },
  { $id: 'TimelineRow' },
)

export type TimelineRow = Static<typeof TimelineRow>

export const Timeline = listOf(TimelineRow, 'Timeline')

export const NOTE_TEXT_LENGTH_MAX = 2_000

export const CreateNoteBody = Type.Object(
  {
    text: text({
      lines: 'many',
      minLength: 1,
      maxLength: NOTE_TEXT_LENGTH_MAX,
      description: 'For other operators. At most 2 000 characters.',
      examples: ['Appelé le 20 novembre : nouvelle adresse confirmée par le registre du commerce.'],
    }),
    environment: Type.Optional(environment({ default: 'live' })),
  },
  { $id: 'CreateNoteBody' },
)

export type CreateNoteBody = Static<typeof CreateNoteBody>

export const Note = Type.Object(
  {
    id: uuid({ description: 'Id of the note in the audit trail.' }),
    at: timestamp(),
    kind: Type.Literal('note', { description: 'Always `note`.' }),
    summary: Type.String({ description: 'The text.' }),
    operator: OperatorName,
  },
  { $id: 'Note', description: 'A note of an operator.' },
)

export type Note = Static<typeof Note>
