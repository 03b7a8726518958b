// The first page in development: links to the pages of the server. Other clients of `/` get 404, as in production.
import { type Call, type Route, route } from '../../server/route.ts'
import { type Html, html } from '../html.ts'
import { answerPage, type Page, redirectTo } from '../layout.ts'
import { devPage } from './dev-page.ts'
import { isFromHere } from './local-guard.ts'

/** `hasDesk` is true when the operator's desk is on. */
export function startRoutes(hasDesk: boolean): readonly Route[] {
  return [
    route({
      tag: 'Pages',
      auth: 'public',
      idempotency: 'none',
      method: 'GET',
      path: '/',
      operationId: 'showStart',
      summary: 'Links to the pages of the server',
      responses: [{ status: 200, description: 'The page.', contentType: 'text/html' }],
      errors: ['not_found'],
      handle: (call) => showStart(call, hasDesk),
    }),
  ]
}

function showStart(call: Call, hasDesk: boolean): void {
  if (!call.accept.includes('text/html')) return call.refuse('not_found')
  if (!isFromHere(call)) return redirectTo(call, 'dashboard')
  answerPage(call, 200, startPage(hasDesk))
}

function startPage(hasDesk: boolean): Page {
  const row = (path: string, name: string, text: string): Html =>
    html`<li><a href="${path}">${name}</a> <span class="hint">${text}</span></li>`
  const body = html`<section class="card narrow">
<h1>Cauri, en développement</h1>
<ul class="starts">
${row('dashboard/test', 'Tableau de bord', 'Du marchand de démonstration : npm start affiche son adresse e-mail et son mot de passe.')}
${row('dev/phone', 'Téléphone simulé', 'Le portefeuille d’un client : payer, envoyer, régler une facture.')}
${row('dev', 'Courrier', 'Les SMS, notifications, e-mails et webhooks qui sont partis.')}
${hasDesk && row('operator', 'Bureau de l’opérateur', 'S’ouvre avec OPERATOR_TOKEN.')}
${row('docs', 'Documentation', 'Premiers pas, guides et référence de l’API, en quatre langages.')}
${row('openapi.yaml', 'Document de l’API', 'OpenAPI 3.1 ; le même en JSON à /openapi.json.')}
</ul>
${!hasDesk && html`<p class="hint">Avec OPERATOR_TOKEN, le bureau de l’opérateur s’ouvre à /operator.</p>`}
</section>`
  return devPage({ title: 'Développement', root: '', here: 'start', body })
}
