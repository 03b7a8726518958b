// Pages that links in e-mails lead to, and the form of a forgotten password. They need no session: the token of the address is the
// only credential, and a GET changes nothing.

import type { LinkRow } from '../../../../engine/api.ts'
import type { ErrorValue } from '../../../../engine/contract/errors.ts'
import { type Static, Type } from '../../../../engine/contract/schema.ts'
import type { SignInCall } from '../../../auth/dashboard/sign-in-outcome.ts'
import { later } from '../../../server/later.ts'
import { type Route, route } from '../../../server/route.ts'
import { type ApiError, apiError } from '../../shared/api-calls.ts'
import { formField } from '../../shared/form-field.ts'
import { type Fragment, html, type Title } from '../../shared/html.ts'
import { answerPage, type Page, redirectTo } from '../../shared/layout.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { type DashboardParts, FORM, isForeign, PAGE, type PageCall } from '../shared/dashboard-visit.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { SIGNED_IN } from '../shared/login-address.ts'
import { simplePage } from '../shared/shell.ts'
import { TEXTS } from './recovery-pages-messages.ts'

const FIELD = Type.Optional(Type.String())
const RecoveryForm = Type.Object({ email: FIELD, token: FIELD, password: FIELD })
type RecoveryCall = PageCall<Static<typeof RecoveryForm>> & SignInCall

const ROOT = '../'

interface RecoveryRow {
  readonly path: string
  readonly kind: LinkRow['kind']
  readonly show: string
  readonly send: string
  readonly summary: string
  /** `token` is that of the address or form; '' without one. */
  page(token: string, error: ApiError | null): Page
  act(parts: DashboardParts, call: RecoveryCall, sent: Required<Static<typeof RecoveryForm>>): Promise<void>
}

export function recoveryRows(parts: DashboardParts): readonly Route[] {
  return ROWS.flatMap((row) => [
    route({
      ...PAGE,
      method: 'GET',
      path: `/dashboard/${row.path}`,
      operationId: row.show,
      summary: row.summary,
      handle: (call) => {
        const token = new URLSearchParams(call.queryText).get('token') ?? ''
        answerPage(call, 200, row.page(token, token === '' || parts.app.dashboard.isOpenLink(row.kind, token) ? null : LINK_OVER))
      },
    }),
    route({
      ...FORM,
      path: `/dashboard/${row.path}`,
      operationId: row.send,
      summary: row.summary,
      body: RecoveryForm,
      handle: (call) => {
        if (isForeign(call)) return answerPage(call, 403, simplePage({ root: ROOT, title: WORDS.formRejected, text: FOREIGN }))
        const { email = '', token = '', password = '' } = call.body
        later(call, () => row.act(parts, call, { email: email.trim(), token, password }))
      },
    }),
  ])
}

/** A link that was used, is too old, or has given way to newer ones. */
const LINK_OVER = apiError({ code: 'invalid_token', param: 'token' })

const FOREIGN = DASHBOARD_WORDS.formComesFromAnotherSite

const ROWS: readonly RecoveryRow[] = [
  {
    path: 'password-reset',
    kind: 'reset',
    show: 'showPasswordReset',
    send: 'sendPasswordReset',
    summary: 'A forgotten password',
    page: (token, error) =>
      token === '' ? forgottenPage(error) : passwordPage(DASHBOARD_WORDS.newPassword, 'password-reset', token, error),
    act: (parts, call, sent) => (sent.token === '' ? askForLink(parts, call, sent.email) : setPassword(parts, call, sent)),
  },
  {
    path: 'accept',
    kind: 'invitation',
    show: 'showInvitation',
    send: 'sendInvitationAnswer',
    summary: 'Accept an invitation',
    page: (token, error) => passwordPage(TEXTS.joinAccount, 'accept', token, error),
    act: acceptInvitation,
  },
  {
    path: 'confirm-email',
    kind: 'confirmation',
    show: 'showEmailConfirmation',
    send: 'sendEmailConfirmation',
    summary: 'Confirm an e-mail address',
    page: confirmationPage,
    act: async (parts, call, { token }) => {
      const answer = await parts.api.ask({ operationId: 'confirmEmail', as: null, body: { token }, from: call })
      const done = simplePage({ root: ROOT, title: TEXTS.addressConfirmed, text: TEXTS.thankEMailAddressConfirmed })
      answerPage(call, answer.status, answer.ok ? done : confirmationPage(token, answer.error))
    },
  },
]

async function askForLink(parts: DashboardParts, call: RecoveryCall, email: string): Promise<void> {
  const answer = await parts.api.ask({ operationId: 'requestPasswordReset', as: null, body: { email }, from: call })
  const sent = simplePage({ root: ROOT, title: TEXTS.checkMailbox, text: LINK_SENT })
  answerPage(call, answer.ok ? 200 : answer.status, answer.ok ? sent : forgottenPage(answer.error))
}

const LINK_SENT = TEXTS.ifAddressHasAccountLink

async function setPassword(
  parts: DashboardParts,
  call: RecoveryCall,
  { token, password }: { token: string; password: string },
): Promise<void> {
  const answer = await parts.api.ask({ operationId: 'resetPassword', as: null, body: { token, password }, from: call })
  if (!answer.ok) return answerPage(call, answer.status, passwordPage(DASHBOARD_WORDS.newPassword, 'password-reset', token, answer.error))
  const text = TEXTS.newPasswordSavedAndAll
  answerPage(call, 200, simplePage({ root: ROOT, title: TEXTS.passwordChanged, text }))
}

async function acceptInvitation(
  { app }: DashboardParts,
  call: RecoveryCall,
  { token, password }: { token: string; password: string },
): Promise<void> {
  const opened = await app.dashboard.acceptInvitation(call, token, password.slice(0, 128))
  if ('token' in opened) return redirectTo(call, `../dashboard?ok=${SIGNED_IN}`, opened.cookies)
  const error = apiError(opened.body === '' ? { code: 'internal_error' } : (JSON.parse(opened.body) as ErrorValue))
  answerPage(call, opened.status, passwordPage(TEXTS.joinAccount, 'accept', token, error))
}

function forgottenPage(error: ApiError | null): Page {
  const isOver = error?.code === 'invalid_token'
  const message = isOver ? null : error?.param === 'email' ? DASHBOARD_WORDS.typeEMailAddressFor : (error?.message ?? null)
  return recoveryPage(
    TEXTS.forgottenPassword,
    error,
    html`${isOver && html`<p class="error" role="alert">${error.message}</p>`}
<p>${TEXTS.typeEMailAddressAccount}</p>
<form class="form" method="post" action="password-reset" novalidate>
${formField({ name: 'email', label: WORDS.eMailAddress, type: 'email', maxLength: 254, autocomplete: 'username', error: message })}
<button type="submit">${TEXTS.getLink}</button>
</form>
<p class="back"><a class="alone" href="login">${TEXTS.backSignIn}</a></p>`,
  )
}

function passwordPage(title: Title, action: string, token: string, error: ApiError | null): Page {
  const isOver = error?.code === 'invalid_token' || error?.code === 'email_taken'
  if (isOver && action === 'password-reset') return forgottenPage(error)
  return recoveryPage(
    title,
    error,
    html`${isOver && html`<p class="error" role="alert">${error?.message}</p><p>${TEXTS.alreadyMemberLogInIf}</p>`}
${
  !isOver &&
  html`<form class="form" method="post" action="${action}" novalidate><input type="hidden" name="token" value="${token}">
${formField({
  name: 'password',
  label: DASHBOARD_WORDS.password2,
  hint: DASHBOARD_WORDS.atLeast10CharactersShort,
  type: 'password',
  maxLength: 128,
  autocomplete: 'new-password',
  error: error?.message ?? null,
})}
<button type="submit">${action === 'accept' ? TEXTS.join : DASHBOARD_WORDS.save}</button>
</form>`
}
<p class="back"><a class="alone" href="login">${WORDS.signIn}</a></p>`,
  )
}

function confirmationPage(token: string, error: ApiError | null): Page {
  return recoveryPage(
    TEXTS.confirmEMailAddress,
    error,
    error === null
      ? html`<form class="form" method="post" action="confirm-email"><input type="hidden" name="token" value="${token}">
<button type="submit">${TEXTS.confirmMyAddress}</button></form>`
      : html`<p class="error" role="alert">${error.message}</p><p>${TEXTS.addressMayBeConfirmedAlready}</p>
<p class="back"><a class="alone" href="live/account">${TEXTS.openMyAccount}</a></p>`,
  )
}

function recoveryPage(titling: Title, error: ApiError | null, content: Fragment): Page {
  const title = titling
  const body = html`<section class="card narrow"><h1>${title}</h1>${content}</section>`
  return { title: error === null ? title : WORDS.error(title), root: ROOT, look: 'dashboard/shared/dashboard.css', body }
}
