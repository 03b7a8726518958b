// The API as a page: its address, the first call, and the routes of merchants. What a route takes and answers stands on its page of
// the reference, which is loaded when it is asked for.

import { isForMerchants } from '../../../openapi/openapi.ts'
import type { Route } from '../../../server/route.ts'
import { routeList } from '../../docs/route-list.ts'
import { type Fragment, type Html, html } from '../../shared/html.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { texts } from '../../shared/texts.ts'
import { facts, heading } from '../shared/dashboard-parts.ts'
import { type DashboardParts, pageRow, type Visit } from '../shared/dashboard-visit.ts'
import { copyable, copyButton } from '../shared/share-links.ts'

const TEXTS = texts({
  fr: {
    documentationQuickstartGuidesAndExamples: (root: Fragment) =>
      html`<a href="${root}docs">Documentation</a> : premiers pas, guides et exemples en curl, Node.js, Python et PHP.`,
    eachRouteLeadsItsPage: (reference: Fragment) =>
      html`Chaque route mène à sa page de la <a href="${reference}">référence</a> : requête, champs, réponse et erreurs.`,
    filterOperations: 'Filtrer les opérations',
    chargesRefundPost: 'charges, refund, POST…',
    firstCall: 'Premier appel',
    keys: 'Clés',
    createKeyItsPublicKey: (value: Fragment) =>
      html`<a href="${value}">Créer une clé</a> : sa clé publique est API_KEY, son secret API_SECRET.`,
  },
  en: {
    documentationQuickstartGuidesAndExamples: (root) =>
      html`<a href="${root}docs">Documentation</a>: quickstart, guides and examples in curl, Node.js, Python and PHP.`,
    eachRouteLeadsItsPage: (reference) =>
      html`Each route leads to its page of the <a href="${reference}">reference</a>: request, fields, response and errors.`,
    filterOperations: 'Filter the operations',
    chargesRefundPost: 'charges, refund, POST…',
    firstCall: 'First call',
    keys: 'Keys',
    createKeyItsPublicKey: (value) => html`<a href="${value}">Create a key</a>: its public key is API_KEY, its secret API_SECRET.`,
  },
})

export function apiRows(parts: DashboardParts): readonly Route[] {
  const { api } = parts
  return [
    pageRow(parts, {
      path: '/api',
      operationId: 'showApi',
      needs: null,
      summary: 'The API',
      show: (visit) => {
        const reference = `${visit.root}docs/reference`
        const body = html`${heading('API', html`<a class="button quiet" href="${visit.root}openapi.yaml?audience=merchant">openapi.yaml</a>`)}
<p>${TEXTS.documentationQuickstartGuidesAndExamples(visit.root)}</p>
${firstCall(visit)}
<p>${TEXTS.eachRouteLeadsItsPage(reference)}</p>
<div class="field" hidden><label for="operations">${TEXTS.filterOperations}</label><input id="operations" type="search" placeholder="${TEXTS.chargesRefundPost}" autocomplete="off" autocapitalize="none" spellcheck="false" data-filter></div>
<div class="reference">${routeList(api.routes().filter(isForMerchants), reference)}</div>`
        visit.show({ title: 'API', place: 'api', body })
      },
    }),
  ]
}

/** The route of the first call: it checks a key and changes nothing. */
const FIRST_PATH = '/v1/biz/ping'

function firstCall(visit: Visit): Html {
  const { baseUrl } = visit.app
  const command = `curl -sS '${baseUrl}${FIRST_PATH}' \\\n  -H "X-Api-Key: $API_KEY" \\\n  -H "X-Api-Secret: $API_SECRET"`
  return html`${facts([
    [WORDS.address, copyable('base-url', baseUrl)],
    [TEXTS.keys, html`${TEXTS.createKeyItsPublicKey(visit.to('keys'))}`],
  ])}
<section class="card"><div class="example-head"><h2>${TEXTS.firstCall}</h2>${copyButton('first-call', WORDS.copy)}</div>
<pre tabindex="0" id="first-call">${command}</pre></section>`
}
