// The request of a route in each language of the samples, from the example of its body. A test sends each to a real server.
import type { Schema } from '../../../engine/contract/schema.ts'
import type { RouteShape } from '../../server/route.ts'
import { literal, NODE, PHP, PYTHON, type Value } from './literals.ts'
import { NODE_METHODS } from './node-methods.ts'
import { plainNode, plainPhp, plainPython } from './plain-samples.ts'
import { type RequestHeader, requestHeaders } from './request-headers.ts'
import { readSamples, type Sample } from './samples.ts'

/** Values of the path parameters by name. */
export type ParamValues = Readonly<Record<string, string>>

/** Returns an example of each path parameter: the body's, where it names the same thing. */
export function exampleParams({ params = {}, bodyExample }: Pick<RouteShape, 'params' | 'bodyExample'>): ParamValues {
  const body = (bodyExample ?? {}) as Readonly<Record<string, Value>>
  return Object.fromEntries(
    Object.entries(params).map(([name, { examples }]) => [name, String(body[name] ?? (examples as Value[] | undefined)?.[0] ?? name)]),
  )
}

/** Routes whose request is written by hand: files, and streams, which do not end. */
const WRITTEN: Readonly<Record<string, string>> = {
  uploadBillerLogo: 'billers/logo',
  addActivationFile: 'going-live/activation-file',
  setMerchantLogo: 'going-live/account-logo',
  streamMerchantEvents: 'webhooks/stream',
  streamEvents: 'wallets/stream',
}

/** Returns the request in all languages. For the merchant API the samples use the clients of the quickstart. */
export function requestSample(route: RouteShape, params: ParamValues = exampleParams(route)): Sample {
  const { path, operationId } = route
  const written = WRITTEN[operationId]
  if (written !== undefined) return readSamples().get(written) ?? {}
  const query = requiredQuery(route)
  const request: Request = { ...route, path: filled(path, params) + queryText(query), params: Object.values(params), query }
  const sh = curlText(request)
  const isMerchants = path.startsWith('/v1/biz/') || path === '/healthz'
  if (!isMerchants) return { sh, mjs: plainNode(request), py: plainPython(request), php: plainPhp(request) }
  return { sh, mjs: nodeText(request), py: pythonText(request), php: phpText(request) }
}

interface Request extends Omit<RouteShape, 'params' | 'query'> {
  readonly params: readonly string[]
  /** Parameters without which the route rejects a request; those of the path are in it already. */
  readonly query: QueryValues
}

function filled(path: string, params: ParamValues): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? name))
}

type QueryValues = Readonly<Record<string, Value>>

/** Returns the query parameters without which the route rejects a request, with their examples. */
function requiredQuery({ query }: RouteShape): QueryValues {
  const required = Object.entries(query?.properties ?? {}).filter(([name]) => query?.required?.includes(name))
  // A choice has no examples: any of its values is one.
  const exampleOf = ({ examples, enum: choices }: Schema): Value | undefined => ((examples ?? choices) as Value[] | undefined)?.[0]
  return Object.fromEntries(required.map(([name, schema]) => [name, exampleOf(schema) ?? name]))
}

function queryText(query: QueryValues): string {
  const values = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])
  return values.length === 0 ? '' : `?${new URLSearchParams(values)}`
}

function curlText(request: Request): string {
  const { method, path, bodyExample } = request
  const all = requestHeaders(request)
  const hasKey = all.some(({ value }) => value === 'key')
  const headers = all.map(({ name, text, value }) => `-H ${curlHeader(`${name}: ${text}`, value)}`)
  const json = JSON.stringify(bodyExample)?.replaceAll("'", "'\\''")
  const first = `curl -sS${hasKey ? ' --fail-with-body' : ''}${method === 'GET' ? '' : ` -X ${method}`} "$CAURI_URL${path}"`
  const asked = [first, ...headers, ...(json === undefined ? [] : [`-d '${json}'`])].join(' \\\n  ')
  // What was asked may be done where no answer came: it is repeated under its key.
  return hasKey ? `key=$(openssl rand -hex 16)\n${asked} ||\n  echo "Idempotency-Key: $key" >&2` : asked
}

function curlHeader(text: string, value: RequestHeader['value']): string {
  if (value === undefined) return `'${text}'`
  return `"${text}${value === 'key' ? '$key' : `$${value.variable}`}"`
}

function nodeText({ operationId, params, query, bodyExample, method }: Request): string {
  const call = NODE_METHODS[operationId]
  if (call === undefined) throw new Error(`no method of @cauri/node is known for ${operationId}`)
  const { name, takes } = call
  const body = takes === null ? undefined : (bodyExample as Value | undefined)
  const sent = typeof takes === 'string' && body !== undefined ? (body as Readonly<Record<string, Value>>)[takes] : body
  const asked = Object.keys(query).length === 0 ? [] : [query]
  const values = [...params, ...asked, ...(sent === undefined ? [] : [sent])].map((value) => literal(value, NODE))
  const isList = method === 'GET' && call.isList === true
  return `import { cauri } from './cauri.mjs'\n\nconsole.log(await cauri.${name}(${values.join(', ')})${isList ? '.page()' : ''})`
}

function pythonText({ method, path, bodyExample }: Request): string {
  const body = bodyExample === undefined ? '' : `, ${literal(bodyExample as Value, PYTHON)}`
  return `from cauri import call\n\nprint(call("${method}", "${path}"${body}))`
}

function phpText({ method, path, bodyExample }: Request): string {
  const body = bodyExample === undefined ? '' : `, ${literal(bodyExample as Value, PHP)}`
  return `<?php\nrequire_once 'cauri.php';\n\nprint_r(cauri('${method}', '${path}'${body}));`
}
