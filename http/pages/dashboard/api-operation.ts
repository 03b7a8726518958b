// One operation of the API reference: its parameters, the request as curl, the fields of its body and its answers.
import { resolved, typeOf } from '../../openapi/document-fields.ts'
import type { Json, JsonObject } from '../../openapi/openapi-schemas.ts'
import { type Fragment, type Html, html } from '../html.ts'

export interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly tag: string
  readonly json: JsonObject
}

export function operationsOf(paths: JsonObject): Operation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item as JsonObject).map(([method, json]): Operation => {
      const operation = json as JsonObject
      return {
        ...{ id: String(operation.operationId), method: method.toUpperCase(), path },
        ...{ tag: String((operation.tags as Json[])[0]), json: operation },
      }
    }),
  )
}

export function operationOf(operation: Operation, document: JsonObject, baseUrl: string): Html {
  const { id, method, path, json } = operation
  const { summary, description } = json
  const all = (json.parameters as JsonObject[]).map((one) => resolved(one, document))
  return html`<details class="operation" id="${id}"><summary><span class="method is-${method.toLowerCase()}">${method}</span> <code>${path}</code> <span class="soft">${String(summary)}</span></summary>
${description !== undefined && prose(String(description))}
${curlPart(operation, all, baseUrl)}
${parameters(all)}
${requestOf(json.requestBody as JsonObject | undefined, document)}
${responses(json.responses as JsonObject, document)}
</details>`
}

/** Renders paragraphs, `code` and **bold**. The document's prose uses no other markup. */
export function prose(text: string): Html {
  return html`${text.split(/\n\n+/).map((paragraph) => html`<p>${inline(paragraph)}</p>`)}`
}

function inline(text: string): Fragment {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((piece): Fragment => {
    if (piece.startsWith('`')) return html`<code>${piece.slice(1, -1)}</code>`
    return piece.startsWith('**') ? html`<b>${piece.slice(2, -2)}</b>` : piece
  })
}

/** Headers of a shell command for each security scheme; a session has none, because a browser sends its cookie. */
const CREDENTIALS: Readonly<Record<string, string>> = {
  ApiKey: '"X-Api-Key: $API_KEY"',
  ApiSecret: '"X-Api-Secret: $API_SECRET"',
  WalletToken: bearer('$ACCESS_TOKEN'),
  SignupToken: bearer('$SIGNUP_TOKEN'),
  LoginToken: bearer('$LOGIN_TOKEN'),
  OperatorToken: bearer('$OPERATOR_TOKEN'),
}

function bearer(token: string): string {
  return `"Authorization: Bearer ${token}"`
}

function curlPart({ id, method, path, json }: Operation, all: readonly JsonObject[], baseUrl: string): Fragment {
  const schemes: JsonObject = (json.security as JsonObject[])[0] ?? {}
  const body = json.requestBody as JsonObject | undefined
  const media = (body?.content as JsonObject | undefined)?.['application/json'] as JsonObject | undefined
  const isShown = schemes.Session === undefined && (body === undefined || media !== undefined)
  if (!isShown) return null
  const hasKey = all.some(({ name }) => name === 'Idempotency-Key')
  const headers = [
    ...Object.keys(schemes).flatMap((scheme) => CREDENTIALS[scheme] ?? []),
    ...(hasKey ? ['"Idempotency-Key: $(uuidgen)"'] : []),
  ]
  const example = media?.example
  const text = curlText({ method, url: baseUrl + path, headers, ...(example === undefined ? {} : { example }) })
  return html`<div class="example-head"><h3>curl</h3><button class="quiet small" type="button" data-copy="curl-${id}" data-done-text="Copied" hidden>Copy</button></div><pre tabindex="0" id="curl-${id}">${text}</pre>`
}

interface Curl {
  readonly method: string
  readonly url: string
  /** Quoted for a shell. */
  readonly headers: readonly string[]
  readonly example?: Json
}

/** Returns a command that can be pasted into a shell. */
export function curlText({ method, url, headers, example }: Curl): string {
  const json =
    example === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(example).replaceAll("'", "'\\''")}'`]
  const first = `curl -sS${method === 'GET' ? '' : ` -X ${method}`} '${url}'`
  return [first, ...headers.map((header) => `-H ${header}`), ...json].join(' \\\n  ')
}

function parameters(list: readonly JsonObject[]): Fragment {
  const own = list.filter(({ name }) => name !== 'X-Request-Id')
  return (
    own.length > 0 &&
    html`<h3>Parameters</h3><dl class="fields">${own.map(
      ({ name, in: place, required, description }) =>
        html`<div><dt><code>${String(name)}</code> <span class="soft">${String(place)}${required === true && ', required'}</span></dt><dd>${inline(String(description ?? ''))}</dd></div>`,
    )}</dl>`
  )
}

function requestOf(body: JsonObject | undefined, document: JsonObject): Fragment {
  if (body === undefined) return false
  const [[type, media] = ['', {}]] = Object.entries(body.content as JsonObject)
  const { schema } = media as JsonObject
  return html`<h3>Request <span class="soft">${type}</span></h3>${fields(schema as JsonObject, document, NESTED_MAX)}`
}

function responses(all: JsonObject, document: JsonObject): Fragment {
  return Object.entries(all).map(([status, response]) => {
    const { description, content } = resolved(response as JsonObject, document)
    const media = Object.values((content as JsonObject | undefined) ?? {})[0] as JsonObject | undefined
    const isGood = status.startsWith('2')
    return html`<h3><span class="badge ${isGood ? 'is-good' : 'is-bad'}">${status}</span> <span class="soft">${inline(String(description))}</span></h3>${
      isGood && media !== undefined && html`${fields(media.schema as JsonObject, document, 0)}${exampleOf(media.example)}`
    }`
  })
}

function exampleOf(example: Json | undefined): Fragment {
  return example !== undefined && html`<pre tabindex="0">${JSON.stringify(example, null, 2)}</pre>`
}

/** Objects within objects of a request: lines of a batch, fields of a step of a form. */
const NESTED_MAX = 3

/** Renders the fields of an object, or of the items of a list, and those of the objects in them down to a depth. */
function fields(schema: JsonObject, document: JsonObject, depth: number): Fragment {
  const whole = resolved(schema, document)
  const properties = whole.properties as JsonObject | undefined
  if (properties === undefined) return false
  const row = properties.data !== undefined && properties.next_cursor !== undefined
  if (row) return fields(itemsOf(resolved(properties.data as JsonObject, document)), document, depth)
  const required = new Set((whole.required as Json[] | undefined) ?? [])
  return html`<dl class="fields">${Object.entries(properties).map(([name, field]) => {
    const { description } = field as JsonObject
    const inner = resolved(field as JsonObject, document)
    return html`<div><dt><code>${name}</code> <span class="soft">${typeOf(inner, document)}${required.has(name) && ', required'}</span></dt><dd>${inline(String(description ?? ''))}${depth > 0 && fields(inner.type === 'array' ? itemsOf(inner) : inner, document, depth - 1)}</dd></div>`
  })}</dl>`
}

function itemsOf({ items }: JsonObject): JsonObject {
  return (items as JsonObject | undefined) ?? {}
}
