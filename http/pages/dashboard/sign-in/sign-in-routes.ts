// The routes of sign-up, login and logout. A successful form is answered with a redirect (303), a failed one with the form
// again.

import { publicActivation } from '../../../../engine/api.ts'
import type { ErrorValue } from '../../../../engine/contract/errors.ts'
import { type Static, Type } from '../../../../engine/contract/schema.ts'
import type { OpenedSession } from '../../../auth/dashboard/dashboard-access.ts'
import type { NotOpened, SignInCall } from '../../../auth/dashboard/sign-in-outcome.ts'
import { later } from '../../../server/later.ts'
import { type Route, route } from '../../../server/route.ts'
import type { Text } from '../../../text/text.ts'
import { apiError } from '../../shared/api-calls.ts'
import { answerPage, type Page, redirectTo } from '../../shared/layout.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { texts } from '../../shared/texts.ts'
import { type DashboardParts, FORM, formRow, isForeign, PAGE, type PageCall } from '../shared/dashboard-visit.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { LOST_SESSION, loginAddress, nextPage, SIGNED_IN, SIGNED_UP } from '../shared/login-address.ts'
import { simplePage } from '../shared/shell.ts'
import { closedPage, loginPage, NOTHING_TYPED, type SignInView, signupPage } from './sign-in-page.ts'

const TEXTS = texts({
  fr: {
    cookieRefusedOpen: (refused: string, address: string) => `${refused} Ouvrez ${address}.`,
    errorAndWait: (error: string, wait: string) => `${error} ${wait}`,
    browserDidNotKeepSession:
      'Votre navigateur n’a pas gardé la session. Le tableau de bord ne fonctionne qu’à une adresse qui commence par https:// et avec les cookies autorisés.',
    typingCodeTookTooLong: 'La saisie du code a pris trop de temps. Saisissez de nouveau votre mot de passe.',
    tryAgainInMin: (value: number) => ` Réessayez dans ${value} min.`,
    typeNameBusiness1100: 'Saisissez le nom de votre commerce, de 1 à 100 caractères.',
    passwordHas128CharactersAt: 'Le mot de passe compte 128 caractères au plus.',
  },
  en: {
    cookieRefusedOpen: (refused, address) => `${refused} Open ${address}.`,
    errorAndWait: (error, wait) => `${error} ${wait}`,
    browserDidNotKeepSession:
      'Your browser did not keep the session. The dashboard needs an address that begins with https:// and allowed cookies.',
    typingCodeTookTooLong: 'Typing the code took too long. Type your password again.',
    tryAgainInMin: (value) => `Try again in ${value} min.`,
    typeNameBusiness1100: 'Type the name of your business, 1 to 100 characters.',
    passwordHas128CharactersAt: 'The password has 128 characters at most.',
  },
})

const FIELD = Type.Optional(Type.String())
const LoginForm = Type.Object({ email: FIELD, password: FIELD, totp: FIELD, step: FIELD, next: FIELD })
const SignupForm = Type.Object({ merchant_name: FIELD, email: FIELD, password: FIELD, currency: FIELD })

const ROOT = '../'
/** Longer than any code of an app or recovery code. */
const CODE_LENGTH_MAX = 32

export function signInRows(parts: DashboardParts): readonly Route[] {
  return [
    route({
      ...PAGE,
      method: 'GET',
      path: '/dashboard',
      operationId: 'showDashboard',
      summary: 'To the home page',
      handle: (call) => showEntrance(parts, call),
    }),
    route({
      ...PAGE,
      method: 'GET',
      path: '/dashboard/login',
      operationId: 'showLogin',
      summary: 'The login form',
      handle: (call) => showLogin(parts, call),
    }),
    route({
      ...FORM,
      path: '/dashboard/login',
      operationId: 'sendLogin',
      summary: 'Log in',
      body: LoginForm,
      handle: (call) => logIn(parts, call),
    }),
    route({
      ...PAGE,
      method: 'GET',
      path: '/dashboard/signup',
      operationId: 'showSignup',
      summary: 'The sign-up form',
      handle: (call) =>
        parts.app.dashboard.takesSignups
          ? answerPage(call, 200, signupPage(NOTHING_TYPED, parts.app.currencies))
          : answerPage(call, 403, closedPage()),
    }),
    route({
      ...FORM,
      path: '/dashboard/signup',
      operationId: 'sendSignup',
      summary: 'Sign up',
      body: SignupForm,
      handle: (call) => signUp(parts, call),
    }),
    formRow(parts, {
      path: '/logout',
      operationId: 'sendLogout',
      needs: 'logOutOfDashboard',
      summary: 'Log out',
      fields: [],
      act: async (visit) => {
        await visit.ask('logOutOfDashboard')
        redirectTo(visit.call, `${visit.root}dashboard/login`, [parts.app.dashboard.sessions.closed()])
      },
    }),
  ]
}

/** Redirects to the first page: to live where the merchant is active, else to test. The query says what led here. */
function showEntrance({ app }: DashboardParts, call: PageCall): void {
  const principal = app.dashboard.sessions.check(call.browser.cookie, 'live')
  if (principal === null) return redirectTo(call, `dashboard/${loginAddress(call.queryText)}`)
  const environment = publicActivation(principal.merchant).state === 'active' ? 'live' : 'test'
  const { queryText } = call
  redirectTo(call, `dashboard/${environment}${queryText === '' ? '' : `?${queryText}`}`)
}

/** Shows the login. `session=lost` means a correct password and a browser that rejected the cookie. */
function showLogin({ app }: DashboardParts, call: PageCall): void {
  const query = new URLSearchParams(call.queryText)
  const next = nextPage(query.get('next') ?? undefined)
  if (!query.has(...LOST_SESSION)) return answerPage(call, 200, loginPage({ ...NOTHING_TYPED, next }, app.dashboard.takesSignups))
  const message = app.baseUrl.startsWith('https:') ? TEXTS.cookieRefusedOpen(COOKIE_REFUSED, `${app.baseUrl}/dashboard`) : COOKIE_REFUSED
  answerPage(call, 200, loginPage({ ...NOTHING_TYPED, error: { message } }, app.dashboard.takesSignups))
}

const COOKIE_REFUSED = TEXTS.browserDidNotKeepSession

function logIn(parts: DashboardParts, call: PageCall<Static<typeof LoginForm>> & SignInCall): void {
  if (isForeign(call)) return refuseForeign(call)
  const { email = '', password = '', totp = '', step = '' } = call.body
  const { dashboard } = parts.app
  const next = nextPage(call.body.next)
  const to = next === '' ? `../dashboard?ok=${SIGNED_IN}` : `${next}${next.includes('?') ? '&' : '?'}ok=${SIGNED_IN}`
  later(call, async () => {
    const code = totp.slice(0, CODE_LENGTH_MAX)
    const opened = await (step === '' ? dashboard.logIn(call, email.trim(), password, code) : dashboard.logInByStep(call, step, code))
    answer(call, opened, to, (error, again = '') => {
      const shown = step !== '' && error?.code === 'unauthorized' ? { ...error, message: STEP_OVER } : error
      return loginPage({ ...NOTHING_TYPED, email, error: shown, step: again, next }, dashboard.takesSignups)
    })
  })
}

const STEP_OVER = TEXTS.typingCodeTookTooLong

function signUp(parts: DashboardParts, call: PageCall<Static<typeof SignupForm>> & SignInCall): void {
  if (isForeign(call)) return refuseForeign(call)
  const { merchant_name = '', email = '', password = '', currency } = call.body
  if (!parts.app.dashboard.takesSignups) return answerPage(call, 403, closedPage())
  const [merchantName, address] = [merchant_name.trim(), email.trim()]
  const chosen = currency === undefined ? {} : { currency }
  const again = (error: SignInView['error']): Page => signupPage({ merchantName, email: address, error }, parts.app.currencies, currency)
  later(call, async () => {
    const fault = parts.api.faultIn('signUpMerchant', { merchant_name: merchantName, email: address, password, ...chosen })
    if (fault !== null) return answerPage(call, 400, again({ ...fault, message: SPELLING[fault.param ?? ''] ?? fault.message }))
    const opened = await parts.app.dashboard.signUp(call, { merchantName, email: address, password, ...chosen })
    answer(call, opened, `test?ok=${SIGNED_UP}`, again)
  })
}

function answer(
  call: PageCall,
  opened: OpenedSession | NotOpened,
  next: string,
  again: (error: SignInView['error'], step?: string) => ReturnType<typeof loginPage>,
): void {
  if ('token' in opened) return redirectTo(call, next, opened.cookies)
  const error = apiError(opened.body === '' ? { code: 'internal_error' } : (JSON.parse(opened.body) as ErrorValue))
  const wait = opened.retryAfterS !== null && opened.retryAfterS > 60 ? TEXTS.tryAgainInMin(Math.ceil(opened.retryAfterS / 60)) : null
  // The page of the code is the next one, no refusal.
  const status = error.code === 'totp_required' ? 200 : opened.status
  answerPage(
    call,
    status,
    again({ ...error, message: wait === null ? error.message : TEXTS.errorAndWait(error.message, wait) }, opened.step),
  )
}

const SPELLING: Readonly<Record<string, Text | string>> = {
  merchant_name: TEXTS.typeNameBusiness1100,
  email: DASHBOARD_WORDS.typeEMailAddressFor,
  password: TEXTS.passwordHas128CharactersAt,
}

/** Rejects a form of another site, against login CSRF. */
function refuseForeign(call: PageCall): void {
  answerPage(call, 403, simplePage({ root: ROOT, title: WORDS.formRejected, text: DASHBOARD_WORDS.formComesFromAnotherSite }))
}
