// Security of the user: second factor with its QR code and recovery codes, password, and open sessions.
import type { RecoveryCodes } from '../../../engine/contract/dashboard.ts'
import { qrSvg } from '../../api/checkout/qr.ts'
import { otpauthUrl } from '../../auth/dashboard/totp.ts'
import type { Route } from '../../server/route.ts'
import type { ApiError } from '../api-calls.ts'
import { dayText } from '../date-text.ts'
import { formField } from '../form-field.ts'
import { type Fragment, type Html, html } from '../html.ts'
import { PAGE_HEADERS } from '../layout.ts'
import { actionButton, badge, failure, formStart, heading } from './dashboard-parts.ts'
import { passwordForm, sessionRows, sessionSection } from './session-parts.ts'
import { type DashboardParts, formRow, pageRow, type Sent, type Visit } from './visit.ts'

const ISSUER = 'Cauri'

export function securityRows(parts: DashboardParts): readonly Route[] {
  return [
    ...sessionRows(parts, (visit, form, error) => showSecurity(visit, { form, error })),
    pageRow(parts, {
      path: '/security',
      operationId: 'showSecurity',
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
      summary: 'The QR code',
      show: (visit) => showEnrolment(visit, null),
    }),
    pageRow(parts, { path: '/security/qr.svg', operationId: 'showTotpQr', summary: 'The QR code as an image', show: showQr }),
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
  const body = html`${heading('Sécurité')}
<section class="card" id="second-factor"><h2>Validation en deux étapes</h2>
<p>${isOn ? badge('Active', 'good') : badge('Inactive', 'wait')} À la connexion, un code de votre téléphone s’ajoute au mot de passe. Un mot de passe volé ne suffit plus.</p>
${!isOn && html`${failure(about('totp'))}${actionButton(visit, visit.to('security/enroll'), 'Activer', 'strong')}`}
${
  isOn &&
  html`<p>Codes de secours qui restent : <b>${visit.app.dashboard.secondFactors.recoveryLeft(visit.principal.user.id)}</b></p>
<p class="hint">Téléphone et codes de secours perdus ? Un autre propriétaire du compte, ou notre équipe, la désactive pour vous.</p>`
}</section>
${await sessionSection(visit, about('sessions'))}
${passwordForm(visit, about('password'))}
${isOn && recoveryForm(visit, about('recovery'))}
${isOn && disableForm(visit, about('totp'))}`
  visit.show(
    { title: 'Sécurité', place: 'security', body },
    failed === null ? 200 : failed.error.code === 'invalid_credentials' ? 401 : 400,
  )
}

/** Folded unless it was sent: the page has several forms that ask for the same two. */
function recoveryForm(visit: Visit, error: ApiError | null): Html {
  return html`<details class="card"${error !== null && html` open`}><summary>Faire de nouveaux codes de secours</summary>
<form class="form" method="post" action="${visit.to('security/recovery-codes')}" novalidate>${formStart(visit)}
<p>Les anciens codes ne serviront plus.</p>
${failure(error)}${passwordAndCode('recovery')}
<button type="submit">Faire de nouveaux codes</button></form></details>`
}

function disableForm(visit: Visit, error: ApiError | null): Html {
  return html`<details class="card"${error !== null && html` open`}><summary>Désactiver la validation en deux étapes</summary>
<form class="form" method="post" action="${visit.to('security/disable')}" novalidate>${formStart(visit)}
${failure(error)}${passwordAndCode('disable')}
<button type="submit" class="danger">Désactiver</button></form></details>`
}

/** `form` keeps the ids of the forms of the page distinct. */
function passwordAndCode(form: string): Fragment {
  return html`${formField({ id: `${form}-password`, name: 'password', label: 'Mot de passe', type: 'password', maxLength: 128, autocomplete: 'current-password' })}
${formField({ id: `${form}-totp`, name: 'totp', label: 'Code à 6 chiffres, ou code de secours', maxLength: 32, autocomplete: 'one-time-code' })}`
}

function showEnrolment(visit: Visit, error: ApiError | null): void {
  const secret = visit.app.dashboard.secondFactors.pendingSecret(visit.principal.user.id)
  if (secret === null) return visit.goTo('security')
  const needsPassword = visit.app.dashboard.changes.needsPassword(visit.principal)
  const isElsewhere = error !== null && error.param === undefined && !['totp_incorrect', 'invalid_credentials'].includes(error.code)
  const body = html`${heading('Activer la validation en deux étapes')}
<section class="card"><ol>
<li>Installez une application d’authentification sur votre téléphone : Google Authenticator, Aegis, 2FAS ou une autre.</li>
<li>Scannez ce code avec elle, ou saisissez la clé.</li>
<li>Tapez ci-dessous le code à 6 chiffres qu’elle affiche.</li>
</ol>
<p><img class="code" src="${visit.to('security/qr.svg')}" width="216" height="216" alt="Code QR de la clé de validation"></p>
<p>Clé : <code>${secret.replaceAll(/(.{4})/g, '$1 ').trim()}</code></p></section>
<form class="form card" method="post" action="${visit.to('security/confirm')}" novalidate>${formStart(visit)}
${needsPassword && formField({ name: 'password', label: 'Votre mot de passe', type: 'password', maxLength: 128, autocomplete: 'current-password', error: error?.param === 'password' || error?.code === 'invalid_credentials' ? 'Ce n’est pas votre mot de passe.' : null })}
${formField({ name: 'totp', label: 'Code à 6 chiffres', isCode: true, inputMode: 'numeric', maxLength: 8, autocomplete: 'one-time-code', error: error?.code === 'totp_incorrect' || error?.param === 'totp' ? error.message : null })}
${failure(isElsewhere ? error : null)}
<button type="submit">Activer</button></form>`
  visit.show({ title: 'Activer la validation', place: 'security', body }, error === null ? 200 : 400)
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
  const body = html`${heading('Vos codes de secours', html`<button type="button" data-print hidden>Imprimer</button>`)}
<p>${dayText(visit.app.engine.query('engine.time', null))}, <bdi>${visit.principal.user.email}</bdi></p>
<section class="card"><p><b>Notez-les ou imprimez-les maintenant : ils ne sont montrés qu’une fois.</b> Si vous perdez votre téléphone, chacun remplace un code de validation, une seule fois.</p>
<ul>${codes}</ul></section>
<p><a class="button quiet" href="${visit.to('security')}">J’ai noté les codes</a></p>`
  visit.show({ title: 'Codes de secours', place: 'security', body }, 200)
}
