// The routes of a mandate's approval page. As on the checkout page, forms are answered with a redirect to the page (303),
// and there is no session and no cookie. Only the customer of the mandate is sent a code.

import { approvalSubject, type EngineApi, mayMove, type NamedMandate, type Outcome } from '../../../engine/api.ts'
import { type Static, Type } from '../../../engine/contract/schema.ts'
import { payerOf } from '../../api/checkout/checkout.ts'
import { codeCheck } from '../../api/checkout/checkout-payment.ts'
import type { WalletAccess } from '../../auth/wallet/wallet-access.ts'
import type { Seal } from '../../crypto/seal.ts'
import { later } from '../../server/later.ts'
import { type Call, type Route, type RouteShape, route } from '../../server/route.ts'
import { nameInMessages } from '../../workers/gateways/merchant-name.ts'
import { approvalOtpText } from '../../workers/gateways/message.ts'
import { answerPage, redirectTo } from '../shared/layout.ts'
import { languageOf } from '../shared/page-language.ts'
import { missingPage } from './checkout-page.ts'
import {
  errorOf,
  identifierOf,
  misspelled,
  NO_PROGRESS,
  openProgress,
  type Progress,
  sealProgress,
  TYPED_LENGTH_MAX,
} from './checkout-progress.ts'
import { mandatePage } from './mandate-page.ts'

const FIELD = Type.Optional(Type.String())
const IdentifierForm = Type.Object({ identifier: FIELD })
const ApprovalForm = Type.Object({ s: FIELD, otp: FIELD, pin: FIELD })

const FORM_BYTES_MAX = 16 * 1024

const PAGE = {
  tag: 'Pages',
  auth: 'public',
  idempotency: 'none',
  params: { token: Type.String() },
  responses: [{ status: 200, description: 'The page.', contentType: 'text/html' }],
  errors: [],
} as const satisfies Partial<RouteShape>

const FORM = { ...PAGE, method: 'POST', bodyType: 'form', bodyBytesMax: FORM_BYTES_MAX } as const

export interface MandatePageParts {
  readonly engine: Pick<EngineApi, 'query'>
  readonly seal: Seal
  readonly wallets: Pick<WalletAccess, 'otp' | 'pinChecks'>
}

export function mandatePageRoutes(parts: MandatePageParts): readonly Route[] {
  return [
    route({
      ...PAGE,
      method: 'GET',
      path: '/mandates/{token}',
      operationId: 'showMandatePage',
      summary: 'The approval page of a mandate',
      handle: (call) => showPage(parts, call),
    }),
    route({
      ...FORM,
      path: '/mandates/{token}/otp',
      operationId: 'sendMandateIdentifier',
      summary: 'The first form',
      body: IdentifierForm,
      handle: (call) => withMandate(parts, call, (found) => sendCode(parts, call, found)),
    }),
    route({
      ...FORM,
      path: '/mandates/{token}/approve',
      operationId: 'sendMandateApproval',
      summary: 'The second form',
      body: ApprovalForm,
      handle: (call) => withMandate(parts, call, (found) => approve(parts, call, found)),
    }),
  ]
}

type PageCall<Body = unknown> = Pick<
  Call<Body>,
  'params' | 'queryText' | 'body' | 'browser' | 'remoteAddress' | 'answer' | 'answerAs' | 'ask' | 'once' | 'fail'
>

function showPage(parts: MandatePageParts, call: PageCall): void {
  const found = parts.engine.query('mandates.byToken', { token: String(call.params[0]) })
  if (found === null) return answerPage(call, 404, missingPage('../'))
  const sealed = new URLSearchParams(call.queryText).get('s') ?? ''
  const progress = openProgress(parts.seal, approvalSubject(found.mandate.token), sealed) ?? NO_PROGRESS
  answerPage(call, 200, mandatePage({ mandate: found.mandate, merchantName: found.merchantName, progress, sealed }))
}

function withMandate(parts: MandatePageParts, call: PageCall, go: (found: NamedMandate) => void): void {
  const found = parts.engine.query('mandates.byToken', { token: String(call.params[0]) })
  if (found === null) return answerPage(call, 404, missingPage('../../'))
  go(found)
}

/** Redirects to the page, with the customer's progress when there is one. */
function showAgain(parts: MandatePageParts, call: PageCall, token: string, progress: Progress | null): void {
  const query = progress === null ? '' : `?s=${encodeURIComponent(sealProgress(parts.seal, approvalSubject(token), progress))}`
  redirectTo(call, `../${token}${query}`)
}

function sendCode(parts: MandatePageParts, call: PageCall<Static<typeof IdentifierForm>>, found: NamedMandate): void {
  const { token, environment, state } = found.mandate
  if (!mayMove(state, 'approved')) return showAgain(parts, call, token, null)
  const typed = (call.body.identifier ?? '').slice(0, TYPED_LENGTH_MAX)
  const start: Progress = { ...NO_PROGRESS, identifier: typed }
  const given = identifierOf(typed)
  if (given === null) return showAgain(parts, call, token, { ...start, error: misspelled('identifier', 'identifier_form') })
  const { identifier, wallet } = payerOf(parts, environment, given)
  const counted = {
    remoteAddress: call.remoteAddress,
    once: call.once.bind(call),
    // A rate limit or a full queue. The page shows the error.
    answerAs: (_status: number, body: string | Uint8Array) =>
      showAgain(parts, call, token, { ...start, error: errorOf('form', String(body)) }),
  }
  const otp = {
    environment,
    identifier,
    subject: approvalSubject(token),
    wallet: wallet?.account === found.customer ? wallet : null,
    text: (code: string) => approvalOtpText(code, nameInMessages(parts.engine, found.account), languageOf(call).language),
  }
  parts.wallets.otp.startPayment(counted, otp, (challengeId) => {
    showAgain(parts, call, token, { ...NO_PROGRESS, identifier: given, challengeId })
  })
}

function approve(parts: MandatePageParts, call: PageCall<Static<typeof ApprovalForm>>, found: NamedMandate): void {
  const { id, token, environment, state } = found.mandate
  const subject = approvalSubject(token)
  const before = openProgress(parts.seal, subject, call.body.s ?? '')
  if (before === null || before.challengeId === null || !mayMove(state, 'approved')) return showAgain(parts, call, token, null)
  const code = (call.body.otp ?? '').replaceAll(/\s/g, '')
  const pin = call.body.pin ?? ''
  const again = (progress: Partial<Progress>): void => showAgain(parts, call, token, { ...before, otp: '', error: null, ...progress })
  if (!/^[0-9]{6}$/.test(code)) return again({ error: misspelled('otp', 'otp_form') })
  if (!/^[0-9]{4,6}$/.test(pin)) return again({ error: misspelled('pin', 'pin_form') })
  const { challengeId } = before
  const { identifier } = payerOf(parts, environment, before.identifier)
  call.ask(
    codeCheck(parts, { token: subject, identifier, challengeId, code, from: call }),
    parts.wallets.otp.mailbox(environment),
    (checked) => {
      if (checked.kind !== 'ok') {
        // A second click may find its code used up by the approval of the first. The page shows that approval.
        const now = parts.engine.query('mandates.byToken', { token })
        if (now !== null && !mayMove(now.mandate.state, 'approved')) return showAgain(parts, call, token, null)
        return again({ error: errorOf('otp', checked.body) })
      }
      const { account } = JSON.parse(checked.body) as { account: number }
      later(call, async () => {
        const verdict = await parts.wallets.pinChecks.verify(account, pin, { address: call.remoteAddress })
        if (!verdict.isRight) return again({ otp: code, error: { ...errorOf('pin', verdict.body), retryAfterS: verdict.retryAfterS } })
        call.ask({ type: 'ApproveMandate', customer: account, id, challengeId }, account, (outcome: Outcome) => {
          // Approved now, or already over. The page shows which.
          if (outcome.kind === 'ok' || outcome.kind === 'conflict') return showAgain(parts, call, token, null)
          again({ error: errorOf('form', outcome.body) })
        })
      })
    },
  )
}
