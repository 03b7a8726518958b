// Payouts: one row for each route. Decisions are in engine/domain/payout.
import type { CheckedRecipient, Outcome } from '../../../engine/api.ts'
import { uuid } from '../../../engine/contract/common.ts'
import { isSuccess } from '../../../engine/contract/outcome-kind.ts'
import {
  CheckRecipientBody,
  CreatePayoutBody,
  ListPayoutsQuery,
  Payout,
  PayoutList,
  RecipientCheck,
} from '../../../engine/contract/payout.ts'
import { normalizeRecipient } from '../../../engine/kernel/recipient.ts'
import { answerPayouts, PAYOUT_CSV_HEADER, type PayoutListParts, payoutCsvLine } from '../../lists/payout-list.ts'
import { CSV_DESCRIPTION } from '../../lists/statement-list.ts'
import { answerRefusal } from '../../server/answer-refusal.ts'
import { statusOf } from '../../server/outcome-status.ts'
import { keyIdOf } from '../../server/principal.ts'
import { type Call, type MerchantPrincipal, type Route, route } from '../../server/route.ts'
import { maskedName } from '../../text/masked-name.ts'
import { PAID_PAYOUT, PAYOUT_REQUEST } from '../shared-examples.ts'
import { UNKNOWN_RECIPIENTS_RULE } from './recipient-prose.ts'

export function payoutRoutes(parts: PayoutListParts): readonly Route[] {
  return [...writingRoutes(), ...readingRoutes(parts)]
}

function writingRoutes(): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/biz/payouts',
      operationId: 'createPayout',
      tag: 'Payouts',
      summary: 'Send money to one wallet',
      description: CREATE_DESCRIPTION,
      auth: 'key',
      memberRole: 'manager',
      scope: 'disbursements.write',
      idempotency: 'required',
      body: CreatePayoutBody,
      bodyExample: PAYOUT_REQUEST,
      responses: [{ status: 201, description: 'The payout, paid or failed.', schema: Payout, example: PAID_PAYOUT }],
      commands: ['CreatePayout'],
      errors: ['invalid_recipient'],
      handle: createPayout,
    }),
    route({
      method: 'POST',
      path: '/v1/biz/payouts/check-recipient',
      operationId: 'checkRecipient',
      tag: 'Payouts',
      summary: 'Look a recipient up before paying',
      description: CHECK_DESCRIPTION,
      auth: 'key',
      memberRole: 'manager',
      idempotency: 'accepted',
      body: CheckRecipientBody,
      bodyExample: { recipient: '@awa_diallo' },
      responses: [
        {
          status: 200,
          description: 'Whether the wallet exists.',
          schema: RecipientCheck,
          example: { exists: true, display_name: 'Awa D.' },
        },
      ],
      commands: ['CheckRecipient'],
      errors: ['invalid_recipient'],
      handle: checkRecipient,
      present: presentCheck,
    }),
  ]
}

function readingRoutes(parts: PayoutListParts): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/biz/payouts',
      operationId: 'listPayouts',
      tag: 'Payouts',
      summary: 'List payouts',
      description: CSV_DESCRIPTION,
      auth: 'key',
      idempotency: 'none',
      query: ListPayoutsQuery,
      responses: [
        {
          status: 200,
          description: 'One page, newest first; or CSV.',
          schema: PayoutList,
          example: { data: [PAID_PAYOUT], has_more: false, next_cursor: null },
        },
        { status: 200, description: 'The same as CSV.', contentType: 'text/csv', example: PAYOUT_CSV_HEADER + payoutCsvLine(PAID_PAYOUT) },
      ],
      errors: [],
      handle: (call) => answerPayouts(parts, call),
    }),
    route({
      method: 'GET',
      path: '/v1/biz/payouts/{id}',
      operationId: 'getPayout',
      tag: 'Payouts',
      summary: 'Get a payout',
      description: 'A payout is final from its creation: `paid` or `failed`.',
      auth: 'key',
      idempotency: 'none',
      params: { id: uuid({ description: 'Id of the payout.' }) },
      responses: [{ status: 200, description: 'The payout.', schema: Payout, example: PAID_PAYOUT }],
      errors: [],
      handle: (call) => getPayout(parts, call),
    }),
  ]
}

const CHECK_DESCRIPTION = `The recipient is a tag or a phone; the answer is the same for both. Moves no money. A replay of an Idempotency-Key returns the first answer, even when the wallet has changed.
${UNKNOWN_RECIPIENTS_RULE} Here: 429 \`rate_limited\` with \`param\` \`recipient\`.`

const CREATE_DESCRIPTION = `The payout is decided at once: the answer is 201 with the state \`paid\` or \`failed\`, and \`failure_code\` says why.
It is on disk before the answer leaves. The same Idempotency-Key gives the same answer for ever, a failed one included:
to try again, send a new key. The amount is written as digits alone: \`5000.0\` and \`5e3\` are refused with \`invalid_request\`, although JSON Schema
calls them integers. A payout to a phone shows the phone wherever it is shown, and never the tag of the wallet.
One that the balance does not cover fails with \`insufficient_balance\` before its recipient is looked at. ${UNKNOWN_RECIPIENTS_RULE}
Here: 429 \`rate_limited\` with \`param\` \`recipient\`.`

type MerchantCall<Body = unknown, Query = Record<string, unknown>> = Call<Body, Query, MerchantPrincipal>

function createPayout(call: MerchantCall<CreatePayoutBody>): void {
  const { recipient: given, amount, reference = '', note = '' } = call.body
  const recipient = normalizeRecipient(given)
  if (recipient === null) return call.refuse('invalid_recipient', 'recipient')
  const merchant = call.principal.account
  call.submit({ type: 'CreatePayout', merchant, recipient, amount, reference, note, keyId: keyIdOf(call.principal) }, merchant)
}

function checkRecipient(call: MerchantCall<CheckRecipientBody>): void {
  const recipient = normalizeRecipient(call.body.recipient)
  if (recipient === null) return call.refuse('invalid_recipient', 'recipient')
  const merchant = call.principal.account
  call.once({ type: 'CheckRecipient', merchant, recipient }, merchant, '', (outcome) => {
    if (isSuccess(outcome.kind)) presentCheck(call, outcome)
    else answerRefusal(call, outcome, outcome.retryAfterS)
  })
}

function presentCheck(call: Pick<Call, 'answer'>, { kind, body }: Outcome): void {
  const found = JSON.parse(body) as CheckedRecipient
  const check: RecipientCheck = { exists: found !== null, display_name: found === null ? null : maskedName(found) }
  call.answer(statusOf(kind), JSON.stringify(check))
}

function getPayout({ engine }: PayoutListParts, call: MerchantCall): void {
  const payout = engine.query('payouts.get', { account: call.principal.account, id: String(call.params[0]) })
  if (payout === null) return call.refuse('not_found')
  call.answer(200, payout)
}
