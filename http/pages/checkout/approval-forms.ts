// The two forms by which a customer approves a payment or a mandate: the identifier of a wallet gets a code, then code and PIN
// prove the wallet. Forms are answered with a redirect to the page (303), so that a reload sends nothing twice. There is no
// session and no cookie, so cross-site request forgery gains nothing: a form from another site can do no more than its sender.

import type { AccountNumber, Command, EngineApi, Outcome } from '../../../engine/api.ts'
import { type Static, Type } from '../../../engine/contract/schema.ts'
import type { Environment } from '../../../engine/kernel/environment.ts'
import { type Payer, payerOf } from '../../api/checkout/checkout.ts'
import { codeCheck } from '../../api/checkout/checkout-payment.ts'
import type { WalletAccess } from '../../auth/wallet/wallet-access.ts'
import type { Seal } from '../../crypto/seal.ts'
import { later } from '../../server/later.ts'
import type { Call, RouteShape } from '../../server/route.ts'
import { redirectTo } from '../shared/layout.ts'
import { languageOf } from '../shared/page-language.ts'
import {
  errorOf,
  type FieldError,
  identifierOf,
  misspelled,
  NO_PROGRESS,
  openProgress,
  type Progress,
  sealProgress,
  TYPED_LENGTH_MAX,
} from './checkout-progress.ts'

const FORM_BYTES_MAX = 16 * 1024

/** A page of a customer, without a session. */
export const CUSTOMER_PAGE = {
  tag: 'Pages',
  auth: 'public',
  idempotency: 'none',
  params: { token: Type.String() },
  responses: [{ status: 200, description: 'The page.', contentType: 'text/html' }],
  errors: [],
} as const satisfies Partial<RouteShape>

export const CUSTOMER_FORM = { ...CUSTOMER_PAGE, method: 'POST', bodyType: 'form', bodyBytesMax: FORM_BYTES_MAX } as const

/** No maxLength: the handler truncates long text, because an API error would replace the page. */
export const FORM_FIELD = Type.Optional(Type.String())
export const IdentifierForm = Type.Object({ identifier: FORM_FIELD })
export const ProofForm = Type.Object({ s: FORM_FIELD, otp: FORM_FIELD, pin: FORM_FIELD })

export interface ApprovalParts {
  readonly engine: Pick<EngineApi, 'query'>
  readonly seal: Seal
  readonly wallets: Pick<WalletAccess, 'otp' | 'pinChecks'>
}

export type ApprovalCall<Body = unknown> = Pick<
  Call<Body>,
  'params' | 'queryText' | 'body' | 'browser' | 'acceptEncoding' | 'remoteAddress' | 'answer' | 'answerAs' | 'ask' | 'once' | 'fail'
>

export type CodeCall = Pick<Call, 'browser' | 'remoteAddress' | 'answerAs' | 'once'>

/** What the customer approves. */
export interface Approval {
  /** In the address of the page. */
  readonly token: string
  /** Code and progress are bound to it. */
  readonly subject: string
  readonly environment: Environment
  /** Reads the record again. False once it was approved or is over: the page shows which. */
  isOpen(): boolean
  sendCode(call: CodeCall, payer: Payer, onStarted: (challengeId: string) => void): void
  /** The command of the wallet that proved itself. */
  command(account: AccountNumber, challengeId: string): Command
  /** Returns null where the page shows what became of it: approved by this form, or already over. */
  errorAfter(outcome: Outcome, account: AccountNumber): FieldError | null
}

/** The first form: sends a code to the wallet of the identifier. */
export function sendCode(parts: ApprovalParts, call: ApprovalCall<Static<typeof IdentifierForm>>, approval: Approval): void {
  if (!approval.isOpen()) return showAgain(parts, call, approval, null)
  const typed = (call.body.identifier ?? '').slice(0, TYPED_LENGTH_MAX)
  const start: Progress = { ...NO_PROGRESS, identifier: typed }
  const identifier = identifierOf(typed)
  if (identifier === null) return showAgain(parts, call, approval, { ...start, error: misspelled('identifier', 'identifier_form') })
  const counted = {
    remoteAddress: call.remoteAddress,
    browser: { ...call.browser, acceptLanguage: languageOf(call).language },
    once: call.once.bind(call),
    // A rate limit or a full queue. The page shows the error.
    answerAs: (_status: number, body: string | Uint8Array) =>
      showAgain(parts, call, approval, { ...start, error: errorOf('form', String(body)) }),
  }
  approval.sendCode(counted, payerOf(parts, approval.environment, identifier), (challengeId) => {
    showAgain(parts, call, approval, { ...NO_PROGRESS, identifier, challengeId })
  })
}

/** The second form: checks code and PIN, then runs the command of the approval. */
export function approve(parts: ApprovalParts, call: ApprovalCall<Static<typeof ProofForm>>, approval: Approval): void {
  const { subject, environment } = approval
  const before = openProgress(parts.seal, subject, call.body.s ?? '')
  if (before === null || before.challengeId === null || !approval.isOpen()) return showAgain(parts, call, approval, null)
  const code = (call.body.otp ?? '').replaceAll(/\s/g, '')
  const pin = call.body.pin ?? ''
  const again = (progress: Partial<Progress>): void => showAgain(parts, call, approval, { ...before, otp: '', error: null, ...progress })
  if (!/^[0-9]{6}$/.test(code)) return again({ error: misspelled('otp', 'otp_form') })
  if (!/^[0-9]{4,6}$/.test(pin)) return again({ error: misspelled('pin', 'pin_form') })
  const { challengeId } = before
  const { identifier } = payerOf(parts, environment, before.identifier)
  const check = codeCheck(parts, { token: subject, identifier, challengeId, code, from: call })
  call.ask(check, parts.wallets.otp.mailbox(environment), (checked) => {
    // A second click may find its code used up by the approval of the first. The page shows that approval.
    if (checked.kind !== 'ok')
      return approval.isOpen() ? again({ error: errorOf('otp', checked.body) }) : showAgain(parts, call, approval, null)
    const { account } = JSON.parse(checked.body) as { account: number }
    later(call, async () => {
      const verdict = await parts.wallets.pinChecks.verify(account, pin, { address: call.remoteAddress })
      if (!verdict.isRight) return again({ otp: code, error: { ...errorOf('pin', verdict.body), retryAfterS: verdict.retryAfterS } })
      call.ask(approval.command(account, challengeId), account, (outcome) => {
        const error = approval.errorAfter(outcome, account)
        if (error === null) showAgain(parts, call, approval, null)
        else again({ error })
      })
    })
  })
}

/** Redirects to the page with the customer's progress, or to its start without one. */
function showAgain({ seal }: ApprovalParts, call: ApprovalCall, { token, subject }: Approval, progress: Progress | null): void {
  const query = progress === null ? '' : `?s=${encodeURIComponent(sealProgress(seal, subject, progress))}`
  redirectTo(call, `../${token}${query}`)
}
