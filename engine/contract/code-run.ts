// Runs of merchants' hosted code as merchants see them: records of past runs, and test runs.
import { amount, httpStatus, listOf, timestamp, uuid } from './common.ts'
import { LookupFound, LookupRefused } from './lookup.ts'
import { anything, choice, nullable, type Static, Type, text } from './schema.ts'

export const CODE_RUN_KINDS = ['lookup', 'fulfillment'] as const

const durationMs = () => Type.Integer({ minimum: 0, description: 'Milliseconds.', examples: [84] })

const CodeFetch = Type.Object(
  {
    method: Type.String({ description: 'Empty when the call was rejected before it was read.', examples: ['GET'] }),
    host: Type.String({
      description: 'Host that was called; empty when the address could not be read.',
      examples: ['api.energie.example'],
    }),
    status: nullable(httpStatus(), { description: 'HTTP status of the answer; null when there was none.' }),
    duration_ms: durationMs(),
  },
  { $id: 'CodeFetch' },
)

export const CodeRun = Type.Object(
  {
    id: uuid({ description: 'Id of the run.' }),
    product: Type.String({ description: 'Slug.', examples: ['facture'] }),
    kind: choice(CODE_RUN_KINDS, { description: 'A lookup, by webhook or by the function `lookup`; or the function `onPaid`.' }),
    test: Type.Boolean({ description: 'Test run: no customer waited for it and nothing was paid.' }),
    request_id: nullable(Type.String(), {
      description: 'X-Request-Id of the request of a test run; null for a run that a customer caused.',
      examples: ['req_8f14e45fceea167a'],
    }),
    ok: Type.Boolean({ description: 'The function returned, or the webhook answered 2xx with JSON. The answer may still be invalid.' }),
    error: nullable(Type.String(), {
      description: 'For your developers: in English with the line for code, in French for a webhook. Null when the run succeeded.',
    }),
    duration_ms: durationMs(),
    fetches: Type.Array(CodeFetch, { description: 'The calls that it made, at most ten; for a webhook the call itself.' }),
    logs: Type.Array(Type.String(), {
      description:
        'Output to `console`, or the errors in the answer of a webhook: at most 100 lines of 1000 characters, 16 KB. All logs of one day have at most 16 MB together; further logs are omitted.',
    }),
    created_at: timestamp({ description: 'When the run ended.' }),
  },
  { $id: 'CodeRun' },
)

export type CodeRun = Static<typeof CodeRun>

export const CodeRunList = listOf(CodeRun, 'CodeRunList')

const TRIAL_VALUES_MAX = 200
/** Characters; the code of a product has as many bytes at most. */
const TRIAL_SOURCE_LENGTH_MAX = 64 * 1024

function trialSource(entry: 'lookup' | 'onPaid') {
  return text({
    lines: 'many',
    minLength: 1,
    maxLength: TRIAL_SOURCE_LENGTH_MAX,
    description: `JavaScript with a function \`${entry}\` that runs instead of the product's: to try code before it is saved. It is not kept.`,
  })
}

export const TestLookupBody = Type.Object(
  {
    fields: Type.Optional(
      Type.Record(Type.String(), Type.String({ description: 'Input of a customer.' }), {
        maxProperties: TRIAL_VALUES_MAX,
        description: 'Input of a customer, by field id. It is not validated against the form.',
        examples: [{ compteur: '01234567890' }],
      }),
    ),
    lookup_code: Type.Optional(trialSource('lookup')),
  },
  { $id: 'TestLookupBody' },
)

export type TestLookupBody = Static<typeof TestLookupBody>

const TestLookupFailure = Type.Object(
  {
    ok: Type.Literal(false, { description: 'There is no answer.' }),
    transport_error: Type.String({
      description: 'Why there is no answer, in French.',
      examples: ['Le serveur a répondu avec le statut HTTP 500.'],
    }),
  },
  { $id: 'TestLookupFailure', description: 'Your system did not answer, or not with JSON.' },
)

const OtherLookupAnswer = Type.Object(
  {
    valid: Type.Optional(Type.Literal(false, { description: 'This answer would be rejected for customers.' })),
    problem: Type.Optional(
      Type.String({ description: 'What is wrong with it, in French.', examples: ['La réponse n’est pas un objet JSON.'] }),
    ),
    answer: Type.Optional(anything({ description: 'The answer, when it is JSON but not an object.' })),
  },
  {
    $id: 'OtherLookupAnswer',
    additionalProperties: true,
    description:
      'An answer of another shape: its own fields unchanged, with `valid` and `problem` when it would be rejected for customers.',
  },
)

/** Result of a test lookup. It contains the merchant's own answer unchanged. */
export const TestLookupResult = Type.Union([LookupFound, LookupRefused, TestLookupFailure, OtherLookupAnswer], {
  $id: 'TestLookupResult',
  description: 'The answer unchanged, or the reason why there is none.',
})

export const TestFulfillmentBody = Type.Object(
  {
    biller_ref: Type.Optional(
      text({ lines: 'one', maxLength: 255, description: 'Absent: a test value in mode `lookup`, empty in the other modes.' }),
    ),
    form_values: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
        maxProperties: TRIAL_VALUES_MAX,
        description: 'Absent: a test value for each field of the form.',
        examples: [{ compteur: '01234567890' }],
      }),
    ),
    amount: Type.Optional(amount({ description: 'Absent: the first package or preset, the lower bound, or 1000.' })),
    fulfillment_code: Type.Optional(trialSource('onPaid')),
  },
  { $id: 'TestFulfillmentBody' },
)

export type TestFulfillmentBody = Static<typeof TestFulfillmentBody>

export const TestFulfillmentResult = Type.Object(
  {
    ok: Type.Boolean({ description: 'Whether `onPaid` returned.' }),
    result: Type.Optional(
      nullable(Type.Object({}), { description: 'Null, and present when it returned: what the function returns is not kept.' }),
    ),
    error: Type.Optional(Type.String({ description: 'Present when it did not: why, in English, for your developers, with the line.' })),
  },
  { $id: 'TestFulfillmentResult' },
)
