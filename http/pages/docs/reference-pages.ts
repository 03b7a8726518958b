// The reference: each route with its request in the languages of the samples, its fields, its answer and its errors. It is made from
// the route table, as the OpenAPI document is. The French of its texts is in `french/`.

import { openapiDocument } from '../../openapi/openapi.ts'
import type { JsonObject } from '../../openapi/openapi-schemas.ts'
import type { Route } from '../../server/route.ts'
import { errorsOf } from '../../server/route-errors.ts'
import type { Language } from '../../text/language.ts'
import type { Text } from '../../text/text.ts'
import { type Fragment, type Html, html } from '../shared/html.ts'
import { WORDS } from '../shared/shared-words.ts'
import type { DocsParts, DocsView } from './docs-frame.ts'
import { DOCS_WORDS } from './docs-words.ts'
import { FrenchReference } from './french-reference.ts'
import { TEXTS } from './reference-pages-messages.ts'
import { type FieldSource, fieldsOf, proseOf, schemaFields } from './reference-parts.ts'
import { requestSample } from './reference-samples.ts'
import { routeList, tagIn, titleIn } from './route-list.ts'
import { codeBlock, sampleHtml } from './samples.ts'

/** The document's addresses are not shown here. */
const NO_ADDRESS = { baseUrl: '', walletBaseUrl: '' }

export class ReferencePages {
  readonly french: FrenchReference
  readonly #api: DocsParts
  #routes: readonly Route[] | null = null
  #document: JsonObject | null = null

  constructor(api: DocsParts, french: FrenchReference = new FrenchReference()) {
    this.#api = api
    this.french = french
  }

  routes(): readonly Route[] {
    this.#routes ??= this.#api.routes()
    return this.#routes
  }

  list(): DocsView {
    const routes = this.routes()
    const article = html`<h1>${DOCS_WORDS.apiReference}</h1>
<p>${TEXTS.eachRouteWithItsRequest}</p>
${routeList(routes, 'reference')}`
    return { place: 'reference', title: DOCS_WORDS.apiReference, root: '../', article }
  }

  /** Returns null for an operation that does not exist. */
  one(operationId: string, language: Language): DocsView | null {
    const route = this.routes().find((known) => known.operationId === operationId)
    if (route === undefined) return null
    const { method, path, summary, tag, auth, scope } = route
    const sample = requestSample(route)
    const article = html`<p><a class="alone" href="../reference">${DOCS_WORDS.apiReference}</a> ${tagIn(tag)}</p>
<h1>${titleIn(operationId, summary)}</h1>
<p><code>${method} ${path}</code></p>
<div lang="${language}">${proseOf(this.french.described(route, language), language)}</div>
<p>${ACCESS[auth]}${scope !== undefined && html` <code>${scope}</code>`}</p>
${Object.keys(sample).length > 0 && html`<h2 id="request"><a class="anchor" href="#request">${TEXTS.request}</a></h2>${sampleHtml(sample)}`}
${this.#fields(route, language)}
${this.#answer(route, language)}
${problems(route)}`
    return { place: 'reference', title: titleIn(operationId, summary), root: '../../', article }
  }

  /** Returns what the fields of an operation are rendered from. */
  fieldSource(language: Language): FieldSource {
    return { document: this.document(), french: this.french, language }
  }

  #fields(route: Route, language: Language): Fragment {
    return html`<div lang="${language}">${fieldsOf(this.#operation(route), this.fieldSource(language))}</div>`
  }

  #answer(route: Route, language: Language): Html {
    const { responses } = this.#operation(route)
    return html`<h2 id="answer"><a class="anchor" href="#answer">${WORDS.answer}</a></h2>${route.responses.map(
      ({ status, description, example, contentType }) => {
        const { content } = (responses as JsonObject)[status] as JsonObject
        const media = contentType === undefined && (content as JsonObject | undefined)?.['application/json']
        const said = this.french.said(description, language)
        return html`<p><bdi lang="${said.language}">${status} ${said.text}</bdi></p>${
          media &&
          html`<div lang="${language}">${schemaFields((media as JsonObject).schema as JsonObject, this.fieldSource(language))}</div>`
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

const ACCESS: Readonly<Record<Route['auth'], Text | string>> = {
  public: TEXTS.withoutAuthentication,
  key: TEXTS.apiKeyPair,
  'key-or-session': TEXTS.apiKeyPairOrSession,
  session: TEXTS.sessionDashboard,
  operator: TEXTS.operatorToken,
  wallet: TEXTS.accessTokenWallet,
  signup: TEXTS.signUpToken,
  login: TEXTS.loginToken,
  stream: TEXTS.accessTokenWalletOrTicket,
}

function problems(route: Route): Html {
  const rows = [...errorsOf(route)].map(
    ([status, codes]) =>
      html`<li>${status} ${codes.map((code) => html` <a class="alone" href="../errors/${code}"><code>${code}</code></a>`)}</li>`,
  )
  return html`<h2 id="errors"><a class="anchor" href="#errors">${TEXTS.errors}</a></h2><ul class="codes">${rows}</ul>`
}
