// Parameters and fields of an operation, from the OpenAPI document, in the language of the reader.
import { resolved, typeOf } from '../../openapi/document-fields.ts'
import type { Json, JsonObject } from '../../openapi/openapi-schemas.ts'
import type { Language } from '../../text/language.ts'
import { type Fragment, type Html, html } from '../shared/html.ts'
import { FRENCH_WORDS } from './french-field-words.ts'
import type { FrenchReference, Wording } from './french-reference.ts'

/** Objects within objects: lines of a batch, fields of a step of a form. */
const DEPTH_MAX = 3

/** What the fields of a page are rendered from. */
export interface FieldSource {
  readonly document: JsonObject
  readonly french: FrenchReference
  readonly language: Language
}

/** Renders paragraphs, `code` and **bold**: the document's prose uses no other markup. */
export function proseOf({ text, language: written }: Wording, language: Language): Html {
  return html`${text
    .split(/\n\n+/)
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => html`<p>${inline({ text: paragraph, language: written }, language)}</p>`)}`
}

/** Renders what the operation takes: parameters, then fields of the body. */
export function fieldsOf(operation: JsonObject, source: FieldSource): Fragment {
  const { document, language } = source
  const all = ((operation.parameters as JsonObject[] | undefined) ?? []).map((one) => resolved(one, document))
  const parameters = all.filter(({ name }) => name !== 'X-Request-Id')
  const media = Object.values(((operation.requestBody as JsonObject | undefined)?.content as JsonObject | undefined) ?? {})[0]
  return [
    parameters.length > 0 &&
      html`<h2 id="parameters"><a class="anchor" href="#parameters"><bdi>${word('Parameters', language)}</bdi></a></h2><dl class="fields">${parameters.map((one) => parameter(one, source))}</dl>`,
    media !== undefined &&
      html`<h2 id="body"><a class="anchor" href="#body"><bdi>${word('Body', language)}</bdi></a></h2>${schemaFields((media as JsonObject).schema as JsonObject, source)}`,
  ]
}

/** Renders the fields of a schema, those of objects within it included; false where it has none. */
export function schemaFields(schema: JsonObject, source: FieldSource): Fragment {
  return fields(schema, source, DEPTH_MAX)
}

function parameter({ name, in: place, required, description }: JsonObject, { french, language }: FieldSource): Html {
  return html`<div><dt><code>${String(name)}</code> <bdi>${word(String(place), language)}${required === true && requiredIn(language)}</bdi></dt><dd>${inline(french.said(String(description ?? ''), language), language)}</dd></div>`
}

function fields(schema: JsonObject, source: FieldSource, depth: number): Fragment {
  const { document, french, language } = source
  const whole = resolved(schema, document)
  const properties = whole.properties as JsonObject | undefined
  if (properties === undefined || depth === 0) return false
  const required = new Set((whole.required as Json[] | undefined) ?? [])
  return html`<dl class="fields">${Object.entries(properties).map(([name, field]) => {
    const { description } = field as JsonObject
    const inner = resolved(field as JsonObject, document)
    const nested = inner.type === 'array' ? ((inner.items as JsonObject | undefined) ?? {}) : inner
    return html`<div><dt><code>${name}</code> <bdi>${typeOf(inner, document)}${required.has(name) && requiredIn(language)}</bdi></dt><dd>${inline(french.said(String(description ?? ''), language), language)}${fields(nested, source, depth - 1)}</dd></div>`
  })}</dl>`
}

function requiredIn(language: Language): string {
  return `, ${word('required', language)}`
}

function word(english: string, language: Language): string {
  return language === 'fr' ? (FRENCH_WORDS[english] ?? english) : english
}

/** A text that is not in the language of the page says so. */
function inline({ text, language: written }: Wording, language: Language): Fragment {
  const isOther = text !== '' && written !== language
  return html`<bdi${isOther && html` lang="${written}"`}>${text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((piece): Fragment => {
    if (piece.startsWith('`')) return html`<code>${piece.slice(1, -1)}</code>`
    return piece.startsWith('**') ? html`<b>${piece.slice(2, -2)}</b>` : piece
  })}</bdi>`
}
