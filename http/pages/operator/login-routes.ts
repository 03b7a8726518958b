// Login and logout of the operator's desk.
import { type Static, Type } from '../../../engine/contract/schema.ts'
import { type Route, route } from '../../server/route.ts'
import { isSameSite } from '../../server/same-site.ts'
import { formField } from '../form-field.ts'
import { html, titleOf } from '../html.ts'
import { answerPage, type Page, redirectTo } from '../layout.ts'
import { DESK_FORM, DESK_PAGE, type Desk, type DeskCall, LOST_SESSION } from './desk.ts'

const LoginForm = Type.Object({ token: Type.Optional(Type.String()) })
const LogoutForm = Type.Object({ csrf: Type.Optional(Type.String()) })

export const TOKEN_LENGTH_MAX = 512

export function loginRoutes(desk: Desk): readonly Route[] {
  return [
    route({
      ...DESK_PAGE,
      method: 'GET',
      path: '/operator/login',
      atEveryNode: true,
      operationId: 'showOperatorLogin',
      summary: 'The way in',
      handle: (call) => showLogin(desk, call),
    }),
    route({
      ...DESK_FORM,
      path: '/operator/login',
      atEveryNode: true,
      operationId: 'sendOperatorLogin',
      summary: 'Show the token',
      body: LoginForm,
      handle: (call) => logIn(desk, call),
    }),
    route({
      ...DESK_FORM,
      path: '/operator/logout',
      operationId: 'sendOperatorLogout',
      summary: 'End the session',
      body: LogoutForm,
      handle: (call) => desk.ownForm(call, '../', (session) => desk.farewell(call, session)),
    }),
  ]
}

function showLogin(desk: Desk, call: DeskCall): void {
  if (desk.session(call) !== null) return redirectTo(call, '../operator')
  answerPage(call, 200, loginPage(call.queryText === LOST_SESSION ? COOKIE_REFUSED : null))
}

const COOKIE_REFUSED =
  'Votre navigateur n’a pas gardé la session. Le bureau ne fonctionne qu’à une adresse qui commence par https:// et avec les cookies autorisés.'

/** Needs no CSRF token: a forged form would need the operator's token. */
function logIn(desk: Desk, call: DeskCall<Static<typeof LoginForm>>): void {
  if (!isSameSite(call)) return answerPage(call, 403, loginPage('Ce formulaire vient d’un autre site. Saisissez le jeton ici.'))
  const result = desk.sessions.logIn(call.body.token ?? '', call.remoteAddress)
  if (result === 'wrong') return answerPage(call, 200, loginPage('Ce jeton n’est pas celui d’un opérateur.'))
  if (result === 'limited') return answerPage(call, 200, loginPage('Trop d’essais depuis cette adresse. Réessayez dans dix minutes.'))
  desk.welcome(call, result.cookie)
}

/** Relative path from `/operator/login` to the root. */
const ROOT = '../'

function loginPage(error: string | null): Page {
  const body = html`<section class="card narrow" aria-labelledby="entrer">
<h1 id="entrer">Bureau de l’opérateur</h1>
<form class="form" method="post" action="login" novalidate>
${formField({ name: 'token', label: 'Jeton de l’opérateur', hint: 'Votre jeton personnel, ou la valeur de OPERATOR_TOKEN.', type: 'password', maxLength: TOKEN_LENGTH_MAX, autocomplete: 'current-password', error })}
<button type="submit">Entrer</button>
</form>
<p class="hint">La session se ferme après quinze minutes sans activité.</p>
</section>`
  const title = titleOf(error === null ? 'Bureau de l’opérateur' : 'Erreur : bureau de l’opérateur')
  return { title, root: ROOT, look: 'operator/desk.css', body }
}
