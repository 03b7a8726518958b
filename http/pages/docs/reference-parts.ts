// Parameters and fields of an operation, from the OpenAPI document.
import { resolved, typeOf } from '../../openapi/document-fields.ts'
import type { Json, JsonObject } from '../../openapi/openapi-schemas.ts'
import { type Fragment, type Html, html } from '../html.ts'

/** Objects within objects: lines of a batch, fields of a step of a form. */
const DEPTH_MAX = 3

/** Renders paragraphs, `code` and **bold**: the document's prose uses no other markup. */
export function proseOf(text: string): Html {
  return html`${text
    .split(/\n\n+/)
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => html`<p>${inline(paragraph)}</p>`)}`
}

/** Renders what the operation takes: parameters, then fields of the body. */
export function fieldsOf(operation: JsonObject, document: JsonObject): Fragment {
  const all = ((operation.parameters as JsonObject[] | undefined) ?? []).map((one) => resolved(one, document))
  const parameters = all.filter(({ name }) => name !== 'X-Request-Id')
  const media = Object.values(((operation.requestBody as JsonObject | undefined)?.content as JsonObject | undefined) ?? {})[0]
  return [
    parameters.length > 0 &&
      html`<h2 id="parameters"><a class="anchor" href="#parameters"><bdi>Parameters</bdi></a></h2><dl class="fields">${parameters.map(parameter)}</dl>`,
    media !== undefined &&
      html`<h2 id="body"><a class="anchor" href="#body"><bdi>Body</bdi></a></h2>${schemaFields((media as JsonObject).schema as JsonObject, document)}`,
  ]
}

/** Renders the fields of a schema, those of objects within it included; false where it has none. */
export function schemaFields(schema: JsonObject, document: JsonObject): Fragment {
  return fields(schema, document, DEPTH_MAX)
}

function parameter({ name, in: place, required, description }: JsonObject): Html {
  return html`<div><dt><code>${String(name)}</code> <bdi>${String(place)}${required === true && ', required'}</bdi></dt><dd>${inline(String(description ?? ''))}</dd></div>`
}

function fields(schema: JsonObject, document: JsonObject, depth: number): Fragment {
  const whole = resolved(schema, document)
  const properties = whole.properties as JsonObject | undefined
  if (properties === undefined || depth === 0) return false
  const required = new Set((whole.required as Json[] | undefined) ?? [])
  return html`<dl class="fields">${Object.entries(properties).map(([name, field]) => {
    const { description } = field as JsonObject
    const inner = resolved(field as JsonObject, document)
    const nested = inner.type === 'array' ? ((inner.items as JsonObject | undefined) ?? {}) : inner
    return html`<div><dt><code>${name}</code> <bdi>${typeOf(inner, document)}${required.has(name) && ', required'}</bdi></dt><dd>${inline(String(description ?? ''))}${fields(nested, document, depth - 1)}</dd></div>`
  })}</dl>`
}

function inline(text: string): Fragment {
  return html`<bdi>${text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((piece): Fragment => {
    if (piece.startsWith('`')) return html`<code>${piece.slice(1, -1)}</code>`
    return piece.startsWith('**') ? html`<b>${piece.slice(2, -2)}</b>` : piece
  })}</bdi>`
}
