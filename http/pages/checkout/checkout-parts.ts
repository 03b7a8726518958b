// Parts that the checkout page and the approval page share: the two forms, field errors, names and dates.

import type { ShownMerchant } from '../../../engine/api.ts'
import type { ErrorCode } from '../../../engine/contract/errors.ts'
import { parseRfc3339 } from '../../../engine/kernel/time.ts'
import { errorText } from '../../text/error-text.ts'
import type { Text } from '../../text/text.ts'
import { amountText } from '../shared/amount-text.ts'
import { longDayAndTime } from '../shared/date-text.ts'
import { type Fragment, type Html, html } from '../shared/html.ts'
import { WORDS } from '../shared/shared-words.ts'
import { TEXTS } from './checkout-parts-messages.ts'
import type { FieldError, FieldName, Misspelling, Progress } from './checkout-progress.ts'

/** Returns the field of the first form. */
export function identifierField(progress: Progress): Html {
  return field(progress, {
    name: 'identifier',
    label: TEXTS.cauriIdentifier,
    hint: TEXTS.tagOrNumberWithIts,
    input: (described) =>
      html`<input id="identifier" name="identifier" value="${progress.identifier}" required maxlength="64" autocomplete="username" autocapitalize="none" autocorrect="off" spellcheck="false"${described}>`,
  })
}

/** Returns the fields of the second form. */
export function codeFields(progress: Progress): Html {
  return html`${field(progress, {
    name: 'otp',
    label: WORDS.codeReceivedBySms,
    hint: null,
    input: (described) =>
      html`<input id="otp" name="otp" class="digits" value="${progress.otp}" required maxlength="6" inputmode="numeric" autocomplete="one-time-code"${progress.error === null && html` autofocus`}${described}>`,
  })}
${field(progress, {
  name: 'pin',
  label: TEXTS.pinWallet,
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

/** The logo that an operator approved, and the address; nothing where the shop has neither. `root` is the path to the root. */
export function shopPart(root: string, { merchantAddress: address, merchantLogo: logo }: Omit<ShownMerchant, 'merchantName'>): Fragment {
  if (logo === null && address === null) return null
  return html`<p class="shop">${logo !== null && html`<img src="${root}logos/${logo.file}" width="56" height="56" alt="">`}${address !== null && html`<bdi>${address}</bdi>`}</p>`
}

interface Field {
  readonly name: Exclude<FieldName, 'form'>
  readonly label: Text | string
  readonly hint: Text | string | null
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
${mine !== null && html`<p class="error" id="${name}-error">${fieldErrorText(mine)}</p>`}
</div>`
}

export function formError({ error }: Progress): Fragment {
  return error?.field === 'form' && html`<p class="error" role="alert">${fieldErrorText(error)}</p>`
}

const SPELLING: Readonly<Record<Misspelling, Text>> = {
  identifier_form: TEXTS.typeTagOrNumberWith,
  otp_form: TEXTS.type6DigitsReceivedBy,
  pin_form: TEXTS.typePin46Digits,
}

function fieldErrorText({ code, attemptsLeft, retryAfterS, missing }: FieldError): Text {
  const message = code in SPELLING ? SPELLING[code as Misspelling] : errorText({ code: code as ErrorCode })
  if (attemptsLeft !== null) return TEXTS.haveLeft(message, attemptsLeft, attemptsLeft === 1 ? TEXTS.attempt : TEXTS.attempts)
  if (missing !== undefined) return TEXTS.shortAddMoneyWalletThen(message, amountText(missing.amount, missing.currency))
  if (code !== 'pin_locked' || retryAfterS === null) return message
  return TEXTS.pinLockedAfterSeveralErrors(Math.ceil(retryAfterS / 60))
}

export const CHECK = html`<svg class="mark" viewBox="0 0 48 48" aria-hidden="true" focusable="false"><circle cx="24" cy="24" r="22"/><path d="M14 24.500l7 7 13-15"/></svg>`
export const CLOCK = html`<svg class="mark" viewBox="0 0 48 48" aria-hidden="true" focusable="false"><circle cx="24" cy="24" r="22"/><path d="M24 12v13l8 5"/></svg>`
export const CROSS = html`<svg class="mark" viewBox="0 0 48 48" aria-hidden="true" focusable="false"><circle cx="24" cy="24" r="22"/><path d="M16 16l16 16M32 16L16 32"/></svg>`

export function longDate(time: string): Text {
  return longDayAndTime(parseRfc3339(time))
}
