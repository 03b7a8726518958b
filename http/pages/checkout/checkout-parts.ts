// Parts that the checkout page and the approval page share: the two forms, field errors, names and dates.
import type { ErrorCode } from '../../../engine/contract/errors.ts'
import { parseRfc3339 } from '../../../engine/kernel/time.ts'
import { ERROR_MESSAGES } from '../../text/error-messages.ts'
import { prettyAmount } from '../../workers/gateways/message.ts'
import { longDayAndTime } from '../date-text.ts'
import { type Fragment, type Html, html, type Localized } from '../html.ts'
import type { FieldError, FieldName, Misspelling, Progress } from './checkout-progress.ts'

/** Returns the field of the first form. */
export function identifierField(progress: Progress): Html {
  return field(progress, {
    name: 'identifier',
    label: 'Votre identifiant Cauri',
    hint: 'Votre @tag, ou votre numéro avec l’indicatif : +225 07…',
    input: (described) =>
      html`<input id="identifier" name="identifier" value="${progress.identifier}" required maxlength="64" autocomplete="username" autocapitalize="none" autocorrect="off" spellcheck="false"${described}>`,
  })
}

/** Returns the fields of the second form. */
export function codeFields(progress: Progress): Html {
  return html`${field(progress, {
    name: 'otp',
    label: 'Code reçu par SMS',
    hint: null,
    input: (described) =>
      html`<input id="otp" name="otp" class="digits" value="${progress.otp}" required maxlength="6" inputmode="numeric" autocomplete="one-time-code"${progress.error === null && html` autofocus`}${described}>`,
  })}
${field(progress, {
  name: 'pin',
  label: 'Code PIN de votre portefeuille',
  hint: null,
  input: (described) =>
    html`<input id="pin" name="pin" type="password" class="digits" required maxlength="6" inputmode="numeric" autocomplete="off"${described}>`,
})}`
}

/** From this amount on a smaller font size keeps the amount on one line of a small phone. */
export const LONG_AMOUNT = 1_000_000

/** Isolates a merchant's text, so that a direction mark in it cannot reorder the page's own text. */
export function named(merchantName: string): Html {
  return html`<b><bdi>${merchantName}</bdi></b>`
}

interface Field {
  readonly name: Exclude<FieldName, 'form'>
  readonly label: string
  readonly hint: string | null
  /** Returns the input. `described` are the attributes that link it to its hint and its error. */
  readonly input: (described: Fragment) => Html
}

function field({ error }: Progress, { name, label, hint, input }: Field): Html {
  const mine = error?.field === name ? error : null
  const describedBy = [hint !== null && `${name}-hint`, mine !== null && `${name}-error`].filter((id) => id !== false).join(' ')
  const described = html`${describedBy !== '' && html` aria-describedby="${describedBy}"`}${mine !== null && html` aria-invalid="true" autofocus`}`
  return html`<div class="field">
<label for="${name}">${label}</label>
${hint !== null && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${input(described)}
${mine !== null && html`<p class="error" id="${name}-error">${errorText(mine)}</p>`}
</div>`
}

export function formError({ error }: Progress): Fragment {
  return error?.field === 'form' && html`<p class="error" role="alert">${errorText(error)}</p>`
}

const SPELLING: Readonly<Record<Misspelling, string>> = {
  identifier_form: 'Saisissez votre @tag, ou votre numéro avec l’indicatif du pays, par exemple +225 07 00 00 00 00.',
  otp_form: 'Saisissez les 6 chiffres reçus par SMS.',
  pin_form: 'Saisissez votre code PIN, de 4 à 6 chiffres.',
}

function errorText({ code, attemptsLeft, retryAfterS, missing }: FieldError): string {
  const message = code in SPELLING ? SPELLING[code as Misspelling] : ERROR_MESSAGES.fr[code as ErrorCode]
  if (attemptsLeft !== null) return `${message} Il vous reste ${attemptsLeft} ${attemptsLeft === 1 ? 'essai' : 'essais'}.`
  if (missing !== undefined) return `${message} Il vous manque ${prettyAmount(missing)} : approvisionnez votre portefeuille, puis payez.`
  if (code !== 'pin_locked' || retryAfterS === null) return message
  return `Le code PIN est bloqué après plusieurs erreurs. Réessayez dans ${Math.ceil(retryAfterS / 60)} min.`
}

export const CHECK = html`<svg class="mark" viewBox="0 0 48 48" aria-hidden="true" focusable="false"><circle cx="24" cy="24" r="22"/><path d="M14 24.500l7 7 13-15"/></svg>`
export const CLOCK = html`<svg class="mark" viewBox="0 0 48 48" aria-hidden="true" focusable="false"><circle cx="24" cy="24" r="22"/><path d="M24 12v13l8 5"/></svg>`
export const CROSS = html`<svg class="mark" viewBox="0 0 48 48" aria-hidden="true" focusable="false"><circle cx="24" cy="24" r="22"/><path d="M16 16l16 16M32 16L16 32"/></svg>`

export function longDate(time: string): Localized {
  return longDayAndTime(parseRfc3339(time))
}
