// The routes of a mandate's approval page. Only the customer of the mandate is sent a code.

import { approvalSubject, mayMove, type NamedMandate } from '../../../engine/api.ts'
import { type Route, route } from '../../server/route.ts'
import { acceptedLanguage } from '../../text/language.ts'
import { nameInMessages } from '../../workers/gateways/merchant-name.ts'
import { approvalOtpText } from '../../workers/gateways/message.ts'
import { answerPage } from '../shared/layout.ts'
import {
  type Approval,
  type ApprovalCall,
  type ApprovalParts,
  approve,
  CUSTOMER_FORM,
  CUSTOMER_PAGE,
  IdentifierForm,
  ProofForm,
  sendCode,
} from './approval-forms.ts'
import { missingPage } from './checkout-page.ts'
import { errorOf, NO_PROGRESS, openProgress } from './checkout-progress.ts'
import { mandatePage } from './mandate-page.ts'

export type MandatePageParts = ApprovalParts

export function mandatePageRoutes(parts: MandatePageParts): readonly Route[] {
  return [
    route({
      ...CUSTOMER_PAGE,
      method: 'GET',
      path: '/mandates/{token}',
      operationId: 'showMandatePage',
      summary: 'The approval page of a mandate',
      handle: (call) => showPage(parts, call),
    }),
    route({
      ...CUSTOMER_FORM,
      path: '/mandates/{token}/otp',
      operationId: 'sendMandateIdentifier',
      summary: 'The first form',
      body: IdentifierForm,
      handle: (call) => withMandate(parts, call, (found) => sendCode(parts, call, approvalOf(parts, found))),
    }),
    route({
      ...CUSTOMER_FORM,
      path: '/mandates/{token}/approve',
      operationId: 'sendMandateApproval',
      summary: 'The second form',
      body: ProofForm,
      handle: (call) => withMandate(parts, call, (found) => approve(parts, call, approvalOf(parts, found))),
    }),
  ]
}

function showPage(parts: MandatePageParts, call: ApprovalCall): void {
  const found = parts.engine.query('mandates.byToken', { token: String(call.params[0]) })
  if (found === null) return answerPage(call, 404, missingPage('../'))
  const sealed = new URLSearchParams(call.queryText).get('s') ?? ''
  const progress = openProgress(parts.seal, approvalSubject(found.mandate.token), sealed) ?? NO_PROGRESS
  answerPage(call, 200, mandatePage({ mandate: found.mandate, merchantName: found.merchantName, progress, sealed }))
}

function withMandate(parts: MandatePageParts, call: ApprovalCall, go: (found: NamedMandate) => void): void {
  const found = parts.engine.query('mandates.byToken', { token: String(call.params[0]) })
  if (found === null) return answerPage(call, 404, missingPage('../../'))
  go(found)
}

function approvalOf(parts: MandatePageParts, { mandate, account, customer }: NamedMandate): Approval {
  const { id, token, environment } = mandate
  const subject = approvalSubject(token)
  return {
    token,
    subject,
    environment,
    isOpen: () => {
      const now = parts.engine.query('mandates.byToken', { token })
      return now === null || mayMove(now.mandate.state, 'approved')
    },
    sendCode: (call, { identifier, wallet }, onStarted) => {
      const name = nameInMessages(parts.engine, account)
      const text = (code: string): string => approvalOtpText(code, name, acceptedLanguage(call.browser.acceptLanguage))
      const sent = { environment, identifier, subject, wallet: wallet?.account === customer ? wallet : null, text }
      parts.wallets.otp.startPayment(call, sent, onStarted)
    },
    command: (wallet, challengeId) => ({ type: 'ApproveMandate', customer: wallet, id, challengeId }),
    // Approved now, or already over. The page shows which.
    errorAfter: (outcome) => (outcome.kind === 'ok' || outcome.kind === 'conflict' ? null : errorOf('form', outcome.body)),
  }
}
