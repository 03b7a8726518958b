// The pages without a session: sign-up and login.
import { formField } from '../form-field.ts'
import { type Html, html, type Titling, titled, titleOf } from '../html.ts'
import type { Page } from '../layout.ts'

export interface SignInView {
  /** As typed. Passwords are never sent back. */
  readonly merchantName: string
  readonly email: string
  readonly error: { readonly message: string; readonly param?: string; readonly code?: string } | null
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
    'Connexion',
    html`<form class="form" method="post" action="login" novalidate>
${next !== '' && html`<input type="hidden" name="next" value="${next}">`}
${formError(view, [])}
${formField({ name: 'email', label: 'Adresse e-mail', type: 'email', value: email, maxLength: 254, autocomplete: 'username' })}
${formField({ name: 'password', label: 'Mot de passe', type: 'password', maxLength: 128, autocomplete: 'current-password' })}
<button type="submit">Se connecter</button>
</form>
<p class="back"><a class="alone" href="password-reset">Mot de passe oublié ?</a></p>
${takesSignups && html`<p class="back">Pas encore de compte ? <a href="signup">Créer un compte marchand</a></p>`}`,
    error !== null,
  )
}

/** The second page of a login: the password was right, and is not asked for again. */
function codePage({ email, error, step = '', next = '' }: SignInView): Page {
  const isWrong = error?.code === 'totp_incorrect'
  return signInPage(
    'Code de validation',
    html`<form class="form" method="post" action="login" novalidate>
${next !== '' && html`<input type="hidden" name="next" value="${next}">`}
<input type="hidden" name="email" value="${email}"><input type="hidden" name="step" value="${step}">
${error !== null && !isWrong && error.code !== 'totp_required' && html`<p class="error" role="alert">${error.message}</p>`}
<p>Compte : <bdi>${email}</bdi></p>
${formField({
  name: 'totp',
  label: 'Code de validation',
  hint: 'Le code à 6 chiffres de votre application, ou un code de secours.',
  maxLength: 32,
  autocomplete: 'one-time-code',
  hasFocus: true,
  error: isWrong ? error.message : null,
})}
<button type="submit">Se connecter</button>
</form>
<p class="back">Téléphone et codes de secours perdus ? Demandez à un propriétaire de votre compte, ou à notre équipe, de désactiver la validation.</p>
<p class="back"><a class="alone" href="login">Utiliser un autre compte</a></p>`,
    error !== null && error.code !== 'totp_required',
  )
}

const SIGNUP_FIELDS = ['merchant_name', 'email', 'password'] as const

export function signupPage(view: SignInView): Page {
  const { merchantName, email, error } = view
  const about = (name: string): string | null => (error?.param === name ? error.message : null)
  return signInPage(
    'Créer un compte marchand',
    html`<form class="form" method="post" action="signup" novalidate>
${formError(view, SIGNUP_FIELDS)}
${formField({
  name: 'merchant_name',
  label: 'Nom de votre commerce',
  hint: 'Vos clients le voient au moment de payer.',
  value: merchantName,
  maxLength: 100,
  autocomplete: 'organization',
  error: about('merchant_name'),
})}
${formField({ name: 'email', label: 'Adresse e-mail', type: 'email', value: email, maxLength: 254, autocomplete: 'username', error: about('email') })}
${formField({
  name: 'password',
  label: 'Mot de passe',
  hint: 'Au moins 10 caractères. Une phrase courte convient très bien.',
  type: 'password',
  maxLength: 128,
  autocomplete: 'new-password',
  error: about('password'),
})}
<button type="submit">Créer mon compte</button>
</form>
<p class="back">Déjà un compte ? <a href="login">Se connecter</a></p>`,
    error !== null,
  )
}

/** The sign-up page where the setting SIGNUP is `closed`: it has no form. */
export function closedPage(): Page {
  return signInPage(
    'Créer un compte marchand',
    html`<p>L’inscription est fermée : les comptes sont ouverts par notre équipe. Écrivez-lui, ou demandez une invitation à un membre de votre commerce.</p>
<p class="back">Déjà un compte ? <a href="login">Se connecter</a></p>`,
    false,
  )
}

function formError({ error }: SignInView, fields: readonly string[]): Html | false {
  return error !== null && !fields.includes(error.param ?? '') && html`<p class="error" role="alert">${error.message}</p>`
}

function signInPage<Text extends string>(titling: Titling<Text>, form: Html, hasError: boolean): Page {
  const title = titleOf<Text>(titling)
  const body = html`<section class="card narrow"><h1>${title}</h1>${form}</section>`
  return {
    title: hasError ? titled`Erreur : ${title}` : title,
    root: ROOT,
    look: 'dashboard/dashboard.css',
    script: 'dashboard/dashboard.js',
    body,
  }
}
