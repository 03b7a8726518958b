// The request of a route in each language of the samples, from the example of its body. A test sends each to a real server.
import type { RouteShape } from '../../server/route.ts'
import { NODE_METHODS } from './node-methods.ts'
import type { Sample } from './samples.ts'

/** Values of the path parameters by name. */
export type ParamValues = Readonly<Record<string, string>>

type Value = null | boolean | number | string | readonly Value[] | { readonly [name: string]: Value }

/** Returns an example of each path parameter: the body's, where it names the same thing. */
export function exampleParams({ params = {}, bodyExample }: Pick<RouteShape, 'params' | 'bodyExample'>): ParamValues {
  const body = (bodyExample ?? {}) as Readonly<Record<string, Value>>
  return Object.fromEntries(
    Object.entries(params).map(([name, { examples }]) => [name, String(body[name] ?? (examples as Value[] | undefined)?.[0] ?? name)]),
  )
}

/**
 * Returns the request in all languages for routes of API keys, in curl alone for other routes. Routes of dashboard sessions, files and
 * streams have none: a browser, a form or `events.stream` sends them.
 */
export function requestSample(route: RouteShape, params: ParamValues = exampleParams(route)): Sample {
  const { auth, path, bodyType = 'json', responses } = route
  const isStream = responses.some(({ contentType }) => contentType === 'text/event-stream')
  if (auth === 'session' || auth === 'stream' || bodyType !== 'json' || isStream) return {}
  const request: Request = { ...route, path: filled(path, params), params: Object.values(params) }
  const sh = curlText(request)
  const isMerchants = path.startsWith('/v1/biz/') || path === '/healthz'
  return isMerchants ? { sh, mjs: nodeText(request), py: pythonText(request), php: phpText(request) } : { sh }
}

interface Request extends Omit<RouteShape, 'params'> {
  readonly params: readonly string[]
}

function filled(path: string, params: ParamValues): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? name))
}

const CREDENTIALS: Readonly<Partial<Record<RouteShape['auth'], readonly string[]>>> = {
  key: ['"X-Api-Key: $CAURI_API_KEY"', '"X-Api-Secret: $CAURI_API_SECRET"'],
  'key-or-session': ['"X-Api-Key: $CAURI_API_KEY"', '"X-Api-Secret: $CAURI_API_SECRET"'],
  wallet: ['"Authorization: Bearer $ACCESS_TOKEN"'],
  signup: ['"Authorization: Bearer $SIGNUP_TOKEN"'],
  login: ['"Authorization: Bearer $LOGIN_TOKEN"'],
  operator: ['"Authorization: Bearer $OPERATOR_TOKEN"'],
}

function curlText({ auth, method, path, idempotency, bodyExample }: Request): string {
  const headers = [...(CREDENTIALS[auth] ?? []), ...(idempotency === 'none' ? [] : ['"Idempotency-Key: $(openssl rand -hex 16)"'])].map(
    (text) => `-H ${text}`,
  )
  const json = JSON.stringify(bodyExample)?.replaceAll("'", "'\\''")
  const body = json === undefined ? [] : ["-H 'Content-Type: application/json'", `-d '${json}'`]
  const first = `curl -sS${method === 'GET' ? '' : ` -X ${method}`} "$CAURI_URL${path}"`
  return [first, ...headers, ...body].join(' \\\n  ')
}

function nodeText({ operationId, params, bodyExample, method }: Request): string {
  const call = NODE_METHODS[operationId]
  if (call === undefined) throw new Error(`no method of @cauri/node is known for ${operationId}`)
  const { name, takes = 'body' } = call
  const body = bodyExample as Value | undefined
  const sent = takes === 'body' || body === undefined ? body : (body as Readonly<Record<string, Value>>)[takes]
  const values = [...params, ...(sent === undefined ? [] : [sent])].map((value) => literal(value, NODE))
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

/** How a language writes values. */
interface Notation {
  readonly words: readonly [none: string, yes: string, no: string]
  readonly text: (text: string) => string
  readonly list: readonly [open: string, close: string]
  readonly object: readonly [open: string, close: string]
  readonly empty: string
  readonly entry: (name: string, value: string) => string
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`
const NODE: Notation = {
  words: ['null', 'true', 'false'],
  text: quoted,
  list: ['[', ']'],
  object: ['{', '}'],
  empty: '{}',
  entry: (name, value) => `${/^[a-z_$][\w$]*$/i.test(name) ? name : quoted(name)}: ${value}`,
}
const PYTHON: Notation = {
  words: ['None', 'True', 'False'],
  text: (text) => JSON.stringify(text),
  list: ['[', ']'],
  object: ['{', '}'],
  empty: '{}',
  entry: (name, value) => `${JSON.stringify(name)}: ${value}`,
}
const PHP: Notation = {
  words: ['null', 'true', 'false'],
  // Line breaks stand in single quotes as they are.
  text: (text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`,
  list: ['[', ']'],
  object: ['[', ']'],
  empty: 'new stdClass()',
  entry: (name, value) => `'${name}' => ${value}`,
}

/** Values of a line's length are written on one line. */
const LINE_LENGTH = 60

function literal(value: Value, notation: Notation, margin = ''): string {
  const { words, text, list, object, empty, entry } = notation
  if (value === null) return words[0]
  if (typeof value === 'boolean') return value ? words[1] : words[2]
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return text(value)
  const inner = `${margin}    `
  const items = Array.isArray(value)
    ? value.map((item: Value) => literal(item, notation, inner))
    : Object.entries(value as object).map(([name, item]) => entry(name, literal(item as Value, notation, inner)))
  const [open, close] = Array.isArray(value) ? list : object
  if (items.length === 0) return Array.isArray(value) ? `${open}${close}` : empty
  const line = `${open}${items.join(', ')}${close}`
  if (line.length <= LINE_LENGTH && !line.includes('\n')) return line
  return `${open}\n${items.map((item) => inner + item).join(',\n')},\n${margin}${close}`
}
