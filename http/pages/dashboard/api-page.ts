// The API reference as a page, rendered from the OpenAPI document. It is rendered at the first request.
import { openapiDocument } from '../../openapi/openapi.ts'
import type { Json, JsonObject } from '../../openapi/openapi-schemas.ts'
import type { Route } from '../../server/route.ts'
import { type Fragment, type Html, html } from '../html.ts'
import { heading } from './dashboard-parts.ts'
import { type DashboardParts, pageRow } from './visit.ts'

export function apiRows(parts: DashboardParts): readonly Route[] {
  const { app, api } = parts
  let reference: Html | null = null
  return [
    pageRow(parts, {
      path: '/api',
      operationId: 'showApi',
      summary: 'The API',
      show: (visit) => {
        reference ??= referenceOf(openapiDocument(api.routes(), app))
        const body = html`${heading('API', html`<a class="button quiet" href="${visit.root}openapi.yaml">openapi.yaml</a>`)}
<p>Adresse : <code>${app.baseUrl}</code>. <a href="${visit.to('keys')}">Vos clés</a>. La référence est en anglais, comme le code qui l’appelle.</p>
<div lang="en">${reference}</div>`
        visit.show({ title: 'API', place: 'api', body })
      },
    }),
  ]
}

interface Operation {
  readonly method: string
  readonly path: string
  readonly tag: string
  readonly json: JsonObject
}

function referenceOf(document: JsonObject): Html {
  const operations = operationsOf(document.paths as JsonObject)
  const tags = (document.tags as JsonObject[]).map(({ name, description }) => ({ name: String(name), about: String(description) }))
  const info = document.info as JsonObject
  return html`<details class="card"><summary>Conventions</summary>${prose(String(info.description))}</details>
${tags.map(({ name, about }) => {
  const own = operations.filter(({ tag }) => tag === name)
  return (
    own.length > 0 && html`<section><h2>${name}</h2>${prose(about)}${own.map((operation) => operationOf(operation, document))}</section>`
  )
})}`
}

function operationsOf(paths: JsonObject): Operation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item as JsonObject).map(([method, json]): Operation => {
      const operation = json as JsonObject
      return { method: method.toUpperCase(), path, tag: String((operation.tags as Json[])[0]), json: operation }
    }),
  )
}

function operationOf({ method, path, json }: Operation, document: JsonObject): Html {
  const { summary, description } = json
  return html`<details class="operation"><summary><code><b>${method}</b> ${path}</code> <span class="soft">${String(summary)}</span></summary>
${description !== undefined && prose(String(description))}
${parameters((json.parameters as JsonObject[]).map((one) => resolved(one, document)))}
${requestOf(json.requestBody as JsonObject | undefined, document)}
${responses(json.responses as JsonObject, document)}
</details>`
}

/** Renders paragraphs, `code` and **bold**. The document's prose uses no other markup. */
function prose(text: string): Html {
  return html`${text.split(/\n\n+/).map((paragraph) => html`<p>${inline(paragraph)}</p>`)}`
}

function inline(text: string): Fragment {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((piece): Fragment => {
    if (piece.startsWith('`')) return html`<code>${piece.slice(1, -1)}</code>`
    return piece.startsWith('**') ? html`<b>${piece.slice(2, -2)}</b>` : piece
  })
}

function parameters(list: readonly JsonObject[]): Fragment {
  const own = list.filter(({ name }) => name !== 'X-Request-Id')
  return (
    own.length > 0 &&
    html`<dl class="fields">${own.map(
      ({ name, in: place, required, description }) =>
        html`<div><dt><code>${String(name)}</code> <span class="soft">${String(place)}${required === true && ', required'}</span></dt><dd>${inline(String(description ?? ''))}</dd></div>`,
    )}</dl>`
  )
}

function requestOf(body: JsonObject | undefined, document: JsonObject): Fragment {
  if (body === undefined) return false
  const [[type, media] = ['', {}]] = Object.entries(body.content as JsonObject)
  const { schema, example } = media as JsonObject
  return html`<h3>Request <span class="soft">${type}</span></h3>${fields(schema as JsonObject, document)}${exampleOf(example)}`
}

function responses(all: JsonObject, document: JsonObject): Fragment {
  return Object.entries(all).map(([status, response]) => {
    const { description, content } = resolved(response as JsonObject, document)
    const media = Object.values((content as JsonObject | undefined) ?? {})[0] as JsonObject | undefined
    const isGood = status.startsWith('2')
    return html`<h3>${status} <span class="soft">${inline(String(description))}</span></h3>${
      isGood && media !== undefined && html`${fields(media.schema as JsonObject, document)}${exampleOf(media.example)}`
    }`
  })
}

function exampleOf(example: Json | undefined): Fragment {
  return example !== undefined && html`<pre tabindex="0">${JSON.stringify(example, null, 2)}</pre>`
}

/** Renders the fields of an object, or of the items of a list. */
function fields(schema: JsonObject, document: JsonObject): Fragment {
  const whole = resolved(schema, document)
  const properties = whole.properties as JsonObject | undefined
  if (properties === undefined) return false
  const row = properties.data !== undefined && properties.next_cursor !== undefined
  if (row)
    return fields(((resolved(properties.data as JsonObject, document).items as JsonObject | undefined) ?? {}) as JsonObject, document)
  const required = new Set((whole.required as Json[] | undefined) ?? [])
  return html`<dl class="fields">${Object.entries(properties).map(([name, field]) => {
    const { description } = field as JsonObject
    return html`<div><dt><code>${name}</code> <span class="soft">${typeOf(field as JsonObject, document)}${required.has(name) && ', required'}</span></dt><dd>${inline(String(description ?? ''))}</dd></div>`
  })}</dl>`
}

function typeOf(field: JsonObject, document: JsonObject): string {
  const { type, enum: words, anyOf, const: only } = resolved(field, document)
  if (words !== undefined) return (words as Json[]).join(' | ')
  if (only !== undefined) return String(only)
  if (anyOf !== undefined) return (anyOf as JsonObject[]).map((one) => typeOf(one, document)).join(' | ')
  return Array.isArray(type) ? type.join(' | ') : String(type ?? 'any')
}

/** Resolves a reference within the document. */
function resolved(value: JsonObject, document: JsonObject): JsonObject {
  const { $ref } = value
  if (typeof $ref !== 'string') return value
  const target = $ref
    .slice(2)
    .split('/')
    .reduce<Json>((place, step) => (place as JsonObject)[step] as Json, document)
  return resolved(target as JsonObject, document)
}
