// The pages without a session: sign-up and login.

import type { Currency, KeptCurrencies } from '../../../../engine/kernel/currency.ts'
import { currencyName } from '../../../text/money.ts'
import { composed, type Text } from '../../../text/text.ts'
import { formField } from '../../shared/form-field.ts'
import { type Html, html, type Title } from '../../shared/html.ts'
import type { Page } from '../../shared/layout.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { type Choice, selectField } from '../shared/dashboard-parts.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { TEXTS } from './sign-in-page-messages.ts'

export interface SignInView {
  /** As typed. Passwords are never sent back. */
  readonly merchantName: string
  readonly email: string
  readonly error: { readonly message: Text | string; readonly param?: string; readonly code?: Text | string } | null
  /** Stands for the right password of a user with a second factor, whose code the page asks for; '' before. */
  readonly step?: string
  /** Page below `/dashboard/` that the login leads to. */
  readonly next?: string
}

export const NOTHING_TYPED: SignInView = { merchantName: '', email: '', error: null }

const ROOT = '../'

/** `takesSignups`: whether the page leads to the sign-up form. */
export function loginPage(view: SignInView, takesSignups = true): Page {
  const { email, error, step = '', next = '' } = view
  if (step !== '') return codePage(view)
  return signInPage(
    TEXTS.signIn,
    html`<form class="form" method="post" action="login" novalidate>
${next !== '' && html`<input type="hidden" name="next" value="${next}">`}
${formError(view, [])}
${formField({ name: 'email', label: WORDS.eMailAddress, type: 'email', value: email, maxLength: 254, autocomplete: 'username' })}
${formField({ name: 'password', label: DASHBOARD_WORDS.password, type: 'password', maxLength: 128, autocomplete: 'current-password' })}
<button type="submit">${WORDS.signIn}</button>
</form>
<p class="back"><a class="alone" href="password-reset">${TEXTS.forgottenPassword}</a></p>
${takesSignups && html`<p class="back">${TEXTS.noAccountYetCreateMerchant}</p>`}`,
    error !== null,
  )
}

/** The second page of a login: the password was right, and is not asked for again. */
function codePage({ email, error, step = '', next = '' }: SignInView): Page {
  const isWrong = error?.code === 'totp_incorrect'
  return signInPage(
    TEXTS.verificationCode,
    html`<form class="form" method="post" action="login" novalidate>
${next !== '' && html`<input type="hidden" name="next" value="${next}">`}
<input type="hidden" name="email" value="${email}"><input type="hidden" name="step" value="${step}">
${error !== null && !isWrong && error.code !== 'totp_required' && html`<p class="error" role="alert">${error.message}</p>`}
<p>${TEXTS.account(email)}</p>
${formField({
  name: 'totp',
  label: TEXTS.verificationCode,
  hint: TEXTS.of6DigitCodeAppOr,
  maxLength: 32,
  autocomplete: 'one-time-code',
  hasFocus: true,
  error: isWrong ? error.message : null,
})}
<button type="submit">${WORDS.signIn}</button>
</form>
<p class="back">${TEXTS.phoneAndRecoveryCodesLost}</p>
<p class="back"><a class="alone" href="login">${TEXTS.useAnotherAccount}</a></p>`,
    error !== null && error.code !== 'totp_required',
  )
}

const SIGNUP_FIELDS = ['merchant_name', 'email', 'password'] as const

/** `chosen`: the currency as sent, where the deployment keeps several. */
export function signupPage(view: SignInView, currencies: KeptCurrencies, chosen: string = currencies[0]): Page {
  const { merchantName, email, error } = view
  const about = (name: string): Text | string | null => (error?.param === name ? error.message : null)
  return signInPage(
    TEXTS.createMerchantAccount,
    html`<p class="hint">${TEXTS.whatIsNeeded}</p>
<form class="form" method="post" action="signup" novalidate>
${formError(view, SIGNUP_FIELDS)}
${formField({
  name: 'merchant_name',
  label: TEXTS.nameBusiness,
  hint: TEXTS.customersSeeItWhenThey,
  value: merchantName,
  maxLength: 100,
  autocomplete: 'organization',
  error: about('merchant_name'),
})}
${formField({ name: 'email', label: WORDS.eMailAddress, type: 'email', value: email, maxLength: 254, autocomplete: 'username', error: about('email') })}
${formField({
  name: 'password',
  label: DASHBOARD_WORDS.password,
  hint: DASHBOARD_WORDS.atLeast10CharactersShort,
  type: 'password',
  maxLength: 128,
  autocomplete: 'new-password',
  error: about('password'),
})}
${currencies.length > 1 && selectField('currency', TEXTS.currency, currencies.map(currencyChoice), chosen)}
<button type="submit">${TEXTS.createMyAccount}</button>
</form>
<p class="back">${TEXTS.alreadyHaveAccountSignIn}</p>`,
    error !== null,
  )
}

function currencyChoice(currency: Currency): Choice {
  return { value: currency, words: composed`${currencyName(currency)} (${currency})` }
}

/** The sign-up page where the setting SIGNUP is `closed`: it has no form. */
export function closedPage(): Page {
  return signInPage(
    TEXTS.createMerchantAccount,
    html`<p>${TEXTS.signUpClosedOurTeam}</p>
<p class="back">${TEXTS.alreadyHaveAccountSignIn}</p>`,
    false,
  )
}

function formError({ error }: SignInView, fields: readonly string[]): Html | false {
  return error !== null && !fields.includes(error.param ?? '') && html`<p class="error" role="alert">${error.message}</p>`
}

function signInPage(titling: Title, form: Html, hasError: boolean): Page {
  const title = titling
  const body = html`<section class="card narrow"><h1>${title}</h1>${form}</section>`
  return {
    title: hasError ? WORDS.error(title) : title,
    root: ROOT,
    look: 'dashboard/shared/dashboard.css',
    script: 'dashboard/shared/dashboard.js',
    body,
  }
}
