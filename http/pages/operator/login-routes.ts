// Login and logout of the operator's desk.

import { type Static, Type } from '../../../engine/contract/schema.ts'
import { type Route, route } from '../../server/route.ts'
import { isSameSite } from '../../server/same-site.ts'
import type { Text } from '../../text/text.ts'
import { formField } from '../shared/form-field.ts'
import { html } from '../shared/html.ts'
import { answerPage, type Page, redirectTo } from '../shared/layout.ts'
import { WORDS } from '../shared/shared-words.ts'
import { texts } from '../shared/texts.ts'
import { DESK_FORM, DESK_PAGE, type Desk, type DeskCall, LOST_SESSION } from './desk.ts'
import { OPERATOR_WORDS } from './operator-words.ts'

const TEXTS = texts({
  fr: {
    browserDidNotKeepSession:
      'Votre navigateur n’a pas gardé la session. Le bureau ne fonctionne qu’à une adresse qui commence par https:// et avec les cookies autorisés.',
    formComesFromAnotherSite: 'Ce formulaire vient d’un autre site. Saisissez le jeton ici.',
    notTokenOperator: 'Ce jeton n’est pas celui d’un opérateur.',
    enter: 'Entrer',
    sessionClosesAfterFifteenMinutes: 'La session se ferme après quinze minutes sans activité.',
    tokenOperator: 'Jeton de l’opérateur',
    personalTokenOrValueOperator: 'Votre jeton personnel, ou la valeur de OPERATOR_TOKEN.',
    errorOperatorsDesk: 'Erreur : bureau de l’opérateur',
  },
  en: {
    browserDidNotKeepSession:
      'Your browser did not keep the session. The desk needs an address that begins with https:// and allowed cookies.',
    formComesFromAnotherSite: 'This form comes from another site. Type the token here.',
    notTokenOperator: 'This is not the token of an operator.',
    enter: 'Enter',
    sessionClosesAfterFifteenMinutes: 'The session closes after fifteen minutes without activity.',
    tokenOperator: 'Token of the operator',
    personalTokenOrValueOperator: 'Your personal token, or the value of OPERATOR_TOKEN.',
    errorOperatorsDesk: 'Error: operator’s desk',
  },
})

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

const COOKIE_REFUSED = TEXTS.browserDidNotKeepSession

/** Needs no CSRF token: a forged form would need the operator's token. */
function logIn(desk: Desk, call: DeskCall<Static<typeof LoginForm>>): void {
  if (!isSameSite(call)) return answerPage(call, 403, loginPage(TEXTS.formComesFromAnotherSite))
  const result = desk.sessions.logIn(call.body.token ?? '', call.remoteAddress)
  if (result === 'wrong') return answerPage(call, 200, loginPage(TEXTS.notTokenOperator))
  if (result === 'limited') return answerPage(call, 200, loginPage(OPERATOR_WORDS.tooManyAttemptsFromAddress))
  desk.welcome(call, result.cookie)
}

/** Relative path from `/operator/login` to the root. */
const ROOT = '../'

function loginPage(error: Text | string | null): Page {
  const body = html`<section class="card narrow" aria-labelledby="entrer">
<h1 id="entrer">${WORDS.operatorsDesk}</h1>
<form class="form" method="post" action="login" novalidate>
${formField({ name: 'token', label: TEXTS.tokenOperator, hint: TEXTS.personalTokenOrValueOperator, type: 'password', maxLength: TOKEN_LENGTH_MAX, autocomplete: 'current-password', error })}
<button type="submit">${TEXTS.enter}</button>
</form>
<p class="hint">${TEXTS.sessionClosesAfterFifteenMinutes}</p>
</section>`
  const title = error === null ? WORDS.operatorsDesk : TEXTS.errorOperatorsDesk
  return { title, root: ROOT, look: 'operator/desk.css', body }
}
