// Merchants' code as merchants see it: what it did, and what it does when they try it out.
import { amount, listOf, timestamp, uuid } from './common.ts'
import { anything, choice, nullable, type Static, Type, text } from './schema.ts'

export const CODE_RUN_KINDS = ['lookup', 'fulfillment'] as const

const durationMs = () => Type.Integer({ minimum: 0, description: 'Milliseconds.', examples: [84] })

export const CodeRun = Type.Object(
  {
    id: uuid(),
    product: Type.String({ description: 'Slug.', examples: ['facture'] }),
    kind: choice(CODE_RUN_KINDS, { description: 'Which of its functions ran: `lookup` or `onPaid`.' }),
    test: Type.Boolean({ description: 'You tried it out: no customer waited for it and nothing was paid.' }),
    ok: Type.Boolean({ description: 'The function returned. What it returned may still be no answer.' }),
    error: nullable(Type.String(), { description: 'English, for your developers, with the line; null when it went well.' }),
    duration_ms: durationMs(),
    fetches: Type.Array(
      Type.Object({
        method: Type.String({ description: 'Empty when the call was refused unread.' }),
        host: Type.String(),
        status: nullable(Type.Integer(), { description: 'Null when there was no answer.' }),
        duration_ms: durationMs(),
      }),
      { description: 'The calls that it made, at most ten.' },
    ),
    logs: Type.Array(Type.String(), {
      description:
        'What it wrote to `console`: at most 100 lines of 1000 characters, 16 KB. The logs of one day have 16 MB together; beyond, they are left out.',
    }),
    created_at: timestamp({ description: 'When it was over.' }),
  },
  { $id: 'CodeRun' },
)

export type CodeRun = Static<typeof CodeRun>

export const CodeRunList = listOf(CodeRun, 'CodeRunList')

const TRIAL_VALUES_MAX = 200

export const TestLookupBody = Type.Object(
  {
    fields: Type.Optional(
      Type.Record(Type.String(), anything({ anyOf: [Type.String(), Type.Number()] }), {
        maxProperties: TRIAL_VALUES_MAX,
        description: 'What a customer would have filled in, by field id. It is not held against the form.',
        examples: [{ compteur: '01234567890' }],
      }),
    ),
  },
  { $id: 'TestLookupBody' },
)

export type TestLookupBody = Static<typeof TestLookupBody>

export const TestLookupFailure = Type.Object(
  {
    ok: Type.Literal(false),
    transport_error: Type.String({ description: 'Why there is no answer.' }),
  },
  { $id: 'TestLookupFailure' },
)

/** The merchant's own answer is shown as it is, whatever it is. */
export const TestLookupResult = Type.Unsafe<unknown>({
  $id: 'TestLookupResult',
  anyOf: [
    TestLookupFailure,
    Type.Unknown({ description: 'The answer as it came. What a lookup should answer: see the webhook `lookup`.' }),
  ],
})

export const TestFulfillmentBody = Type.Object(
  {
    biller_ref: Type.Optional(
      text({ lines: 'one', maxLength: 255, description: 'Absent: a test value in mode `lookup`, empty in the other modes.' }),
    ),
    form_values: Type.Optional(
      Type.Record(Type.String(), anything({ anyOf: [Type.String(), Type.Number()] }), {
        maxProperties: TRIAL_VALUES_MAX,
        description: 'Absent: a test value for each field of the form.',
        examples: [{ compteur: '01234567890' }],
      }),
    ),
    amount: Type.Optional(amount({ description: 'Absent: the first package or preset, the lower bound, or 1000.' })),
  },
  { $id: 'TestFulfillmentBody' },
)

export type TestFulfillmentBody = Static<typeof TestFulfillmentBody>

export const TestFulfillmentResult = Type.Union(
  [
    Type.Object({ ok: Type.Literal(true), result: Type.Null({ description: 'What the function returns is let go of.' }) }),
    Type.Object({ ok: Type.Literal(false), error: Type.String({ description: 'English, for your developers, with the line.' }) }),
  ],
  { $id: 'TestFulfillmentResult' },
)
