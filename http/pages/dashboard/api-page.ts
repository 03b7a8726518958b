// The API reference as a page, rendered from the OpenAPI document: how to begin, the contents, and each operation with its request
// as curl. It is rendered at the first request.
import { openapiDocument } from '../../openapi/openapi.ts'
import type { JsonObject } from '../../openapi/openapi-schemas.ts'
import type { Route } from '../../server/route.ts'
import { type Html, html } from '../html.ts'
import { curlText, type Operation, operationOf, operationsOf, prose } from './api-operation.ts'
import { facts, heading } from './dashboard-parts.ts'
import { copyable, copyButton } from './share.ts'
import { type DashboardParts, pageRow, type Visit } from './visit.ts'

export function apiRows(parts: DashboardParts): readonly Route[] {
  const { app, api } = parts
  let reference: Html | null = null
  return [
    pageRow(parts, {
      path: '/api',
      operationId: 'showApi',
      summary: 'The API',
      show: (visit) => {
        reference ??= referenceOf(openapiDocument(api.routes(), app), app.baseUrl)
        const body = html`${heading('API', html`<a class="button quiet" href="${visit.root}openapi.yaml">openapi.yaml</a>`)}
<p><a href="${visit.root}docs">Documentation</a> : premiers pas, guides et exemples en curl, Node.js, Python et PHP.</p>
${firstCall(visit)}
<p>La référence est en anglais, comme le code qui l’appelle.</p>
<div class="field" hidden><label for="operations">Filtrer les opérations</label><input id="operations" type="search" placeholder="charges, refund, POST…" autocomplete="off" autocapitalize="none" spellcheck="false" data-filter></div>
<div class="reference" lang="en">${reference}</div>`
        visit.show({ title: 'API', place: 'api', body })
      },
    }),
  ]
}

/** The route of the first call: it checks a key and changes nothing. */
const FIRST_PATH = '/v1/biz/ping'

function firstCall(visit: Visit): Html {
  const { baseUrl } = visit.app
  const headers = ['"X-Api-Key: $API_KEY"', '"X-Api-Secret: $API_SECRET"']
  return html`${facts([
    ['Adresse', copyable('base-url', baseUrl)],
    ['Clés', html`<a href="${visit.to('keys')}">Créer une clé</a> : sa clé publique est API_KEY, son secret API_SECRET.`],
  ])}
<section class="card"><div class="example-head"><h2>Premier appel</h2>${copyButton('first-call', 'Copier')}</div>
<pre tabindex="0" id="first-call">${curlText({ method: 'GET', url: baseUrl + FIRST_PATH, headers })}</pre></section>`
}

interface Tag {
  readonly name: string
  readonly about: string
  /** Id of its section. */
  readonly id: string
  readonly operations: readonly Operation[]
}

function tagsOf(document: JsonObject): Tag[] {
  const operations = operationsOf(document.paths as JsonObject)
  const tags = (document.tags as JsonObject[]).map(({ name, description }): Tag => {
    const id = `api-${String(name)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')}`
    return { name: String(name), about: String(description), id, operations: operations.filter(({ tag }) => tag === name) }
  })
  return tags.filter(({ operations: own }) => own.length > 0)
}

function referenceOf(document: JsonObject, baseUrl: string): Html {
  const tags = tagsOf(document)
  const info = document.info as JsonObject
  return html`<nav class="contents" aria-label="Contents"><ul>${tags.map(({ id, name, operations }) => html`<li><a class="period" href="#${id}">${name} <span class="soft">${operations.length}</span></a></li>`)}</ul></nav>
<details class="card"><summary>Conventions</summary>${prose(String(info.description))}</details>
${tags.map(
  ({ id, name, about, operations }) =>
    html`<section id="${id}"><h2>${name}</h2>${prose(about)}${operations.map((operation) => operationOf(operation, document, baseUrl))}</section>`,
)}`
}
