// The routes of the API by their tag, each with a link to its page of the reference: for `/docs/reference` and for the dashboard.

import { TAGS } from '../../openapi/openapi-prose.ts'
import type { Route } from '../../server/route.ts'
import { Text } from '../../text/text.ts'
import { type Html, html } from '../shared/html.ts'
import { FRENCH_SUMMARIES, FRENCH_TAGS } from './french-summaries.ts'

type Listed = Pick<Route, 'method' | 'path' | 'operationId' | 'summary' | 'tag'>

/** `reference` is the relative address of the reference. */
export function routeList(routes: readonly Listed[], reference: string): Html {
  const row = ({ method, path, operationId, summary }: Listed): Html =>
    html`<li class="operation"><a class="alone" href="${reference}/${operationId}"><code>${method} ${path}</code></a> ${titleIn(operationId, summary)}</li>`
  const tags = TAGS.filter(({ name }) => routes.some(({ tag }) => tag === name))
  return html`${tags.map(({ name }) => html`<section><h2 id="${anchor(name)}"><a class="anchor" href="#${anchor(name)}">${tagIn(name)}</a></h2><ul class="routes">${routes.filter(({ tag }) => tag === name).map(row)}</ul></section>`)}`
}

/** Returns the title of a route in the language of the reader. */
export function titleIn(operationId: string, summary: string): Text {
  return new Text((language) => (language === 'fr' ? (FRENCH_SUMMARIES[operationId] ?? summary) : summary))
}

export function tagIn(tag: string): Text {
  return new Text((language) => (language === 'fr' ? (FRENCH_TAGS[tag] ?? tag) : tag))
}

function anchor(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]+/g, '-')
}
