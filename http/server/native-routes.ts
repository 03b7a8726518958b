// Compiles the route table into endpoints and native patterns, with the answers for unknown paths, wrong methods and OPTIONS.
import { errorValue } from '../../engine/contract/errors.ts'
import { RouteCheck } from './body/validation.ts'
import { isCrossOriginPath, preflightHeaders } from './cors.ts'
import type { NativeMethod } from './native.ts'
import { isMoneyRoute, type Method, type Route } from './route.ts'
import { RouteMeter } from './route-meter.ts'
import type { Endpoint } from './server-context.ts'
import { LONG_ANSWER_COST } from './server-limits.ts'

/** A method and pattern of the native router, and what answers it. */
export interface NativePattern {
  readonly method: NativeMethod
  readonly pattern: string
  readonly endpoint: Endpoint
}

const NATIVE_METHODS = { GET: 'get', POST: 'post', PUT: 'put', DELETE: 'del' } as const satisfies Record<Method, NativeMethod>
const PAGES = 'Pages'
const METHODS = Object.keys(NATIVE_METHODS) as readonly Method[]

/** `alwaysOpen` and `answerUnknownPath` as in ServerParts. */
export function compileRoutes(
  routes: readonly Route[],
  alwaysOpen: ReadonlySet<string>,
  answerUnknownPath: Route['handle'] = (call) => call.refuse('not_found'),
): { readonly endpoints: readonly Endpoint[]; readonly patterns: readonly NativePattern[] } {
  const compiled = new CompiledRoutes(alwaysOpen)
  compiled.register(routes)
  const unknown = nowhere('(unknown path)', answerUnknownPath)
  compiled.add('any', '/*', unknown)
  compiled.add('head', '/*', unknown)
  return compiled
}

class CompiledRoutes {
  readonly endpoints: Endpoint[] = []
  readonly patterns: NativePattern[] = []
  readonly #alwaysOpen: ReadonlySet<string>

  constructor(alwaysOpen: ReadonlySet<string>) {
    this.#alwaysOpen = alwaysOpen
  }

  register(routes: readonly Route[]): void {
    const rowsByPath = new Map<string, Route[]>()
    for (const route of routes) {
      const pattern = route.path.replaceAll(/\{(\w+)\}/g, ':$1')
      rowsByPath.set(pattern, [...(rowsByPath.get(pattern) ?? []), route])
      this.add(NATIVE_METHODS[route.method], pattern, route)
      if (route.method === 'GET') this.add('head', pattern, route)
    }
    for (const [pattern, rows] of rowsByPath) this.#registerOtherMethods(pattern, rows)
  }

  /**
   * HEAD is allowed where GET is. The other methods are registered by name, because the native router prefers a named
   * method of a pattern (`GET /payouts/{id}`) over any method of a fixed path (`/payouts/check-recipient`).
   */
  #registerOtherMethods(pattern: string, rows: readonly Route[]): void {
    const methods = rows.map(({ method }) => method)
    const isCrossOrigin = isCrossOriginPath(
      rows[0]?.path ?? '',
      rows.map(({ auth }) => auth),
    )
    const preflight = isCrossOrigin ? preflightHeaders(methods) : []
    const hasGet = methods.includes('GET')
    const allow = [...methods, ...(hasGet ? ['HEAD'] : []), 'OPTIONS'].join(', ')
    const options = nowhere(`OPTIONS ${pattern}`, (call) => call.answerAs(204, '', [['Allow', allow], ...preflight]))
    const wrong = nowhere(`(wrong method) ${pattern}`, (call) => call.answerAs(405, errorValue('method_not_allowed'), [['Allow', allow]]))
    this.add('options', pattern, options, isCrossOrigin)
    const endpoint = this.add('any', pattern, wrong, isCrossOrigin)
    for (const method of METHODS) if (!methods.includes(method)) this.#listen(NATIVE_METHODS[method], pattern, endpoint)
    if (!hasGet) this.add('head', pattern, wrong)
  }

  add(method: NativeMethod, pattern: string, route: Route, isCrossOrigin = isCrossOriginPath(route.path, [route.auth])): Endpoint {
    const endpoint: Endpoint = {
      route,
      label: route.operationId,
      check: new RouteCheck(route),
      paramsCount: route.path.split('{').length - 1,
      meter: new RouteMeter(),
      alwaysOpen: this.#alwaysOpen.has(route.path),
      withoutBody: method === 'head',
      fairCost: fairCostOf(route),
      isCrossOrigin,
      movesMoney: isMoneyRoute(route),
    }
    this.endpoints.push(endpoint)
    this.#listen(method, pattern, endpoint)
    return endpoint
  }

  #listen(method: NativeMethod, pattern: string, endpoint: Endpoint): void {
    this.patterns.push({ method, pattern, endpoint })
  }
}

/** A list reads up to a hundred rows; a page of the dashboard or of an operator reads several lists. */
function fairCostOf({ method, query, tag, takesLong }: Route): number {
  const isList = query !== undefined && Object.hasOwn(query.properties, 'limit')
  return method === 'GET' && (isList || tag === PAGES || takesLong === true) ? LONG_ANSWER_COST : 0
}

/** Returns a row for unknown paths, wrong methods and OPTIONS. It has no path, so nothing about it is checked. */
function nowhere(label: string, handle: Route['handle']): Route {
  return {
    method: 'GET',
    path: '',
    operationId: label,
    tag: '',
    summary: '',
    auth: 'public',
    idempotency: 'none',
    responses: [],
    errors: [],
    handle,
  }
}
