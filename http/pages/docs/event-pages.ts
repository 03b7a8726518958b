// One page for each call that leaves the service: event types, the lookup of a biller, the arguments of hosted code, and the gateways
// of an operator. Headers, fields and example come from the `webhooks` of the OpenAPI document.

import type { Json, JsonObject } from '../../openapi/openapi-schemas.ts'
import { WEBHOOK_TAGS } from '../../openapi/openapi-webhooks.ts'
import type { Language } from '../../text/language.ts'
import { type Html, html } from '../shared/html.ts'
import { WORDS } from '../shared/shared-words.ts'
import { texts } from '../shared/texts.ts'
import { type DocsView, writtenTitle } from './docs-frame.ts'
import type { ReferencePages } from './reference-pages.ts'
import { fieldsOf, proseOf } from './reference-parts.ts'
import { codeBlock } from './samples.ts'

const TEXTS = texts({
  fr: {
    eachCallLeavesServiceWith: html`Chaque appel qui quitte le service, avec ses champs et un exemple. Livraison, nouvelles tentatives et signature : voir le guide <a href="webhooks">Webhooks</a>.`,
    example: 'Exemple',
  },
  en: {
    eachCallLeavesServiceWith: html`Each call that leaves the service, with its fields and an example. Delivery, retries and signature: see the guide <a href="webhooks">Webhooks</a>.`,
    example: 'Example',
  },
})

export interface EventCall {
  /** Event type, or the name of another call: `lookup`, `gateway.sms`. */
  readonly name: string
  readonly tag: string
  readonly summary: string
  readonly description: string
}

export class EventPages {
  readonly #reference: ReferencePages

  constructor(reference: ReferencePages) {
    this.#reference = reference
  }

  calls(): readonly EventCall[] {
    return Object.entries(this.#webhooks()).map(([name, item]) => {
      const { tags, summary, description = '' } = (item as JsonObject).post as JsonObject
      return { name, tag: String((tags as Json[])[0]), summary: String(summary), description: String(description) }
    })
  }

  list(language: Language): DocsView {
    const calls = this.calls()
    const row = ({ name, summary }: EventCall): Html =>
      html`<li><a class="alone" href="events/${name}"><code>${name}</code></a> ${this.#said(summary, language)}</li>`
    const article = html`<h1>${WORDS.events}</h1>
<p>${TEXTS.eachCallLeavesServiceWith}</p>
${WEBHOOK_TAGS.map((tag) => html`<section><h2>${this.#said(tag, language)}</h2><ul class="routes">${calls.filter((call) => call.tag === tag).map(row)}</ul></section>`)}`
    return { place: 'events', title: WORDS.events, root: '../', article }
  }

  /** Returns null for a name that does not exist. */
  one(name: string, language: Language): DocsView | null {
    const call = this.calls().find((known) => known.name === name)
    if (call === undefined) return null
    const operation = (this.#webhooks()[name] as JsonObject).post as JsonObject
    const { example } = ((operation.requestBody as JsonObject).content as JsonObject)['application/json'] as JsonObject
    const { french } = this.#reference
    const summary = french.said(call.summary, language)
    const article = html`<p><a class="alone" href="../events">${WORDS.events}</a> ${this.#said(call.tag, language)}</p>
<h1><code>${name}</code></h1>
<p lang="${summary.language}">${summary.text}</p>
<div lang="${language}">${proseOf(french.said(call.description, language), language)}${fieldsOf(operation, this.#reference.fieldSource(language))}</div>
<h2 id="example"><a class="anchor" href="#example">${TEXTS.example}</a></h2>${codeBlock(JSON.stringify(example, null, 2))}`
    return { place: 'events', title: writtenTitle(name), root: '../../', article }
  }

  #said(english: string, language: Language): Html {
    const { text, language: written } = this.#reference.french.said(english, language)
    return html`<bdi lang="${written}">${text}</bdi>`
  }

  #webhooks(): JsonObject {
    return this.#reference.document().webhooks as JsonObject
  }
}
