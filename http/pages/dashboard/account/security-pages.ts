// Security of the user: second factor with its QR code and recovery codes, password, and open sessions.

import type { RecoveryCodes } from '../../../../engine/contract/dashboard.ts'
import { qrSvg } from '../../../api/checkout/qr.ts'
import { otpauthUrl } from '../../../auth/dashboard/totp.ts'
import type { Route } from '../../../server/route.ts'
import type { ApiError } from '../../shared/api-calls.ts'
import { dayText } from '../../shared/date-text.ts'
import { formField } from '../../shared/form-field.ts'
import { type Fragment, type Html, html } from '../../shared/html.ts'
import { PAGE_HEADERS } from '../../shared/layout.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { actionButton, badge, failure, formStart, heading } from '../shared/dashboard-parts.ts'
import { type DashboardParts, formRow, pageRow, type Sent, type Visit } from '../shared/dashboard-visit.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { TEXTS } from './security-pages-messages.ts'
import { passwordForm, sessionRows, sessionSection } from './session-parts.ts'

const ISSUER = 'Cauri'

export function securityRows(parts: DashboardParts): readonly Route[] {
  return [
    ...sessionRows(parts, (visit, form, error) => showSecurity(visit, { form, error })),
    pageRow(parts, {
      path: '/security',
      operationId: 'showSecurity',
      needs: null,
      summary: 'Second factor, password and sessions',
      show: (visit) => showSecurity(visit, null),
    }),
    formRow(parts, {
      path: '/security/enroll',
      operationId: 'sendTotpEnrolment',
      needs: 'enrollTotp',
      summary: 'Begin with TOTP',
      fields: [],
      act: async (visit, { key }) => {
        const answer = await visit.ask('enrollTotp', { idempotencyKey: key })
        if (answer.ok) visit.goTo('security/enroll')
        else await showSecurity(visit, { form: 'totp', error: answer.error })
      },
    }),
    pageRow(parts, {
      path: '/security/enroll',
      operationId: 'showTotpEnrolment',
      needs: null,
      summary: 'The QR code',
      show: (visit) => showEnrolment(visit, null),
    }),
    pageRow(parts, { path: '/security/qr.svg', operationId: 'showTotpQr', needs: null, summary: 'The QR code as an image', show: showQr }),
    formRow(parts, {
      path: '/security/confirm',
      operationId: 'sendTotpCode',
      needs: 'confirmTotp',
      summary: 'Turn TOTP on',
      fields: ['password', 'totp'],
      act: confirm,
    }),
    formRow(parts, {
      path: '/security/recovery-codes',
      operationId: 'sendRecoveryRenewal',
      needs: 'renewRecoveryCodes',
      summary: 'New recovery codes',
      fields: ['password', 'totp'],
      act: async (visit, { password, totp, key }) => {
        const body = { password, totp: totp.slice(0, 32) }
        const answer = await visit.ask<RecoveryCodes>('renewRecoveryCodes', { body, idempotencyKey: key })
        if (answer.ok) showCodes(visit, answer.body)
        else await showSecurity(visit, { form: 'recovery', error: answer.error })
      },
    }),
    formRow(parts, {
      path: '/security/disable',
      operationId: 'sendTotpEnd',
      needs: 'disableTotp',
      summary: 'Turn TOTP off',
      fields: ['password', 'totp'],
      act: async (visit, { password, totp }) => {
        const answer = await visit.ask('disableTotp', { body: { password, totp: totp.slice(0, 32) } })
        if (answer.ok) visit.goTo('security', 'totp_off')
        else await showSecurity(visit, { form: 'totp', error: answer.error })
      },
    }),
  ]
}

interface FormError {
  readonly form: 'totp' | 'recovery' | 'password' | 'sessions'
  readonly error: ApiError
}

async function showSecurity(visit: Visit, failed: FormError | null): Promise<void> {
  const isOn = visit.app.dashboard.secondFactors.isActive(visit.principal.user.id)
  const about = (form: FormError['form']): ApiError | null => (failed?.form === form ? failed.error : null)
  const body = html`${heading(DASHBOARD_WORDS.security)}
<section class="card" id="second-factor"><h2>${DASHBOARD_WORDS.twoStepVerification}</h2>
<p>${TEXTS.atSignInCodeFrom(isOn ? badge(DASHBOARD_WORDS.on, 'good') : badge(DASHBOARD_WORDS.off, 'wait'))}</p>
${!isOn && html`${failure(about('totp'))}${actionButton(visit, visit.to('security/enroll'), WORDS.turnOn, 'strong')}`}
${
  isOn &&
  html`<p>${TEXTS.recoveryCodesLeft(visit.app.dashboard.secondFactors.recoveryLeft(visit.principal.user.id))}</p>
<p class="hint">${TEXTS.phoneAndRecoveryCodesLost}</p>`
}</section>
${await sessionSection(visit, about('sessions'))}
${passwordForm(visit, about('password'))}
${isOn && recoveryForm(visit, about('recovery'))}
${isOn && disableForm(visit, about('totp'))}`
  visit.show(
    { title: DASHBOARD_WORDS.security, place: 'security', body },
    failed === null ? 200 : failed.error.code === 'invalid_credentials' ? 401 : 400,
  )
}

/** Folded unless it was sent: the page has several forms that ask for the same two. */
function recoveryForm(visit: Visit, error: ApiError | null): Html {
  return html`<details class="card"${error !== null && html` open`}><summary>${TEXTS.makeNewRecoveryCodes}</summary>
<form class="form" method="post" action="${visit.to('security/recovery-codes')}" novalidate>${formStart(visit)}
<p>${TEXTS.earlierCodesWillNoLonger}</p>
${failure(error)}${passwordAndCode('recovery')}
<button type="submit">${TEXTS.makeNewCodes}</button></form></details>`
}

function disableForm(visit: Visit, error: ApiError | null): Html {
  return html`<details class="card"${error !== null && html` open`}><summary>${WORDS.turnOffTwoStepVerification}</summary>
<form class="form" method="post" action="${visit.to('security/disable')}" novalidate>${formStart(visit)}
${failure(error)}${passwordAndCode('disable')}
<button type="submit" class="danger">${DASHBOARD_WORDS.turnOff}</button></form></details>`
}

/** `form` keeps the ids of the forms of the page distinct. */
function passwordAndCode(form: string): Fragment {
  return html`${formField({ id: `${form}-password`, name: 'password', label: DASHBOARD_WORDS.password, type: 'password', maxLength: 128, autocomplete: 'current-password' })}
${formField({ id: `${form}-totp`, name: 'totp', label: TEXTS.of6DigitCodeOrRecovery, maxLength: 32, autocomplete: 'one-time-code' })}`
}

function showEnrolment(visit: Visit, error: ApiError | null): void {
  const secret = visit.app.dashboard.secondFactors.pendingSecret(visit.principal.user.id)
  if (secret === null) return visit.goTo('security')
  const needsPassword = visit.app.dashboard.changes.needsPassword(visit.principal)
  const isElsewhere = error !== null && error.param === undefined && !['totp_incorrect', 'invalid_credentials'].includes(error.code)
  const body = html`${heading(TEXTS.turnOnTwoStepVerification)}
<section class="card"><ol>
<li>${TEXTS.installAuthenticatorAppOnPhone}</li>
<li>${TEXTS.scanCodeWithItOr}</li>
<li>${TEXTS.typeBelow6DigitCode}</li>
</ol>
<p><img class="code" src="${visit.to('security/qr.svg')}" width="216" height="216" alt="${TEXTS.qrCodeVerificationKey}"></p>
<p>${TEXTS.key(secret.replaceAll(/(.{4})/g, '$1 ').trim())}</p></section>
<form class="form card" method="post" action="${visit.to('security/confirm')}" novalidate>${formStart(visit)}
${needsPassword && formField({ name: 'password', label: DASHBOARD_WORDS.password2, type: 'password', maxLength: 128, autocomplete: 'current-password', error: error?.param === 'password' || error?.code === 'invalid_credentials' ? DASHBOARD_WORDS.notPassword : null })}
${formField({ name: 'totp', label: TEXTS.of6DigitCode, isCode: true, inputMode: 'numeric', maxLength: 8, autocomplete: 'one-time-code', error: error?.code === 'totp_incorrect' || error?.param === 'totp' ? error.message : null })}
${failure(isElsewhere ? error : null)}
<button type="submit">${WORDS.turnOn}</button></form>`
  visit.show({ title: TEXTS.turnOnVerification, place: 'security', body }, error === null ? 200 : 400)
}

function showQr(visit: Visit): void {
  const { user } = visit.principal
  const secret = visit.app.dashboard.secondFactors.pendingSecret(user.id)
  if (secret === null) return visit.missing()
  const svg = qrSvg(otpauthUrl(secret, user.email, ISSUER))
  visit.call.answerAs(200, svg, [...PAGE_HEADERS, ['Content-Type', 'image/svg+xml']])
}

async function confirm(visit: Visit, { password, totp, key }: Sent<'password' | 'totp' | 'key'>): Promise<void> {
  const answer = await visit.ask<RecoveryCodes>('confirmTotp', {
    body: { totp: totp.slice(0, 32), ...(password === '' ? {} : { password }) },
    idempotencyKey: key,
  })
  if (answer.ok) showCodes(visit, answer.body)
  else showEnrolment(visit, answer.error)
}

/** Answers the page with the recovery codes, without a redirect: they are shown once. */
function showCodes(visit: Visit, { recovery_codes }: RecoveryCodes): void {
  const codes: Fragment = recovery_codes.map((code) => html`<li><code>${code}</code></li>`)
  const body = html`${heading(TEXTS.recoveryCodes, html`<button type="button" data-print hidden>${DASHBOARD_WORDS.print}</button>`)}
<p>${dayText(visit.app.engine.query('engine.time', null))}, <bdi>${visit.principal.user.email}</bdi></p>
<section class="card"><p>${TEXTS.noteThemNowTheyShown}</p>
<ul>${codes}</ul></section>
<p><a class="button quiet" href="${visit.to('security')}">${TEXTS.iHaveNotedCodes}</a></p>`
  visit.show({ title: TEXTS.recoveryCodes2, place: 'security', body }, 200)
}
