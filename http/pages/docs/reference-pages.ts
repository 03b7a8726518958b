// The reference: each route with its request in the languages of the samples, its fields, its answer and its errors. It is made from
// the route table, as the OpenAPI document is, and is in English as that document is.
import { openapiDocument } from '../../openapi/openapi.ts'
import type { JsonObject } from '../../openapi/openapi-schemas.ts'
import type { Route } from '../../server/route.ts'
import { errorsOf } from '../../server/route-errors.ts'
import { type Fragment, type Html, html, titled } from '../html.ts'
import type { DocsParts, DocsView } from './docs-frame.ts'
import { fieldsOf, proseOf, schemaFields } from './reference-parts.ts'
import { requestSample } from './reference-samples.ts'
import { routeList, tagIn, titleIn } from './route-list.ts'
import { codeBlock, sampleHtml } from './samples.ts'

/** The document's addresses are not shown here. */
const NO_ADDRESS = { baseUrl: '', walletBaseUrl: '' }

export class ReferencePages {
  readonly #api: DocsParts
  #routes: readonly Route[] | null = null
  #document: JsonObject | null = null

  constructor(api: DocsParts) {
    this.#api = api
  }

  routes(): readonly Route[] {
    this.#routes ??= this.#api.routes()
    return this.#routes
  }

  list(): DocsView {
    const routes = this.routes()
    const article = html`<h1>Référence de l’API</h1>
<p>Chaque route avec sa requête, ses champs, sa réponse et ses erreurs. Les titres sont dans votre langue ; les textes des champs sont en anglais, comme le document <a href="../openapi.yaml">OpenAPI</a> dont elle est tirée.</p>
${routeList(routes, 'reference')}`
    return { place: 'reference', title: titled`Référence de l’API`, root: '../', article }
  }

  /** Returns null for an operation that does not exist. */
  one(operationId: string): DocsView | null {
    const route = this.routes().find((known) => known.operationId === operationId)
    if (route === undefined) return null
    const { method, path, summary, tag, description, auth, scope } = route
    const sample = requestSample(route)
    const article = html`<p><a class="alone" href="../reference">Référence de l’API</a> ${tagIn(tag)}</p>
<h1>${titleIn(operationId, summary)}</h1>
<p><code>${method} ${path}</code></p>
<div lang="en">${proseOf(description ?? '')}</div>
<p>${ACCESS[auth]}${scope !== undefined && html` <code>${scope}</code>`}</p>
${Object.keys(sample).length > 0 && html`<h2 id="request"><a class="anchor" href="#request">Requête</a></h2>${sampleHtml(sample)}`}
${this.#fields(route)}
${this.#answer(route)}
${problems(route)}`
    return { place: 'reference', title: titled`${titleIn(operationId, summary)}`, root: '../../', article }
  }

  #fields(route: Route): Fragment {
    return html`<div lang="en">${fieldsOf(this.#operation(route), this.document())}</div>`
  }

  #answer(route: Route): Html {
    const { responses } = this.#operation(route)
    return html`<h2 id="answer"><a class="anchor" href="#answer">Réponse</a></h2>${route.responses.map(
      ({ status, description, example, contentType }) => {
        const { content } = (responses as JsonObject)[status] as JsonObject
        const media = contentType === undefined && (content as JsonObject | undefined)?.['application/json']
        return html`<p><bdi lang="en">${status} ${description}</bdi></p>${
          media && html`<div lang="en">${schemaFields((media as JsonObject).schema as JsonObject, this.document())}</div>`
        }${example !== undefined && codeBlock(typeof example === 'string' ? example : JSON.stringify(example, null, 2))}`
      },
    )}`
  }

  #operation({ path, method }: Route): JsonObject {
    return ((this.document().paths as JsonObject)[path] as JsonObject)[method.toLowerCase()] as JsonObject
  }

  /** Returns the OpenAPI document, which is made once. */
  document(): JsonObject {
    this.#document ??= openapiDocument(this.routes(), NO_ADDRESS)
    return this.#document
  }
}

const ACCESS: Readonly<Record<Route['auth'], string>> = {
  public: 'Sans authentification.',
  key: 'Paire de clés API.',
  'key-or-session': 'Paire de clés API, ou session du tableau de bord.',
  session: 'Session du tableau de bord.',
  operator: 'Jeton d’opérateur.',
  wallet: 'Jeton d’accès d’un portefeuille.',
  signup: 'Jeton d’inscription.',
  login: 'Jeton de connexion.',
  stream: 'Jeton d’accès d’un portefeuille, ou ticket.',
}

function problems(route: Route): Html {
  const rows = [...errorsOf(route)].map(
    ([status, codes]) =>
      html`<li>${status} ${codes.map((code) => html` <a class="alone" href="../errors/${code}"><code>${code}</code></a>`)}</li>`,
  )
  return html`<h2 id="errors"><a class="anchor" href="#errors">Erreurs</a></h2><ul class="codes">${rows}</ul>`
}
