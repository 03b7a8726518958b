// The payment routes of the simulated phone: scan, payment with the PIN, and the ticket for the stream.

import type { Checkout } from '../../../engine/contract/checkout.ts'
import { type Static, Type } from '../../../engine/contract/schema.ts'
import type { Seal } from '../../crypto/seal.ts'
import { later } from '../../server/later.ts'
import { type Call, type Route, type RouteShape, route } from '../../server/route.ts'
import { isSameSite } from '../../server/same-site.ts'
import type { Text } from '../../text/text.ts'
import { type ApiError, newFormKey } from '../shared/api-calls.ts'
import { answerPage, redirectTo } from '../shared/layout.ts'
import { texts } from '../shared/texts.ts'
import { FORM_BYTES_MAX } from './dev-limits.ts'
import { onlyHere, onlyOurForm } from './local-guard.ts'
import type { PhoneCalls } from './phone-calls.ts'
import { chargePage, scanErrorPage } from './phone-charge-page.ts'
import { openFor, type PhoneSession, sealFor, sessionOf, type Tried } from './phone-progress.ts'
import { triedError } from './phone-visit.ts'

const TEXTS = texts({
  fr: {
    neitherAddressPaymentPaymentLink:
      'Ce n’est ni l’adresse d’un paiement, d’un lien de paiement ou d’un prélèvement, ni le contenu d’un code QR.',
    paymentDoesNotExistOr: 'Ce paiement n’existe pas, ou pas dans l’environnement de ce portefeuille.',
    sessionWalletHasEndedGo: 'La session de ce portefeuille est terminée : revenez au téléphone.',
  },
  en: {
    neitherAddressPaymentPaymentLink:
      'This is neither the address of a payment, of a payment link or of a direct debit, nor the content of a QR code.',
    paymentDoesNotExistOr: 'This payment does not exist, or not in the environment of this wallet.',
    sessionWalletHasEndedGo: 'The session of this wallet has ended: go back to the phone.',
  },
})

const PayForm = Type.Object({
  f: Type.Optional(Type.String()),
  token: Type.Optional(Type.String()),
  key: Type.Optional(Type.String()),
  pin: Type.Optional(Type.String()),
})

const PAGE = {
  tag: 'Pages',
  auth: 'public',
  idempotency: 'none',
  responses: [{ status: 200, description: 'The page.', contentType: 'text/html' }],
  errors: [],
} as const satisfies Partial<RouteShape>

type PageCall<Body = unknown> = Pick<
  Call<Body>,
  | 'queryText'
  | 'body'
  | 'browser'
  | 'acceptEncoding'
  | 'isLocal'
  | 'remoteAddress'
  | 'requestId'
  | 'answer'
  | 'answerAs'
  | 'refuse'
  | 'fail'
>

export interface PhoneChargeParts {
  readonly seal: Seal
}

export function phoneChargeRoutes(parts: PhoneChargeParts, calls: PhoneCalls): readonly Route[] {
  return [
    route({
      ...PAGE,
      method: 'GET',
      path: '/dev/phone/charge',
      operationId: 'showPhoneCharge',
      summary: 'What the phone has scanned',
      handle: (call) => signedIn(parts, call, (session) => scan(parts.seal, calls, call, session)),
    }),
    route({
      ...PAGE,
      method: 'POST',
      path: '/dev/phone/pay',
      operationId: 'sendPhonePayment',
      summary: 'Pay with the PIN',
      bodyType: 'form',
      bodyBytesMax: FORM_BYTES_MAX,
      body: PayForm,
      handle: (call) => onlyOurForm(call, '../../', () => signedIn(parts, call, (session) => pay(parts.seal, calls, call, session))),
    }),
    route({
      ...PAGE,
      method: 'POST',
      path: '/dev/phone/ticket',
      operationId: 'createPhoneTicket',
      summary: 'A ticket for the stream of the page',
      responses: [{ status: 201, description: 'The ticket.' }],
      handle: (call) => signedIn(parts, call, (session) => giveTicket(calls, call, session)),
    }),
  ]
}

function signedIn(parts: PhoneChargeParts, call: PageCall, go: (session: PhoneSession) => Promise<void>): void {
  onlyHere(call, '../../', () => {
    const session = sessionOf(parts.seal, call.browser)
    if (session === null) redirectTo(call, '../phone')
    else later(call, () => go(session))
  })
}

/** Matches a charge's token, as the end of its address or alone. */
const TOKEN = /^(?:https?:\/\/[^?#\s]+\/pay\/)?([A-Za-z0-9_-]{32})$/
/** Matches the payload of a checkout's QR code. The API validates it. */
const CODE = /\/pay\/[A-Za-z0-9_-]{32}\?c=/
/** Match the address of a payment link, as a printed QR code holds it, and the approval address of a mandate. */
const LINK = /^https?:\/\/[^?#\s]+\/l\/([A-Za-z0-9_-]{12})$/
const MANDATE = /^https?:\/\/[^?#\s]+\/mandates\/([A-Za-z0-9_-]{32})$/
const UNREADABLE = TEXTS.neitherAddressPaymentPaymentLink

async function scan(seal: Seal, calls: PhoneCalls, call: PageCall, session: PhoneSession): Promise<void> {
  const text = (new URLSearchParams(call.queryText).get('c') ?? '').trim()
  const [, token] = TOKEN.exec(text) ?? []
  const [, link] = LINK.exec(text) ?? []
  if (link !== undefined) return redirectTo(call, `link/${link}`)
  const [, mandate] = MANDATE.exec(text) ?? []
  if (mandate !== undefined) return redirectTo(call, `mandates/by-token/${mandate}`)
  if (token === undefined && !CODE.test(text)) return answerPage(call, 404, scanErrorPage(UNREADABLE))
  if (token === undefined) return readCode(seal, calls, call, session, text)
  const found = await calls.checkout(call, token)
  if (!found.ok) return notFound(call, found.error)
  if (found.body.state !== 'pending') return show(seal, calls, call, session, { token, charge: found.body })
  // An address without a code: the phone takes the code from the checkout page.
  const code = await calls.qr(call, token)
  if (!code.ok) return notFound(call, code.error)
  return readCode(seal, calls, call, session, code.body.payload)
}

async function readCode(seal: Seal, calls: PhoneCalls, call: PageCall, session: PhoneSession, payload: string): Promise<void> {
  const scanned = await calls.scan(call, session, payload)
  if (!scanned.ok) return notFound(call, scanned.error)
  const { token, ...charge } = scanned.body
  await show(seal, calls, call, session, { token, charge })
}

function notFound(call: PageCall, error: ApiError): void {
  const ours: Readonly<Record<string, Text | string>> = {
    not_found: TEXTS.paymentDoesNotExistOr,
    unauthorized: TEXTS.sessionWalletHasEndedGo,
  }
  answerPage(call, error.code === 'unauthorized' ? 401 : 404, scanErrorPage(ours[error.code] ?? error.message))
}

/** Shows the charge, with the error of a rejected payment. The payment keeps its key, because a wrong PIN is no payment. */
async function show(seal: Seal, calls: PhoneCalls, call: PageCall, session: PhoneSession, scanned: Scanned): Promise<void> {
  const { token } = scanned
  const [balance, limits] = await Promise.all([calls.balance(call, session), calls.limits(call, session)])
  if (!balance.ok) return notFound(call, balance.error)
  if (!limits.ok) return notFound(call, limits.error)
  const tried = openFor<Tried>(seal, token, new URLSearchParams(call.queryText).get('s') ?? '')
  const { key, error } = tried ?? { key: newFormKey(), error: null }
  answerPage(call, 200, chargePage({ session, ...scanned, available: balance.body.available, limits: limits.body, formKey: key, error }))
}

interface Scanned {
  readonly token: string
  readonly charge: Checkout
}

async function pay(seal: Seal, calls: PhoneCalls, call: PageCall<Static<typeof PayForm>>, session: PhoneSession): Promise<void> {
  const { token = '', key = '', pin = '' } = call.body
  if (!TOKEN.test(token) || !/^form-[0-9a-f-]{36}$/.test(key)) return redirectTo(call, '../phone')
  const answer = await calls.pay(call, session, token, pin, key)
  // Paid by this form or by another payer, or over. The page shows which.
  if (answer.ok) return redirectTo(call, `charge?c=${token}`)
  const sealed = sealFor(seal, token, { key, values: {}, error: triedError(answer.error) })
  redirectTo(call, `charge?c=${token}&s=${encodeURIComponent(sealed)}`)
}

async function giveTicket(calls: PhoneCalls, call: PageCall, session: PhoneSession): Promise<void> {
  if (!isSameSite(call)) return call.refuse('csrf_failed')
  const answer = await calls.ticket(call, session)
  if (answer.ok) call.answer(201, JSON.stringify(answer.body))
  else call.refuse(answer.error.code)
}
