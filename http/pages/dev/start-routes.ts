// The first page in development: links to the pages of the server. Other clients of `/` get 404, as in production.

import { type Call, type Route, route } from '../../server/route.ts'
import type { Text } from '../../text/text.ts'
import { type Html, html } from '../shared/html.ts'
import { answerPage, type Page, redirectTo } from '../shared/layout.ts'
import { WORDS } from '../shared/shared-words.ts'
import { devPage } from './dev-page.ts'
import { DEV_WORDS } from './dev-words.ts'
import { isFromHere } from './local-guard.ts'
import { TEXTS } from './start-routes-messages.ts'

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
  const row = (path: string, name: Text | string, text: Text | string): Html =>
    html`<li><a href="${path}">${name}</a> <span class="hint">${text}</span></li>`
  const body = html`<section class="card narrow">
<h1>${TEXTS.cauriInDevelopment}</h1>
<ul class="starts">
${row('dashboard/test', WORDS.dashboard, TEXTS.demoMerchantNpmStartPrints)}
${row('dev/phone', DEV_WORDS.simulatedPhone, TEXTS.walletCustomerPaySendSettle)}
${row('dev', DEV_WORDS.inbox, TEXTS.smsNotificationsEMailsAnd)}
${hasDesk && row('operator', WORDS.operatorsDesk, TEXTS.opensWithOperatorToken)}
${row('docs', WORDS.documentation, TEXTS.quickstartGuidesAndApiReference)}
${row('openapi.yaml', TEXTS.apiDocument, TEXTS.openAPI31SameAs)}
</ul>
${!hasDesk && html`<p class="hint">${TEXTS.withOperatorTokenOperatorsDesk}</p>`}
</section>`
  return devPage({ title: DEV_WORDS.development, root: '', here: 'start', body })
}
