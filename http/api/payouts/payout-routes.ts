// Payouts: one row for each route. Decisions are in engine/domain/payout.

import { uuid } from '../../../engine/contract/common.ts'
import {
  CheckRecipientBody,
  CreatePayoutBody,
  ListPayoutsQuery,
  Payout,
  PayoutList,
  RecipientCheck,
} from '../../../engine/contract/payout.ts'
import { isPhone, normalizeRecipient } from '../../../engine/kernel/recipient.ts'
import { answerPayouts, PAYOUT_CSV_HEADER, type PayoutListParts, payoutCsvLine } from '../../lists/payout-list.ts'
import { CSV_DESCRIPTION } from '../../lists/statement-list.ts'
import type { CallLimit } from '../../server/call-limit.ts'
import { answerKept, presentKept } from '../../server/kept-answers.ts'
import { type Call, type MerchantPrincipal, type Route, route } from '../../server/route.ts'
import { PHONE_CHECKS_PER_MINUTE, RECIPIENT_CHECKS_PER_MINUTE } from '../../server/server-limits.ts'
import { maskedName } from '../../text/masked-name.ts'
import { PAID_PAYOUT, PAYOUT_REQUEST } from '../shared-examples.ts'
import { refuseLookups } from './recipient-lookups.ts'

export interface PayoutRoutesParts extends PayoutListParts {
  /** Rate limits of recipient lookups, per account: of all, and of those by phone. */
  readonly recipientLookups: CallLimit
  readonly phoneLookups: CallLimit
}

export function payoutRoutes(parts: PayoutRoutesParts): readonly Route[] {
  return [...writingRoutes(parts), ...readingRoutes(parts)]
}

function writingRoutes(parts: PayoutRoutesParts): readonly Route[] {
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
      callLimit: parts.recipientLookups,
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
      errors: ['invalid_recipient'],
      handle: (call) => checkRecipient(parts, call),
      present: presentKept,
    }),
  ]
}

function readingRoutes(parts: PayoutRoutesParts): readonly Route[] {
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
      auth: 'key',
      idempotency: 'none',
      params: { id: uuid({ description: 'Id of the payout.' }) },
      responses: [{ status: 200, description: 'The payout.', schema: Payout, example: PAID_PAYOUT }],
      errors: [],
      handle: (call) => getPayout(parts, call),
    }),
  ]
}

const CHECK_DESCRIPTION = `The recipient is a tag or a phone; the answer is the same for both. Moves no money. A replay of an Idempotency-Key returns the first answer, even when the wallet has changed. At most ${RECIPIENT_CHECKS_PER_MINUTE} a minute, of them
${PHONE_CHECKS_PER_MINUTE} by phone, beside all other limits; beyond, 429 \`rate_limited\`. Every request counts, also one with a malformed recipient (but not as a phone). So does
each line of a batch’s dry run or of a schedule, and each mandate request, that names an unknown wallet.`

const CREATE_DESCRIPTION = `The payout is decided at once: the answer is 201 with the state \`paid\` or \`failed\`, and \`failure_code\` says why.
It is on disk before the answer leaves. The same Idempotency-Key gives the same answer for ever, a failed one included:
to try again, send a new key. The amount is written as digits alone: \`5000.0\` and \`5e3\` are refused with \`invalid_request\`, although JSON Schema
calls them integers. A payout to a phone shows the phone wherever it is shown, and never the tag of the wallet.
One that the balance does not cover fails with \`insufficient_balance\`, whether a wallet has the phone or not.`

type MerchantCall<Body = unknown, Query = Record<string, unknown>> = Call<Body, Query, MerchantPrincipal>

function createPayout(call: MerchantCall<CreatePayoutBody>): void {
  const { recipient: given, amount, reference = '', note = '' } = call.body
  const recipient = normalizeRecipient(given)
  if (recipient === null) return call.refuse('invalid_recipient', 'recipient')
  const merchant = call.principal.account
  call.submit({ type: 'CreatePayout', merchant, recipient, amount, reference, note }, merchant)
}

function checkRecipient(parts: PayoutRoutesParts, call: MerchantCall<CheckRecipientBody>): void {
  const { recipient: given } = call.body
  const { account, environment } = call.principal
  const waitS = isPhone(given) ? parts.phoneLookups.take(account, performance.now()) : 0
  if (waitS > 0) return refuseLookups(call, waitS)
  const recipient = normalizeRecipient(given)
  if (recipient === null) return call.refuse('invalid_recipient', 'recipient')
  const wallet = parts.engine.query('wallets.byRecipient', { environment, recipient })
  const check: RecipientCheck = { exists: wallet !== null, display_name: wallet === null ? null : maskedName(wallet) }
  answerKept(call, account, 'ok', JSON.stringify(check))
}

function getPayout({ engine }: PayoutRoutesParts, call: MerchantCall): void {
  const payout = engine.query('payouts.get', { account: call.principal.account, id: String(call.params[0]) })
  if (payout === null) return call.refuse('not_found')
  call.answer(200, payout)
}
