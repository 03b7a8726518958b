// The routes of sign-up, login and logout. A successful form is answered with a redirect (303), a failed one with the form
// again.
import { publicActivation } from '../../../engine/api.ts'
import type { ErrorValue } from '../../../engine/contract/errors.ts'
import { type Static, Type } from '../../../engine/contract/schema.ts'
import type { OpenedSession } from '../../auth/dashboard/dashboard-access.ts'
import type { NotOpened, SignInCall } from '../../auth/dashboard/sign-in-outcome.ts'
import { later } from '../../server/later.ts'
import { type Route, route } from '../../server/route.ts'
import { apiError } from '../api-calls.ts'
import { answerPage, redirectTo } from '../layout.ts'
import { LOST_SESSION, loginAddress, nextPage, SIGNED_IN, SIGNED_UP } from './login-address.ts'
import { simplePage } from './shell.ts'
import { closedPage, loginPage, NOTHING_TYPED, type SignInView, signupPage } from './sign-in-page.ts'
import { type DashboardParts, FORM, formRow, isForeign, PAGE, type PageCall } from './visit.ts'

const FIELD = Type.Optional(Type.String())
const LoginForm = Type.Object({ email: FIELD, password: FIELD, totp: FIELD, step: FIELD, next: FIELD })
const SignupForm = Type.Object({ merchant_name: FIELD, email: FIELD, password: FIELD })

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
        parts.app.dashboard.takesSignups ? answerPage(call, 200, signupPage(NOTHING_TYPED)) : answerPage(call, 403, closedPage()),
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
  const message = app.baseUrl.startsWith('https:') ? `${COOKIE_REFUSED} Ouvrez ${app.baseUrl}/dashboard.` : COOKIE_REFUSED
  answerPage(call, 200, loginPage({ ...NOTHING_TYPED, error: { message } }, app.dashboard.takesSignups))
}

const COOKIE_REFUSED =
  'Votre navigateur n’a pas gardé la session. Le tableau de bord ne fonctionne qu’à une adresse qui commence par https:// et avec les cookies autorisés.'

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

const STEP_OVER = 'La saisie du code a pris trop de temps. Saisissez de nouveau votre mot de passe.'

function signUp(parts: DashboardParts, call: PageCall<Static<typeof SignupForm>> & SignInCall): void {
  if (isForeign(call)) return refuseForeign(call)
  const { merchant_name = '', email = '', password = '' } = call.body
  if (!parts.app.dashboard.takesSignups) return answerPage(call, 403, closedPage())
  const [merchantName, address] = [merchant_name.trim(), email.trim()]
  later(call, async () => {
    const fault = parts.api.faultIn('signUpMerchant', { merchant_name: merchantName, email: address, password })
    if (fault !== null)
      return answerPage(
        call,
        400,
        signupPage({ merchantName, email: address, error: { ...fault, message: SPELLING[fault.param ?? ''] ?? fault.message } }),
      )
    const opened = await parts.app.dashboard.signUp(call, { merchantName, email: address, password })
    answer(call, opened, `test?ok=${SIGNED_UP}`, (error) => signupPage({ merchantName, email: address, error }))
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
  const wait = opened.retryAfterS !== null && opened.retryAfterS > 60 ? ` Réessayez dans ${Math.ceil(opened.retryAfterS / 60)} min.` : ''
  // The page of the code is the next one, no refusal.
  const status = error.code === 'totp_required' ? 200 : opened.status
  answerPage(call, status, again({ ...error, message: error.message + wait }, opened.step))
}

const SPELLING: Readonly<Record<string, string>> = {
  merchant_name: 'Saisissez le nom de votre commerce, de 1 à 100 caractères.',
  email: 'Saisissez une adresse e-mail, par exemple compta@boutique.ci.',
  password: 'Le mot de passe compte 128 caractères au plus.',
}

/** Rejects a form of another site, against login CSRF. */
function refuseForeign(call: PageCall): void {
  answerPage(call, 403, simplePage({ root: ROOT, title: 'Formulaire refusé', text: 'Ce formulaire vient d’un autre site.' }))
}
