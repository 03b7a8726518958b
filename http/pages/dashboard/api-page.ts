// The API as a page: its address, the first call, and the routes of merchants. What a route takes and answers stands on its page of
// the reference, which is loaded when it is asked for.
import { isForMerchants } from '../../openapi/openapi.ts'
import type { Route } from '../../server/route.ts'
import { routeList } from '../docs/route-list.ts'
import { type Html, html } from '../html.ts'
import { facts, heading } from './dashboard-parts.ts'
import { copyable, copyButton } from './share.ts'
import { type DashboardParts, pageRow, type Visit } from './visit.ts'

export function apiRows(parts: DashboardParts): readonly Route[] {
  const { api } = parts
  return [
    pageRow(parts, {
      path: '/api',
      operationId: 'showApi',
      summary: 'The API',
      show: (visit) => {
        const reference = `${visit.root}docs/reference`
        const body = html`${heading('API', html`<a class="button quiet" href="${visit.root}openapi.yaml?audience=merchant">openapi.yaml</a>`)}
<p><a href="${visit.root}docs">Documentation</a> : premiers pas, guides et exemples en curl, Node.js, Python et PHP.</p>
${firstCall(visit)}
<p>Chaque route mène à sa page de la <a href="${reference}">référence</a> : requête, champs, réponse et erreurs.</p>
<div class="field" hidden><label for="operations">Filtrer les opérations</label><input id="operations" type="search" placeholder="charges, refund, POST…" autocomplete="off" autocapitalize="none" spellcheck="false" data-filter></div>
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
    ['Adresse', copyable('base-url', baseUrl)],
    ['Clés', html`<a href="${visit.to('keys')}">Créer une clé</a> : sa clé publique est API_KEY, son secret API_SECRET.`],
  ])}
<section class="card"><div class="example-head"><h2>Premier appel</h2>${copyButton('first-call', 'Copier')}</div>
<pre tabindex="0" id="first-call">${command}</pre></section>`
}
