// Sign-in on the simulated phone: choose a wallet or a number, then the API's steps: code, name, tag, PIN. A form is
// answered with a redirect (303), so that a reload sends nothing twice.

import type { EngineApi } from '../../../engine/api.ts'
import { type Static, Type } from '../../../engine/contract/schema.ts'
import { environmentOfPhone } from '../../../engine/kernel/environment.ts'
import type { Seal } from '../../crypto/seal.ts'
import { later } from '../../server/later.ts'
import { type Call, type Route, type RouteShape, route } from '../../server/route.ts'
import { composed, type Text } from '../../text/text.ts'
import type { ApiAnswer, ApiCalls } from '../shared/api-calls.ts'
import { answerPage, redirectTo } from '../shared/layout.ts'
import { texts } from '../shared/texts.ts'
import { FORM_BYTES_MAX, TYPED_LENGTH_MAX } from './dev-limits.ts'
import { DEV_WORDS } from './dev-words.ts'
import { onlyHere, onlyOurForm } from './local-guard.ts'
import type { PhoneCalls } from './phone-calls.ts'
import { showHome, startPage } from './phone-page.ts'
import {
  endedCookie,
  NO_PROGRESS,
  openProgress,
  type PhoneError,
  type PhoneField,
  type PhoneSession,
  type Progress,
  sealProgress,
  sessionCookie,
  sessionOf,
} from './phone-progress.ts'
import { PhoneVisit } from './phone-visit.ts'
import { freeTestPhone, phoneOf, proposedWallets } from './phone-wallets.ts'

const TEXTS = texts({
  fr: {
    sessionWalletHasEndedSign: 'La session de ce portefeuille est terminée : reconnectez-vous.',
    noWalletHasTag: 'Aucun portefeuille ne porte ce @tag.',
    typeTagOrNumberWith: 'Saisissez un @tag, ou un numéro avec l’indicatif du pays, par exemple +225 07 00 00 00 00.',
    stepHasExpiredStartAgain: 'Cette étape a expiré : recommencez.',
  },
  en: {
    sessionWalletHasEndedSign: 'The session of this wallet has ended: sign in again.',
    noWalletHasTag: 'No wallet has this @tag.',
    typeTagOrNumberWith: 'Type a @tag, or a number with its country code, for example +225 07 00 00 00 00.',
    stepHasExpiredStartAgain: 'This step has expired: start again.',
  },
})

const FIELD = Type.Optional(Type.String())
const StartForm = Type.Object({ f: FIELD, purpose: FIELD, identifier: FIELD, phone: FIELD })
const LoginForm = Type.Object({ f: FIELD, s: FIELD, code: FIELD, pin: FIELD })
const SignupForm = Type.Object({ f: FIELD, s: FIELD, code: FIELD, given_name: FIELD, family_name: FIELD, tag: FIELD, pin: FIELD })
const LeaveForm = Type.Object({ f: FIELD })

const PAGE = {
  tag: 'Pages',
  auth: 'public',
  idempotency: 'none',
  responses: [{ status: 200, description: 'The page.', contentType: 'text/html' }],
  errors: [],
} as const satisfies Partial<RouteShape>

const FORM = { ...PAGE, method: 'POST', bodyType: 'form', bodyBytesMax: FORM_BYTES_MAX } as const

/** Relative path from `/dev/phone/x` to the phone. */
const HOME = '../phone'

type PageCall<Body = unknown> = Pick<
  Call<Body>,
  'params' | 'queryText' | 'body' | 'browser' | 'acceptEncoding' | 'isLocal' | 'remoteAddress' | 'requestId' | 'answerAs' | 'ask' | 'fail'
>

export interface PhoneRoutesParts {
  readonly engine: Pick<EngineApi, 'query'>
  readonly seal: Seal
  readonly api: ApiCalls
}

export function phoneRoutes(parts: PhoneRoutesParts, calls: PhoneCalls): readonly Route[] {
  return [
    route({
      ...PAGE,
      method: 'GET',
      path: '/dev/phone',
      operationId: 'showPhone',
      summary: 'The simulated phone',
      handle: (call) => onlyHere(call, '../', () => later(call, () => showPhone(parts, calls, call))),
    }),
    route({
      ...FORM,
      path: '/dev/phone/start',
      operationId: 'sendPhoneStart',
      summary: 'Which wallet, or which number',
      body: StartForm,
      handle: (call) => onlyOurForm(call, '../../', () => later(call, () => start(parts, calls, call))),
    }),
    route({
      ...FORM,
      path: '/dev/phone/login',
      operationId: 'sendPhoneLogin',
      summary: 'Code and PIN',
      body: LoginForm,
      handle: (call) => onlyOurForm(call, '../../', () => later(call, () => logIn(parts, calls, call))),
    }),
    route({
      ...FORM,
      path: '/dev/phone/signup',
      operationId: 'sendPhoneSignup',
      summary: 'Code, name, tag and PIN',
      body: SignupForm,
      handle: (call) => onlyOurForm(call, '../../', () => later(call, () => signUp(parts, calls, call))),
    }),
    route({
      ...FORM,
      path: '/dev/phone/leave',
      operationId: 'sendPhoneLeave',
      summary: 'Sign out',
      body: LeaveForm,
      handle: (call) => onlyOurForm(call, '../../', () => later(call, () => leave(parts, calls, call))),
    }),
  ]
}

async function showPhone(parts: PhoneRoutesParts, calls: PhoneCalls, call: PageCall): Promise<void> {
  const session = sessionOf(parts.seal, call.browser)
  if (session === null) return showStart(parts, call, null)
  const [balance, statement, limits] = await Promise.all([
    calls.balance(call, session),
    calls.statement(call, session),
    calls.limits(call, session),
  ])
  if (!balance.ok || !statement.ok || !limits.ok) return showStart(parts, call, TEXTS.sessionWalletHasEndedSign)
  showHome({ visit: new PhoneVisit(parts, call, session, '../'), balance: balance.body, lines: statement.body.data, limits: limits.body })
}

function showStart(parts: PhoneRoutesParts, call: PageCall, notice: Text | string | null): void {
  const sealed = new URLSearchParams(call.queryText).get('s') ?? ''
  const progress = openProgress(parts.seal, sealed) ?? NO_PROGRESS
  const { engine } = parts
  const page = startPage({ progress, sealed, wallets: proposedWallets(engine), freePhone: freeTestPhone(engine), notice })
  answerPage(call, 200, page, notice === null ? [] : [endedCookie()])
}

function showAgain(parts: PhoneRoutesParts, call: PageCall, progress: Progress): void {
  redirectTo(call, `${HOME}?s=${encodeURIComponent(sealProgress(parts.seal, progress))}`)
}

async function start(parts: PhoneRoutesParts, calls: PhoneCalls, call: PageCall<Static<typeof StartForm>>): Promise<void> {
  const purpose = call.body.purpose === 'signup' ? 'signup' : 'login'
  const field = purpose === 'signup' ? 'phone' : 'identifier'
  const typed = (call.body[field] ?? '').slice(0, TYPED_LENGTH_MAX)
  const begin: Progress = { ...NO_PROGRESS, purpose, typed: { [field]: typed } }
  const again = (message: Text): void => showAgain(parts, call, { ...begin, error: { field, message } })
  const phone = phoneOf(parts.engine, typed)
  if (phone === 'unknown') return again(TEXTS.noWalletHasTag)
  if (phone === 'malformed') return again(TEXTS.typeTagOrNumberWith)
  const answer = await calls.startPhone(call, phone, purpose)
  if (!answer.ok) return again(answer.error.message)
  showAgain(parts, call, { ...begin, phone, typed: {} })
}

async function logIn(parts: PhoneRoutesParts, calls: PhoneCalls, call: PageCall<Static<typeof LoginForm>>): Promise<void> {
  const before = openProgress(parts.seal, call.body.s ?? '')
  if (before === null || before.purpose !== 'login') return redirectTo(call, HOME)
  const token = await nextToken(parts, calls, call, { ...before, error: null })
  if (token === null) return
  const answer = await calls.logIn(call, token, call.body.pin ?? '')
  if (!answer.ok) return showAgain(parts, call, { ...before, token, error: errorOf(answer, 'pin') })
  signedIn(parts, call, { accessToken: answer.body.access_token, tag: answer.body.user.tag, environment: answer.body.user.environment })
}

async function signUp(parts: PhoneRoutesParts, calls: PhoneCalls, call: PageCall<Static<typeof SignupForm>>): Promise<void> {
  const before = openProgress(parts.seal, call.body.s ?? '')
  if (before === null || before.purpose !== 'signup') return redirectTo(call, HOME)
  const { given_name = '', family_name = '', tag = '', pin = '' } = call.body
  const typed = cut({ given_name, family_name, tag })
  const begin: Progress = { ...before, typed, error: null }
  const token = await nextToken(parts, calls, call, begin)
  if (token === null) return
  const again = (error: PhoneError): void => showAgain(parts, call, { ...begin, token, error })
  const named = await calls.setIdentity(call, token, { given_name, family_name })
  if (!named.ok) return again(errorOf(named, 'given_name'))
  const tagged = await calls.setTag(call, token, tag)
  if (!tagged.ok) return again(errorOf(tagged, 'tag'))
  const answer = await calls.setPin(call, token, pin)
  if (!answer.ok) return again(errorOf(answer, 'pin'))
  signedIn(parts, call, { accessToken: answer.body.access_token, tag: answer.body.user.tag, environment: environmentOfPhone(before.phone) })
}

/** Returns the token for the code, sent now or earlier. Returns null when it answered with the page. */
async function nextToken(
  parts: PhoneRoutesParts,
  calls: PhoneCalls,
  call: PageCall<{ code?: string }>,
  progress: Progress,
): Promise<string | null> {
  if (progress.token !== null) return progress.token
  const code = (call.body.code ?? '').replaceAll(/\s/g, '')
  const answer = await calls.showCode(call, progress.phone, progress.purpose, code)
  if (answer.ok) return answer.body
  showAgain(parts, call, { ...progress, error: errorOf(answer, 'code') })
  return null
}

async function leave(parts: PhoneRoutesParts, calls: PhoneCalls, call: PageCall): Promise<void> {
  const session = sessionOf(parts.seal, call.browser)
  if (session !== null) await calls.logOut(call, session)
  redirectTo(call, HOME, [endedCookie()])
}

function signedIn(parts: PhoneRoutesParts, call: PageCall, session: PhoneSession): void {
  redirectTo(call, HOME, [sessionCookie(parts.seal, session)])
}

const FIELD_OF: Readonly<Record<string, PhoneField>> = {
  family_name: 'family_name',
  given_name: 'given_name',
  tag: 'tag',
  pin: 'pin',
  code: 'code',
}

/** Returns the error for the field that the API names, else for the field of the step. */
function errorOf({ error }: Extract<ApiAnswer<unknown>, { ok: false }>, step: PhoneField): PhoneError {
  // The token of an earlier step has expired. The user needs a new code.
  if (error.code === 'unauthorized') return { field: 'form', message: TEXTS.stepHasExpiredStartAgain }
  const left = error.attempts_left === undefined ? null : DEV_WORDS.attemptsLeft(error.attempts_left)
  return { field: FIELD_OF[error.param ?? ''] ?? step, message: left === null ? error.message : composed`${error.message} ${left}` }
}

function cut<Fields extends Readonly<Record<string, string>>>(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value.slice(0, TYPED_LENGTH_MAX)])) as Fields
}
